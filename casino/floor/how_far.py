"""How far a table has come, read off its record piece by piece: its shoe, its seats, its troubles.

Pure: nothing is read but the arguments.

Law: PT art. 5, 9, 11, 12, 51, 61.
"""

from typing import Any, Literal

from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.deck_life import DeckWithdrawn
from casino.events.event import Event
from casino.events.floor_life import SeatLeft, SeatTaken
from casino.events.incidents import IncidentReported
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardBurned, CutMade
from casino.events.shufflers import ShufflerLoaded
from casino.law.dossier import Dossier, RecordedEvent, in_time
from casino.law.game_decks import decks_in_play
from casino.law.game_incidents import JAMS, Incident, incidents_around
from casino.law.partida_context import PartidaContext, Shoe
from casino.law.recorded_elsewhere import counts_here

Stage = Literal["none", "begun", "shuffled", "cut", "ready", "last_round", "over"]


def stage_of(shoe: Shoe | None, game: PartidaContext, gone: tuple[str, ...]) -> Stage:
    """How far a shoe has come. What was left out before a later step stays out.

    A shoe of which a deck was withdrawn is over; where it was not ready yet it begins again, with
    another deck. Law: PT art. 5, 12.
    """
    if shoe is None:
        return "none"
    if game.dealing == "shuffler" and game.loads and not is_inside(game):
        return "over"
    if shoe.spread:
        return "over"
    if shoe.announced:
        return "last_round"
    # A card is burnt where the rulebook says how many.
    ready = bool(shoe.warnings and (shoe.burns or "burn.cards" not in game.p))
    if gone and game.dealing != "shuffler":
        return "over" if shoe.rounds or ready else "begun"
    if shoe.rounds or ready:
        return "ready"
    if shoe.cuts and shoe.shuffles:
        return "cut"
    if shoe.shuffles:
        return "shuffled"
    return "begun"


def carta_aviso_of(shoe: Shoe | None) -> Literal["none", "placed", "came_out", "announced"]:
    """Where the warning card of a shoe is."""
    if shoe is None:
        return "none"
    if shoe.announced:
        return "announced"
    if any(recorded.event.warning_card_at is not None for recorded in shoe.rounds):
        return "came_out"
    return "placed" if shoe.warnings else "none"


def unsettled(game: PartidaContext) -> tuple[str, ...]:
    """The incidents nobody closed and nobody solved, by their numbers."""
    return tuple(
        one.event.incident
        for one in game.incidents
        if game.settled(one.event) is None and one.event.resolved_at is None
    )


def standing_still(game: PartidaContext) -> tuple[IncidentReported, ...]:
    """Open jams of the machine at this table, told of another partida or of none. Law: art. 51."""
    return tuple(one.event for one in _open_around(game) if counts_here(game.dossier, one.report))


def recorded_elsewhere(game: PartidaContext) -> tuple[RecordedEvent[Event], ...]:
    """What another table tells of the decks and the machine in play here, and nobody put right.

    Law: PT art. 5, 51.
    """
    jams = [one.report for one in _open_around(game)]
    withdrawals = game.dossier.around_of(DeckWithdrawn)
    decks = decks_in_play(game)
    events: list[RecordedEvent[Event]] = [
        *jams,
        *(one for one in withdrawals if one.event.deck in decks),
    ]
    return tuple(one for one in events if not counts_here(game.dossier, one))


def _open_around(game: PartidaContext) -> list[Incident]:
    """The jams of the machine here that were recorded around the game and are not over."""
    machine = game.opened.event.shuffler if game.opened is not None else None
    return [
        one
        for one in incidents_around(game.dossier)
        if machine is not None
        and (one.event.shuffler or machine) == machine
        and (one.event.shuffler is not None or one.event.table == game.dossier.table)
        and one.event.category in JAMS
        and game.settled(one.event) is None
        and one.event.resolved_at is None
    ]


def undecided(dossier: Dossier) -> tuple[str, ...]:
    """The complaints nobody decided, by their numbers."""
    decided = {recorded.event.complaint for recorded in dossier.anywhere(ComplaintDecided)}
    texts = [one.event.complaint for one in dossier.of(ComplaintReceived)]
    return tuple(dict.fromkeys(code for code in texts if code not in decided))


def seats_of(dossier: Dossier) -> tuple[list[int], int]:
    """Who sits there as far as the record tells, and how many of them play.

    What was recorded last is believed: a cut, a round, somebody who sat down or stood up.
    """
    seats: set[int] = set()
    players = 0
    events: list[RecordedEvent[Any]] = [
        one
        for one in dossier.entries
        if isinstance(one.event, CutMade | RoundPlayed | SeatTaken | SeatLeft)
    ]
    for one in sorted(events, key=in_time):
        event = one.event
        if isinstance(event, CutMade):
            seats = set(event.seats_occupied)
        elif isinstance(event, RoundPlayed):
            staked = {wager.seat for box in event.boxes for wager in box.wagers if wager.seat}
            seats = staked | set(event.seats_occupied or ()) or seats
        elif isinstance(event, SeatTaken):
            seats = seats | {event.seat}
        else:
            seats = seats - {event.seat}
        players = len(seats)
    return sorted(seats), players


def is_inside(game: PartidaContext) -> bool:
    """Whether the cards lie in the machine: loaded, and not taken out since."""
    moved: list[RecordedEvent[Any]] = [*game.loads, *game.unloads]
    last = max(moved, key=in_time, default=None)
    return last is not None and isinstance(last.event, ShufflerLoaded)


def begun_since_load(game: PartidaContext) -> bool:
    """Whether a card was burnt, or dealt, since the shuffler was loaded last. Law: PT art. 10."""
    last = in_time(game.loads[-1])
    events = [*game.dossier.of(CardBurned), *game.dossier.of(RoundPlayed)]
    return any(in_time(one) > last for one in events)


def emptied_for_good(game: PartidaContext) -> bool:
    """Whether the cards came out for the closing: no deck has to come in any more."""
    last = game.unloads[-1] if game.unloads else None
    return last is not None and last.event.reason == "closing" and not is_inside(game)
