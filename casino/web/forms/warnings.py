"""Warnings above a form: what recording it would open, and the coded reason to record it still."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.text import capfirst
from django.utils.translation import gettext

from casino.events.event import OverriddenWarning
from casino.law.checks.table import house_controls
from casino.law.finding import Finding
from casino.law.rulebook import controls
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import load_law
from casino.law.wording.wording import FindingWords
from casino.previewing import RULEBOOK
from casino.web.forms.finding_words import words
from casino.web.words.field_words import DESPITE_REASONS
from casino.web.words.languages import either, language

PREFIX: Final = "despite-"
# What other books call a section; a page says it in its own language.
_SECTIONS: Final = frozenset({"seção", "sección", "section", "secção"})
_PLAINLY: Final = {
    "reading %(readings)s": "by a reading that was adopted",
    "readings %(readings)s": "by readings that were adopted",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Warned:
    """One check that would find something: under which article, what, and the reason given."""

    check: str
    severity: str
    article: str
    statement: str
    headings: Sequence[str]
    chosen: str
    of_house: bool = False

    @property
    def name(self) -> str:
        """The name of its control in the form."""
        return f"{PREFIX}{self.check}"

    @property
    def reasons(self) -> Sequence[tuple[str, str]]:
        """The reasons to choose from."""
        return [(code, capfirst(str(word))) for code, word in DESPITE_REASONS.items()]


def warned_of(findings: Sequence[Finding], data: Mapping[str, object]) -> list[Warned]:
    """The findings by check, each with the reason that was chosen in `data`."""
    say = words()
    by_check: dict[str, list[Finding]] = {}
    for finding in findings:
        by_check.setdefault(finding.check, []).append(finding)
    return [
        Warned(
            check=check,
            severity=of[0].severity,
            article=cited(of[0].rulebook, of[0].article),
            statement=say.statement(check),
            headings=[_heading(say, finding) for finding in of],
            chosen=_known(str(data.get(f"{PREFIX}{check}", ""))),
            of_house=controls.is_of_the_house(of[0].article),
        )
        for check, of in by_check.items()
    ]


def outside_what(warned: Sequence[Warned]) -> str:
    """What stands above them: the house's own rules, where none of them is of the regulation."""
    if all(one.of_house for one in warned):
        return gettext("Outside the house's rules")
    return gettext("Outside the regulation")


def despite_in(data: Mapping[str, object]) -> tuple[OverriddenWarning, ...]:
    """The warnings a form was sent over, each with its reason, in the order of their names.

    Read from the form alone, so that the same form sent twice is the same record.
    """
    given = {
        name.removeprefix(PREFIX): _known(str(data[name]))
        for name in data
        if name.startswith(PREFIX)
    }
    return tuple(
        OverriddenWarning(check=check, reason=reason)
        for check, reason in sorted(given.items())
        if reason
    )


def cited(book: str, article: str) -> str:
    """An article as its rulebook counts them: ``n.º 54``; a section by its heading.

    A control of the house goes by its name, and as one, whichever rulebook a game is under.
    """
    if article in house_controls.ARTICLES:
        values = {"heading": gettext(house_controls.ARTICLES[article].heading)}
        return gettext("House control: %(heading)s") % values
    try:
        law = load_law(book)
    except LawError:
        return f"{book} {article}"
    named = article
    if not article.isdecimal() and article in law.articles:
        of = law.articles[article]
        heading = either(of.heading_pt, of.heading_en)
        named = f"“{heading}”" if language() == "en" else f"«{heading}»"
    counted = gettext("section") if law.cites in _SECTIONS else law.cites
    return f"{counted} {named}" if counted else named


def in_words(text: str) -> str:
    """The translation of an explanation's text; a reading stands on pages without its name."""
    return gettext(_PLAINLY.get(text, text))


def cited_in(book: str, number: str) -> str:
    """An article of the house's own regulation, as another rulebook cites it.

    That is the section of it that upholds the same; '' where it says nothing of the matter.
    """
    try:
        law = load_law(book)
    except LawError:
        return ""
    article = law.counterpart(load_law(RULEBOOK), number)
    return cited(book, article) if article is not None else ""


@dataclass(frozen=True, slots=True)
class Cites:
    """What a page cites, by its number in the house's regulation, as the rulebook of a game does.

    ``cites["5_51"]`` names two. With `brackets` what is cited stands in them, a space before.
    """

    book: str
    brackets: bool = False

    def __getitem__(self, numbers: str) -> str:
        found = dict.fromkeys(cited_in(self.book, number) for number in numbers.split("_"))
        text = ", ".join(one for one in found if one)
        return f" ({text})" if text and self.brackets else text


def _heading(say: FindingWords, finding: Finding) -> str:
    return say.heading(
        finding.check, finding.where, finding.observed, finding.expected, finding.gaming_day
    )


def _known(reason: str) -> str:
    return reason if reason in DESPITE_REASONS else ""
