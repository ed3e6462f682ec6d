"""Wins of a pool as the floor meets them: what each came to, who was paid, who still waits.

Law: PT art. 43, 49, 50.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

from casino.events.event import EntryRef
from casino.models import Attestation, BookEntry
from jackpot.models import (
    JackpotAdjustment,
    JackpotPayment,
    JackpotStart,
    JackpotWin,
)
from jackpot.progressive.payout import Payout, Step
from jackpot.queries import payout_of
from jackpot.queries.owed_prizes import Short, given_cents, outstanding, payments_to


@dataclass(frozen=True, slots=True)
class Payable:
    """One prize of a win, in the order of payment.

    `payments` are its winner's, in their order: none while he waits. `unwitnessed` is the first of
    them no second person put his word to.
    """

    step: Step
    payments: tuple[JackpotPayment, ...]
    unwitnessed: JackpotPayment | None

    @property
    def name(self) -> str:
        """How a form names it."""
        return self.step.winner.name

    @property
    def given_cents(self) -> int:
        """What he got of it so far."""
        return given_cents(self.payments)

    @property
    def missing_cents(self) -> int:
        """What is to be paid of it now: all of it, or what was missing when it was paid."""
        return max(0, self.step.paid_cents - self.given_cents)

    @property
    def is_short(self) -> bool:
        """Whether it was paid, and too low. Law: PT art. 43, 50."""
        return bool(self.payments) and self.missing_cents > 0


@dataclass(frozen=True)
class Hit:
    """A win and everything that followed from it."""

    row: JackpotWin

    @cached_property
    def payout(self) -> Payout | None:
        """What it comes to; None where no terms were in force."""
        return payout_of(self.row.jackpot, self.row.n)

    @cached_property
    def withdrawn(self) -> bool:
        """Whether it was none after all."""
        rows = JackpotAdjustment.objects.filter(jackpot=self.row.jackpot, hit_n=self.row.n)
        return rows.exists()

    @cached_property
    def ref(self) -> EntryRef:
        """Its entry, as a payment names it."""
        leaf = BookEntry.objects.values_list("leaf_hash", flat=True).get(pk=self.row.entry_id)
        return EntryRef(stream=self.row.stream, n=self.row.n, leaf=bytes(leaf).hex())

    @cached_property
    def payables(self) -> tuple[Payable, ...]:
        """Its prizes, the smallest first, what is left for the top combination last. Art. 50."""
        made = payments_to(self.row.jackpot, self.row.n)
        listed = [one.n for rows in made.values() for one in rows]
        words = Attestation.objects.filter(witnessed_stream=self.row.stream, witnessed_n__in=listed)
        confirmed = set(words.values_list("witnessed_n", flat=True)) if listed else set()
        found = []
        for step in self.payout.steps if self.payout is not None else ():
            rows = tuple(made.get(step.winner.name, ()))
            alone = next((one for one in rows if one.n not in confirmed), None)
            found.append(Payable(step, rows, alone))
        return tuple(found)

    @property
    def waiting(self) -> tuple[Payable, ...]:
        """The prizes nobody was paid anything of yet: their cards lie open. Law: PT art. 49."""
        return () if self.withdrawn else tuple(one for one in self.payables if not one.payments)

    @property
    def unsettled(self) -> tuple[Payable, ...]:
        """The prizes something is still to be paid of: those that wait, and those paid short."""
        return tuple(
            one
            for one in (() if self.withdrawn else self.payables)
            if one.is_short or not one.payments
        )

    def is_out_of_turn(self, payable: Payable) -> bool:
        """Whether a smaller prize waits; equal ones are paid in any order. Law: PT art. 50.

        What was missing of a prize has the place of its first payment, and is never out of turn.
        """
        return not payable.payments and any(
            _rank(other.step) < _rank(payable.step) for other in self.waiting
        )

    @cached_property
    def restarted(self) -> JackpotStart | None:
        """The starting value that was put in after it. Law: PT art. 44."""
        rows = JackpotStart.objects.filter(jackpot=self.row.jackpot, n__gt=self.row.n)
        return rows.order_by("n").first()


def _rank(step: Step) -> tuple[bool, int]:
    """Smaller prizes before larger ones, what is left last, whatever it comes to."""
    last = step.by == "remainder"
    return last, 0 if last else step.paid_cents


def hit_at(table: str, jackpot: str, n: int) -> Hit | None:
    """The win told in that entry of the pool's stream, at that table."""
    row = JackpotWin.objects.filter(jackpot=jackpot, n=n, table_code=table).first()
    return None if row is None else Hit(row)


def unpaid(partidas: Collection[str], now: datetime) -> list[JackpotWin]:
    """The wins of these partidas of which somebody is still owed something, the oldest first."""
    waiting, short = outstanding(now, partidas=list(partidas))
    found = {win.pk: win for win in [*waiting, *(win for win, _ in short)]}
    return sorted(found.values(), key=lambda win: win.recorded_at)


def unpaid_at(
    tables: Collection[str], now: datetime
) -> tuple[list[JackpotWin], list[tuple[JackpotWin, list[Short]]]]:
    """Those at these tables, of whatever partida; those paid short apart, with what is missing.

    Where somebody was paid nothing the cards lie there until then. Law: PT art. 49.
    """
    return outstanding(now, tables=list(tables))


# Written out, as `outstanding`.
_UNWITNESSED: Final = """
SELECT paid.*, (SELECT winner.seat FROM jackpot_winner AS winner
    WHERE winner.jackpot = paid.jackpot AND winner.n = paid.hit_n AND winner.owner = paid.owner
    AND winner.box = paid.box LIMIT 1) AS seat
FROM jackpot_payment AS paid
WHERE recorded_at >= %(since)s AND (%(tables)s::text[] IS NULL OR table_code = ANY(%(tables)s))
    AND NOT EXISTS (SELECT FROM casino_attestation AS word
        WHERE word.witnessed_stream = paid.stream AND word.witnessed_n = paid.n)
ORDER BY recorded_at
"""


def unwitnessed_at(tables: Collection[str] | None, since: datetime) -> list[JackpotPayment]:
    """The payments at these tables, from then on, without a second word; the oldest first.

    None asks of all tables.

    Each with its winner's `seat`, None where nobody named one.
    """
    asked = {"tables": None if tables is None else list(tables), "since": since}
    return list(JackpotPayment.objects.raw(_UNWITNESSED, asked))
