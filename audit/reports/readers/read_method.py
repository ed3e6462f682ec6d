"""What every report ends with: which checks ran, and what they could not decide."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from audit.answers import Answers, Stretch, judged, of_checks
from audit.pages.page_words import cited, law, title, words
from audit.reports import report_cells as cells
from audit.reports.report_draft import Column, Draft, Row
from audit.reports.report_entries import Asked
from casino.law.rulebook import controls
from casino.law.rulebook.rulebook import Law
from casino.models import Partida
from casino.queries import that_count

HOUSE: Final = "pt"  # the rulebook where no game of the days names one


def method(draft: Draft, asked: Asked, only: Sequence[str] = ()) -> None:
    """The section of method: of each rulebook of these days, or of the articles in `only`."""
    draft.section(_("Method"), texts=_texts())
    for name, book in rulebooks_of(asked):
        _of_book(draft, name, book, asked.stretch, only)
    if only and all(controls.is_of_the_house(one) for one in only):
        draft.section(_("Controls of the house"), texts=[_house()], level=2)


def rulebooks_of(asked: Asked) -> list[tuple[str, Law]]:
    """The rulebooks the games of these days name; the house's own where there was no game."""
    games = that_count(Partida.objects.filter(asked.days()))
    named = set(games.order_by().values_list("rulebook", flat=True).distinct())
    found = ((name, law(name)) for name in sorted(named) or [HOUSE])
    return [(name, book) for name, book in found if book is not None]


def _texts() -> list[str]:
    return [
        _(
            "Read at one moment from the book, up to the checkpoint named at the foot of every"
            " page. Records that were corrected or withdrawn are shown and marked; what nobody"
            " recorded is not in it."
        ),
        _(
            "A check answers lawful, found or not decidable. Not decidable means that the record"
            " does not say enough; it never counts as lawful."
        ),
    ]


def _house() -> str:
    return _(
        "What is cited here is asked by the house beside its rulebooks; no check of an article was"
        " asked for it."
    )


def _of_book(draft: Draft, name: str, book: Law, stretch: Stretch, only: Sequence[str]) -> None:
    answers, counted = of_checks(name, stretch), judged(name, stretch)
    upheld = {
        check: number for number, article in book.articles.items() for check in article.upheld_by
    }
    asked = {check: upheld.get(check, "") for check in answers}
    if only:
        asked = {check: number for check, number in asked.items() if number in only}
        if not asked:  # what the report is of is no article of this book
            return
    draft.rulebooks.add(name)
    never = sorted(set(upheld) - set(answers)) if not only else []
    total = [answers[check] for check in asked]
    draft.section(
        _("Checks under %(book)s") % {"book": title(book)},
        level=2,
        pairs=[
            (_("Games judged"), cells.whole(counted.games)),
            (_("Rounds judged"), cells.whole(counted.rounds)),
            (_("Games not judged yet"), cells.whole(counted.waiting)),
            (_("Checks that had something to judge"), cells.whole(len(asked))),
            (_("Checks that had nothing to judge"), cells.whole(len(never))),
            (_("Answers not decidable"), cells.whole(sum(one.undecided for one in total))),
        ],
        columns=_columns(),
        rows=[
            _row(name, check, asked[check], answers[check])
            for check in sorted(asked, key=lambda one: (_rank(asked[one]), one))
        ],
        empty=_("No check was answered for these days."),
    )


def _columns() -> list[Column]:
    return [
        Column(_("Article"), 12),
        Column(_("Check"), 54),
        Column(_("Lawful"), 11, "right"),
        Column(_("Findings"), 11, "right"),
        Column(_("Not decidable"), 12, "right"),
    ]


def _row(book: str, check: str, article: str, answers: Answers) -> Row:
    return Row(
        [
            cells.text(cited(book, article) if article else ""),
            cells.text(words().statement(check)),
            cells.whole(answers.lawful),
            cells.whole(answers.found),
            cells.whole(answers.undecided),
        ]
    )


def _rank(article: str) -> tuple[int, str]:
    return (int(article), "") if article.isdecimal() else (10**6, article)
