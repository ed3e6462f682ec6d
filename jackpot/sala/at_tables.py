"""What the progressive shows on a table's own page, and where a payment's witness goes on to.

Named in settings: the floor never names this room.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext

from casino.admin.cells import money
from casino.admin.field_words import word
from casino.admin.offices import offices_of
from casino.admin.warnings import cited
from casino.models import BookEntry
from casino.queries import entry_told
from casino.recording.authority import HEAD, PIT, writers_of
from casino.regulation.jackpot_law import OPEN
from casino.sala.access import FLOOR
from casino.sala.gathering import LOOKED_BACK
from casino.sala.scene import RULEBOOK, Scene
from casino.sala.state import Alert, Look
from casino.sala.still_missing import chefe_of, fiscal_of
from casino.sala.still_words import Item
from casino.sala.ways import Way
from jackpot.facts import JackpotIncremented, JackpotPaid, JackpotWon
from jackpot.models import JackpotPayment, JackpotWin, JackpotWinnerRow
from jackpot.pages import shown
from jackpot.progressive.payout import Step
from jackpot.queries import payout_of
from jackpot.sala.hits import unpaid_at, unwitnessed_at
from jackpot.sala.standing import pools_named

# What of a partida lies in a pool's own stream; increments lie in the table's.
KINDS: Final = frozenset({JackpotWon.kind, JackpotPaid.kind})
_KEPT: Final[dict[UUID, tuple[Step, ...]]] = {}  # by the win's entry
_MOST: Final = 100


def ways(request: HttpRequest, look: Look) -> list[Way]:
    """To the collection of a pool's chips and to a win, where the partida named the pool."""
    if look.dossier is None:
        return []
    held, found = offices_of(request), []
    pools = pools_named(look.dossier)
    for jackpot in pools:
        of = f" {jackpot}" if len(pools) > 1 else ""
        at = [look.state.table, jackpot]
        if held & writers_of(JackpotIncremented.kind):
            words = gettext("Jackpot: collect the chips") + of
            found.append(Way(words, reverse("jackpot_sala:collect", args=at), _n("41")))
        if held & writers_of(JackpotWon.kind):
            words = gettext("Jackpot: a prize is won") + of
            found.append(Way(words, reverse("jackpot_sala:won", args=at), _n("49")))
    return found


def alerts(tables: Collection[str], now: datetime) -> dict[str, list[Alert]]:
    """By table, what is won and not paid, and payments without a second person's word."""
    found: dict[str, list[Alert]] = {}
    wins = unpaid_at(tables)
    for win, owed in zip(wins, _owed_of(wins), strict=True):
        told = {
            "place": owed,
            "way": _hit(win.table_code, win.jackpot, win.n),
            "way_words": gettext("Pay"),
            "otherwise": gettext("To the win: the fiscal de banca pays"),
        }
        words = gettext("Jackpot prize to be paid")
        alert = Alert("warning", words, _n("49"), check=OPEN.name, office=PIT, **told)
        found.setdefault(win.table_code, []).append(alert)
    for payment in unwitnessed_at(tables, now - LOOKED_BACK):
        words = gettext("A jackpot payment waits for its witness")
        way = {"way": _witness(payment), "way_words": gettext("Witness")}
        alert = Alert("warning", words, _n("50"), place=_paid(payment), **way)
        found.setdefault(payment.table_code, []).append(alert)
    return found


def missing(scene: Scene, held: Collection[str]) -> list[Item]:
    """What a closing leaves behind: prizes nobody was paid, payments nobody confirmed."""
    tables, floor = [scene.table], bool(FLOOR & set(held))
    wins = unpaid_at(tables)
    prizes = [
        Item(
            what="prize",
            words=gettext("Jackpot prize not paid: its cards stay face up"),
            of=owed,
            article=_n("49"),
            by=fiscal_of(scene.evening) or str(word(PIT)),
            do=gettext("Pay") if PIT in held else gettext("To the win"),
            url=_hit(win.table_code, win.jackpot, win.n) if floor else "",
        )
        for win, owed in zip(wins, _owed_of(wins), strict=True)
    ]
    payments = [
        Item(
            what="prize_witness",
            words=gettext("Nobody has confirmed the payment of a jackpot prize"),
            of=_paid(payment),
            article=_n("50"),
            by=chefe_of(scene.evening) or str(word(HEAD)),
            do=gettext("Hand to the witness"),
            url=_witness(payment) if floor else "",
        )
        for payment in unwitnessed_at(tables, scene.now - LOOKED_BACK)
    ]
    return [*prizes, *payments]


def pools() -> list[str]:
    """The pools a table may be opened with."""
    return shown.pools()


def _owed_of(wins: Sequence[JackpotWin]) -> list[str]:
    """Of each win who waits, by seat and with his amount: ``JP-1, seat 2: 50,00 €``."""
    payments = JackpotPayment.objects.filter(
        jackpot__in={win.jackpot for win in wins}, hit_n__in={win.n for win in wins}
    ).values_list("jackpot", "hit_n", "owner", "box")
    paid = set(payments) if wins else set()
    found = []
    for win in wins:
        steps = _steps(win)
        waiting = [
            _prize(one.winner.seat or one.winner.box, one.paid_cents)
            for one in steps
            if (win.jackpot, win.n, one.winner.owner, one.winner.box) not in paid
        ]
        if not steps:  # no terms: what it comes to nobody can say. Law: PT art. 40.
            rows = JackpotWinnerRow.objects.filter(entry=win.entry_id).order_by("box")
            waiting = [gettext("seat %(n)s") % {"n": row.seat or row.box} for row in rows]
        found.append(", ".join([win.jackpot, *waiting]))
    return found


def _steps(win: JackpotWin) -> tuple[Step, ...]:
    """What a win comes to; () where no terms were in force.

    A page asks every half minute until it is paid, from every tablet: what was reckoned once is
    kept, for it follows from entries before the win, which never change.
    """
    kept = _KEPT.get(win.entry_id)
    if kept is None:
        payout = payout_of(win.jackpot, win.n)
        if payout is None:
            return ()
        if len(_KEPT) >= _MOST:
            _KEPT.clear()
        kept = _KEPT[win.entry_id] = payout.steps
    return kept


def _paid(payment: Any) -> str:
    prize = _prize(payment.seat or payment.box, payment.paid_cents)
    return f"{payment.jackpot}, {prize}"


def _prize(seat: int, cents: int) -> str:
    return gettext("seat %(n)s: %(amount)s") % {"n": seat, "amount": money(cents)}


def page_of(entry: BookEntry) -> tuple[str, str] | None:
    """The page of a win, from the win or one of its payments; None for another act."""
    hit = _hit_of(entry)
    return None if hit is None else (hit, gettext("To the win"))


def after_witness(entry: BookEntry) -> tuple[str, str] | None:
    """Back to the win whose payment was witnessed; None for another act."""
    hit = _hit_of(entry) if entry.kind == JackpotPaid.kind else None
    return None if hit is None else (hit, gettext("Back to the win"))


def _hit_of(entry: BookEntry) -> str | None:
    if entry.kind not in KINDS:
        return None
    told = entry_told(entry.pk)
    if told is None:
        return None
    fact: Any = told.fact
    n = entry.n if entry.kind == JackpotWon.kind else fact.hit.n
    return _hit(entry.table_code, fact.jackpot, n)


def _hit(table: str, jackpot: str, n: int) -> str:
    return reverse("jackpot_sala:hit", args=[table, jackpot, n])


def _witness(payment: JackpotPayment) -> str:
    return reverse("sala:witness", args=[payment.entry_id])


def _n(number: str) -> str:
    return cited(RULEBOOK, number)
