"""One round's win that stands in the book twice: its prizes are held twice, and may be paid twice.

Whoever tells a win again is refused where both name the round alike, or its record joins the names.
A round that was on record only afterwards slips through there and is seen here.

Law: PT art. 50.
"""

from collections.abc import Iterator

from casino.law.dossier import RecordedEvent
from casino.law.finding import Breach, Rule, Verdict
from casino.law.questions import breach
from casino.law.rulebook.jackpot_law import ONCE
from jackpot.events import JackpotPaid
from jackpot.rules.conditions import with_evidence
from jackpot.rules.pool_evening import PoolEvening, Win


def recorded_twice(pool: PoolEvening) -> Iterator[tuple[Rule, Verdict]]:
    """A breach for each win of a round, and of a chip in it, that was recorded before."""
    first: dict[tuple[str, str, int], Win] = {}
    for win in pool.wins:
        if win.round is None:
            continue  # of which round it was, nobody knows
        for winner in win.recorded.event.winners:
            chip = (win.round.leaf, winner.owner, winner.box)
            before = first.setdefault(chip, win)
            if before is not win:
                mine = winner.owner, winner.box
                paid = *_paid(before, *mine), *_paid(win, *mine)
                shown_by = (before.recorded, win.recorded, *paid, win.round)
                yield ONCE, with_evidence(_twice(win, *mine), *shown_by)


def _twice(win: Win, owner: str, box: int) -> Breach:
    """What was handed out for the second telling belongs to the house."""
    cents = sum(one.event.paid_cents for one in _paid(win, owner, box))
    return breach(
        {"wins": 2, "paid_cents": cents},
        {"wins": 1, "paid_cents": 0},
        where={"owner": owner, "box": box},
        owed_cents=cents,
        owed_to="house" if cents else None,
    )


def _paid(win: Win, owner: str, box: int) -> list[RecordedEvent[JackpotPaid]]:
    return [
        one
        for one in win.payments
        if (one.event.owner, one.event.box) == (owner, box) and not one.event.again
    ]
