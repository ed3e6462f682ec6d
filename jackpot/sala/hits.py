"""Wins of a pool as the floor meets them: what each came to, who was paid, who still waits.

Law: PT art. 43, 49, 50.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from casino.facts.fact import EntryRef
from casino.models import Attestation, BookEntry
from jackpot.models import (
    JackpotAdjustment,
    JackpotPayment,
    JackpotStart,
    JackpotWin,
    JackpotWinnerRow,
)
from jackpot.progressive.payout import Payout, Step
from jackpot.queries import payout_of
from jackpot.queries.pools import winner_name


@dataclass(frozen=True, slots=True)
class Payable:
    """One prize of a win, in the order of payment.

    `paid` is None while it waits, `witnessed` whether a second person put his word to the payment.
    """

    step: Step
    paid: JackpotPayment | None
    witnessed: bool

    @property
    def name(self) -> str:
        """How a form names it."""
        return winner_name(self.step.winner.owner, self.step.winner.box)


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
        paid = {
            winner_name(one.owner, one.box): one
            for one in JackpotPayment.objects.filter(
                jackpot=self.row.jackpot, hit_n=self.row.n
            ).order_by("-n")
        }
        words = Attestation.objects.filter(
            witnessed_stream=self.row.stream, witnessed_n__in=[one.n for one in paid.values()]
        )
        confirmed = set(words.values_list("witnessed_n", flat=True)) if paid else set()
        found = []
        for step in self.payout.steps if self.payout is not None else ():
            row = paid.get(winner_name(step.winner.owner, step.winner.box))
            found.append(Payable(step, row, row is not None and row.n in confirmed))
        return tuple(found)

    @property
    def waiting(self) -> tuple[Payable, ...]:
        """The prizes nobody was paid yet."""
        return () if self.withdrawn else tuple(one for one in self.payables if one.paid is None)

    def is_out_of_turn(self, one: Payable) -> bool:
        """Whether a smaller prize waits; equal ones are paid in any order. Law: PT art. 50."""
        return any(_rank(other.step) < _rank(one.step) for other in self.waiting)

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


def unpaid(partidas: Collection[str]) -> list[JackpotWin]:
    """The wins of these partidas of which somebody was not paid yet, the oldest first."""
    return list(_unpaid().filter(partida_id__in=list(partidas)))


def unpaid_at(tables: Collection[str]) -> list[JackpotWin]:
    """The same of these tables, of whatever partida: the cards lie there until then. Art. 49."""
    return list(_unpaid().filter(table_code__in=list(tables)))


def _unpaid() -> QuerySet[JackpotWin]:
    undone = JackpotAdjustment.objects.filter(jackpot=OuterRef("jackpot"), hit_n=OuterRef("n"))
    paid = JackpotPayment.objects.filter(
        jackpot=OuterRef("jackpot"), hit_n=OuterRef("n"), owner=OuterRef("owner"),
        box=OuterRef("box"),
    )  # fmt: skip
    waiting = JackpotWinnerRow.objects.filter(~Exists(paid), entry=OuterRef("pk"))
    return JackpotWin.objects.filter(~Exists(undone), Exists(waiting)).order_by("recorded_at")


def unwitnessed_at(tables: Collection[str], since: datetime) -> list[JackpotPayment]:
    """The payments at these tables, from then on, without a second word; the oldest first.

    Each with its winner's `seat`, None where nobody named one.
    """
    word = Attestation.objects.filter(
        witnessed_stream=OuterRef("stream"), witnessed_n=OuterRef("n")
    )
    winner = JackpotWinnerRow.objects.filter(
        jackpot=OuterRef("jackpot"), n=OuterRef("hit_n"), owner=OuterRef("owner"),
        box=OuterRef("box"),
    )  # fmt: skip
    rows = JackpotPayment.objects.filter(
        ~Exists(word), table_code__in=list(tables), recorded_at__gte=since
    )
    return list(rows.annotate(seat=Subquery(winner.values("seat")[:1])).order_by("recorded_at"))
