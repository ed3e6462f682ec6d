"""Rulebooks side by side: every figure, reading and check, and what each book says of it.

Pure: books come in, rows go out. A page and docs/side-by-side.md put them into words.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final, Literal, NamedTuple

from casino.law.rulebook.law_text import Value, spelled
from casino.law.rulebook.rulebook import Law, Parameter, Reading

ALIKE: Final = "alike"  # every book that is asked says the same
DIFFERS: Final = "differs"  # two of them say different things
PARTLY: Final = "partly"  # those that say it say the same, and some say nothing
State = Literal["alike", "differs", "partly"]


class Stated(NamedTuple):
    """A figure as one book states it on the day, with the reading it hangs on, if any."""

    law: Law
    parameter: Parameter
    value: Value
    source: str
    reading: Reading | None


class FigureRow(NamedTuple):
    """A figure, and how each book states it; None where it does not."""

    name: str
    stated: tuple[Stated | None, ...]
    state: State


class CheckRow(NamedTuple):
    """A check, and the article each book has it under; '' where it is not asked."""

    name: str
    articles: tuple[str, ...]
    state: State


def figure_rows(laws: Sequence[Law], day: date, order: Iterable[str] = ()) -> list[FigureRow]:
    """Every figure one of the books states on a day: those of `order` first and in its order."""
    names = dict.fromkeys(name for law in laws for name in law.parameters)
    listed = [name for name in order if name in names]
    rows = []
    for name in dict.fromkeys([*listed, *names]):
        stated = tuple(_stated(law, name, day) for law in laws)
        if any(stated):
            said = [None if one is None else spelled(one.value) for one in stated]
            rows.append(FigureRow(name, stated, _state(said)))
    return rows


def check_rows(laws: Sequence[Law]) -> list[CheckRow]:
    """Every check one of the books upholds, in the order of the first that does."""
    names = dict.fromkeys(check for law in laws for check in law.checks)
    rows = []
    for name in names:
        articles = tuple(law.checks.get(name, "") for law in laws)
        rows.append(CheckRow(name, articles, _state([bool(one) or None for one in articles])))
    return rows


def _stated(law: Law, name: str, day: date) -> Stated | None:
    parameter = law.parameters.get(name)
    held = parameter.on(day) if parameter is not None else None
    if parameter is None or held is None:
        return None
    return Stated(law, parameter, held.value, held.source, readings_of(law).get(name))


def readings_of(law: Law) -> Mapping[str, Reading]:
    """A book's readings by the figure each switches."""
    return {reading.parameter: reading for reading in law.readings.values()}


def _state(said: Sequence[object | None]) -> State:
    stated = {one for one in said if one is not None}
    if len(stated) > 1:
        return "differs"
    return "partly" if None in said else "alike"
