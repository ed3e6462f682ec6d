"""What is said of an official text beside its words: its language, what it lacks, other numbers."""

from datetime import date
from typing import Final, NamedTuple, TypedDict

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from audit.pages.law.text_bound import BoundShown, bound_of
from audit.pages.page_words import cited
from casino.importing.regulation_texts import Standing
from casino.law.rulebook.rulebook import Law
from casino.law.text.legal_text import Section, Text
from casino.law.text.number_bindings import Difference
from casino.law.text.text_review import Place, Review, other_values, place_of, reviewed
from casino.web.words import figure_words
from casino.web.words.languages import NAMES

_MOST: Final = 12  # numbers named one by one


class NumberShown(NamedTuple):
    """A number of the text where the house has another: where it stands, and what is said of it."""

    where: str
    eid: str
    words: str


class Unplaced(NamedTuple):
    """Words that belong to no article, and the line of the file they begin in."""

    words: str
    line: int


class Shown(TypedDict):
    """What a page says of a text beside its words; the names are the template's."""

    bound: BoundShown
    language: object
    unplaced: list[Unplaced]
    missing: tuple[str, ...]
    review: Review
    differing: list[NumberShown]
    differing_more: int


def shown_of(text: Text, law: Law, day: date) -> Shown:
    """What a page says of a text beside its words, by the rulebook of a day."""
    review = reviewed(text, law, day)
    differing = review.differing or ()
    return {
        "language": NAMES.get(text.language, ""),
        "unplaced": [
            Unplaced(text.words_at(span), text.source.count("\n", 0, span.start) + 1)
            for span in text.unplaced
        ],
        "missing": text.missing(),
        "review": review,
        "bound": bound_of(law, review.comparison, day),
        "differing": [_number(law, text, one) for one in differing[:_MOST]],
        "differing_more": max(0, len(differing) - _MOST),
    }


def of_article(text: Text, law: Law, number: str, day: date) -> list[NumberShown]:
    """The numbers of one article where the house has another."""
    found = []
    for one in other_values(text, law, day):
        place = place_of(text, one.eid)
        if place.article is not None and place.article.number == number:
            found.append(NumberShown(_below(place), one.eid, _said(law, one)))
    return found


def warnings_of(text: Text, law: Law, review: Review) -> list[str]:
    """What makes it doubtful that this is the text of this rulebook."""
    found = []
    if review.other_language:
        read = gettext("The text was read as %(language)s, which is not this rulebook's language.")
        found.append(read % {"language": NAMES[text.language]})
    if review.absent:
        lacks = ngettext(
            "This article of the rulebook is not in the text: %(absent)s.",
            "These articles of the rulebook are not in the text: %(absent)s.",
            len(review.absent),
        )
        found.append(lacks % {"absent": ", ".join(review.absent_runs)})
    return found


def standing_word(standing: Standing) -> str:
    """Whether a text is in force."""
    if standing.state == "in_force":
        return gettext("is in force")
    day = date_format(standing.day, "SHORT_DATE_FORMAT") if standing.day else ""
    if standing.state == "later":
        return gettext("will be in force from %(day)s") % {"day": day}
    return gettext("was replaced on %(day)s") % {"day": day}


def _number(law: Law, text: Text, difference: Difference) -> NumberShown:
    where = where_of(law, text, difference.eid)
    return NumberShown(where, difference.eid, _said(law, difference))


def where_of(law: Law, text: Text, eid: str) -> str:
    """Where a node stands: ``n.º 6, a)``; of a section's, its heading."""
    place = place_of(text, eid)
    article = place.article
    if article is None:
        section = next((s for s in text.sections if _is_under(s, eid)), None)
        first = section.heading or section.number if section else eid
    elif article.number in law.articles:
        first = cited(law.id, article.number)
    else:
        first = article.number
    return ", ".join(filter(None, (first, _below(place))))


def _is_under(section: Section, eid: str) -> bool:
    return eid.startswith(f"{section.eid}__")


def _below(place: Place) -> str:
    parts = []
    if place.paragraph:
        parts.append(gettext("paragraph %(n)s") % {"n": place.paragraph})
    parts += [f"{letter})" for letter in place.letters]
    return ", ".join(parts)


def _said(law: Law, difference: Difference) -> str:
    assert difference.found is not None
    assert difference.bound is not None
    written = difference.found.written
    if difference.stated is None:
        none = gettext("the text says %(written)s; the house has no figure on this day")
        return none % {"written": written}
    parameter = law.parameters[difference.bound.of]
    plain = isinstance(difference.stated, int) and not isinstance(difference.stated, bool)
    held = str(difference.stated) if plain else figure_words.said(law, parameter, difference.stated)
    has = gettext("the text says %(written)s; the house has %(held)s")
    return has % {"written": written, "held": held}
