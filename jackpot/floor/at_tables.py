"""What the progressive shows on a table's own page, and where a payment's witness goes on to.

Named in settings: the floor never names this room.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext

from casino.access.offices_held import offices_of
from casino.events.event import Event
from casino.events.event_policy import FLOOR, HEAD, PIT
from casino.floor.closing.still_missing import chefe_of, fiscal_of
from casino.floor.closing.still_words import Item
from casino.floor.game_view import RULEBOOK, GameView
from casino.floor.gathering import LOOKED_BACK
from casino.floor.table_links import Way
from casino.floor.table_state import Alert, TableView
from casino.law.dossier import Dossier
from casino.law.rulebook.jackpot_law import OPEN, PRIZES
from casino.models import BookEntry, Partida
from casino.queries import load_entry
from casino.recording.authority import writers_of
from casino.web.display.money_and_time import money
from casino.web.forms.warnings import cited_in
from casino.web.words.field_words import word
from jackpot.events import JackpotIncremented, JackpotPaid, JackpotRead, JackpotWon
from jackpot.floor.displays_read import reading_form, unread
from jackpot.floor.hits import unpaid_at, unwitnessed_at
from jackpot.floor.payout_page import short_under
from jackpot.floor.pool_standing import pools_named
from jackpot.floor.pool_words import combination_word
from jackpot.models import JackpotPayment, JackpotWin, JackpotWinnerRow
from jackpot.pages import shown
from jackpot.progressive.payout import Step
from jackpot.queries.owed_prizes import Short, steps_of

# What of a partida lies in a pool's own stream; increments lie in the table's.
KINDS: Final = frozenset({JackpotWon.kind, JackpotPaid.kind})


def ways(request: HttpRequest, table_view: TableView) -> list[Way]:
    """To the collection of a pool's chips and to a win, where the partida named the pool."""
    if table_view.dossier is None:
        return []
    held, found, cites = offices_of(request), [], table_view.state.cites
    pools = pools_named(table_view.dossier)
    for jackpot in pools:
        of = f" {jackpot}" if len(pools) > 1 else ""
        at = [table_view.state.table, jackpot]
        if held & writers_of(JackpotIncremented.kind):
            words = gettext("Jackpot: collect the chips") + of
            found.append(Way(words, reverse("jackpot_sala:collect", args=at), cites["41"]))
        if held & writers_of(JackpotWon.kind):
            words = gettext("Jackpot: a prize is won") + of
            found.append(Way(words, reverse("jackpot_sala:won", args=at), cites["49"]))
        since = table_view.state.opened_at
        if held & writers_of(JackpotRead.kind):
            never = _unread(jackpot, table_view.dossier, since)
            words = gettext("Jackpot: read the display")
            words = gettext("Jackpot: nobody has read the display yet") if never else words
            found.append(
                Way(words + of, reading_form(table_view.state.table, jackpot), cites["41"])
            )
    return found


def alerts(tables: Collection[str], now: datetime) -> dict[str, list[Alert]]:
    """By table, what is won and not paid, or paid short, and payments without a second word."""
    found: dict[str, list[Alert]] = {}
    wins, rests = unpaid_at(tables, now)
    for win, owed in zip(wins, _owed_of(wins), strict=True):
        values: dict[str, Any] = {
            "place": owed,
            "on_wall": win.jackpot,
            "way": _hit(win.table_code, win.jackpot, win.n),
            "way_words": gettext("Pay"),
            "otherwise": gettext("To the win: the fiscal de banca pays"),
            "since": win.recorded_at,
        }
        words = gettext("Jackpot prize to be paid")
        alert = Alert(
            "warning", words, _n("49", win.partida_id), check=OPEN.name, office=PIT, **values
        )
        found.setdefault(win.table_code, []).append(alert)
    for win, short in rests:
        values = {
            "place": _missing_of(win, short),
            "on_wall": win.jackpot,
            "way": _hit(win.table_code, win.jackpot, win.n),
            "way_words": gettext("Pay the rest"),
            "otherwise": gettext("To the win: the fiscal de banca pays"),
        }
        words = gettext("Jackpot prize paid short: the rest is still owed")
        alert = Alert("warning", words, _under(short, win), check=PRIZES.name, office=PIT, **values)
        found.setdefault(win.table_code, []).append(alert)
    for payment in unwitnessed_at(tables, now - LOOKED_BACK):
        words = gettext("A jackpot payment waits for its witness")
        alert = Alert(
            "warning",
            words,
            _n("50", payment.partida_id),
            place=_paid(payment),
            on_wall=payment.jackpot,
            since=payment.recorded_at,
            way=_witness(payment),
            way_words=gettext("Witness"),
        )
        found.setdefault(payment.table_code, []).append(alert)
    return found


def missing(game: GameView, held: Collection[str]) -> list[Item]:
    """What a closing leaves behind: prizes not paid or not wholly, payments nobody confirmed.

    And displays nobody read.
    """
    tables, floor = [game.table], bool(FLOOR & set(held))
    wins, paid_short = unpaid_at(tables, game.now)
    prizes = [
        Item(
            what="prize",
            words=gettext("Jackpot prize not paid: its cards stay face up"),
            of=owed,
            article=_n("49", win.partida_id),
            by=fiscal_of(game.evening) or str(word(PIT)),
            do=gettext("Pay") if PIT in held else gettext("To the win"),
            url=_hit(win.table_code, win.jackpot, win.n) if floor else "",
        )
        for win, owed in zip(wins, _owed_of(wins), strict=True)
    ]
    rests = [
        Item(
            what="prize_rest",
            words=gettext("Jackpot prize paid short: the rest is still owed"),
            of=_missing_of(win, short),
            article=_under(short, win),
            by=fiscal_of(game.evening) or str(word(PIT)),
            do=gettext("Pay the rest") if PIT in held else gettext("To the win"),
            url=_hit(win.table_code, win.jackpot, win.n) if floor else "",
        )
        for win, short in paid_short
    ]
    payments = [
        Item(
            what="prize_witness",
            words=gettext("Nobody has confirmed the payment of a jackpot prize"),
            of=_paid(payment),
            article=_n("50", payment.partida_id),
            by=chefe_of(game.evening) or str(word(HEAD)),
            do=gettext("Hand to the witness"),
            url=_witness(payment) if floor else "",
        )
        for payment in unwitnessed_at(tables, game.now - LOOKED_BACK)
    ]
    return [*prizes, *rests, *payments, *_readings(game, held)]


def _readings(game: GameView, held: Collection[str]) -> list[Item]:
    """Displays nobody read in this game: a reminder, for no article says when. Law: PT art. 41."""
    may = bool(set(held) & writers_of(JackpotRead.kind))
    return [
        Item(
            what="reading",
            words=gettext("Nobody read the jackpot's display in this game"),
            of=jackpot,
            article="",
            by="",
            do=gettext("Record what it shows"),
            url=reading_form(game.table, jackpot) if may else "",
            icon="note",
        )
        for jackpot in pools_named(game.dossier)
        if _unread(jackpot, game.dossier, game.since)
    ]


def _unread(jackpot: str, dossier: Dossier, since: datetime | None) -> bool:
    return unread(jackpot, table=dossier.table, partida=dossier.partida, since=since)


def record_word(event: Event) -> str:
    """One line for a record of a pool told at a table; '' for another's."""
    if isinstance(event, JackpotIncremented):
        seats = ", ".join(str(one.seat or one.box) for one in event.chips) or gettext("none")
        values = {"jackpot": event.jackpot, "seats": seats}
        return gettext("Jackpot chips collected, %(jackpot)s: seats %(seats)s") % values
    if isinstance(event, JackpotWon):
        codes = ", ".join(combination_word(one.code) for one in event.winners)
        return gettext("Jackpot won, %(jackpot)s: %(what)s") % {
            "jackpot": event.jackpot,
            "what": codes,
        }
    if isinstance(event, JackpotPaid):
        values = {"jackpot": event.jackpot, "amount": money(event.paid_cents)}
        return gettext("Jackpot paid, %(jackpot)s: %(amount)s") % values
    return ""


def figures(table_view: TableView) -> list[tuple[str, str]]:
    """What the meters of this table's pools stand at, each beside its pool's name."""
    found = []
    for jackpot in pools_named(table_view.dossier) if table_view.dossier is not None else ():
        with suppress(shown.Busy):  # the page goes without it rather than wait
            now = shown.shown(jackpot)
            if now is not None:
                found.append((f"{gettext('Jackpot')} {jackpot}", money(now.cents)))
    return found


def summed(game: GameView) -> list[Way]:
    """The prizes that were won in a game, with what each came to."""
    rows = JackpotWin.objects.filter(partida_id=game.partida).order_by("recorded_at")
    return [
        Way(", ".join([row.jackpot, *(_step(one) for one in steps_of(row))]), _page(row), "")
        for row in rows
    ]


def _step(step: Step) -> str:
    return _prize(step.winner.seat or step.winner.box, step.paid_cents)


def _page(jackpot_win: JackpotWin) -> str:
    return _hit(jackpot_win.table_code, jackpot_win.jackpot, jackpot_win.n)


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
        steps = steps_of(win)
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


def _missing_of(win: JackpotWin, short: Sequence[Short]) -> str:
    """What is still owed to whom of a win paid short, as `_owed_of` says it."""
    prizes = [
        _prize(one.step.winner.seat or one.step.winner.box, one.missing_cents) for one in short
    ]
    return ", ".join([win.jackpot, *prizes])


def _under(short: Sequence[Short], win: JackpotWin) -> str:
    """The article under which the first of them is owed. Law: PT art. 43, 50."""
    return _n(short_under(short[0].step), win.partida_id)


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
    recorded = load_entry(entry.pk)
    if recorded is None:
        return None
    event: Any = recorded.event
    n = entry.n if entry.kind == JackpotWon.kind else event.hit.n
    return _hit(entry.table_code, event.jackpot, n)


def _hit(table: str, jackpot: str, n: int) -> str:
    return reverse("jackpot_sala:hit", args=[table, jackpot, n])


def _witness(payment: JackpotPayment) -> str:
    return reverse("sala:witness", args=[payment.entry_id])


def _n(number: str, partida: str) -> str:
    """An article of what is recorded in a game, as its rulebook cites it."""
    book = Partida.objects.filter(partida_id=partida).values_list("rulebook", flat=True).first()
    return cited_in(book or RULEBOOK, number)
