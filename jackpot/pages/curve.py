"""How a pool went: its value as a curve, every event below it, and what was read off its displays.

Law: PT art. 40, 41, 44, 50.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from casino.models import Correction
from casino.web.display.csv_answer import Cell
from casino.web.display.money_and_time import fine_money, moment, money
from casino.web.entries.entry_page import url_of
from casino.web.list_files.list_answer import list_answer
from casino.web.list_files.list_source import ListSource, columns_of
from casino.web.words.field_words import word
from casino.web.words.kind_words import kind_word
from jackpot.meter_chart import Note, Shape, Step, line
from jackpot.pages.amount_display import difference, signed
from jackpot.pages.jackpot_access import exports, for_staff, only, reads_pools
from jackpot.pages.meter_words import CHIPS, combination_word, misfit_word
from jackpot.pages.moments import happened
from jackpot.pages.periods import Period, period_of
from jackpot.pages.pool_notes import notes_on
from jackpot.pages.shown import pools
from jackpot.progressive.amounts import MICROCENTS, displayed_cents
from jackpot.queries.course import Course, Kind, Point, course

SHOWN: Final = 300  # rows the page lists; the file has them all
_CAPTIONS: Final[dict[Kind, str]] = {
    "start": "jackpot-started/1",
    "win": "jackpot-won/1",
    "payment": "jackpot-paid/1",
    "adjustment": "jackpot-adjusted/1",
    "withdrawal": "jackpot-adjusted/1",
    "seal": "jackpot-sealed/1",
    "reading": "jackpot-read/1",
    "correction": "corrected/1",
}
_SHAPES: Final[dict[Kind, Shape]] = {
    "start": "up",
    "win": "down",
    "adjustment": "square",
    "withdrawal": "square",
    "correction": "square",
    "reading": "ring",
}
HEAD: Final = (
    *("recorded_at", "occurred_at", "stream", "entry", "event", "stake_cents"),
    *("change_microcents", "meter_microcents", "held_microcents", "told_microcents"),
    *("book_microcents", "difference_microcents", "misfit"),
)


@dataclass(frozen=True, slots=True)
class Compared:
    """What somebody recorded of the meter, and what the book made of it; in microcents."""

    recorded_cents: int
    book: int

    @property
    def difference(self) -> int:
        """Told less reckoned."""
        return self.recorded_cents - self.book


@for_staff
@require_safe
def curve_page(request: HttpRequest, code: str) -> HttpResponse:
    """A pool over some days."""
    only(reads_pools(request))
    period = period_of(request)
    seen = _course(code, period)
    rows = list(grouped(seen.points))
    rows.reverse()
    asked = urlencode({"from": str(period.first_day), "to": str(period.last_day)})
    context = {
        **admin.site.each_context(request),
        "title": _("Jackpot %(code)s") % {"code": code},
        "code": code,
        "period": period,
        "figure": figure(seen),
        "opening": money(displayed_cents(seen.opening)),
        "closing": fine_money(rows[0].after if rows else seen.opening),
        "rows": [_row(point) for point in rows[:SHOWN]],
        "file_rows": len(rows),
        "more": max(0, len(rows) - SHOWN),
        "differing": _differing(rows),
        "notes": notes_on(request, code),
        "readings": sum(point.kind == "reading" for point in rows),
        "csv_url": f"{reverse('jackpot-curve-csv', args=[code])}?{asked}"
        if exports(request)
        else "",
    }
    return render(request, "jackpot/curve.html", context, status=400 if period.refused else 200)


@for_staff
@require_safe
def curve_csv(request: HttpRequest, code: str) -> HttpResponseBase:
    """The same as a file; it leaves the house, so few may have it.

    It is evidence: where it would hold other days than were asked for there is none.
    """
    only(exports(request))
    period = period_of(request)
    if period.refused:
        plain = "text/plain; charset=utf-8"
        return HttpResponse(f"{period.refused}\n", content_type=plain, status=400)
    seen = _course(code, period)
    name = f"jackpot-{code}-{period.first_day}-{period.last_day}"
    rows = [*map(_line, grouped(seen.points))]
    ends = (date_format(each, "SHORT_DATE_FORMAT") for each in (period.first_day, period.last_day))
    source = ListSource(
        of="jackpot-curve",
        name=name,
        title=_("Jackpot %(code)s") % {"code": code},
        columns=columns_of(HEAD),
        rows=rows,
        count=len(rows),
        narrowed={_("Gaming day"): " – ".join(ends)},
        first=period.first_day,
        last=period.last_day,
    )
    return list_answer(request, source)


def _course(code: str, period: Period) -> Course:
    if code not in pools():
        raise Http404
    return course(code, period.first, period.last)


def grouped(points: Iterable[Point]) -> Iterator[Point]:
    """The points, with the chips between two events as one."""
    chips: Point | None = None
    for point in points:
        if point.kind == "chips" and point.misfit is None:
            if chips is None:
                chips = point
            else:
                stakes = chips.stake_cents + point.stake_cents
                chips = replace(point, before=chips.before, stake_cents=stakes)
            continue
        if chips is not None:
            yield chips
            chips = None
        yield point
    if chips is not None:
        yield chips


def compared(point: Point) -> Compared | None:
    """What a reading, a seal or a win told of the meter, beside the meter; None for the others."""
    if point.kind == "reading":
        book = displayed_cents(point.before) * MICROCENTS
        return Compared(point.row.display_cents * MICROCENTS, book)
    if point.kind == "seal":
        return Compared(point.row.microcents, point.before)
    if point.kind == "win" and point.row.running_microcents is not None:
        return Compared(point.row.running_microcents, point.before)
    return None


def _differing(points: Iterable[Point]) -> int:
    return sum(bool(known and known.difference) for known in map(compared, points))


# The figure


def figure(seen: Course) -> SafeString:
    """The curve. It holds nothing but what `charts` has escaped."""
    began = seen.points[0] if seen.points and not seen.opening else None
    if began is not None and began.kind == "start":  # before that there was nothing to be drawn
        points = (replace(began, before=began.after), *seen.points[1:])
        seen = replace(seen, first=began.at, opening=began.after, points=points)
    steps = [Step(point.at, point.before, point.after) for point in seen.points]
    notes = [
        Note(point.at, point.after, _SHAPES[point.kind], f"{moment(point.at)}: {_what(point)}")
        for point in seen.points
        if point.kind in _SHAPES
    ]
    ends = steps[-1].after if steps else seen.opening
    text = _("The meter from %(first)s to %(last)s: from %(opening)s to %(closing)s.") % {
        "first": moment(seen.first),
        "last": moment(seen.last),
        "opening": money(displayed_cents(seen.opening)),
        "closing": money(displayed_cents(ends)),
    }
    short = (seen.last - seen.first).days < 2
    drawn = line(
        steps,
        notes,
        first=seen.first,
        last=seen.last,
        opening=seen.opening,
        title=text,
        amount=lambda value: money(value // MICROCENTS),
        moment=lambda at: _short(at, by_hour=short),
    )
    return mark_safe(drawn)  # noqa: S308


def _short(at: datetime, *, by_hour: bool) -> str:
    return date_format(localtime(at), "H:i" if by_hour else "d/m")


# The rows


def _what(point: Point) -> str:
    if point.kind == "chips":
        return str(CHIPS)
    return str(kind_word(_CAPTIONS[point.kind]))


def _row(point: Point) -> dict[str, object]:
    known = compared(point)
    return {
        **_when(point),
        "what": _what(point),
        "url": _url(point),
        "kind": point.kind,
        "sheet": reverse("jackpot-payout", args=[point.row.pk]) if point.kind == "win" else "",
        "told": _caption(point),
        "change": signed(point.change) if point.change else "",
        "falls": point.change < 0,
        "after": money(displayed_cents(point.after)),
        "exact": fine_money(point.after),
        "display": _display(point, known),
        "difference": "" if known is None else difference(known.difference),
        "differs": bool(known and known.difference),
        "as_seen": _as_seen(point, known),
        "misfit": misfit_word(point.misfit),
    }


def _when(point: Point) -> dict[str, str]:
    """When it happened, as the payout sheet tells it; of chips, until when they were laid."""
    entry = _entry(point)
    if entry is None:
        return {"at": _("until %(at)s") % {"at": moment(point.at)}, "recorded": ""}
    return happened(entry.occurred_at, point.at)


def _entry(point: Point) -> Any:
    """What tells when it happened; None for chips, which many entries tell."""
    if point.entry_id:
        return Correction.objects.filter(pk=UUID(point.entry_id)).first()
    return point.row


def _url(point: Point) -> str:
    if point.kind == "chips":
        return ""
    entry = point.entry_id or point.row.pk
    return url_of(_CAPTIONS[point.kind], entry)


def _caption(point: Point) -> str:
    """What is to be said of it beside its name."""
    row = point.row
    if point.kind == "chips":
        return _("%(amount)s staked") % {"amount": money(point.stake_cents)}
    if point.kind == "win":
        return ", ".join(combination_word(code) for code in row.codes)
    if point.kind == "payment":
        values = {"amount": money(row.paid_cents), "owner": row.owner, "box": row.box}
        return _("%(amount)s to %(owner)s, box %(box)s") % values
    if point.kind in ("adjustment", "withdrawal", "start"):
        return word(row.reason, "reason")
    return row.table_code if point.kind == "reading" else ""


def _display(point: Point, known: Compared | None) -> str:
    if known is None:
        return ""
    return (
        money(known.recorded_cents // MICROCENTS)
        if point.kind == "reading"
        else fine_money(known.recorded_cents)
    )


def _as_seen(point: Point, known: Compared | None) -> bool:
    """Whether a reading that differs now agreed at the moment the display was looked at."""
    if known is None or not known.difference or point.kind != "reading":
        return False
    return bool(point.seen == point.row.display_cents)


def _line(point: Point) -> list[Cell]:
    known, entry = compared(point), _entry(point)
    return [
        point.at.isoformat(),
        "" if entry is None else entry.occurred_at.isoformat(),
        "" if entry is None else entry.stream,
        "" if entry is None else entry.n,
        point.kind,
        point.stake_cents or "",
        point.change,
        point.after,
        point.held,
        "" if known is None else known.recorded_cents,
        "" if known is None else known.book,
        "" if known is None else known.difference,
        "" if point.misfit is None else point.misfit.what,
    ]
