"""Every deck that came out of the shuffler is put in order, and one that is not regular is
recorded.

Law: PT art. 55.
"""

from typing import Final

from casino.events.deck_life import DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.shufflers import ShufflerOpened
from casino.law.checks.shuffler.unload_checks import shuffler_unloaded_at_closing
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, upholds
from casino.law.game_decks import found_whole, last_in_machine, ordered_at_close
from casino.law.game_incidents import TROUBLES, Incident
from casino.law.partida_context import PartidaContext, at_a_shuffler
from casino.law.questions import any_of, breach, equal
from casino.law.recorded_elsewhere import counts_here

DEFECTS: Final = frozenset({"deck_defect", "damaged_card", "other"})


def need_not_be_ordered(game: PartidaContext, deck: str) -> bool | None:
    """Whether a deck was withdrawn so that nobody has to put it in order at the closing.

    From a closed machine no deck goes: it was withdrawn for an incident on record, be that after
    the unloading, or once the machine had been opened and no later than it was emptied. None where
    that was recorded only after the closing, or by another table of a deck that was in play here.
    Asked before the closing it answers for what is recorded.

    Law: PT art. 55, with 5 and 51.
    """
    withdrawn = [one for one in game.dossier.anywhere(DeckWithdrawn) if one.event.deck == deck]
    loads = [recorded.occurred_at for recorded in game.loads if deck in recorded.event.decks]
    if game.dealing != "shuffler" or not loads:
        return any(counts_here(game.dossier, recorded) for recorded in withdrawn)
    went = [one for one in withdrawn if one.occurred_at >= loads[-1] and _came_out(game, one)]
    closed = game.closed
    if closed is None:
        return any(counts_here(game.dossier, recorded) for recorded in went)
    return any_of(
        (one.recorded_at <= closed.recorded_at and counts_here(game.dossier, one)) or None
        for one in went
        if one.occurred_at <= closed.occurred_at
    )


def _came_out(game: PartidaContext, withdrawn: RecordedEvent[DeckWithdrawn]) -> bool:
    """Whether a deck can have come out of the machine by the moment it was withdrawn."""
    deck, at = withdrawn.event.deck, withdrawn.occurred_at
    if any(
        incident.event.incident == withdrawn.event.incident
        and incident.event.category in TROUBLES | DEFECTS
        and incident.event.deck in (None, deck)
        for incident in game.incidents
    ):
        return True
    if game.unloads and at > game.unloads[-1].occurred_at:
        return False  # it lay on the table to be put in order
    since = max(recorded.occurred_at for recorded in game.loads if deck in recorded.event.decks)
    opened = [one.event.opened_at for one in game.incidents]
    opened += [recorded.occurred_at for recorded in game.dossier.of(ShufflerOpened)]
    opened += [recorded.event.started_at or recorded.occurred_at for recorded in game.unloads]
    return at == since or any(moment and since <= moment <= at for moment in opened)


@upholds("deck", "Every deck that came out of the shuffler is put in order.", only=at_a_shuffler)
def decks_ordered_at_closing(game: PartidaContext, deck: str) -> Verdict:
    """One by one, after the unloading, but for a deck that was out of use by then.

    Where nobody emptied the machine that alone is found: what lies in it nobody can put in order.

    Law: PT art. 55.
    """
    loaded = {name for recorded in game.loads for name in recorded.event.decks}
    if game.closed is None or deck not in loaded:
        return None
    if ordered_at_close(game, deck) is not None:
        return LAWFUL
    withdrawn = need_not_be_ordered(game, deck)
    if withdrawn is not False:
        return UNDECIDED if withdrawn is None else None
    since = last_in_machine(game, deck)
    assert since is not None
    if any(
        (one.event.deck, one.event.moment) == (deck, "close")
        and one.event.partida is None
        and one.occurred_at >= since
        for one in game.dossier.house_of(DeckInspected)
    ):
        return UNDECIDED  # in this game or in another of that day
    early = [
        one
        for one in sorted(game.dossier.of(DeckInspected), key=in_time)
        if (one.event.deck, one.event.moment) == (deck, "close")
    ]
    if not early:
        if deck in game.loads[-1].event.decks and _still_inside(game):
            return None  # it lies in the machine, which is what is found
        return breach({"inspections": 0}, {"at_least": 1}, game.closed)
    return breach({"moment": early[-1].occurred_at}, {"not_before": since}, early[-1], game.closed)


def _still_inside(game: PartidaContext) -> bool:
    """Whether it is found that nobody emptied the machine."""
    return isinstance(shuffler_unloaded_at_closing(game), Breach)


@upholds(
    "deck",
    "Every deck that is put in order is found regular.",
    needs="decks.cards",
    only=at_a_shuffler,
)
def ordered_deck_regular(game: PartidaContext, deck: str) -> Verdict:
    """With all its cards and none of another deck; what is worn is article 5's matter.

    Law: PT art. 55.
    """
    ordered = ordered_at_close(game, deck)
    return None if ordered is None else found_whole(game, ordered)


@upholds(
    "deck",
    "A deck that is not found regular opens an incident.",
    needs="decks.cards",
    only=at_a_shuffler,
    severity="deviation",
)
def irregular_deck_reported(game: PartidaContext, deck: str) -> Verdict:
    """As the deck's defect, when it was put in order, by the time the game is closed.

    A defect recorded before that and still open may be this one.

    Law: PT art. 55.
    """
    ordered = ordered_at_close(game, deck)
    if ordered is None or not isinstance(found_whole(game, ordered), Breach):
        return None
    reported = any_of(_reports(game, one, ordered) for one in game.incidents)
    open_yet = reported is False and game.closed is None
    return equal("reported", None if open_yet else reported, True, ordered, game.closed)


def _reports(
    game: PartidaContext, incident: Incident, ordered: RecordedEvent[DeckInspected]
) -> bool | None:
    """Whether an incident is of the deck that was not found regular; None where it may be."""
    event = incident.event
    if event.category not in DEFECTS or event.deck not in (None, ordered.event.deck):
        return False
    if incident.occurred_at >= ordered.occurred_at:
        return event.deck is not None or (None if event.category == "deck_defect" else False)
    over = game.settled(event)
    still = over is None or over.occurred_at > ordered.occurred_at
    return None if event.category == "deck_defect" and still else False
