"""What waits for somebody of the pools: prizes, their second person, terms, a meter at zero.

Law: PT art. 40, 43, 44, 49, 50.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from casino.events.event_policy import HEAD, MANAGER, PIT
from casino.floor.game_view import RULEBOOK
from casino.floor.gathering import LOOKED_BACK
from casino.floor.tables.todo_lists import Todo
from casino.models import Partida
from casino.web.forms.warnings import cited_in
from jackpot.floor.hits import unwitnessed_at
from jackpot.models import (
    JackpotAdjustment,
    JackpotStart,
    JackpotTerms,
    JackpotTermsConfirmation,
    JackpotWin,
)
from jackpot.queries import payout_of
from jackpot.queries.owed_prizes import outstanding

_PIT: Final = frozenset({PIT})
_THERE: Final = frozenset({PIT, HEAD})
_full: Final[dict[object, bool]] = {}  # by a win's entry: whether it took everything on the meter


def waiting(now: datetime, tables: Collection[str] | None = None) -> Iterator[Todo]:
    """Everything of the pools that waits for somebody, or of these tables alone."""
    if not JackpotTerms.objects.exists():
        return
    wins, short = outstanding(now, tables=None if tables is None else list(tables))
    for win in wins:
        yield _of_win(win, "prize", _("Jackpot prize to be paid"), _("Pay"), "49")
    for win, _rest in short:
        words = _("Jackpot prize paid short: the rest is still owed")
        yield _of_win(win, "prize_rest", words, _("Pay the rest"), "50")
    for payment in unwitnessed_at(tables, now - LOOKED_BACK):
        yield Todo(
            what="prize_witness",
            words=_("A jackpot payment waits for its witness"),
            do=_("Hand to the witness"),
            url=reverse("sala:witness", args=[payment.entry_id]),
            of=payment.jackpot,
            key=str(payment.entry_id),
            since=payment.recorded_at,
            article=_article("50", payment.partida_id),
            table=payment.table_code,
            partida=payment.partida_id,
            offices=_THERE,
        )
    yield from _at_zero()
    if tables is None:  # terms are of no table
        yield from _terms()


def _of_win(win: JackpotWin, what: str, words: object, do: object, article: str) -> Todo:
    return Todo(
        what=what,
        words=words,
        do=do,
        url=reverse("jackpot_sala:hit", args=[win.table_code, win.jackpot, win.n]),
        of=win.jackpot,
        key=f"{win.jackpot}/{win.n}",
        since=win.opened_at or win.occurred_at,
        article=_article(article, win.partida_id),
        table=win.table_code,
        partida=win.partida_id,
        offices=_PIT,
    )


def _article(number: str, partida: str) -> str:
    """An article as the rulebook of that game cites it."""
    book = Partida.objects.filter(partida_id=partida).values_list("rulebook", flat=True).first()
    return cited_in(book or RULEBOOK, number)


def _at_zero() -> Iterator[Todo]:
    """Pools a win emptied and nobody started again. Law: PT art. 44."""
    again = JackpotStart.objects.filter(jackpot=OuterRef("jackpot"), n__gt=OuterRef("n"))
    undone = JackpotAdjustment.objects.filter(jackpot=OuterRef("jackpot"), hit_n=OuterRef("n"))
    for win in JackpotWin.objects.filter(~Exists(again), ~Exists(undone)).order_by("n"):
        if _took_all(win):
            yield Todo(
                what="restart",
                words=_("The jackpot's meter is at zero: it has to be started again"),
                do=_("Start it again"),
                url=f"{reverse('admin:jackpot_jackpotstart_add')}?hit={win.entry_id}",
                of=win.jackpot,
                since=win.occurred_at,
                article=_article("44", win.partida_id),
                table=win.table_code,
                partida=win.partida_id,
                offices=frozenset({MANAGER}),
            )


def _took_all(win: JackpotWin) -> bool:
    """Whether nothing was left on the meter; kept, for it follows from entries before the win."""
    if win.pk not in _full:
        came_to = payout_of(win.jackpot, win.n)
        _full[win.pk] = came_to is not None and came_to.full
    return _full[win.pk]


def _terms() -> Iterator[Todo]:
    """Terms one person recorded, unless others have followed. Law: PT art. 40."""
    word = JackpotTermsConfirmation.objects.filter(
        jackpot=OuterRef("jackpot"), terms_n__gte=OuterRef("n")
    )
    for row in JackpotTerms.objects.filter(~Exists(word)).order_by("n"):
        yield Todo(
            what="terms",
            words=_("Jackpot terms wait for a second person's word"),
            do=_("Compare and confirm"),
            url=reverse("admin:jackpot_jackpotterms_change", args=[row.pk]),
            of=row.jackpot,
            since=row.recorded_at,
            article=cited_in(RULEBOOK, "40"),
            offices=frozenset({HEAD}),
            never=frozenset({row.staff}),
        )
