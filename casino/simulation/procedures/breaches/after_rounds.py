"""Breaches after a round at a shuffler: cards out of play, cards put back, complaints.

Law: PT art. 58 to 61.
"""

from itertools import pairwise
from random import Random

from casino.events.complaints import ComplaintDecided, DisputeReviewed
from casino.events.floor_life import RoundsDeferred
from casino.events.round.dealing_form import cards_recorded
from casino.simulation.procedures.breaches.breaking import Place, answers_for_nothing
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


def put_back_early(game: Partida, rng: Random) -> Place | None:
    """The cards went in while they still lay on the table."""
    place = _ordinary(game, rng)
    if place is None:
        return None
    act = game.rounds[place]
    retimed(act, inserted=act.event.times.collected - 5 * SECOND)
    return _of(act)


def put_back_late(game: Partida, rng: Random) -> Place | None:
    """The next round was dealt before the cards went in, and nobody said that they wait."""
    place = _ordinary(game, rng)
    if place is None:
        return None
    act, following = game.rounds[place : place + 2]
    act.at = following.event.times.first_card + 10 * SECOND
    retimed(act, inserted=act.at)
    return _of(act)


def not_all_put_back(game: Partida, rng: Random) -> Place | None:
    """A card stayed out, by the machine's own count."""
    place = _ordinary(game, rng)
    if place is None:
        return None
    act = game.rounds[place]
    act.change(put_back=cards_recorded(act.event) - 1)
    return _of(act)


def putting_back_unknown(game: Partida, rng: Random) -> Place | None:
    """Of one round no moment is recorded, and nobody answers for all of them."""
    place = _ordinary(game, rng)
    if place is None:
        return None
    answers_for_nothing(game, rng, article="59")
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


def not_with_the_next(game: Partida, rng: Random) -> Place | None:
    """Cards that had to wait went in by themselves, and not with the next round's."""
    pair = _waiting(game)
    if pair is None:
        return None
    act, following = pair
    wanted = following.event.times.inserted
    retimed(act, inserted=wanted + 70 * SECOND)
    return _of(act)


def deferral_unknown(game: Partida, rng: Random) -> Place | None:
    """Of cards that had to wait nobody wrote down when they went in, nor answers for it."""
    pair = _waiting(game)
    if pair is None:
        return None
    answers_for_nothing(game, rng, article="60")
    for act in pair:
        retimed(act, inserted=None)
    return {}


def disputed_cards_put_back(game: Partida, rng: Random) -> Place | None:
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
