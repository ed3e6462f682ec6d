"""Rates per thousand rounds over weeks and months, one period beside another; and as a file."""

from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from audit.answers import Stretch
from audit.figure_svg import Pair, paired_bars
from audit.pages.audit_access import exports, reads_all
from audit.pages.law.stretch import Asked, asked_of, day_asked
from audit.pages.page_words import HOUSE, book_word, cited
from audit.rates.rate_queries import GROUPS, MOST, By, Period, group, period_of
from audit.rates.rates import EXPECTED, PER, Group, Line, Tally
from casino.previewing import RULEBOOK
from casino.web.display.csv_answer import Cell, file_named
from casino.web.list_files.list_answer import list_answer, refused_list
from casino.web.list_files.list_source import Kind, ListSource, columns_of
from jackpot.pages.amount_display import decimal

DAYS_AT_ONCE: Final = 366
SHOWN: Final = 200  # lines of a group on the page and in its file
DRAWN: Final = 9  # of these in the figure
HUNDREDTHS: Final = 100
HEAD: Final = (
    "of", "who", "first_day", "last_day", "rounds", "events", "per_thousand",
    "than_first_day", "than_last_day", "than_rounds", "than_events", "than_per_thousand",
    "change", "says_something_from_rounds", "says_little",
)  # fmt: skip
_RATIOS: Final[dict[str, Kind]] = dict.fromkeys(
    ("per_thousand", "than_per_thousand", "change"), "ratio"
)
HEADINGS: Final[dict[By, Promise]] = {
    "table": gettext_lazy("Findings by table"),
    "dealer": gettext_lazy("Findings by dealer"),
    "shuffler": gettext_lazy("Findings by shuffler"),
    "article": gettext_lazy("Findings by article"),
    "machine": gettext_lazy("Incidents by shuffler"),
    "incidents": gettext_lazy("Incidents by table"),
    "complaints": gettext_lazy("Complaints by table"),
}
OF_WHAT: Final[dict[By, Promise]] = {
    "table": gettext_lazy("Table"),
    "dealer": gettext_lazy("Dealer"),
    "shuffler": gettext_lazy("Shuffler"),
    "article": gettext_lazy("Article"),
    "machine": gettext_lazy("Shuffler"),
    "incidents": gettext_lazy("Table"),
    "complaints": gettext_lazy("Table"),
}
OF_FINDINGS: Final[frozenset[By]] = frozenset({"table", "dealer", "shuffler", "article"})


class Compared(NamedTuple):
    """Two periods as a page was asked for; `refused` says what was asked wrongly."""

    asked: Asked
    than: Stretch
    refused: str = ""

    @property
    def query(self) -> str:
        """Both, as the query of an address."""
        than = {"than_from": self.than.first.isoformat(), "than_to": self.than.last.isoformat()}
        return self.asked.address(**than)


@require_safe
def rates_page(request: HttpRequest) -> HttpResponse:
    """The rates of two periods."""
    if not reads_all(request):
        raise PermissionDenied
    compared = _compared(request)
    context = {
        **admin.site.each_context(request),
        **compared.asked.context(),
        "title": _("Rates"),
        "query": request.GET.urlencode(),
        "than": compared.than,
        "refused": compared.refused,
        "per": PER,
        "expected": EXPECTED,
        "most": MOST,
        "presets": _presets(compared.asked.stretch),
        "csv_url": "",
    }
    if not compared.refused:
        now, before = _periods(compared)
        groups = [(by, group(by, now, before)) for by in _groups(now, before)]
        context |= {
            "groups": [_shown(by, one) for by, one in groups],
            "file_rows": sum(len(one.lines[:SHOWN]) + 1 for _by, one in groups),
            "too_many": not (now.whole and before.whole),
            "rounds": now.all_rounds,
            "than_rounds": before.all_rounds,
            "csv_url": f"{reverse('rates-csv')}?{compared.query}" if exports(request) else "",
        }
    return render(request, "audit/rates.html", context, status=400 if compared.refused else 200)


@require_safe
def rates_csv(request: HttpRequest) -> HttpResponseBase:
    """The same lines as a file."""
    if not exports(request):
        raise PermissionDenied
    compared = _compared(request)
    if compared.refused:
        return refused_list(request, compared.refused)
    now, before = _periods(compared)
    rows = [
        row for by in _groups(now, before) for row in _cells(by, group(by, now, before), compared)
    ]
    asked, than = compared.asked.stretch, compared.than
    ends = (date_format(each, "SHORT_DATE_FORMAT") for each in (than.first, than.last))
    source = ListSource(
        of="rates",
        name=file_named("rates", asked.first.isoformat(), asked.last.isoformat(), asked.table),
        title=_("Rates"),
        columns=columns_of(HEAD, **_RATIOS),
        rows=rows,
        count=len(rows),
        narrowed=compared.asked.in_words | {_("Held against"): " – ".join(ends)},
        first=asked.first,
        last=asked.last,
    )
    return list_answer(request, source)


# What is asked


def _compared(request: HttpRequest) -> Compared:
    asked = asked_of(request)
    stretch = asked.stretch
    first, last = day_asked(request, "than_from"), day_asked(request, "than_to")
    length = max((stretch.last - stretch.first).days, 0)
    if last is None:
        last = _moved(stretch.first, -1) if first is None else _moved(first, length)
    if first is None:
        first = _moved(last, -length)
    than = Stretch(first, last, stretch.table)
    return Compared(asked, than, _refused(stretch) or _refused(than))


def _moved(day: date, days: int) -> date:
    """So many days later, and no further than a calendar has days."""
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def _refused(stretch: Stretch) -> str:
    if stretch.first > stretch.last:
        return _("The first day comes after the last.")
    if (stretch.last - stretch.first).days >= DAYS_AT_ONCE:
        return _("At most %(days)s days at once: choose fewer.") % {"days": DAYS_AT_ONCE}
    return ""


def _periods(compared: Compared) -> tuple[Period, Period]:
    return period_of(compared.asked.stretch), period_of(compared.than)


def _groups(now: Period, before: Period) -> list[By]:
    """The kinds of rates there are; none of findings where not all can be counted."""
    whole = now.whole and before.whole
    return [by for by in GROUPS if whole or by not in OF_FINDINGS]


def _presets(stretch: Stretch) -> list[tuple[str, str]]:
    """The week and the month up to the last day asked, each against the one before it."""
    last = stretch.last
    week = Stretch(_moved(last, -6), last, stretch.table)
    month = Stretch(last.replace(day=1), last, stretch.table)
    return [(_("Week"), _address(week)), (_("Month"), _address(month))]


def _address(stretch: Stretch) -> str:
    values = {"from": stretch.first.isoformat(), "to": stretch.last.isoformat()}
    if stretch.table:
        values["table"] = stretch.table
    return f"?{urlencode(values)}"


# What is shown


def _shown(by: By, group: Group) -> dict[str, object]:
    lines = group.lines[:SHOWN]
    return {
        "heading": HEADINGS[by],
        "of": OF_WHAT[by],
        "least": group.least,
        "lines": [_line(by, line, group) for line in lines],
        "left": len(group.lines) - len(lines),
        "total": _line(by, group.total, group),
        "figure": _figure(by, lines, group) if group.total.now.events else "",
    }


def _line(by: By, line: Line, group: Group) -> dict[str, object]:
    return {
        "who": who(by, line.who),
        "now": line.now,
        "before": line.before,
        "rate": rate_words(line.now),
        "rate_before": rate_words(line.before),
        "change": _change(line.change),
        "little": group.says_little(line),
    }


def who(by: By, name: str) -> str:
    """What a line is called: an article as its rulebook cites it."""
    if by != "article" or not name:
        return name
    book, article = name.split("/", 1)
    return cited(book, article) + (f" ({book_word(book)})" if book not in (RULEBOOK, HOUSE) else "")


def rate_words(tally: Tally) -> str:
    """A rate to two decimals; '' where there was no round."""
    return "" if tally.rate is None else decimal(tally.rate, 2)


def _change(change: Fraction | None) -> str:
    if change is None:
        return ""
    sign = "+" if change > 0 else "-" if change < 0 else ""
    return f"{sign}{decimal(abs(change), 2)}"


def _figure(by: By, lines: Sequence[Line], group: Group) -> SafeString:
    drawn = [line for line in lines if line.now.rounds >= (group.least or 0)][:DRAWN]
    pairs = [
        Pair(
            who(by, line.who).partition(" (")[0],
            _hundredths(line.now),
            _hundredths(line.before),
            f"{who(by, line.who)}: {rate_words(line.now)} / {rate_words(line.before) or '–'}",
        )
        for line in drawn
    ]
    if not pairs:
        return SafeString("")
    text = paired_bars(pairs, str(HEADINGS[by]), lambda n: decimal(Fraction(n, HUNDREDTHS), 2))
    return mark_safe(text)  # noqa: S308 - everything in it is ours or escaped by figure_svg


def _hundredths(tally: Tally) -> int:
    return round((tally.rate or Fraction(0)) * HUNDREDTHS)


def _cells(by: By, group: Group, compared: Compared) -> Iterator[Sequence[Cell]]:
    stretch, than = compared.asked.stretch, compared.than
    for line in (*group.lines[:SHOWN], group.total):
        yield [
            by,
            line.who or "total",
            stretch.first.isoformat(),
            stretch.last.isoformat(),
            *_of(line.now),
            than.first.isoformat(),
            than.last.isoformat(),
            *_of(line.before),
            "" if line.change is None else _plain(line.change),
            group.least,
            int(group.says_little(line)),
        ]


def _of(tally: Tally) -> list[Cell]:
    return [tally.rounds, tally.events, "" if tally.rate is None else _plain(tally.rate)]


def _plain(ratio: Fraction) -> str:
    """For machines: two decimals and a point, as the page rounds them."""
    hundredths = int(abs(ratio) * HUNDREDTHS + Fraction(1, 2))
    sign = "-" if ratio < 0 else ""
    return f"{sign}{hundredths // HUNDREDTHS}.{hundredths % HUNDREDTHS:02d}"
