"""What a citation on a page of the floor stands for: the article's heading and our summary of it.

A page names articles as its rulebook counts them ("n.º 54"); articles.js makes of each a link to
here, and shows on the page what it finds.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse

from casino.events.event_policy import ADMIN
from casino.floor.floor_access import floor_page
from casino.floor.floor_page import shown
from casino.floor.tables.all_tables import LOOKERS
from casino.house_day import gaming_day_now
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.models import Partida
from casino.previewing import RULEBOOK
from casino.web.forms.warnings import cited
from casino.web.words import figure_words
from casino.web.words.field_words import rulebook_choices
from casino.web.words.languages import either

READERS: Final = LOOKERS | {ADMIN}  # of the regulation, and of the manual, which cites it
LONGEST: Final = 200  # characters of a citation that are looked for


class Entry(NamedTuple):
    """An article, or a section of a book without articles, as a page cites it."""

    book: str
    cited: str
    heading: str
    summary: str
    otherwise: Sequence[str]  # the figures two persons set, which the summary does not know


@floor_page(READERS, reads_only=True)
def articles_view(request: HttpRequest) -> HttpResponse:
    """What `?cited=` names: of the rulebook of the `table` it is cited at, else of whichever;
    without it a whole rulebook.
    """
    asked = " ".join(request.GET.get("cited", "").split())[:LONGEST]
    known = rulebook_ids()
    book = request.GET.get("rulebook", RULEBOOK)
    book = book if book in known else RULEBOOK
    books = sorted(known, key=lambda one: one != RULEBOOK) if asked else [book]
    found = [one for each in books for one in _entries(each) if asked in ("", one.cited)]
    if asked:
        own = _book_at(request.GET.get("table", ""))
        found = [one for one in found if one.book == own] or found
    titles = dict(rulebook_choices())
    context = {
        "asked": asked,
        "books": [(name, title, name == book) for name, title in titles.items()],
        "entries": [(one, titles.get(one.book, one.book)) for one in found],
    }
    return shown(request, "sala/articles.html", context)


def _book_at(table: str) -> str:
    """The rulebook of the game a table has, or had last; '' for none."""
    if "\0" in table:
        return ""
    games = Partida.objects.filter(table_code=table).order_by("-occurred_at", "-n")
    return games.values_list("rulebook", flat=True).first() or ""


def _entries(book: str) -> Iterator[Entry]:
    law, today = load_law(book), gaming_day_now()
    for number, article in law.articles.items():
        stated = [one.name for one in law.parameters.values() if one.article == number]
        otherwise = figure_words.otherwise_set(law, stated, today)
        heading = either(article.heading_pt, article.heading_en)
        summary = either(article.summary_pt, article.summary_en)
        yield Entry(book, cited(book, number), heading, summary, otherwise)
