"""Errors in what was staked, when and by whom.

Law: PT art. 2, 13 to 16, 37.
"""

from functools import partial
from random import Random
from typing import Final

from casino.events.round.round_played import Limits
from casino.simulation.draft import Betting, Draft
from casino.simulation.planting import Kind, Mark, at_wager
from casino.simulation.settling import settle

BEYOND: Final = 8


def _restake(draft: Draft, box: Betting, owner: str, cents: int) -> None:
    """Let an owner have marked another first stake; doubles, splits and insurance go with it."""
    for wager in box.of(owner):
        if wager.kind in ("main", "even_money"):
            wager.stake = wager.stake // wager.initial * cents
        elif wager.kind == "insurance":
            wager.stake = min(wager.stake, cents // 2)
        wager.initial = cents
    settle(draft)


def _single_owner(draft: Draft, rng: Random) -> Betting | None:
    found = [b for b in draft.boxes if b.holder is not None and len(b.owners()) == 1]
    return rng.choice(found) if found else None


def _box_beyond_layout(draft: Draft, rng: Random) -> Mark | None:
    """A box the table does not have: the last one bears a number too high."""
    box = draft.boxes[-1]
    old, box.number = box.number, BEYOND
    draft.dealt = [(c, BEYOND if at == old else at, hand) for c, at, hand in draft.dealt]
    return Mark(BEYOND)


def _stakes_after_first_card(draft: Draft, rng: Random) -> Mark | None:
    draft.late_stakes = True
    return Mark()


def _new_first_stake(
    draft: Draft, rng: Random, most: int, half: int, *, above: bool = False
) -> Mark | None:
    """So many minimums, up to `most`, and a half more; or those above the maximum.

    On a box with one owner.
    """
    numerator = half + (2 * rng.randint(1, most) if most else 0)
    box = _single_owner(draft, rng)
    if box is None:
        return None
    minimum = draft.limits.minimum_cents
    cents = minimum * numerator // 2
    if above:
        cents += draft.limits.maximum_cents // minimum * minimum
    _restake(draft, box, box.leader, cents)
    return Mark(box.number, None, box.leader, "main")


def _all_multiples(draft: Draft) -> bool:
    """Whether no stake was made up to what was missing: such a stake hangs on the others."""
    minimum = draft.limits.minimum_cents
    return all(w.initial % minimum == 0 for box in draft.boxes for w in box.wagers)


def _complemented(draft: Draft, rng: Random) -> tuple[Betting, str] | None:
    """A held box with others' stakes, and one of the others."""
    if not _all_multiples(draft):
        return None
    found = [
        (box, owner)
        for box in draft.boxes
        if box.holder is not None
        for owner in box.owners()
        if owner != box.holder
    ]
    return rng.choice(found) if found else None


def _box_sum_above_maximum(draft: Draft, rng: Random) -> Mark | None:
    """Each stake lawful for itself, the sum on the box too high."""
    found = _complemented(draft, rng)
    if found is None:
        return None
    box, owner = found
    minimum, maximum = draft.limits.minimum_cents, draft.limits.maximum_cents
    others = box.first_stakes() - next(w.initial for w in box.of(owner))
    cents = ((maximum - others) // minimum + 1) * minimum
    if not 0 < cents <= maximum:
        return None
    _restake(draft, box, owner, cents)
    return Mark(box.number)


def _complementary_between_multiples(draft: Draft, rng: Random) -> Mark | None:
    """Neither a multiple of the minimum nor what was missing to the maximum."""
    found = _complemented(draft, rng)
    if found is None:
        return None
    box, owner = found
    minimum = draft.limits.minimum_cents
    others = box.first_stakes() - next(w.initial for w in box.of(owner))
    cents = minimum + minimum // 2
    if others + cents >= draft.limits.maximum_cents:
        return None
    _restake(draft, box, owner, cents)
    return Mark(box.number, None, owner, "main")


def _decision_by_another(draft: Draft, rng: Random) -> Mark | None:
    found = _complemented(draft, rng)
    if found is None or not found[0].hands[0].actions:
        return None
    box, owner = found
    box.decided_by = owner
    return Mark(box.number, None, owner)


def _vacant(draft: Draft, rng: Random) -> Betting | None:
    found = [box for box in draft.boxes if box.holder is None]
    return rng.choice(found) if found and _all_multiples(draft) else None


def _vacant_stake_between_multiples(draft: Draft, rng: Random) -> Mark | None:
    """The largest stake on a vacant box, which decides, lies between two multiples."""
    box = _vacant(draft, rng)
    if box is None:
        return None
    minimum = draft.limits.minimum_cents
    cents = next(w.initial for w in box.of(box.leader)) + minimum // 2
    if box.first_stakes() + minimum // 2 > draft.limits.maximum_cents:
        return None
    _restake(draft, box, box.leader, cents)
    return Mark(box.number, None, box.leader, "main")


def _vacant_box_above_maximum(draft: Draft, rng: Random) -> Mark | None:
    """The stakes on a vacant box pass the maximum together."""
    box = _vacant(draft, rng)
    if box is None:
        return None
    minimum, maximum = draft.limits.minimum_cents, draft.limits.maximum_cents
    others = box.first_stakes() - next(w.initial for w in box.of(box.leader))
    _restake(draft, box, box.leader, ((maximum - others) // minimum + 1) * minimum)
    return Mark(box.number)


def _smaller_stake_decided(draft: Draft, rng: Random) -> Mark | None:
    """On a vacant box somebody decided who had less there, or as much from a higher seat."""
    for box in draft.boxes:
        if box.holder is None and box.hands[0].actions:
            others = [owner for owner in box.owners() if owner != box.leader]
            if others:
                box.decided_by = rng.choice(others)
                return Mark(box.number, None, box.decided_by)
    return None


def _limits_too_wide(draft: Draft, rng: Random) -> Mark | None:
    if not _all_multiples(draft):
        return None
    minimum = draft.limits.minimum_cents
    draft.limits = Limits(minimum, minimum * rng.choice((31, 40, 50, 100)))
    return Mark()


def _insurance_above_half(draft: Draft, rng: Random) -> Mark | None:
    """An insurance stake above half the first stake."""
    found = [
        (box, wager) for box in draft.boxes for wager in box.wagers if wager.kind == "insurance"
    ]
    if not found:
        return None
    box, wager = rng.choice(found)
    wager.stake = wager.initial if rng.random() < 0.5 else wager.initial * 3 // 4
    settle(draft)
    return at_wager(box, wager)


KINDS: Final = (
    Kind("box_beyond_layout", "2", _box_beyond_layout),
    Kind("stakes_after_first_card", "13", _stakes_after_first_card),
    Kind("stake_below_minimum", "14", partial(_new_first_stake, most=0, half=1)),
    Kind(
        "stake_between_multiples",
        "14",
        partial(_new_first_stake, most=4, half=1),
    ),
    Kind(
        "stake_above_maximum",
        "14",
        partial(_new_first_stake, most=5, half=0, above=True),
    ),
    Kind("box_sum_above_maximum", "15", _box_sum_above_maximum),
    Kind("complementary_between_multiples", "15", _complementary_between_multiples),
    Kind("decision_by_another", "15", _decision_by_another),
    Kind("smaller_stake_decided", "16", _smaller_stake_decided),
    Kind("vacant_stake_between_multiples", "16", _vacant_stake_between_multiples),
    Kind("vacant_box_above_maximum", "16", _vacant_box_above_maximum),
    Kind("limits_too_wide", "37", _limits_too_wide),
    Kind("insurance_above_half", "33", _insurance_above_half),
)
