"""The side stakes of a round: which of them feed the meter, and what the law asks of each.

A chip is recorded by its owner and the box it lies on. Who stakes on the main game stakes nothing
on the prize by that: only a chip does. One source feeds a table's meter, the one the approved terms
name; what another source tells is compared with it and never added.

Law: PT art. 39, 41, 45, 47, 48.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict
from casino.law.questions import breach, equal
from jackpot.progressive.terms import Marking

# Chips by their owner and the box they lay on.
Chips = Counter[tuple[str, int]]
MainStakeOf = Literal["box", "player"]


@dataclass(frozen=True, slots=True)
class Fed:
    """The chips of a round that count for the meter, and how the sources agree."""

    chips: Chips
    agreement: Verdict


def feeds_the_meter(marking: Marking, automatic: Chips | None, manual: Chips | None) -> Fed:
    """The chips of the source the terms name; the other one is evidence about it.

    `automatic` are the chips of the round's record, a dealer's or a device's, `manual` those of the
    increments, whoever entered them; None where that source told nothing of the round. Under manual
    marking a round whose chips nobody entered adds nothing: the display did not rise.
    Law: PT art. 39, 41.
    """
    own, other = (automatic, manual) if marking == "automatic" else (manual, automatic)
    if own is None:
        missing = None if other is None or not other.total() else _differ(Counter(), other)
        return Fed(Counter(), missing or (UNDECIDED if other is None else LAWFUL))
    if other is None:
        return Fed(own, UNDECIDED)
    return Fed(own, _differ(own, other) or LAWFUL)


def _differ(own: Chips, other: Chips) -> list[Breach]:
    return [
        breach({"chips": own[owner, box]}, {"chips": n}, where={"owner": owner, "box": box})
        for (owner, box), n in sorted(_either(own, other).items())
        if own[owner, box] != n
    ]


def _either(own: Chips, other: Chips) -> dict[tuple[str, int], int]:
    """What the other source tells of every chip that one of them tells."""
    return {key: other[key] for key in own.keys() | other.keys()}


def each_stake_has_its_marker(
    marking: Marking, marked: Collection[tuple[str, int, bool | None]]
) -> Verdict:
    """Under manual marking a marker takes the place of every chip collected.

    `marked` are owner, box, and whether a marker was laid, None where nobody told. Law: PT art. 41.
    """
    if marking == "automatic" or not marked:
        return None
    bare = [
        breach({"marker": 0}, {"marker": 1}, where={"owner": owner, "box": box})
        for owner, box, laid in sorted(marked, key=lambda one: one[:2])
        if laid is False
    ]
    return bare or (UNDECIDED if any(laid is None for _, _, laid in marked) else LAWFUL)


def chip_has_a_main_stake(
    chips: Chips, main: Collection[tuple[str, int]], reading: MainStakeOf = "box"
) -> Verdict:
    """Only who has a main stake plays for the prize.

    `main` are owner and box of the round's main stakes. On the chip's own box (``"box"``: its cards
    decide), or anywhere in the round (``"player"``). Law: PT art. 45 (reading jackpot-main-stake).
    """
    staking = {owner for owner, _ in main}
    breaches = []
    for (owner, box), n in sorted(chips.items()):
        there = (owner, box) in main if reading == "box" else owner in staking
        if n and not there:
            # With no main stake at all the reading changes nothing.
            readings = ("jackpot-main-stake",) if owner in staking else ()
            where: dict[str, int | str] = {"owner": owner, "box": box}
            breaches.append(
                breach({"main_stakes": 0}, {"at_least": 1}, where=where, readings=readings)
            )
    return breaches or LAWFUL


def chip_is_of_the_set_amount(chip_cents: int | None, stake_cents: int) -> Verdict:
    """A chip is worth what the terms in force say, no more and no less. Law: PT art. 47."""
    return equal("chip_cents", chip_cents, stake_cents)


def side_stakes_precede_the_deal(
    closed_at: datetime | None, first_card_at: datetime | None, before_deal: bool | None = None
) -> Verdict:
    """The chips lie before the first card is dealt: timed, or attested by `before_deal`.

    What was timed goes before what was attested; of one moment no order can be said, and it counts
    as before. Law: PT art. 48.
    """
    if closed_at is not None and first_card_at is not None:
        if closed_at > first_card_at:
            return breach({"closed_at": closed_at}, {"not_after": first_card_at})
        return LAWFUL
    if before_deal is None:
        return UNDECIDED
    return LAWFUL if before_deal else breach({"before_deal": 0}, {"before_deal": 1})


def closing_is_called(called: bool | None) -> Verdict:
    """The dealer called the stakes closed before he dealt. Law: PT art. 48."""
    return equal("closing_called", None if called is None else int(called), 1)
