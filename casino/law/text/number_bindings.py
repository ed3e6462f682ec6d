"""What each number of an official text is: a figure of the rulebook, or none, with the reason.

The table `numbers` of a rulebook's text file says it by eId, in the order of the node: figures,
names of parameters and reasons alone, no word of the text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from typing import Final, Literal

from casino.events.phrases import Phrase
from casino.law.rulebook.law_text import LawError, Value
from casino.law.rulebook.rulebook import Law
from casino.law.text.legal_text import Text
from casino.law.text.text_file import TextFile, text_file
from casino.law.text.text_numbers import NumberFound, numbers_in

# Why a number is no figure: it cites an article or an act; says when a rule holds; counts what the
# sentence speaks of, and leaves nothing to choose; belongs to a date or a name; is a card's rank;
# stands aside of the rules, in an example or a game at home.
REASONS: Final = frozenset({"citation", "condition", "counts", "date", "name", "rank", "aside"})
Why = Literal["unexplained", "differs", "absent"]


@dataclass(frozen=True, slots=True)
class Binding:
    """What a number is said to be: `of` is a parameter's name or one of `REASONS`."""

    value: Fraction
    of: str

    @property
    def parameter(self) -> str:
        """The parameter's name; "" of what is no figure."""
        return "" if self.of in REASONS else self.of


@dataclass(frozen=True, slots=True)
class Difference:
    """A number of the text and what is said of it disagree.

    `unexplained`: nothing is said of it. `differs`: something is said of another value, or the
    parameter has another on that day. `absent`: what is said stands in the text no more.
    `stated` is the value the rulebook has, None where none is asked or it has none.
    """

    why: Why
    eid: str
    n: int
    found: NumberFound | None
    bound: Binding | None
    stated: Value | None = None


def bindings_of(rulebook: str, file: Path | None = None) -> Mapping[str, Sequence[Binding]]:
    """What is said of the numbers of a rulebook's text, by eId; nothing, where nobody said it.

    Raises: LawError, for a file that is not as described in text_file.py.
    """
    return number_bindings(text_file(rulebook, file))


def number_bindings(bound_file: TextFile) -> Mapping[str, Sequence[Binding]]:
    """The table `numbers` of a file. Raises: LawError, at what is no figure, or none's use."""
    return {
        eid: tuple(_binding(bound_file.name, eid, one) for one in listed)
        for eid, listed in (bound_file.numbers or {}).items()
    }


def _binding(file: str, eid: str, written: str) -> Binding:
    figure, _, of = written.partition(" ")
    asked = Phrase("a figure, a blank, a parameter or a reason")
    if of not in REASONS and "." not in of:
        raise LawError(file, eid, repr(written), asked)
    try:
        return Binding(Fraction(figure), of)
    except (ValueError, ZeroDivisionError) as error:
        raise LawError(file, eid, repr(written), asked) from error


def compare(
    text: Text, law: Law, bindings: Mapping[str, Sequence[Binding]], day: date
) -> Iterator[Difference]:
    """Every number of a text that is not explained, or not as the rulebook has it on a day; and
    what is said of numbers that are not there.
    """
    met: dict[str, int] = {}
    for number in numbers_in(text):
        met[number.eid] = number.n
        listed = bindings.get(number.eid, ())
        bound = listed[number.n - 1] if number.n <= len(listed) else None
        if bound is None:
            yield Difference("unexplained", number.eid, number.n, number, None)
            continue
        held = law.parameters[bound.of].on(day) if bound.of in law.parameters else None
        stated = None if held is None else held.value
        unknown = bound.parameter and held is None
        if unknown or not _agrees(law, bound, number.value, day):
            yield Difference("differs", number.eid, number.n, number, bound, stated)
    for eid, listed in bindings.items():
        for n in range(met.get(eid, 0) + 1, len(listed) + 1):
            yield Difference("absent", eid, n, None, listed[n - 1])


def _agrees(law: Law, bound: Binding, written: Fraction, day: date) -> bool:
    """Whether a number of a text is what is said of it; where the parameter has become another
    since that was said, whether it is that one.
    """
    held = law.parameters[bound.of].on(day) if bound.of in law.parameters else None
    if held is None or has(held.value, bound.value):
        return written == bound.value
    return _moved(law, bound, written, day)


def as_held(
    text: Text, law: Law, bindings: Mapping[str, Sequence[Binding]], day: date
) -> Mapping[str, Sequence[Binding]]:
    """What is said of the numbers of a text, those changed since that agree with the rulebook of a
    day as they stand in the text.
    """
    there: dict[str, list[Fraction]] = {}
    for number in numbers_in(text):
        there.setdefault(number.eid, []).append(number.value)
    return {
        eid: tuple(
            replace(one, value=found) if _moved(law, one, found, day) else one
            for one, found in zip_longest(listed, there.get(eid, ())[: len(listed)])
        )
        for eid, listed in bindings.items()
    }


def _moved(law: Law, bound: Binding, written: Fraction | None, day: date) -> bool:
    """Whether the parameter was once what is bound, and is now what is written."""
    parameter = law.parameters.get(bound.of)
    held = None if parameter is None else parameter.on(day)
    if parameter is None or held is None or written is None or has(held.value, bound.value):
        return False
    before = (dated.value for dated in parameter.values if dated.since < held.since)
    return has(held.value, written) and any(has(value, bound.value) for value in before)


def has(value: Value, figure: Fraction) -> bool:
    """Whether a parameter's value is, or contains, a figure: one of several, a side of a ratio.

    A rule that a parameter states as yes or by a word has one figure only: one.
    """
    if isinstance(value, bool | str):
        return figure == 1
    if isinstance(value, tuple):
        return figure in value
    if isinstance(value, Fraction):
        return figure in {value, Fraction(value.numerator), Fraction(value.denominator)}
    return figure == value
