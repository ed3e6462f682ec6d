"""The words of the official text beside a finding: those its check rests on, in the text in force
on its gaming day.
"""

from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse

from audit.models import Finding
from casino.importing.regulation_texts import in_force_on, text_of
from casino.law.rulebook.rulebook import Law
from casino.law.text.legal_text import Text
from casino.law.text.number_bindings import bindings_of
from casino.law.text.text_bearing import bearing_of
from casino.law.text.text_citing import Parameters, Passage, article_of, passages_of
from casino.models import RegulationText
from casino.web.words import figure_words


@dataclass(frozen=True, slots=True)
class CitedWords:
    """The article of a finding in a text, and which of it the check rests on.

    `figures` are the parameters among its numbers: as written, name, the house's value on the
    gaming day.
    """

    received: RegulationText
    text: Text
    passages: tuple[Passage, ...]
    figures: tuple[tuple[str, str, str], ...]

    @property
    def url(self) -> str:
        """The text's page, at the first of the words."""
        page = reverse("law-text", args=[self.received.rulebook])
        return f"{page}?text={self.received.pk}#{self.bearing[0].eid}"

    @property
    def bearing(self) -> tuple[Passage, ...]:
        """What the check rests on, at least one."""
        return tuple(one for one in self.passages if one.bears)

    @property
    def others(self) -> tuple[Passage, ...]:
        """What else the article says."""
        return tuple(one for one in self.passages if not one.bears)


def cited_words(finding: Finding, law: Law | None) -> CitedWords | None:
    """None where no text held on that day, its file is not kept, or it has no such article."""
    if law is None or finding.article not in law.articles:
        return None
    received = in_force_on(law.id, finding.gaming_day)
    text = None if received is None else text_of(received)
    article = None if text is None else article_of(text, finding.article)
    if received is None or text is None or article is None:
        return None
    bears = bearing_of(law.id).get(finding.check_name, ())
    passages = passages_of(text, article, parameters_of(law.id), bears)
    if not passages:
        return None
    written: dict[str, list[str]] = {}
    for figure in (one for passage in passages if passage.bears for one in passage.figures):
        written.setdefault(figure.parameter, []).append(f"«{figure.written}»")
    held = tuple(
        (", ".join(numbers), figure_words.name(parameter), _held(law, parameter, finding))
        for parameter, numbers in written.items()
    )
    return CitedWords(received, text, passages, held)


@lru_cache(maxsize=16)
def parameters_of(rulebook: str) -> Parameters:
    """Which parameter each number of a rulebook's text is, by eId and in its order."""
    return {
        eid: [(str(one.value), one.parameter) for one in listed]
        for eid, listed in bindings_of(rulebook).items()
    }


def _held(law: Law, parameter: str, finding: Finding) -> str:
    dated = (
        law.parameters[parameter].on(finding.gaming_day) if parameter in law.parameters else None
    )
    return "" if dated is None else figure_words.said(law, law.parameters[parameter], dated.value)
