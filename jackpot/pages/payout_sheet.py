"""The sheet of a payout: who is paid what, in which order, and how each amount was reckoned.

The amounts are never read from a record: they follow from the meter when the round was won, the
terms it was played by and how the law is read, and whoever asks gets the same. What was handed out
stands beside them.

Law: PT art. 43, 49, 50.
"""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import Final
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from casino.access import access_policy
from casino.law.rulebook.rulebook_file import load_law
from casino.models import Attestation, BookEntry
from casino.web.display.cells import UNKNOWN
from casino.web.display.money_and_time import fine_money, moment, money
from casino.web.entries.entry_page import author_of, url_of
from casino.web.words.field_words import word
from casino.web.words.languages import either, language
from jackpot.events import JackpotPaid, JackpotWon
from jackpot.models import (
    JackpotAdjustment,
    JackpotPayment,
    JackpotStart,
    JackpotWin,
    JackpotWinnerRow,
)
from jackpot.pages.amount_display import difference
from jackpot.pages.jackpot_access import for_staff
from jackpot.pages.meter_words import BY, combination_word
from jackpot.progressive.amounts import MICROCENTS, WHOLE, percentage
from jackpot.progressive.payout import Payout, Step, Winner
from jackpot.queries import payout_of
from jackpot.queries.owed_prizes import given_cents
from jackpot.queries.pool_queries import RULEBOOK

_Paid = dict[tuple[str, int], list[JackpotPayment]]
SIGNED_BY: Final = (
    gettext_lazy("Who pays"),
    gettext_lazy("Second person"),
    gettext_lazy("Winner"),
)


@for_staff
@require_safe
def payout_sheet(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """A win and its payments."""
    win = _win(request, entry_id)
    came_to = payout_of(win.jackpot, win.n)
    payments = list(JackpotPayment.objects.filter(jackpot=win.jackpot, hit_n=win.n).order_by("n"))
    undone = JackpotAdjustment.objects.filter(jackpot=win.jackpot, hit_n=win.n).first()
    context = {
        **admin.site.each_context(request),
        "title": _("Payout sheet"),
        "win": win,
        "win_url": url_of(JackpotWon.kind, win.pk),
        "happened": moment(win.occurred_at),
        "recorded": moment(win.recorded_at),
        "open_since": moment(win.opened_at) if win.opened_at else "",
        "round": _round(win),
        "withdrawn": None
        if undone is None
        else {"url": url_of("jackpot-adjusted/1", undone.pk), "at": moment(undone.recorded_at)},
        "signed_by": SIGNED_BY,
        **(_nothing(win) if came_to is None else _reckoned(win, came_to, payments)),
    }
    return render(request, "jackpot/payout_sheet.html", context)


def _win(request: HttpRequest, entry_id: UUID) -> JackpotWin:
    """The win, for whoever may read its entry. Raises: Http404, PermissionDenied."""
    entry = BookEntry.objects.select_related("stream").filter(pk=entry_id).first()
    if entry is None or entry.kind != JackpotWon.kind:
        raise Http404
    if not access_policy.may_read_entry(request, entry.kind, entry.partida_id, author_of(entry)):
        raise PermissionDenied
    win = JackpotWin.objects.filter(pk=entry_id).first()
    if win is None:
        raise Http404
    return win


def _round(win: JackpotWin) -> str:
    if win.shoe is None and win.number is None:
        return ""
    values = {"shoe": win.shoe or UNKNOWN, "number": win.number or UNKNOWN}
    return _("shoe %(shoe)s, round %(number)s") % values


def _nothing(win: JackpotWin) -> dict[str, object]:
    """A win nobody can reckon: without terms in force, or before the start."""
    rows = JackpotWinnerRow.objects.filter(jackpot=win.jackpot, n=win.n)
    return {"unreckoned": [f"{row.owner}: {combination_word(row.code)}" for row in rows]}


def _reckoned(
    win: JackpotWin, came_to: Payout, payments: list[JackpotPayment]
) -> dict[str, object]:
    made: _Paid = {}
    for payment in payments:
        made.setdefault((payment.owner, payment.box), []).append(payment)
    words = _witnesses(win.stream, payments)
    steps = [_step(step, made, words) for step in came_to.steps]
    known = {(step.winner.owner, step.winner.box) for step in came_to.steps}
    started = JackpotStart.objects.filter(jackpot=win.jackpot, n__gt=win.n).order_by("n").first()
    count = win.running_microcents
    return {
        "before": fine_money(came_to.before_microcents),
        "told": "" if count in (None, came_to.before_microcents) else fine_money(count),
        "steps": steps,
        "total": money(came_to.paid_cents),
        "after": fine_money(came_to.after_microcents),
        "fraction": fine_money(came_to.after_microcents % MICROCENTS)
        if came_to.after_microcents % MICROCENTS
        else "",
        "full": came_to.full,
        "started": None
        if not came_to.full or started is None
        else {
            "amount": money(started.start_cents),
            "at": moment(started.recorded_at),
            "url": url_of("jackpot-started/1", started.pk),
        },
        "readings": [_reading(name, win.gaming_day) for name in came_to.readings],
        "unpaid": sum(not step["payments"] for step in steps),
        "short": sum(bool(step["missing"]) for step in steps),
        "strays": [
            _payment(one, words, one.paid_cents)
            for chip, of in made.items()
            if chip not in known
            for one in of
        ],
    }


def _step(step: Step, made: _Paid, words: dict[int, list[Attestation]]) -> dict[str, object]:
    winner = step.winner
    paid = made.get((winner.owner, winner.box), [])
    missing = step.paid_cents - given_cents(paid) if paid else 0
    return {
        "order": step.order,
        "owner": winner.owner,
        "place": _place(winner),
        "combination": combination_word(winner.code),
        "by": BY[step.by],
        "lines": list(arithmetic(step)),
        "due": money(step.paid_cents),
        "meter": fine_money(step.after_microcents),
        "payments": [
            _payment(one, words, given_cents(paid[: place + 1]) - step.paid_cents)
            for place, one in enumerate(paid)
        ],
        "missing": money(missing) if missing > 0 else "",
    }


def _place(winner: Winner) -> str:
    values = {"box": winner.box, "seat": winner.seat}
    if winner.seat is None:
        return _("box %(box)s, the player stands") % values
    if winner.seat == winner.box:
        return _("box %(box)s") % values
    return _("box %(box)s, the player sits at %(seat)s") % values


def arithmetic(step: Step) -> Iterator[str]:
    """How an amount was reckoned, line by line, so that a reader can repeat it."""
    of = fine_money(step.of_microcents)
    if step.by == "fixed":
        yield _("fixed by the approved table: %(due)s") % {"due": money(step.due_cents)}
    elif step.by == "share":
        share = Fraction(step.of_microcents * (step.share_millionths or 0), WHOLE)
        values = {"share": f"{percentage(step.share_millionths or 0)}\u00a0%", "of": of}
        values["share"] = values["share"].replace(".", _point())
        values["raw"] = fine_money(share.numerator // share.denominator)
        if share.denominator != 1:
            values["raw"] += "…"
        yield _("%(share)s of %(of)s = %(raw)s") % values
        yield _("in whole cents: %(due)s") % {"due": money(step.due_cents)}
    else:
        cents = step.of_microcents // MICROCENTS
        yield _("left on the meter: %(of)s, in whole cents %(cents)s") % {
            "of": of,
            "cents": money(cents),
        }
        if step.among > 1:
            yield _divided(cents, step.among)
        if step.odd_cents:
            yield _("and one of the odd cents: %(due)s") % {"due": money(step.due_cents)}
    if step.paid_cents < step.due_cents:
        yield _("the meter had no more than %(paid)s") % {"paid": money(step.paid_cents)}


def _divided(cents: int, among: int) -> str:
    each, odd = divmod(cents, among)
    values = {"cents": money(cents), "among": among, "each": money(each), "odd": money(odd)}
    if odd:
        return _("%(cents)s : %(among)s = %(each)s each, %(odd)s over") % values
    return _("%(cents)s : %(among)s = %(each)s each") % values


def _point() -> str:
    return "." if language() == "en" else ","


def _payment(
    jackpot_payment: JackpotPayment, words: dict[int, list[Attestation]], off: int
) -> dict[str, object]:
    """What was handed out, before whom; `off` is what he then had too much or too little. Cents."""
    return {
        "url": url_of(JackpotPaid.kind, jackpot_payment.pk),
        "n": jackpot_payment.n,
        "amount": money(jackpot_payment.paid_cents),
        "owner": jackpot_payment.owner,
        "box": jackpot_payment.box,
        "at": moment(jackpot_payment.paid_at or jackpot_payment.occurred_at),
        "by": jackpot_payment.staff,
        "means": word(jackpot_payment.means, "means") if jackpot_payment.means else "",
        "document": jackpot_payment.document,
        "approved_by": jackpot_payment.approved_by,
        "named": jackpot_payment.named,
        "again": bool(jackpot_payment.again),
        "off": difference(off * MICROCENTS) if off else "",
        "witnesses": [
            f"{seen.witness} ({word(seen.held, 'office')})" for seen in words[jackpot_payment.n]
        ]
        if jackpot_payment.n in words
        else [],
    }


def _witnesses(stream: str, payments: list[JackpotPayment]) -> dict[int, list[Attestation]]:
    """Who confirmed each payment, by its entry."""
    found: dict[int, list[Attestation]] = {}
    asked = [one.n for one in payments]
    for seen in Attestation.objects.filter(witnessed_stream=stream, witnessed_n__in=asked):
        found.setdefault(int(seen.witnessed_n), []).append(seen)
    return found


def _reading(name: str, day: date) -> dict[str, str]:
    """How the law in force on that day is read here, and why where that is what was adopted."""
    law = load_law(RULEBOOK)
    reading = law.readings.get(name)
    if reading is None:
        return {"id": name, "means": "", "reason": ""}
    rules = law.on(day)
    taken = rules[reading.parameter] if rules.states(reading.parameter) else reading.choice
    chosen = next((one for one in reading.choices if one.value == taken), None)
    means = "" if chosen is None else either(chosen.means_pt, chosen.means_en)
    reason = either(reading.reason_pt, reading.reason_en)
    return {"id": name, "means": means, "reason": reason if taken == reading.choice else ""}
