"""What was really paid, against what was due: amounts, order, moments, and whether it can be true.

Law: PT art. 43, 49, 50.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict
from casino.law.questions import breach
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.payout import Payout, Step

OpenCards = Literal["before_collection", "collected_at_once"]
Given = Mapping[tuple[str, int], int]


def prizes_as_approved(payout: Payout, given: Given) -> Verdict:
    """Every smaller prize is paid as the approved table says, whatever became of the main stake.

    `given` is what each winner got, by owner and box, in cents; a winner who is not in it got
    nothing. Law: PT art. 43.
    """
    due = [step for step in payout.steps if step.by != "remainder"]
    known = {(step.winner.owner, step.winner.box) for step in payout.steps}
    breaches = _differing(due, given, payout.readings)
    breaches += [
        _owed(owner, box, cents, 0, ())
        for (owner, box), cents in sorted(given.items())
        if cents and (owner, box) not in known
    ]
    return breaches or (LAWFUL if due or given else None)


def remainder_to_the_top(payout: Payout, given: Given) -> Verdict:
    """What is left goes to the top combination, in equal shares where several have it.

    `given` as for `prizes_as_approved`. Law: PT art. 50 a), b).
    """
    due = [step for step in payout.steps if step.by == "remainder"]
    return (_differing(due, given, payout.readings) or LAWFUL) if due else None


def _differing(due: Sequence[Step], given: Given, readings: tuple[str, ...]) -> list[Breach]:
    return [
        _owed(step.winner.owner, step.winner.box, got, step.paid_cents, readings)
        for step in due
        if (got := given.get((step.winner.owner, step.winner.box), 0)) != step.paid_cents
    ]


def _owed(owner: str, box: int, got: int, due: int, readings: tuple[str, ...]) -> Breach:
    return breach(
        {"paid_cents": got},
        {"paid_cents": due},
        where={"owner": owner, "box": box},
        readings=readings,
        owed_cents=abs(due - got),
        owed_to="player" if got < due else "house",
    )


@dataclass(frozen=True, slots=True)
class PaidOut:
    """One payment as it was made, in its place among the round's payments."""

    owner: str
    box: int
    cents: int


def smallest_prize_first(payments: Sequence[PaidOut], payout: Payout) -> Verdict:
    """Smaller prizes are paid before larger ones, the remainder last; equal ones in any order.

    `payments` are the payments in the order they were made. Asked of two payments or more.
    Law: PT art. 50 a).
    """
    last = {(step.winner.owner, step.winner.box) for step in payout.steps if step.by == "remainder"}
    ranks = [((one.owner, one.box) in last, one.cents) for one in payments]
    if len(payments) < 2:
        return None
    for before, after, one in zip(ranks, ranks[1:], payments[1:], strict=False):
        if (after[0], 0 if after[0] else after[1]) < (before[0], 0 if before[0] else before[1]):
            return breach(
                {"paid_cents": one.cents, "after_cents": before[1]},
                {"order": "smallest_first"},
                where={"owner": one.owner, "box": one.box},
            )
    return LAWFUL


def open_until_paid(
    paid_at: datetime | None,
    collected_at: datetime | None,
    *,
    blackjack_paid_at_once: bool = False,
    reading: OpenCards = "before_collection",
) -> Verdict:
    """Winning cards lie open until their prize is paid; only then are they collected.

    `paid_at` None: no payment stands in the book. `collected_at` None: nobody recorded.
    A blackjack paid at once may, under the reading ``"collected_at_once"``, be taken away before.
    Law: PT art. 49 (reading jackpot-before-collect).
    """
    readings = ("jackpot-before-collect",) if blackjack_paid_at_once else ()
    if blackjack_paid_at_once and reading == "collected_at_once":
        return LAWFUL
    if collected_at is None:
        return UNDECIDED
    if paid_at is None or paid_at > collected_at:
        observed = {"paid_at": "" if paid_at is None else paid_at.isoformat()}
        return breach(observed, {"not_after": collected_at}, readings=readings)
    return LAWFUL


def claim_is_within_the_money(
    claimed_cents: int, started_cents: int, contributed_microcents: int, paid_cents: int = 0
) -> Verdict:
    """Nobody wins more than was ever put in: start values and contributions, less what was paid.

    A payment of more is one the house cannot explain, whoever won. No article asks it by itself.
    """
    there = started_cents - paid_cents + contributed_microcents // MICROCENTS
    if claimed_cents > there:
        return breach({"claimed_cents": claimed_cents}, {"at_most_cents": there})
    return LAWFUL
