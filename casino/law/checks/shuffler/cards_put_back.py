"""The cards of a round go back into the shuffler: after it, or with the next that allows it.

Law: PT art. 59, 60.
"""

from datetime import timedelta
from itertools import pairwise
from typing import Any, Final

from casino.events.round.dealing_form import cards_recorded
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardBurned
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, upholds
from casino.law.partida_context import PartidaContext
from casino.law.put_back import (
    Deferral,
    Round,
    deferred_rounds,
    in_order,
    next_possible,
    put_back_here,
    read_of,
)
from casino.law.questions import breach, not_after, not_before, one_of, together
from casino.law.round_moments import collected, first_card, inserted, round_place

# Why cards cannot go back; cards in dispute must not, before they were looked at (61).
OF_THE_MACHINE: Final = ("shuffler_full", "jam")
HINDRANCES: Final = (*OF_THE_MACHINE, "dispute")


def _is_timed(game: PartidaContext) -> bool:
    """Whether any round tells when its cards went back."""
    return any(inserted(recorded) is not None for recorded in game.dossier.of(RoundPlayed))


@upholds(
    "partida",
    "Cards are put back into the shuffler only after they were collected.",
    needs="csm.puts_back",
    only=(put_back_here, _is_timed),
)
def cards_put_back_after_the_round(game: PartidaContext) -> Verdict:
    """The round is over, its cards collected, and then they go in. Law: PT art. 59."""

    readings = read_of(game)

    def ask(recorded: Round) -> Verdict:
        asked = inserted(recorded), collected(recorded), recorded
        return not_before(*asked, where=round_place(recorded), readings=readings)

    return together(ask(recorded) for _, recorded in in_order(game))


@upholds(
    "partida",
    "Cards are put back before the next round, or it is told that they wait.",
    needs="csm.puts_back",
    only=(put_back_here, _is_timed),
)
def cards_put_back_before_the_next_round(game: PartidaContext) -> Verdict:
    """The next round's first card comes after the last round's cards went in. Law: PT art. 59."""
    rounds, deferred, readings = in_order(game), deferred_rounds(game), read_of(game)

    def ask(one: Any, other: Any) -> Verdict:
        (place, value), (next_place, following) = one, other
        if value.event.round in deferred:
            return None
        if not _follows(place, next_place):
            return UNDECIDED
        asked = inserted(value), first_card(following), value, following
        return not_after(*asked, where=round_place(value), readings=readings)

    unplaced = any(place is None for place, _ in rounds)
    return together([*(ask(*pair) for pair in pairwise(rounds)), UNDECIDED if unplaced else None])


def _follows(number: tuple[int, int] | None, other: tuple[int, int] | None) -> bool:
    """Whether one place is the next after another."""
    return number is not None and other in ((number[0], number[1] + 1), (number[0] + 1, 1))


@upholds(
    "partida",
    "As many cards go back into the shuffler as left it.",
    needs="csm.puts_back",
    only=put_back_here,
)
def all_cards_put_back(game: PartidaContext) -> Verdict:
    """The cards of the round, of those that had waited, and what was burnt before the first one.

    Asked where some record tells how many went in.

    Law: PT art. 59, 60.
    """
    rounds = [recorded for _, recorded in in_order(game)]
    if all(recorded.event.put_back is None for recorded in rounds):
        return None
    deferred = deferred_rounds(game)
    return together(_all_of(game, one, rounds) for one in rounds if one.event.round not in deferred)


def _all_of(game: PartidaContext, recorded: Round, rounds: list[Round]) -> Verdict:
    waited = _that_waited_for(game, recorded, rounds)
    went_in = recorded.event.put_back
    if went_in is None or waited is None:
        return UNDECIDED
    out = sum(cards_recorded(one.event) for one in (recorded, *waited))
    burns = [one for one in game.dossier.of(CardBurned) if one.event.shoe == recorded.event.shoe]
    burnt = sum(one.event.cards for one in burns) if recorded.event.number == 1 else 0
    if went_in == out + burnt:
        return LAWFUL
    if went_in == out:
        return UNDECIDED  # all but the burnt card, of which no record tells when it went in
    return breach(
        {"cards": went_in},
        {"cards": out + burnt},
        recorded,
        *waited,
        *(burns if burnt else []),
        where=round_place(recorded),
        readings=read_of(game),
    )


def _that_waited_for(
    game: PartidaContext, recorded: Round, rounds: list[Round]
) -> list[Round] | None:
    """The rounds whose cards went in with this one's; None where nobody can say which."""
    deferred = deferred_rounds(game)
    waiting = [one for one in rounds if one.event.round in deferred]
    after = {one.entry_id: next_possible(game, one) for one in waiting}
    if len(waiting) < len(deferred) or UNDECIDED in after.values():
        return None
    return [one for one in waiting if after[one.entry_id] is recorded]


@upholds(
    "deferral",
    "Cards that had to wait go back with those of the next round that allows it.",
    needs=("csm.deferred_within", "csm.puts_back"),
    only=put_back_here,
)
def deferred_cards_go_with_the_next(game: PartidaContext, deferral: Deferral) -> Verdict:
    """Neither by themselves before it, nor later than it. Law: PT art. 60."""
    there = {recorded.event.round: recorded for recorded in game.dossier.of(RoundPlayed)}
    return together(_one_deferred(game, deferral, there.get(n)) for n in deferral.event.rounds)


def _one_deferred(game: PartidaContext, deferral: Deferral, recorded: Round | None) -> Verdict:
    if recorded is None:
        return UNDECIDED
    following = next_possible(game, recorded)
    if following is None and game.closed is not None:
        return None  # the game ended first
    own = inserted(recorded)
    theirs = inserted(following) if isinstance(following, RecordedEvent) else None
    if own is None or theirs is None:
        return UNDECIDED
    if abs(own - theirs) <= timedelta(minutes=game.p["csm.deferred_within"]):
        return LAWFUL
    assert isinstance(following, RecordedEvent)
    return breach(
        {"moment": own},
        {"with_the_round_at": theirs},
        deferral,
        recorded,
        following,
        where=round_place(recorded),
        readings=(*read_of(game), "together-with-the-next"),
    )


@upholds(
    "deferral",
    "Cards wait for the next round only where they could not be put back.",
    needs=("csm.hindrances", "csm.puts_back"),
    only=put_back_here,
)
def deferral_has_its_cause(game: PartidaContext, deferral: Deferral) -> Verdict:
    """A machine that is full or jammed, or cards in dispute; any other reason tells no hindrance.

    Law: PT art. 60 (reading not-possible).
    """
    hindrances = OF_THE_MACHINE if game.p["csm.hindrances"] == "machine" else HINDRANCES
    readings = (*read_of(game), "not-possible")
    return one_of("reason", deferral.event.reason, hindrances, deferral, readings=readings)
