"""Which figures of a finding the house chose, and where the figures of a rulebook stand."""

import re
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext

from audit.models import Finding
from audit.pages.page_words import cited, law
from casino.law.check_registry import ALL_CHECKS
from casino.law.rulebook.rulebook import Law
from casino.previewing import RULEBOOK
from casino.web.words import figure_words

# As the rulebooks write it: the number of the text, the place in it, the reading it hangs on.
_TEXT: Final = re.compile(r"(?!our |reading )(?P<place>.*?)(, reading (?P<reading>\S+))?")
_NUMBERED: Final = "n.º "  # of a regulation; a handbook has sections


def of_the_house(finding: Finding) -> list[str]:
    """The figures a finding hangs on that the house chose, where the text states none; since when.

    A finding of the house's own is asked of its own regulation.
    """
    check, book = ALL_CHECKS.get(finding.check_name), law(finding.rulebook) or law(RULEBOOK)
    if check is None or book is None:
        return []
    held = [
        (book.parameters[need], book.parameters[need].on(finding.gaming_day))
        for need in check.needs
        if need in book.parameters
    ]
    return [
        gettext("%(figure)s: %(value)s (the house's figure, confirmed on %(day)s)")
        % {
            "figure": figure_words.name(parameter.name),
            "value": figure_words.said(book, parameter, dated.value),
            "day": date_format(dated.confirmed_on, "SHORT_DATE_FORMAT"),
        }
        for parameter, dated in held
        if dated is not None and dated.of_house
    ]


def otherwise_set(finding: Finding) -> list[str]:
    """The figures of its check that two persons set otherwise than the rule's words have them."""
    check, book = ALL_CHECKS.get(finding.check_name), law(finding.rulebook)
    if check is None or book is None:
        return []
    return figure_words.otherwise_set(book, check.needs, finding.gaming_day)


def place_of_figure(book: Law, source: str) -> str:
    """Where a figure stands, in words: the place in the text, or that the house chose it."""
    found = _TEXT.fullmatch(source)
    if found is None:
        return gettext("chosen by the house: the text states no figure")
    place, reading = found["place"].strip(), found["reading"]
    if place.startswith(_NUMBERED):
        said = [gettext("%(number)s of the regulation") % {"number": place}]
    else:
        said = [gettext("the text"), cited(book.id, place) if place in book.articles else place]
    if reading:
        said.append(gettext("by a reading that was adopted"))
    return ", ".join(said)
