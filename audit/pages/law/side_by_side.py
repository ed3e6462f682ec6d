"""The rulebooks side by side: what each states of every figure, and which rules it asks.

The page, and docs/side-by-side.md, which is made of the same rows.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.pages.audit_access import for_everybody
from audit.pages.law.stretch import day_asked
from audit.pages.page_words import cited, instrument, title
from casino.house_day import gaming_day_now
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.law.rulebook.rulebook_rows import (
    ALIKE,
    DIFFERS,
    PARTLY,
    FigureRow,
    State,
    check_rows,
    figure_rows,
)
from casino.law.wording.figure_names import NAMES
from casino.law.worked_examples import examples, examples_of
from casino.web.forms.finding_words import words
from casino.web.words import figure_words

READINGS: Final = "readings"
# What may be asked to be shown, and what a row of each kind is marked with.
SHOWN: Final = {
    "": _("everything"),
    DIFFERS: _("only what differs"),
    PARTLY: _("only what some do not state"),
    READINGS: _("only what hangs on a reading"),
}
MARKS: Final = {DIFFERS: _("differs"), PARTLY: _("not in all"), ALIKE: ""}
NOT_STATED: Final = "—"


class Cell(NamedTuple):
    """What one book says: in words, by which article, where that is; whether by a reading or by the
    house's own choice; how many worked examples are about that article, and where they are.
    """

    said: str
    cited: str
    url: str
    by_reading: bool = False
    of_house: bool = False
    examples: int = 0
    examples_url: str = ""


class Row(NamedTuple):
    """A figure or a rule, and what each book says of it; None where it says nothing."""

    name: str
    code: str
    state: State
    mark: str
    cells: Sequence[Cell | None]


class Head(NamedTuple):
    """A book above its column: what it is, and how much it has."""

    id: str
    title: str
    instrument: str
    articles: int
    checks: int
    figures: int
    readings: int
    examples: int


def asked_books(request: HttpRequest) -> list[Law]:
    """The rulebooks asked for, in the order of the house; all where none or one is."""
    asked = request.GET.getlist("book")
    books = [book for book in rulebook_ids() if book in asked]
    return [load_law(book) for book in (books if len(books) > 1 else rulebook_ids())]


def chosen(laws: Sequence[Law]) -> list[tuple[str, str, bool]]:
    """Every rulebook of the house, its title, and whether it is among those shown."""
    there = {law.id for law in laws}
    return [(book, title(load_law(book)), book in there) for book in rulebook_ids()]


@for_everybody
def rulebooks(request: HttpRequest) -> HttpResponse:
    """All figures or all rules of the rulebooks asked for, beside each other."""
    laws, today = asked_books(request), gaming_day_now()
    day = day_asked(request, "day") or today
    rules = request.GET.get("part") == "rules"
    shown = request.GET.get("show", "")
    shown = shown if shown in SHOWN and not (rules and shown in (DIFFERS, READINGS)) else ""
    rows = rows_of_rules(laws) if rules else rows_of_figures(laws, day)
    here = request.GET.copy()
    for name in ("part", "show"):
        here.pop(name, None)
    return render(
        request,
        "audit/rulebooks.html",
        {
            **admin.site.each_context(request),
            "title": gettext("Rulebooks side by side"),
            "heads": [head(law) for law in laws],
            "books": chosen(laws),
            "rows": [row for row in rows if _is_shown(row, shown)],
            "states": Counter(row.state for row in rows),
            "all_rows": len(rows),
            "rules": rules,
            "show": shown,
            "choices": [
                (name, word, name == shown)
                for name, word in SHOWN.items()
                if not rules or name in ("", PARTLY)
            ],
            "day": day,
            "today": today,
            "here": here.urlencode(),
        },
    )


def head(law: Law) -> Head:
    """A book in figures."""
    mine = sum(one.rulebook == law.id for one in examples())
    sizes = len(law.articles), len(law.checks), len(law.parameters), len(law.readings)
    return Head(law.id, title(law), instrument(law), *sizes, mine)


def _is_shown(compared: Row, wanted: str) -> bool:
    if wanted == READINGS:
        return any(cell is not None and cell.by_reading for cell in compared.cells)
    return wanted in ("", compared.state)


def rows_of_figures(laws: Sequence[Law], day: date) -> list[Row]:
    """Every figure one of the books states on a day."""
    rows = figure_rows(laws, day, NAMES)
    return [
        Row(figure_words.name(row.name), row.name, row.state, str(MARKS[row.state]), _cells(row))
        for row in rows
    ]


def _cells(figure: FigureRow) -> list[Cell | None]:
    return [
        None
        if one is None
        else Cell(
            figure_words.said(one.law, one.parameter, one.value),
            cited(one.law.id, one.parameter.article),
            reverse("law-article", args=[one.law.id, one.parameter.article]),
            one.reading is not None,
            one.source.startswith("our "),
            examples_of(one.law.id, one.parameter.article),
            _examples_url(one.law.id, one.parameter.article),
        )
        for one in figure.stated
    ]


def _examples_url(rulebook: str, article: str) -> str:
    query = urlencode({"from": rulebook, "article": article})
    return f"{reverse('rulebooks-examples')}?{query}"


def rows_of_rules(laws: Sequence[Law]) -> list[Row]:
    """Every rule one of the books asks, in a sentence."""
    say = words()
    return [
        Row(
            say.statement(row.name),
            row.name,
            row.state,
            str(MARKS[row.state]),
            [_asked(law, article) for law, article in zip(laws, row.articles, strict=True)],
        )
        for row in check_rows(laws)
    ]


def _asked(law: Law, article: str) -> Cell | None:
    if not article:
        return None
    return Cell("", cited(law.id, article), reverse("law-article", args=[law.id, article]))


# -- docs/side-by-side.md -------------------------------------------------------------------------


def page(laws: Sequence[Law], day: date) -> str:
    """The text of docs/side-by-side.md, in the language that is switched on."""
    heads = [head(law) for law in laws]
    figured, asked = rows_of_figures(laws, day), rows_of_rules(laws)
    ids = [f"`{law.id}`" for law in laws]
    blocks = [
        "# The rulebooks side by side",
        "Made by `manage.py side_by_side --write` from the rulebooks; not to be edited by hand."
        f" The figures are those of {day.isoformat()}. The same stands at `/rulebooks/`, with the"
        " house's own rulebooks, for any day and any two of them.",
        "`≠` two books state it differently, `∅` not every book states it, — the book does not."
        " *r* is by a reading that was adopted, *h* the house's own choice.",
        "## Books",
        _table(
            ["", *ids],
            [
                ["what it is", *(one.instrument or one.title for one in heads)],
                ["articles or sections", *(str(one.articles) for one in heads)],
                ["checks", *(str(one.checks) for one in heads)],
                ["figures", *(str(one.figures) for one in heads)],
                ["readings adopted", *(str(one.readings) for one in heads)],
                ["worked examples", *(str(one.examples) for one in heads)],
            ],
        ),
        "## Figures",
        _table(["figure", "", *ids], [_line(row) for row in figured]),
        "## Rules",
        _table(["rule", "", *ids], [_line(row) for row in asked]),
    ]
    return "\n\n".join(blocks) + "\n"


_SIGNS: Final = {DIFFERS: "≠", PARTLY: "∅", ALIKE: ""}


def _line(compared: Row) -> list[str]:
    cells = [_written(cell) for cell in compared.cells]
    return [compared.name, _SIGNS[compared.state], *cells]


def _written(cell: Cell | None) -> str:
    if cell is None:
        return NOT_STATED
    by = " *r*" if cell.by_reading else " *h*" if cell.of_house else ""
    return f"{cell.said} ({cell.cited}){by}" if cell.said else cell.cited


def _table(heads: Sequence[str], rows: Collection[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
    )
