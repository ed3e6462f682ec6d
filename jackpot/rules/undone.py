"""Wins that were withdrawn, and money handed out for them all the same.

Nothing is due for a win that was none, whoever was paid and whenever: before it was withdrawn,
afterwards, or once more when the same round was recorded anew. Money comes back by no withdrawal,
so what was found of its cards still holds.

Law: PT art. 43, 46, 50.
"""

from collections.abc import Iterator

from casino.law.finding import Rule, Verdict
from casino.law.rulebook.jackpot_law import AS_DEALT, ONCE, PRIZES
from jackpot.rules.conditions import with_evidence
from jackpot.rules.pool_evening import PoolEvening, Win
from jackpot.rules.win_checks import as_dealt, not_due, paid_once


def undone(pool: PoolEvening) -> Iterator[tuple[Rule, Verdict]]:
    """What each check says of each withdrawn win for which somebody was paid."""
    for win in pool.undone:
        terms = pool.in_force(win.recorded)
        shown_by = (win.recorded, *win.withdrawn, *win.payments, terms)
        yield ONCE, with_evidence(paid_once(win), *shown_by)
        yield PRIZES, with_evidence(_paid_for_nothing(win), *shown_by)
        if terms is not None and pool.rules.states("jackpot.cards_of"):
            for winner in win.recorded.event.winners:
                dealt = as_dealt(winner, win, terms, pool.rules)
                yield AS_DEALT, with_evidence(dealt, win.recorded, win.round, terms)


def _paid_for_nothing(win: Win) -> Verdict:
    """Every payment but one said to be a second time, of which `paid_once` speaks."""
    paid = [each for each in win.payments if each.event.paid_cents and not each.event.again]
    return not_due(paid) or None
