"""Whether a text is the one of its rulebook: its language, its articles, its numbers."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final

from casino.law.rulebook.law_text import Value, spelled
from casino.law.rulebook.rulebook import Law
from casino.law.text.legal_text import Article, Item, Section, Text
from casino.law.text.number_bindings import Difference, bindings_of, compare, has
from casino.law.text.text_comparison import Comparison, compared
from casino.law.text.text_numbers import numbers_in
from casino.law.text.text_source import UNDETERMINED

# The languages of the word a rulebook cites its text by (`cites`).
_CITED_IN: Final = {
    "n.º": ("pt",),
    "secção": ("pt",),
    "seção": ("pt",),
    "sección": ("es",),
    "section": ("en", "fr"),
}


def languages_of(law: Law) -> tuple[str, ...]:
    """The languages a rulebook's text may be in, by how it is cited; none where that says none."""
    return _CITED_IN.get(law.cites, ())


@dataclass(frozen=True, slots=True)
class Review:
    """What a text has and lacks of what its rulebook cites.

    `articles` are those of the rulebook, `absent` those of them that are not in the text; both are
    empty where the rulebook cites headings. `differing` are numbers whose parameter has another
    value, `others` whatever else `compare` finds; both are None where nobody bound the numbers.
    `comparison` has all that, and duties, words and parameters, by article.
    """

    other_language: bool
    articles: tuple[str, ...]
    absent: tuple[str, ...]
    differing: tuple[Difference, ...] | None
    others: tuple[Difference, ...] | None
    comparison: Comparison

    @property
    def absent_runs(self) -> tuple[str, ...]:
        """The articles that are not in the text, those that follow each other as `26–61`."""
        runs: list[list[str]] = []
        for number in self.absent:
            if runs and int(number) == int(runs[-1][-1]) + 1:
                runs[-1].append(number)
            else:
                runs.append([number])
        return tuple(run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)

    @property
    def present(self) -> int:
        """How many of the rulebook's articles are in the text."""
        return len(self.articles) - len(self.absent)


def reviewed(text: Text, law: Law, day: date) -> Review:
    """A text as its rulebook has it on a day. Raises: LawError, of a text file in error."""
    cited_in = languages_of(law) or (text.language,)
    known = text.language != UNDETERMINED
    numbered = tuple(number for number in law.articles if number.isdecimal())
    there = {article.number for article in text.articles}
    comparison = compared(text, law, day)
    found = [one for part in comparison.parts for one in part.numbers]
    bound = "numbers" not in comparison.unwritten
    return Review(
        other_language=known and text.language not in cited_in,
        articles=numbered,
        absent=tuple(number for number in numbered if number not in there),
        differing=tuple(filter(_is_another_value, found)) if bound else None,
        others=tuple(one for one in found if not _is_another_value(one)) if bound else None,
        comparison=comparison,
    )


def other_values(text: Text, law: Law, day: date) -> tuple[Difference, ...]:
    """Numbers of a text whose parameter has another value. Raises: LawError, as above."""
    bindings = bindings_of(law.id)
    found = compare(text, law, bindings, day) if bindings else ()
    return tuple(filter(_is_another_value, found))


def figures_of_text(text: Text, law: Law, day: date) -> dict[str, str]:
    """The parameters of which a text has another figure than the rulebook on a day, each as its
    file would spell the text's; not those a word states. Raises: LawError, as above.
    """
    numbered = [number for number in law.articles if number.isdecimal()]
    known = {article.number for article in text.articles}.intersection(numbered)
    if 2 * len(known) < len(numbered):
        return {}  # another text than the rulebook's: what stands where says nothing
    whole = _whole_nodes(text, law)
    held: dict[str, Value] = {}
    instead: dict[str, list[Fraction]] = {}
    for one in other_values(text, law, day):
        assert one.found is not None
        assert one.bound is not None
        if one.stated is None or isinstance(one.stated, bool | str) or one.eid not in whole:
            continue
        name = one.bound.parameter
        held[name] = one.stated
        numbers = instead.setdefault(name, _numbers(one.stated))
        if one.bound.value in numbers:
            numbers[numbers.index(one.bound.value)] = one.found.value
        elif len(numbers) == 1:  # which became another since it was said which number it is
            numbers[0] = one.found.value
        elif one.bound.value == one.stated:  # a ratio in one: a half
            found = one.found.value
            numbers[:] = [Fraction(found.numerator), Fraction(found.denominator)]
    return {
        name: _spelled(held[name], numbers)
        for name, numbers in instead.items()
        if numbers != _numbers(held[name]) and all(one.denominator == 1 for one in numbers)
    }


def _whole_nodes(text: Text, law: Law) -> set[str]:
    """The nodes that have as many numbers as are said of them: of the others nobody knows which
    number is which.
    """
    there = Counter(number.eid for number in numbers_in(text))
    return {eid for eid, listed in bindings_of(law.id).items() if there[eid] == len(listed)}


def _numbers(value: Value) -> list[Fraction]:
    """The figures a value is made of; of a ratio its two sides."""
    if isinstance(value, tuple):
        return [Fraction(one) for one in value]
    if isinstance(value, Fraction):
        return [Fraction(value.numerator), Fraction(value.denominator)]
    assert not isinstance(value, str)
    return [Fraction(value)]


def _spelled(value: Value, numbers: list[Fraction]) -> str:
    """Such figures as the rulebook's file spells a value of the same form."""
    whole = [one.numerator for one in numbers]
    if isinstance(value, tuple):
        return spelled(tuple(sorted(set(whole))))
    return "/".join(map(str, whole))


def _is_another_value(difference: Difference) -> bool:
    found, bound, stated = difference.found, difference.bound, difference.stated
    if difference.why != "differs" or found is None or bound is None or not bound.parameter:
        return False
    return stated is None or not has(stated, found.value)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands: its article (None of a section's), and what is printed below it."""

    article: Article | None
    paragraph: str = ""
    letters: tuple[str, ...] = ()


def place_of(text: Text, eid: str) -> Place:
    """Where the node with this eId stands; of one that is not there, nowhere."""
    parts: list[Article | Section] = [*text.articles, *text.sections]
    for part in parts:
        article = part if isinstance(part, Article) else None
        for paragraph in part.paragraphs:
            number = paragraph.number if paragraph.printed else ""
            if paragraph.eid == eid:
                return Place(article, number)
            for letters in _way_to(paragraph.items, eid):
                return Place(article, number, letters)
    return Place(None)


def _way_to(items: tuple[Item, ...], eid: str) -> Iterator[tuple[str, ...]]:
    for item in items:
        if item.eid == eid:
            yield (item.letter,)
        for below in _way_to(item.items, eid):
            yield (item.letter, *below)
