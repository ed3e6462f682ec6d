"""What of the pools waits for somebody, as far as their shelves tell: read, never written."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef
from django.urls import reverse

from audit.pools.due import never_sealed
from audit.pools.waiting import SEAL, TERMS, WIN
from jackpot.models import (
    JackpotAdjustment,
    JackpotPayment,
    JackpotTerms,
    JackpotTermsConfirmation,
    JackpotWin,
    JackpotWinnerRow,
)

MOST: Final = 100


@dataclass(frozen=True, slots=True)
class Pending:
    """One thing of a pool somebody has to see to.

    `what` is WIN, TERMS or SEAL; `table` and `partida` '' where it is of none. `article` is one of
    the rulebook, '' for the house's own rule; `link` a page that shows it, '' for none.
    """

    what: str
    jackpot: str
    since: datetime
    table: str = ""
    partida: str = ""
    article: str = ""
    link: str = ""


def pending(now: datetime, tables: Collection[str] | None = None) -> Iterator[Pending]:
    """Wins not paid; and of the house as a whole terms one person told, meters not sealed."""
    yield from _unpaid(tables)
    if tables is None:
        yield from _unconfirmed()
        for jackpot, since in never_sealed(now):
            yield Pending(SEAL, jackpot, since)


def _unpaid(tables: Collection[str] | None) -> Iterator[Pending]:
    """Wins of which somebody has not been paid; their cards lie open. Law: PT art. 49."""
    paid = JackpotPayment.objects.filter(
        jackpot=OuterRef("jackpot"),
        hit_n=OuterRef("n"),
        owner=OuterRef("owner"),
        box=OuterRef("box"),
    )
    undone = JackpotAdjustment.objects.filter(jackpot=OuterRef("jackpot"), hit_n=OuterRef("n"))
    owed = JackpotWinnerRow.objects.filter(~Exists(paid), ~Exists(undone))
    wins = JackpotWin.objects.filter(entry__in=owed.values("entry"))
    if tables is not None:
        wins = wins.filter(table_code__in=tables)
    for row in wins.order_by("recorded_at")[:MOST]:
        yield Pending(
            WIN,
            row.jackpot,
            row.opened_at or row.occurred_at,
            row.table_code,
            row.partida_id,
            article="49",
            link=reverse("admin:jackpot_jackpotwin_change", args=[row.pk]),
        )


def _unconfirmed() -> Iterator[Pending]:
    """Terms that wait for their second person, unless others have followed. Law: PT art. 40."""
    word = JackpotTermsConfirmation.objects.filter(
        jackpot=OuterRef("jackpot"), terms_n__gte=OuterRef("n")
    )
    for row in JackpotTerms.objects.filter(~Exists(word)).order_by("n")[:MOST]:
        yield Pending(
            TERMS,
            row.jackpot,
            row.recorded_at,
            article="40",
            link=reverse("admin:jackpot_jackpotterms_change", args=[row.pk]),
        )
