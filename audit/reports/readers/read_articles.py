"""The map of non-conformities: how every article stands, by what its checks answered."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from audit import answers
from audit.answers import Answers
from audit.models import Finding
from audit.pages.law.article_states import (
    ArticleState,
    asked_in,
    counted,
    house_articles,
    state_of,
    state_of_house,
    summed,
)
from audit.pages.page_words import HOUSE, cited, heading, title
from audit.reports import report_cells as cells
from audit.reports.readers.read_findings import listed
from audit.reports.readers.read_method import rulebooks_of
from audit.reports.report_draft import Column, Draft, Row
from audit.reports.report_entries import Asked
from casino.law.rulebook.rulebook import Article
from casino.law.rulebook.rulebook_file import counted_as


class Stands(NamedTuple):
    """An article as the map shows it; `found` are its unresolved findings."""

    name: str
    article: Article
    found: int
    state: ArticleState


def read_articles(draft: Draft, asked: Asked, kinds: Sequence[str]) -> None:
    """Every article of the rulebooks of these days and of the house, then the findings."""
    draft.section(_("Scope"), texts=_texts())
    for name, book in rulebooks_of(asked):
        draft.rulebooks.add(name)
        given, judged = answers.of_checks(name, asked.stretch), answers.judged(name, asked.stretch)
        put = asked_in(book.on(asked.last), judged.games)
        found = answers.open_by_article(name, asked.stretch, book.articles)
        gravest = counted_as("breach", name)
        lines = [
            Stands(
                _named(name, one),
                one,
                sum((of := found.get(number, Counter())).values()),
                state_of(one, of, given, put, gravest),
            )
            for number, one in book.articles.items()
        ]
        pairs = [
            (_("Games judged"), cells.whole(judged.games)),
            (_("Rounds judged"), cells.whole(judged.rounds)),
            (_("Games not judged yet"), cells.whole(judged.waiting)),
        ]
        _map(draft, title(book), lines, given, put, pairs)
    _of_house(draft, asked)
    listed(draft, Finding.objects.filter(asked.days()), _("Findings"))


def _texts() -> list[str]:
    return [
        _(
            "Each line is an article. Its checks are programs; each answers once for everything it"
            " can judge: lawful, not lawful, or not decidable, where the record does not say"
            " enough."
        ),
        _(
            "Without occasion: checks that were asked and had nothing to judge. Not asked: checks"
            " no game was judged by, or which the rulebook leaves open. Neither counts as lawful."
        ),
    ]


def _named(book: str, article: Article) -> str:
    """A section goes by its heading alone, which is how it is cited."""
    name = cited(book, article.number)
    return f"{name}, {heading(article)}" if article.number.isdecimal() else name


def _of_house(draft: Draft, asked: Asked) -> None:
    given, mine = answers.of_checks(HOUSE, asked.stretch), house_articles()
    found = answers.open_by_article(HOUSE, asked.stretch, mine)
    put = frozenset[str]()
    if answers.judged(HOUSE, asked.stretch).games:
        put = frozenset(check for one in mine.values() for check in one.upheld_by)
    lines = [
        Stands(
            _(one.heading_en),
            one,
            sum((of := found.get(number, Counter())).values()),
            state_of_house(one, of, given, put),
        )
        for number, one in mine.items()
    ]
    _map(draft, _("Controls of the house"), lines, given, put, [])


def _map(
    draft: Draft,
    of_book: str,
    articles: Sequence[Stands],
    given: Mapping[str, Answers],
    put: frozenset[str],
    pairs: Sequence[tuple[str, cells.Cell]],
) -> None:
    stands = counted(line.state for line in articles)
    names = (
        _("Lawful"),
        _("Not lawful"),
        _("Not decidable"),
        _("Without occasion"),
        _("Not asked"),
    )
    draft.section(
        of_book,
        pairs=[*pairs, *((capfirst(state.word), cells.whole(n)) for state, n in stands)],
        columns=[
            Column(_("Article"), 26),
            Column(_("Checks"), 11, "right"),
            *(Column(name, 10, "right") for name in names),
            Column(_("Unresolved"), 11, "right"),
            Column(_("State"), 14),
        ],
        rows=[
            Row(
                [
                    cells.text(capfirst(line.name)),
                    *map(cells.whole, _figures(line.article, given, put)),
                    cells.whole(line.found),
                    cells.text(capfirst(line.state.word)),
                ]
            )
            for line in articles
        ],
    )


def _figures(article: Article, given: Mapping[str, Answers], put: frozenset[str]) -> Iterator[int]:
    """How many checks; what they answered; how many had no occasion, how many nobody asked."""
    silent = [check for check in article.upheld_by if check not in given]
    yield len(article.upheld_by)
    yield from summed(article, given)
    yield sum(check in put for check in silent)
    yield sum(check not in put for check in silent)
