"""What of the pools waits for somebody, as far as their projections tell: read, never written."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef
from django.urls import reverse

from audit.pools.replays_due import never_sealed
from audit.pools.waiting import SEAL, SHORT, TERMS, WIN
from jackpot.models import JackpotTerms, JackpotTermsConfirmation, JackpotWin
from jackpot.queries.owed_prizes import outstanding

MOST: Final = 100


@dataclass(frozen=True, slots=True)
class Pending:
    """One thing of a pool somebody has to see to.

    `what` is WIN, SHORT, TERMS or SEAL; `table` and `partida` '' where it is of none. `article` is
    one of the rulebook, '' for the house's own rule; `link` a page that shows it, '' for none.
    """

    what: str
    jackpot: str
    since: datetime
    table: str = ""
    partida: str = ""
    article: str = ""
    link: str = ""


def pending(now: datetime, tables: Collection[str] | None = None) -> Iterator[Pending]:
    """Wins not paid, or paid short; of the whole house terms one person told, meters not sealed."""
    yield from _owed(now, tables)
    if tables is None:
        yield from _unconfirmed()
        for jackpot, since in never_sealed(now):
            yield Pending(SEAL, jackpot, since)


def _owed(now: datetime, tables: Collection[str] | None) -> Iterator[Pending]:
    """Wins of which somebody has not been paid, or not all; until he is paid his cards lie open.

    Law: PT art. 43, 49.
    """
    waiting, short = outstanding(now, tables=None if tables is None else list(tables))
    for row in waiting[:MOST]:
        yield _of_win(WIN, row, row.opened_at or row.occurred_at, "49")
    for row, _ in short[:MOST]:
        yield _of_win(SHORT, row, row.occurred_at, "43")


def _of_win(what: str, jackpot_win: JackpotWin, since: datetime, article: str) -> Pending:
    link = reverse("admin:jackpot_jackpotwin_change", args=[jackpot_win.pk])
    return Pending(
        what,
        jackpot_win.jackpot,
        since,
        jackpot_win.table_code,
        jackpot_win.partida_id,
        article,
        link,
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
