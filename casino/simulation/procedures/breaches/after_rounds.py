"""Breaches after a round at a shuffler: cards out of play, cards put back, complaints.

Law: PT art. 58 to 61.
"""

from itertools import pairwise
from random import Random
from typing import Any, Final

from casino.events.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.events.floor_life import RoundsDeferred
from casino.events.round.dealing_form import cards_recorded
from casino.simulation.procedures.breaches.breaking import Breach, Place, breach
from casino.simulation.procedures.breaches.of_tables import answers_for_nothing
from casino.simulation.procedures.procedure_acts import SECOND, Act, Partida, later, retimed


def _of(act: Act) -> Place:
    return {"shoe": act.event.shoe, "number": act.event.number}


def _deferred(game: Partida) -> set[str]:
    return {name for act in game.of(RoundsDeferred) for name in act.event.rounds}


def _ordinary(game: Partida, rng: Random) -> int | None:
    """The place of a round of which, and of the next, all moments are recorded, and none had to
    wait.

    Nothing happened between the two.
    """
    rounds, waiting = game.rounds, _deferred(game)
    moments = sorted(act.at for act in game.acts if act not in rounds)
    places = []
    for place, (one, other) in enumerate(pairwise(rounds)):
        listed = [one.event.times, other.event.times]
        if any(times is None or times.collected is None for times in listed):
            continue
        if {one.event.round, other.event.round} & waiting:
            continue
        begun = other.event.times.first_card
        if (begun - one.at).total_seconds() < 60 and not any(
            one.at - 60 * SECOND < at < other.at for at in moments
        ):
            places.append(place)
    return rng.choice(places) if places else None


def _put_back_early(game: Partida, rng: Random) -> Place | None:
    """The cards went in while they still lay on the table."""
    place = _ordinary(game, rng)
    if place is None:
        return None
    act = game.rounds[place]
    retimed(act, inserted=act.event.times.collected - 5 * SECOND)
    return _of(act)


def _put_back_late(game: Partida, rng: Random) -> Place | None:
    """The next round was dealt before the cards went in, and nobody said that they wait."""
    place = _ordinary(game, rng)
    if place is None:
        return None
    act, following = game.rounds[place : place + 2]
    act.at = following.event.times.first_card + 10 * SECOND
    retimed(act, inserted=act.at)
    return _of(act)


def _not_all_put_back(game: Partida, rng: Random) -> Place | None:
    """A card stayed out, by the machine's own count."""
    place = _ordinary(game, rng)
    if place is None:
        return None
    act = game.rounds[place]
    act.change(put_back=cards_recorded(act.event) - 1)
    return _of(act)


def _when_nobody_knows(game: Partida, rng: Random) -> Place | None:
    """Of one round no moment is recorded, and nobody answers for all of them."""
    place = _ordinary(game, rng)
    if place is None:
        return None
    answers_for_nothing("59")(game, rng)
    game.rounds[place].change(times=None)
    return {}


def _waiting(game: Partida) -> tuple[Act, Act] | None:
    """A round whose cards had to wait, not in dispute, and the round they waited for."""
    rounds = game.rounds
    for found in game.of(RoundsDeferred, reason="shuffler_full"):
        place = next(n for n, act in enumerate(rounds) if act.event.round in found.event.rounds)
        if rounds[place].event.times is not None and rounds[place + 1].event.times is not None:
            return rounds[place], rounds[place + 1]
    return None


def _not_with_the_next(game: Partida, rng: Random) -> Place | None:
    """Cards that had to wait went in by themselves, and not with the next round's."""
    pair = _waiting(game)
    if pair is None:
        return None
    act, following = pair
    wanted = following.event.times.inserted
    retimed(act, inserted=wanted + 70 * SECOND)
    return _of(act)


def _nobody_knows_when(game: Partida, rng: Random) -> Place | None:
    """Of cards that had to wait nobody wrote down when they went in, nor answers for it."""
    pair = _waiting(game)
    if pair is None:
        return None
    answers_for_nothing("60")(game, rng)
    for act in pair:
        retimed(act, inserted=None)
    return {}


# Complaints


def _complaint(game: Partida, outcome: str) -> tuple[Act, Act] | None:
    """A complaint decided so, and its decision."""
    for decided in game.of(ComplaintDecided, outcome=outcome):
        received = game.only(ComplaintReceived, complaint=decided.event.complaint)
        return received, decided
    return None


def _outcome(was: str, made: str) -> Any:
    def plant(game: Partida, rng: Random) -> Place | None:
        found = _complaint(game, was)
        if found is None:
            return None
        received, decided = found
        decided.change(outcome=made)
        return {"complaint": received.event.complaint}

    return plant


def _unanswered(game: Partida, rng: Random) -> Place | None:
    found = _complaint(game, "inadmissible")
    if found is None:
        return None
    game.drop(found[1])
    return {"complaint": found[0].event.complaint}


def _paid_all_the_same(game: Partida, rng: Random) -> Place | None:
    found = _complaint(game, "inadmissible")
    if found is None:
        return None
    found[1].change(paid_cents=2_500)
    return {"complaint": found[0].event.complaint}


def _reviewed_late(game: Partida, rng: Random) -> Place | None:
    """The cards in dispute were back in the machine when somebody looked at the matter."""
    for reviewed in game.of(DisputeReviewed):
        slip = reviewed.event.dispute
        (disputed,) = [act for act in game.rounds if act.event.round == reviewed.event.round]
        if disputed.event.times is None or disputed.event.times.inserted is None:
            continue
        reviewed.at = later(disputed.event.times.inserted, 3)
        reviewed.change(started_at=None, ended_at=None, method="recordings")
        for decided in game.of(ComplaintDecided, complaint=slip):
            decided.at = later(reviewed.at, 3)
            decided.change(told_at=decided.at)
        return {"complaint": slip}
    return None


def _for_no_cause(game: Partida, rng: Random) -> Place | None:
    """Cards had to wait, and nobody says what hindered."""
    acts = game.of(RoundsDeferred, reason="shuffler_full")
    if not acts:
        return None
    acts[0].change(reason="other")
    return {}


BREACHES: Final[tuple[Breach, ...]] = (
    breach("discards_unanswered_for", "discards_attested", "shuffler", answers_for_nothing("58")),
    breach("put_back_early", "cards_put_back_after_the_round", "shuffler", _put_back_early),
    breach("put_back_late", "cards_put_back_before_the_next_round", "shuffler", _put_back_late),
    breach("not_all_put_back", "all_cards_put_back", "shuffler", _not_all_put_back),
    breach(
        "putting_back_unknown", "putting_back_timed_or_attested", "shuffler", _when_nobody_knows
    ),
    breach(
        "not_with_the_next",
        "deferred_cards_go_with_the_next",
        "shuffler",
        _not_with_the_next,
        "full",
    ),
    breach("deferred_for_no_cause", "deferral_has_its_cause", "shuffler", _for_no_cause, "full"),
    breach(
        "deferral_unknown",
        "deferred_cards_timed_or_attested",
        "shuffler",
        _nobody_knows_when,
        "full",
    ),
    breach(
        "late_complaint_upheld",
        "late_complaint_not_upheld",
        "shuffler",
        _outcome("inadmissible", "upheld"),
        "late_complaint",
    ),
    breach(
        "timely_complaint_turned_away",
        "timely_complaint_heard",
        "shuffler",
        _outcome("upheld", "inadmissible"),
        "heard",
    ),
    breach("complaint_unanswered", "complaint_answered", "shuffler", _unanswered, "late_complaint"),
    breach(
        "complaint_paid_and_not_upheld",
        "complaint_paid_as_decided",
        "shuffler",
        _paid_all_the_same,
        "late_complaint",
    ),
    breach(
        "disputed_cards_put_back",
        "disputed_cards_wait_for_review",
        "shuffler",
        _reviewed_late,
        "disputed",
    ),
)
