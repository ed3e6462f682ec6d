"""The decks of a game: those of its opening, those on record besides, and those in play now.

A deck that is not perfect any more leaves the game whole, and another comes in its place. Nobody
tells which stands for which: the other one is exhibited in this game, or shuffled, or loaded.

Law: PT art. 5, with 3 for their number and 7 for their exhibition.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from casino.events.deck_life import DecksDestroyed, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.event import Event
from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsShuffled, LastRoundAnnounced
from casino.events.shufflers import ShufflerLoaded
from casino.law.dossier import Dossier, RecordedEvent, in_time
from casino.law.finding import Verdict
from casino.law.partida_context import PartidaContext, Shoe, first_cards, in_place
from casino.law.questions import all_equal
from casino.law.recorded_elsewhere import counts_here


def decks_in_play(game: PartidaContext) -> tuple[str, ...]:
    """The decks of the game as it stands: what was not withdrawn, then what came in its place.

    No more come in than went out; of several the ones that were shown or mixed last.
    """
    gone = decks_gone(game.dossier)
    stay = tuple(deck for deck in game.decks if deck not in gone)
    room = len(game.decks) - len(stay)
    if not room:
        return stay
    came = [deck for deck in _named_besides(game) if deck not in gone]
    return (*stay, *came[-room:])


def decks_wanting(game: PartidaContext) -> int:
    """How many decks fewer than at its opening the game has: as many have to come in."""
    return len(game.decks) - len(decks_in_play(game))


def decks_gone(dossier: Dossier) -> frozenset[str]:
    """Every deck that was withdrawn or destroyed, as far as the dossier tells.

    What another table withdraws of the decks in play here is in play still.
    """
    recorded_gone = dossier.anywhere(DeckWithdrawn)
    gone = {recorded.event.deck for recorded in recorded_gone if counts_here(dossier, recorded)}
    for recorded in dossier.anywhere(DecksDestroyed):
        gone |= set(recorded.event.decks)
    return frozenset(gone)


def gone_from_the_cards(game: PartidaContext) -> tuple[str, ...]:
    """The withdrawn decks that still lie among the cards that are dealt, or made ready.

    In the shoe until it is shuffled without them; in a shuffler until it is emptied.
    """
    gone = decks_gone(game.dossier)
    return tuple(deck for deck in _among_the_cards(game) if deck in gone) if gone else ()


def _among_the_cards(game: PartidaContext) -> tuple[str, ...]:
    if game.dealing == "shuffler":
        moved: list[RecordedEvent[Event]] = [*game.loads, *game.unloads]
        last = max(moved, key=in_time, default=None)
        return decks_of(last) if last is not None and isinstance(last.event, ShufflerLoaded) else ()
    shoe = game.shoes[-1] if game.shoes else None
    return () if shoe is None or shoe.spread else decks_in_shoe(game, shoe)


def decks_in_shoe(game: PartidaContext, shoe: Shoe) -> tuple[str, ...]:
    """The decks a shoe was shuffled of, the last time; the opening's where nobody recorded."""
    mixed = max(shoe.shuffles, key=in_time, default=None)
    return game.decks if mixed is None else decks_of(mixed)


def decks_of(recorded: RecordedEvent[Any]) -> tuple[str, ...]:
    """The decks an entry names: an inspection its one; an opening, a shuffle, a load theirs."""
    if isinstance(recorded.event, DeckInspected):
        return (recorded.event.deck,)
    if isinstance(recorded.event, CardsShuffled | PartidaOpened):
        return tuple(each.deck for each in recorded.event.decks)
    return tuple(recorded.event.decks)


def _named_besides(game: PartidaContext) -> list[str]:
    """The decks that are not of the opening and were shown or mixed in this game, the last last."""
    events: list[RecordedEvent[Any]] = [*game.exhibitions, *game.loads]
    events += game.dossier.of(CardsShuffled)
    named: dict[str, None] = {}
    opened_with = frozenset(game.decks)
    for one in sorted(events, key=in_time):
        for deck in decks_of(one):
            if deck not in opened_with:
                named.pop(deck, None)
                named[deck] = None
    return list(named)


def withdrawals_of(game: PartidaContext, deck: str) -> list[RecordedEvent[Event]]:
    """When a deck was taken out of use or destroyed, as it happened."""
    events: list[RecordedEvent[Event]] = [
        one for one in game.dossier.anywhere(DeckWithdrawn) if one.event.deck == deck
    ]
    events += [one for one in game.dossier.anywhere(DecksDestroyed) if deck in one.event.decks]
    return sorted(events, key=in_time)


def decks_on_record(game: PartidaContext) -> tuple[str, ...]:
    """The decks the game was opened with, and those that were shuffled or loaded besides.

    With them any that was shown for it although it had been withdrawn.
    """
    named = list(game.decks)
    for shoe in game.shoes:
        named += [each.deck for recorded in shoe.shuffles for each in recorded.event.decks]
    named += [deck for recorded in game.loads for deck in recorded.event.decks]
    named += [
        shown.event.deck
        for shown in game.exhibitions
        if any(
            gone.occurred_at < shown.occurred_at for gone in withdrawals_of(game, shown.event.deck)
        )
    ]
    return tuple(dict.fromkeys(named))


def was_withdrawn(game: PartidaContext, deck: str, until: datetime) -> bool:
    """Whether a deck had been taken out of use by a moment."""
    return any(recorded.occurred_at <= until for recorded in withdrawals_of(game, deck))


def left_out(game: PartidaContext, named: Collection[str], until: datetime) -> list[str]:
    """The decks of the game that are not among these.

    None where as many are there, and those that are not had been withdrawn by that moment.
    """
    lacking = [deck for deck in game.decks if deck not in named]
    enough = len(named) >= len(game.decks)
    exchanged = enough and all(was_withdrawn(game, deck, until) for deck in lacking)
    return [] if exchanged else lacking


def not_of_the_game(game: PartidaContext, named: Iterable[str], until: datetime) -> list[str]:
    """The decks of these that are not of the game; empty where nobody recorded its opening.

    One that stands for another, withdrawn by that moment, is of the game.
    """
    if game.opened is None:
        return []
    gone = {deck for deck in {*game.decks, *named} if was_withdrawn(game, deck, until)}
    beside = sorted(set(named) - set(game.decks) - gone)
    return beside if len(beside) > len(gone & set(game.decks)) else []


def _exhibitions(
    game: PartidaContext, deck: str
) -> tuple[list[RecordedEvent[DeckInspected]], bool]:
    """The exhibitions of a deck in this game, and whether one may be of it or of another."""
    mine = [recorded for recorded in game.exhibitions if recorded.event.deck == deck]
    return (
        [recorded for recorded in mine if recorded.event.partida is not None],
        any(recorded.event.partida is None for recorded in (*mine, *_in_the_house(game, deck))),
    )


def _in_the_house(game: PartidaContext, deck: str) -> list[RecordedEvent[DeckInspected]]:
    return [
        one
        for one in game.dossier.house_of(DeckInspected)
        if (one.event.deck, one.event.moment) == (deck, "exhibition")
        and one.gaming_day == game.dossier.gaming_day
    ]


def _mixed(game: PartidaContext, deck: str) -> RecordedEvent[Event] | None:
    """The act before which a deck has to have been shown: the first shuffle or load it was in.

    A deck the game was opened with has to be shown before the first of all; where no shuffle is
    told, before whatever shows that play began. Another one may yet be shuffled or loaded.
    """
    mixed: list[RecordedEvent[Event]] = [one for shoe in game.shoes for one in shoe.shuffles]
    mixed += game.loads
    if deck not in game.decks:
        mixed = [recorded for recorded in mixed if deck in decks_of(recorded)]
        return min(mixed, key=in_time, default=None)
    if not mixed:
        mixed = [recorded for shoe in game.shoes for recorded in shoe.before("played")]
        mixed += game.dossier.of(LastRoundAnnounced)
    if mixed:
        return min(mixed, key=in_time)
    return min(game.dossier.of(RoundPlayed), key=in_place, default=None)


def _shown_late(
    game: PartidaContext, shown: RecordedEvent[Event], mixed: RecordedEvent[Event] | None
) -> bool | None:
    """Whether the cards were shown after they had been mixed; None where nobody knows."""
    if mixed is None:
        return False
    if not isinstance(mixed.event, RoundPlayed) and shown.occurred_at > mixed.occurred_at:
        return True
    if isinstance(mixed.event, CardsShuffled | ShufflerLoaded):
        return False
    rounds = game.dossier.of(RoundPlayed)
    dealt = first_cards(rounds)
    if dealt and shown.occurred_at > dealt[0]:
        return True
    return False if len(dealt) == len(rounds) else None


def shown_as_played(game: PartidaContext, deck: str) -> RecordedEvent[DeckInspected] | None:
    """The exhibition that tells with what the game began: the last before the cards were mixed."""
    exhibitions, _ = _exhibitions(game, deck)
    mixed = _mixed(game, deck)
    in_time_shown = [one for one in exhibitions if not _shown_late(game, one, mixed)]
    return in_time_shown[-1] if in_time_shown else (exhibitions[0] if exhibitions else None)


def found_whole(
    game: PartidaContext,
    recorded: RecordedEvent[DeckInspected],
    *,
    cards: bool = True,
    order: bool = True,
) -> Verdict:
    """Whether an inspection found a deck complete, in order, and without a strange card."""
    event, pairs = recorded.event, dict[str, tuple[Any, Any]]()
    if order:
        pairs["in_order"] = event.order_complete, True
    if cards:
        pairs["cards"] = event.cards, game.p["decks.cards"]
        pairs["foreign"] = "foreign" in (event.faces, event.backs, event.result), False
        if event.result in ("missing", "extra"):
            pairs["result"] = event.result, "conform"
    return all_equal(pairs, recorded)


def ordered_at_close(game: PartidaContext, deck: str) -> RecordedEvent[DeckInspected] | None:
    """The last time the deck was put in order at this game's closing.

    Not while it lay in a shuffler: neither before it last went in nor before it last came out.
    """
    since = last_in_machine(game, deck)
    events = [
        one
        for one in game.dossier.of(DeckInspected)
        if (one.event.deck, one.event.moment) == (deck, "close")
        and (since is None or one.occurred_at >= since)
    ]
    return max(events, key=in_time, default=None)


def last_in_machine(game: PartidaContext, deck: str) -> datetime | None:
    """When a deck last went into the shuffler or began to come out of it; None for never."""
    moments = [recorded.occurred_at for recorded in game.loads if deck in recorded.event.decks]
    moments += [
        min(one.event.started_at or one.occurred_at, one.occurred_at)
        for one in game.unloads
        if deck in one.event.decks
    ]
    return max(moments, default=None)
