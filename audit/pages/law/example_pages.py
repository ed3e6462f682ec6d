"""The worked examples: the list of them, and one round under every rulebook side by side."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.pages.audit_access import for_everybody
from audit.pages.law.side_by_side import asked_books, chosen
from audit.pages.page_words import cited, gravity_word, title
from casino.events.round.round_played import RoundPlayed
from casino.law.finding import Finding, Judgement
from casino.law.round_judge import judge
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import counted_as, law_of_file, rulebook_ids
from casino.law.worked_examples import Example, articles_of, differences, example, examples
from casino.reading.round_reader import read_round
from casino.web.entries.round_page import round_context, steps_of, verdict_shown
from casino.web.forms.finding_words import words
from casino.web.words.languages import either

# Which examples may be asked for: all, or those over which the rulebooks part in one thing.
MONEY: Final = "money"
FINDING: Final = "finding"
PARTED: Final = "parted"
SHOWN: Final = {
    "": _("every round"),
    PARTED: _("only where the rulebooks part"),
    MONEY: _("only where the money is another"),
    FINDING: _("only where what is found is another"),
}


class Line(NamedTuple):
    """An example in the list: what it is, where it comes from, whether the books part over what is
    due, and over what they find.
    """

    title: str
    url: str
    book: str
    article: str
    article_url: str
    findings: int
    money: bool
    finding: bool

    def is_shown(self, asked: str) -> bool:
        """Whether it is among those asked for: one of `SHOWN`."""
        of = {"": True, MONEY: self.money, FINDING: self.finding}
        return of.get(asked, self.money or self.finding)


# The amounts due, wager by wager, and the checks that found something.
_Came = tuple[tuple[int | None, ...], frozenset[str]]


class Said(NamedTuple):
    """A finding in words, with its article, how grave it is in words, and the mark of that."""

    heading: str
    article: str
    url: str
    gravity: str
    tone: str


class Column(NamedTuple):
    """One rulebook's verdict: its book, what was found, its steps, and whether somebody worked it
    out by hand before: True came out so, False otherwise, None nobody did.
    """

    book: str
    title: str
    found: Sequence[Said]
    steps: Sequence[dict[str, object]]
    by_hand: bool | None


@for_everybody
def example_list(request: HttpRequest) -> HttpResponse:
    """Every round worked out by hand; of one rulebook, of one article, or those that part them."""
    book, article = request.GET.get("from", ""), request.GET.get("article", "")
    book = book if book in rulebook_ids() else ""
    show = request.GET.get("show", "")
    show = show if show in SHOWN else ""
    lines = [
        line
        for one in examples()
        if book in ("", one.rulebook) and article in ("", *articles_of(one))
        for line in [_line(one)]
        if line.is_shown(show)
    ]
    return render(
        request,
        "audit/examples.html",
        {
            **admin.site.each_context(request),
            "title": gettext("Worked examples"),
            "lines": lines,
            "choices": [(name, word, name == show) for name, word in SHOWN.items()],
            "from": book,
            "article": article if book and article in law_of_file(book).articles else "",
            "article_cited": cited(book, article) if book and article else "",
            "books": [(each, title(law_of_file(each)), each == book) for each in rulebook_ids()],
        },
    )


@for_everybody
def example_page(request: HttpRequest, round_id: object) -> HttpResponse:
    """One example: its cards, and what each rulebook says it was due and finds."""
    one = example(str(round_id))
    if one is None:
        raise Http404
    laws, played = asked_books(request), read_round(one.record)
    judged = [judge(played, law) for law in laws]
    return render(
        request,
        "audit/example.html",
        {
            **admin.site.each_context(request),
            "title": either(one.title_pt, one.title_en),
            "round": round_context(played),
            "book": title(law_of_file(one.rulebook)),
            "from": one.rulebook,
            "books": chosen(laws),
            "columns": [
                _column(one, played, law, judgement)
                for law, judgement in zip(laws, judged, strict=True)
            ],
            "wagers": list(_wagers(laws, judged)),
            "differs": len({_came(judgement) for judgement in judged}) > 1,
            **_neighbours(one),
        },
    )


def _line(worked: Example) -> Line:
    law = law_of_file(worked.rulebook)
    there = worked.article if worked.article in law.articles else ""
    came = came_of(worked.round, rulebook_ids())
    found = worked.results[0].findings
    return Line(
        either(worked.title_pt, worked.title_en),
        reverse("rulebooks-example", args=[worked.round]),
        title(law),
        cited(law.id, there) if there else "",
        reverse("law-article", args=[law.id, there]) if there else "",
        len(worked.results[0].cites_one_of or found or ()),
        len({due for due, _found in came}) > 1,
        len({found for _due, found in came}) > 1,
    )


@lru_cache(maxsize=2048)
def came_of(round_id: str, books: tuple[str, ...]) -> tuple[_Came, ...]:
    """What came out of an example under each rulebook: the amounts due and the checks that found
    something. Rulebooks do not change while the program runs.
    """
    one = example(round_id)
    assert one is not None
    played = read_round(one.record)
    return tuple(_came(judge(played, law_of_file(book))) for book in books)


def _came(judgement: Judgement) -> _Came:
    due = tuple(wager.due_cents for wager in judgement.wagers)
    return due, frozenset(found.check for found in judgement.findings)


def _column(worked: Example, played: RoundPlayed, law: Law, judgement: Judgement) -> Column:
    by_hand = worked.under(law.id)
    return Column(
        law.id,
        title(law),
        [_said(found) for found in judgement.findings],
        steps_of(played, law),
        None if by_hand is None else not differences(by_hand, judgement),
    )


def _said(found: Finding) -> Said:
    there = (found.check, found.where, found.observed, found.expected, found.gaming_day)
    gravity = counted_as(found.severity, found.rulebook)
    return Said(
        words().heading(*there),
        cited(found.rulebook, found.article),
        reverse("law-article", args=[found.rulebook, found.article]),
        gravity_word(gravity, found.rulebook),
        gravity,
    )


def _wagers(laws: Sequence[Law], judged: Sequence[Judgement]) -> Iterator[dict[str, object]]:
    """Each wager, and what every book says it was due."""
    for place, wager in enumerate(judged[0].wagers):
        cells = [
            verdict_shown(judgement.wagers[place], law.id)
            for law, judgement in zip(laws, judged, strict=True)
        ]
        due = {judgement.wagers[place].due_cents for judgement in judged}
        yield verdict_shown(wager, laws[0].id) | {"cells": cells, "differs": len(due) > 1}


def _neighbours(worked: Example) -> dict[str, str]:
    rounds = [each.round for each in examples() if each.file == worked.file]
    at = rounds.index(worked.round)
    before, after = rounds[at - 1] if at else "", rounds[at + 1] if at + 1 < len(rounds) else ""
    return {"before": before, "after": after}
