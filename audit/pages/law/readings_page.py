"""The register of a rulebook's readings: what is adopted since when and by whom, and what hangs on
it; the figures two persons set.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from audit import readings_register as register
from audit.audit_queries import OPEN
from audit.models import Finding
from audit.pages.audit_access import asks_runs, exports, for_everybody, readable, reads_all
from audit.pages.findings.comparison_page import more
from audit.pages.law import figures
from audit.pages.law.law_pages import book_or_404
from audit.pages.law.stretch import Asked, asked_of
from audit.pages.page_words import cited, title
from audit.readings_register import Compared, Decided, Standing
from casino.access import access_policy
from casino.events.requests import FiguresAsked
from casino.house_day import gaming_day_now
from casino.law.rulebook.law_text import Value, spelled
from casino.law.rulebook.rulebook import Law, Parameter, Reading, RecordedSet
from casino.web.display.csv_answer import Cell
from casino.web.display.money_and_time import money
from casino.web.list_files.list_answer import list_answer
from casino.web.list_files.list_source import ListSource, columns_of
from casino.web.words import field_words, figure_words
from casino.web.words.languages import either

HEAD: Final = (
    *("rulebook", "article", "reading", "choice", "means", "adopted", "since_day", "source"),
    *("asked_by", "approved_by", "file_sha256", "findings", "rounds", "owed_players_cents"),
    *("owed_house_cents", "compared_first_day", "compared_last_day", "compared_rounds"),
    *("more_to_players_cents", "more_to_house_cents"),
    *("figure", "state", "approved_day", "basis", "document_day", "grounds", "replaced_by"),
)


class Since(NamedTuple):
    """A choice or figure that held, holds, will hold or was to hold: since when, by whom, by what;
    of an answer whether its file is missing; and the set that took its place before it held.
    """

    words: str
    since: date | None
    state: str
    source: str
    grounds: str
    basis: str
    document_day: date | None
    asked_by: str
    approved_by: str
    approved_on: date | None
    request_url: str
    document_url: str
    undocumented: bool = False
    replaced_by: RecordedSet | None = None


class OtherChoice(NamedTuple):
    """A choice that does not hold: what a comparing run said of it, and where to ask and switch."""

    value: str
    words: str
    compared: Compared | None
    to_players: str
    to_house: str
    ask_url: str
    switch_url: str


class Asking(NamedTuple):
    """A request that waits: its figures in words, who asked, its page."""

    words: str
    staff: str
    url: str


class ReadingRow(NamedTuple):
    """A reading of the register."""

    id: str
    articles: Sequence[tuple[str, str]]
    adopted: str
    reason: str
    history: Sequence[Since]
    others: Sequence[OtherChoice]
    waiting: Sequence[Asking]
    standing: Standing
    to_players: str
    to_house: str
    findings_url: str


class FigureRow(NamedTuple):
    """A figure no reading decides, which two persons set."""

    name: str
    cited: str
    url: str
    history: Sequence[Since]


class _Around(NamedTuple):
    """What all rows are made of."""

    law: Law
    asked: Asked
    today: date
    decided: Mapping[str, Sequence[Decided]]
    waiting: Sequence[register.Waiting]
    standing: Mapping[str, Standing]
    compared: Mapping[tuple[str, str], Compared]
    asks_runs: bool
    may_ask: bool


@for_everybody
@require_GET
def readings_page(request: HttpRequest, rulebook: str) -> HttpResponse:
    """Every reading of a rulebook; the figures set in it beside them."""
    around = _around(request, rulebook)
    law, asked = around.law, around.asked
    rows = [_row(around, one) for one in law.readings.values()]
    file = f"{reverse('law-readings-csv', args=[law.id])}?{asked.address()}"
    return render(
        request,
        "audit/readings.html",
        {
            **admin.site.each_context(request),
            **asked.context(),
            "title": _("Readings"),
            "law": law,
            "law_title": title(law),
            "query": asked.query,
            "judged": None,
            "sees": reads_all(request),
            "rows": rows,
            "figures": list(_figures(around)),
            "waiting": [_asking(one) for one in around.waiting],
            "draft_url": reverse("law-figures", args=[law.id]) if around.may_ask else "",
            "csv_url": file if exports(request) else "",
            "file_rows": sum(1 for _one in _cells(around)),
        },
    )


@for_everybody
@require_GET
def readings_csv(request: HttpRequest, rulebook: str) -> HttpResponseBase:
    """The same as a file: a row for each choice of each reading, for each value before and after,
    of figures too, and for each that waits.
    """
    around = _around(request, rulebook)
    if not exports(request):
        raise PermissionDenied
    rows, stretch = list(_cells(around)), around.asked.stretch
    source = ListSource(
        of="readings",
        name=f"readings-{around.law.id}",
        title=_("Readings"),
        columns=columns_of(HEAD),
        rows=rows,
        count=len(rows),
        narrowed={_("Rulebook"): title(around.law), **around.asked.in_words},
        first=stretch.first,
        last=stretch.last,
    )
    return list_answer(request, source)


def _around(request: HttpRequest, rulebook: str) -> _Around:
    """Raises: PermissionDenied, for whoever may not read who asked for what."""
    law, asked, today = book_or_404(rulebook), asked_of(request), gaming_day_now()
    if access_policy.reads(request, FiguresAsked.kind) != "all":
        raise PermissionDenied
    under = Finding.objects.filter(rulebook=law.id).exclude(readings=[])
    found = asked.narrowed(readable(request, under))
    return _Around(
        law,
        asked,
        today,
        register.decided(law, today),
        register.waiting(law.id),
        register.standing_by_reading(found) if reads_all(request) else {},
        register.compared(law.id) if reads_all(request) else {},
        asks_runs(request),
        access_policy.actor(request, FiguresAsked.kind) is not None,
    )


def _row(around: _Around, reading: Reading) -> ReadingRow:
    law, parameter = around.law, around.law.parameters[reading.parameter]
    standing = around.standing.get(reading.id, Standing())
    adopted = law.adopted(reading, around.today)
    listed = reverse("admin:audit_finding_changelist")
    return ReadingRow(
        reading.id,
        [
            (cited(law.id, one), reverse("law-article", args=[law.id, one]))
            for one in reading.articles
        ],
        figure_words.meaning(reading, adopted),
        either(reading.reason_pt, reading.reason_en),
        _history(around, parameter),
        [
            _other(around, reading, spelled(one.value))
            for one in reading.choices
            if one.value != adopted
        ],
        [_asking(one) for one in around.waiting if _is_of(one.event, parameter)],
        standing,
        money(standing.to_players),
        money(standing.to_house),
        f"{listed}?{around.asked.address(state=OPEN, rulebook=law.id, reading=reading.id)}",
    )


def _is_of(wanted_figures: FiguresAsked, parameter: Parameter) -> bool:
    return parameter.name in {each.parameter for each in wanted_figures.figures}


def _asking(waits: register.Waiting) -> Asking:
    page = reverse("admin:casino_staffrequest_change", args=[waits.request.pk])
    return Asking(figure_words.request(waits.event), waits.request.staff, page)


def _history(around: _Around, parameter: Parameter) -> list[Since]:
    """The newest first."""
    return [_since(around, parameter, one) for one in reversed(around.decided[parameter.name])]


def _since(around: _Around, parameter: Parameter, decided: Decided) -> Since:
    dated, by = decided.dated, decided.by
    words = figure_words.said(around.law, parameter, dated.value)
    since = None if dated.since.year == 1900 else dated.since
    if by is None:
        source = figures.place_of_figure(around.law, dated.source)
        return Since(words, since, decided.state, source, "", "", None, "", "", None, "", "")
    asked, event = decided.asked, by.event
    document = ""
    if asked is not None and event.file_sha256:
        page = "admin:casino_staffrequest_file"
        document = reverse(page, args=[asked.pk, event.file_sha256])
    return Since(
        words,
        since,
        decided.state,
        event.source,
        event.grounds,
        str(field_words.word(event.basis, "basis")),
        event.document_day,
        "" if asked is None else asked.staff,
        by.by.staff,
        by.gaming_day,
        "" if asked is None else reverse("admin:casino_staffrequest_change", args=[asked.pk]),
        document,
        event.basis == "answer" and event.file_sha256 is None,
        decided.replaced_by,
    )


def _other(around: _Around, reading: Reading, value: str) -> OtherChoice:
    law, stretch = around.law, around.asked.stretch
    run = around.compared.get((reading.id, value))
    days = {"from": stretch.first.isoformat(), "to": stretch.last.isoformat()}
    ask = urlencode({"rulebook": law.id, f"reading.{reading.id}": value} | days)
    switch = urlencode({"figure": f"{reading.parameter}={value}"})
    return OtherChoice(
        value,
        figure_words.meaning(reading, value),
        run,
        "" if run is None else _more(run, "player"),
        "" if run is None else _more(run, "house"),
        f"{reverse('run-new')}?{ask}" if around.asks_runs else "",
        f"{reverse('law-figures', args=[law.id])}?{switch}" if around.may_ask else "",
    )


def _more(compared: Compared, whom: str) -> str:
    return more(compared.owed_then.get(whom, 0) - compared.owed_now.get(whom, 0))


def _figures(around: _Around) -> Iterator[FigureRow]:
    law = around.law
    by_reading = {one.parameter for one in law.readings.values()}
    for name, history in around.decided.items():
        if name not in by_reading and any(one.by is not None for one in history):
            parameter = law.parameters[name]
            url = reverse("law-article", args=[law.id, parameter.article])
            where = cited(law.id, parameter.article)
            yield FigureRow(figure_words.name(name), where, url, _history(around, parameter))


def _cells(around: _Around) -> Iterator[Sequence[Cell]]:
    law = around.law
    of_readings = {one.parameter: one for one in law.readings.values()}
    for name, reading in of_readings.items():
        held = next((one for one in around.decided[name] if one.state == "held"), None)
        standing = around.standing.get(reading.id, Standing())
        adopted = law.adopted(reading, around.today)
        for choice in reading.choices:
            row = _named(law, name, reading, choice.value)
            if choice.value == adopted:
                yield [*row, "yes", *_set(held), *standing, *[""] * 5, name, *_after(held)]
            else:
                run = around.compared.get((reading.id, spelled(choice.value)))
                yield [*row, "no", *[""] * 9, *_of_other(run), name, *[""] * 6]
    for name, history in around.decided.items():
        of_reading = of_readings.get(name)
        if of_reading is None and all(one.by is None for one in history):
            continue
        for one in history:
            if of_reading is None or one.state != "held":
                row = _named(law, name, of_reading, one.dated.value)
                is_held = "yes" if one.state == "held" else "no"
                yield [*row, is_held, *_set(one), *[""] * 9, name, *_after(one)]
    for waits in around.waiting:
        yield from _cells_waiting(law, waits, of_readings)


def _named(law: Law, name: str, reading: Reading | None, value: Value) -> list[Cell]:
    """A value by its rulebook, articles, reading, as it is written and in words."""
    parameter = law.parameters[name]
    articles = [parameter.article] if reading is None else reading.articles
    row: list[Cell] = [law.id, " ".join(articles), "" if reading is None else reading.id]
    return [*row, spelled(value), figure_words.said(law, parameter, value)]


def _set(decided: Decided | None) -> list[Cell]:
    """Since when a value holds, by what, who asked, who approved, the document's file."""
    if decided is None:
        return [""] * 5
    day = decided.dated.since
    since: Cell = "" if day.year == 1900 else day.isoformat()
    figure_set, asked = decided.by, decided.asked
    if figure_set is None:
        return [since, decided.dated.source, "", "", ""]
    event = figure_set.event
    asked_by = "" if asked is None else asked.staff
    return [since, event.source, asked_by, figure_set.by.staff, event.file_sha256 or ""]


def _after(decided: Decided | None) -> list[Cell]:
    """How it stands, when it was approved, why, by a document of which day, what it says, and what
    took its place.
    """
    if decided is None or decided.by is None:
        return ["" if decided is None else decided.state, *[""] * 5]
    event, other = decided.by.event, decided.replaced_by
    day = "" if event.document_day is None else event.document_day.isoformat()
    approved: list[Cell] = [decided.state, decided.by.gaming_day.isoformat()]
    why: list[Cell] = [event.basis, day, event.grounds]
    return [*approved, *why, "" if other is None else other.event.source]


def _cells_waiting(
    law: Law, waits: register.Waiting, of_readings: Mapping[str, Reading]
) -> Iterator[Sequence[Cell]]:
    event = waits.event
    for one in event.figures:
        reading, parameter = of_readings.get(one.parameter), law.parameters.get(one.parameter)
        articles = "" if parameter is None else parameter.article
        if reading is not None:
            articles = " ".join(reading.articles)
        words = figure_words.value_of_set(law.id, one)
        row: list[Cell] = [law.id, articles, "" if reading is None else reading.id, one.value]
        by = [event.since.isoformat(), event.source, waits.request.staff, "", event.file_sha256]
        day = "" if event.document_day is None else event.document_day.isoformat()
        after = [one.parameter, "waiting", "", event.basis, day, event.grounds, ""]
        yield [*row, words, "no", *(cell or "" for cell in by), *[""] * 9, *after]


def _of_other(compared: Compared | None) -> list[Cell]:
    if compared is None:
        return [""] * 5
    days = (compared.first, compared.last)
    said: list[Cell] = ["" if day is None else day.isoformat() for day in days]
    now, then = compared.owed_now, compared.owed_then
    cents = [then.get(whom, 0) - now.get(whom, 0) for whom in ("player", "house")]
    return [*said, compared.rounds, *cents]
