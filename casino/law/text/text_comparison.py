"""An official text held against its rulebook, article by article: every number, every word of duty,
every word that turns a rule, every parameter, and whether a check looks at the article.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Final, Literal

from casino.law.rulebook.rulebook import Law
from casino.law.text.duty_bindings import (
    DutyBound,
    DutyDifference,
    TurnDifference,
    article_of,
    bound_of,
    compare_duties,
    compare_turns,
    duty_bindings,
)
from casino.law.text.legal_text import Article, Section, Text, leaves_of
from casino.law.text.number_bindings import (
    Binding,
    Difference,
    as_held,
    compare,
    number_bindings,
)
from casino.law.text.parameter_bindings import (
    ParameterDifference,
    Stated,
    compare_parameters,
    house_bindings,
    stated_bindings,
)
from casino.law.text.text_duties import DutyFound, duties_in
from casino.law.text.text_file import TABLES, text_file
from casino.law.text.text_numbers import numbers_in

# An article of the rulebook that is not in the text; one of the text that is not in the rulebook;
# one that asks for something, and no check looks at it.
Lack = Literal["", "text", "rulebook", "check"]
_NEED_A_CHECK: Final = ("rule", "procedure")


@dataclass(frozen=True, slots=True)
class PartCompared:
    """An article, or a section, of the text and what disagrees in it.

    `article` is its number in the rulebook, "" where that has none; `eid` its place in the text, ""
    where it is not in it. `words` are its words of duty, each with what is said of it; `stated`
    the parameters its words state without a figure, `figures` those they state with one.
    """

    article: str
    eid: str
    lack: Lack
    words: tuple[tuple[DutyFound, DutyBound | None], ...]
    stated: tuple[Stated, ...]
    figures: tuple[str, ...]
    numbers: tuple[Difference, ...]
    duties: tuple[DutyDifference, ...]
    turns: tuple[TurnDifference, ...]
    parameters: tuple[ParameterDifference, ...]

    @property
    def differences(self) -> int:
        """How many things disagree."""
        lists = (self.numbers, self.duties, self.turns, self.parameters)
        return sum(map(len, lists)) + bool(self.lack)

    @property
    def unjudged(self) -> int:
        """How many of its words of duty no check looks at."""
        return sum(bound is not None and bound.unjudged for _found, bound in self.words)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A whole text, in its order, and behind it what is of no part of it.

    `unwritten` are the tables of the rulebook's text file that nobody wrote yet: what they would
    say is not compared. `house` are the parameters its words leave open, by eId.
    """

    parts: tuple[PartCompared, ...]
    numbers: int
    unwritten: tuple[str, ...]
    house: Mapping[str, Sequence[Stated]]

    @property
    def duties(self) -> int:
        """How many words of duty the text has."""
        return sum(len(part.words) for part in self.parts)

    @property
    def unjudged(self) -> int:
        """How many of them no check looks at, each with its reason."""
        return sum(part.unjudged for part in self.parts)

    @property
    def differing(self) -> tuple[PartCompared, ...]:
        """The parts in which something disagrees."""
        return tuple(part for part in self.parts if part.differences)

    @property
    def differences(self) -> int:
        """How many things disagree in all."""
        return sum(part.differences for part in self.parts)


@dataclass(slots=True)
class _Growing:
    """A part while what is said of it is gathered."""

    words: list[tuple[DutyFound, DutyBound | None]] = field(default_factory=list)
    stated: list[Stated] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    numbers: list[Difference] = field(default_factory=list)
    duties: list[DutyDifference] = field(default_factory=list)
    turns: list[TurnDifference] = field(default_factory=list)
    parameters: list[ParameterDifference] = field(default_factory=list)


def compared(text: Text, law: Law, day: date, file: Path | None = None) -> Comparison:
    """A text and its rulebook as it is on a day, by the rulebook's text file or the one named.

    Raises: LawError, of a text file in error.
    """
    written = text_file(law.id, file)
    numbers, stated = number_bindings(written), stated_bindings(written)
    duties, house = duty_bindings(written, law), house_bindings(written)
    places = _Places(text, law)
    growing: dict[str, _Growing] = defaultdict(_Growing)
    if written.numbers is not None:
        for number in compare(text, law, numbers, day):
            growing[places.of(number.eid)].numbers.append(number)
    if written.turns is not None:
        for turn in compare_turns(text, written.turns):
            growing[places.of(turn.eid)].turns.append(turn)
    words = bound_of(duties_in(text), duties or {})
    for found, bound in words:
        growing[places.of(found.eid)].words.append((found, bound))
    for duty in compare_duties(words, duties) if duties is not None else ():
        growing[places.of(duty.eid)].duties.append(duty)
    whole = written.numbers is not None and stated is not None and house is not None
    held = as_held(text, law, numbers, day), stated or {}, house or {}
    nodes = {leaf.eid for leaf in text.leaves()}
    for one in compare_parameters(nodes, law, *held, day, whole=whole):
        growing[places.of(one.eid, one.article)].parameters.append(one)
    _gather_bound(growing, places, numbers, stated or {})
    return Comparison(
        parts=tuple(places.finished(key, growing[key]) for key in places.keys(growing)),
        numbers=sum(1 for _number in numbers_in(text)),
        unwritten=tuple(name for name in TABLES if getattr(written, name) is None),
        house=house or {},
    )


def _gather_bound(
    growing: dict[str, _Growing],
    places: "_Places",
    numbers: Mapping[str, Sequence[Binding]],
    stated: Mapping[str, Sequence[Stated]],
) -> None:
    """What each part states, by a figure or without."""
    for eid, bound in numbers.items():
        names = growing[places.of(eid)].figures
        names += dict.fromkeys(one.parameter for one in bound if one.parameter)
    for eid, listed in stated.items():
        growing[places.of(eid)].stated.extend(listed)


class _Places:
    """The articles and sections of a text by their eIds, and the rulebook's articles beside them.

    An article that is in the rulebook alone has the eId it would have; what has no place has "".
    """

    def __init__(self, text: Text, law: Law) -> None:
        self._law = law
        self._parts = {part.eid: part for part in text.parts()}
        self._of_leaf = {leaf.eid: part.eid for part in text.parts() for leaf in leaves_of(part)}
        self._at = {part.number.lower(): part.eid for part in text.articles}
        self._numbered = any(number.isdecimal() for number in law.articles)

    def of(self, eid: str, article: str = "") -> str:
        """The part a node is in, or would be in; else the part of an article of the rulebook."""
        if eid in self._of_leaf:
            return self._of_leaf[eid]
        number = article_of(eid).lower() or article
        return self._at.get(number, f"art_{number}" if number else "")

    def keys(self, said_of: Iterable[str]) -> list[str]:
        """The parts of the text in its order, then the rulebook's own, then what has no place."""
        absent = [f"art_{n}" for n in self._law.articles if n not in self._at]
        known = [*self._parts, *(absent if self._numbered else ())]
        return [*known, *sorted(set(said_of) - set(known))]

    def finished(self, key: str, grown: _Growing) -> PartCompared:
        """A part with its place, and what it lacks altogether.

        Where the text lacks an article, that is said once, and not of all that would stand in it.
        """
        lack = self._lack(key)
        if lack == "text":
            kept = [one for one in grown.parameters if one.why != "absent"]
            grown = _Growing(stated=grown.stated, figures=grown.figures, parameters=kept)
        return PartCompared(
            article=self._article(key),
            eid=key if key in self._parts else "",
            lack=lack,
            words=tuple(grown.words),
            stated=tuple(grown.stated),
            figures=tuple(grown.figures),
            numbers=tuple(grown.numbers),
            duties=tuple(grown.duties),
            turns=tuple(grown.turns),
            parameters=tuple(grown.parameters),
        )

    def _article(self, key: str) -> str:
        part = self._parts.get(key)
        number = part.number.lower() if isinstance(part, Article) else article_of(key)
        return number if number in self._law.articles else ""

    def _lack(self, key: str) -> Lack:
        number, part = self._article(key), self._parts.get(key)
        if not self._numbered or isinstance(part, Section):
            return ""
        if part is None:
            return "text" if number else ""
        if not number:
            return "rulebook"
        article = self._law.articles[number]
        return "check" if article.duty in _NEED_A_CHECK and not article.upheld_by else ""
