"""Where an official text states each parameter of its rulebook, or why it does not.

A figure is bound by the table `numbers` of a rulebook's text file; what no figure states (a choice,
yes or no, a number the text writes as an article of speech) by `stated`, with its value; what the
house chose because the words leave it open by `house`, with its value and the reason.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Final, Literal

from casino.events.phrases import Phrase
from casino.law.rulebook.figure_sets import set_by
from casino.law.rulebook.law_text import LawError, Value, listed, spelled
from casino.law.rulebook.rulebook import Law
from casino.law.text.number_bindings import Binding
from casino.law.text.text_file import Lists, TextFile

# Why the house chose a parameter: how near is near enough; by when something is done at once or in
# time; the least of what the text does not count; how rare a false alarm has to be; what would
# hold under a reading that is not adopted.
HOUSE_REASONS: Final = frozenset({"tolerance", "time", "least", "rate", "other_choice"})
Numbers = Mapping[str, Sequence[Binding]]


@dataclass(frozen=True, slots=True)
class Stated:
    """A parameter and the value that stands for it, as a rulebook spells it; where the house chose
    it, why: one of `HOUSE_REASONS`.
    """

    value: str
    parameter: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ParameterDifference:
    """A parameter and the text disagree.

    `differs`: the rulebook has `held` on that day, None of nothing, and `said` is what the words
    state. `nowhere`: no word of the text is bound to it, and the house did not choose it.
    `chosen`: it is said to be the house's own, and its source is another. `absent`: the node that
    states it is not in the text.
    """

    why: Literal["differs", "nowhere", "chosen", "absent"]
    parameter: str
    article: str
    eid: str
    said: str
    held: Value | None


def stated_bindings(bound_file: TextFile) -> Mapping[str, Sequence[Stated]] | None:
    """The table `stated` of a file, by eId; None where nobody wrote it. Raises: LawError."""
    return _bindings(bound_file.name, "stated", bound_file.stated)


def house_bindings(bound_file: TextFile) -> Mapping[str, Sequence[Stated]] | None:
    """The table `house` of a file, by eId; None where nobody wrote it. Raises: LawError."""
    return _bindings(bound_file.name, "house", bound_file.house)


def _bindings(file: str, table: str, there: Lists | None) -> Mapping[str, Sequence[Stated]] | None:
    if there is None:
        return None
    return {
        eid: tuple(_stated(file, f"{table}.{eid}", one, table == "house") for one in written)
        for eid, written in there.items()
    }


def _stated(file: str, key: str, written: str, of_house: bool) -> Stated:
    """`6 decks.allowed`, and of the house's own a reason behind it."""
    said = written.rsplit(" ", 2 if of_house else 1)
    asked = Phrase("a value, a blank, a parameter")
    if of_house:
        asked = Phrase("a value, a parameter, one of {there}", there=listed(HOUSE_REASONS))
    reasoned = not of_house or said[-1] in HOUSE_REASONS
    if len(said) != 2 + of_house or not said[0] or "." not in said[1] or not reasoned:
        raise LawError(file, key, repr(written), asked)
    return Stated(*said)


def compare_parameters(
    there: Collection[str],
    law: Law,
    numbers: Numbers,
    stated: Mapping[str, Sequence[Stated]],
    house: Mapping[str, Sequence[Stated]],
    day: date,
    *,
    whole: bool = True,
) -> Iterator[ParameterDifference]:
    """Every parameter of a rulebook that its text states otherwise, or nowhere, on a day.

    `there` are the eIds of the text's nodes. Without `whole` what is bound is not all there is,
    and nothing is said of the rest.
    """
    by_words = {(eid, one.parameter): one for eid, listed_ in stated.items() for one in listed_}
    figures = _figures(numbers)
    in_words = {parameter for _eid, parameter in by_words}
    for (eid, name), one in by_words.items():
        held = _held(law, name, day)
        if held is None or (spelled(held) != one.value and not _read_by_two(law, name, day)):
            yield _difference("differs", law, name, eid, one.value, held)
        elif eid not in there:
            yield _difference("absent", law, name, eid, one.value, held)
    for name, bound in figures.items():
        held = _held(law, name, day)
        found = [value for _eid, value in bound]
        if name not in in_words and (held is None or not made_of(held, found)):
            said = ", ".join(str(value) for value in dict.fromkeys(found))
            yield _difference("differs", law, name, bound[0][0], said, held)
    bound_there = {*in_words, *figures}
    yield from _compare_house(law, house, bound_there, day)
    chosen = {one.parameter for listed_ in house.values() for one in listed_}
    for name in law.parameters if whole else ():
        held = _held(law, name, day)
        if held is not None and name not in bound_there | chosen:
            yield _difference("nowhere", law, name, "", "", held)


def _compare_house(
    law: Law, house: Mapping[str, Sequence[Stated]], bound: set[str], day: date
) -> Iterator[ParameterDifference]:
    chosen = {one.parameter: (eid, one.value) for eid, listed_ in house.items() for one in listed_}
    for name, (eid, value) in chosen.items():
        held = _held(law, name, day)
        if held is None or spelled(held) != value:
            yield _difference("differs", law, name, eid, value, held)
        dated = law.parameters[name].on(day) if name in law.parameters else None
        if name in bound or (dated is not None and not dated.of_house):
            yield _difference("chosen", law, name, eid, value, held)


def _difference(
    why: Literal["differs", "nowhere", "chosen", "absent"],
    law: Law,
    name: str,
    eid: str,
    said: str,
    held: Value | None,
) -> ParameterDifference:
    article = law.parameters[name].article if name in law.parameters else ""
    return ParameterDifference(why, name, article, eid, said, held)


def _read_by_two(law: Law, name: str, day: date) -> bool:
    """Whether two persons set how the words are read: the words are then what they were."""
    held = law.parameters[name].on(day)
    adopted = name in {reading.parameter for reading in law.readings.values()}
    return adopted and held is not None and set_by(law, name, held.since) is not None


def _held(law: Law, name: str, day: date) -> Value | None:
    dated = law.parameters[name].on(day) if name in law.parameters else None
    return None if dated is None else dated.value


def _figures(numbers: Numbers) -> Mapping[str, list[tuple[str, Fraction]]]:
    """Every parameter that figures state: the nodes they stand in and their values."""
    found: dict[str, list[tuple[str, Fraction]]] = {}
    for eid, listed_ in numbers.items():
        for one in listed_:
            if one.parameter:
                found.setdefault(one.parameter, []).append((eid, one.value))
    return found


def made_of(value: Value, figures: Sequence[Fraction]) -> bool:
    """Whether these figures, in their order, are a parameter's whole value: all of several; a
    ratio, or its two sides in turn.

    What is yes or a word has no figure of its own: it is in `stated`.
    """
    if isinstance(value, bool | str):
        return False
    if isinstance(value, Fraction):
        sides = [Fraction(value.numerator), Fraction(value.denominator)]
        rest = [figure for figure in figures if figure != value]
        return any(one == sides * (len(one) // 2) for one in (list(figures), rest))
    return set(figures) == {
        Fraction(one) for one in (value if isinstance(value, tuple) else (value,))
    }
