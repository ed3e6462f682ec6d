"""The shapes of a rulebook, and what of it is in force on a day.

Reached through `law.py`, which reads the files. This module must not know any rule of the game: it
hands out figures by name and never a default.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final, Literal, NoReturn

from casino.events.phrases import Phrase
from casino.events.requests import FiguresSet
from casino.law.dossier import RecordedEvent
from casino.law.rulebook import controls
from casino.law.rulebook.law_text import LawError, Value, listed, spelled

Duty = Literal["definition", "rule", "procedure", "discretion", "dispensation"]
WaitsFor = Literal["floor", "jackpot"]
RecordedSet = RecordedEvent[FiguresSet]

_DAYS_KEPT: Final = 4096  # gaming days remembered by one Law; a file of ten years has 3 653


class UnknownParameter(LookupError):
    """A rulebook was asked for a figure it does not state, or does not state yet on that day."""

    def __init__(self, rulebook: str, parameter: str, since: date | None = None) -> None:
        super().__init__(rulebook, parameter, since)
        self.rulebook = rulebook
        self.parameter = parameter
        self.since = since

    def __str__(self) -> str:
        said = f"rulebook '{self.rulebook}' does not state '{self.parameter}'"
        return said if self.since is None else f"{said} before {self.since.isoformat()}"


@dataclass(frozen=True, slots=True)
class Article:
    """One article, or one section of a book without articles: our summary and its checks.

    `number` is what a finding cites. `waits_for` names the room that will bring its checks, or the
    rest of them.
    """

    number: str
    heading_pt: str
    heading_en: str
    summary_pt: str
    summary_en: str
    duty: Duty
    kind: str
    upheld_by: tuple[str, ...]
    waits_for: WaitsFor | None = None


@dataclass(frozen=True, slots=True)
class DatedValue:
    """A figure from the day on which it holds, where it stands and when somebody last looked."""

    since: date
    value: Value
    source: str
    confirmed_on: date

    @property
    def of_house(self) -> bool:
        """Whether the house chose it, because the text states none: its source begins so."""
        return self.source.startswith("our ")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One figure of the law through time; `values` in rising order of their dates."""

    name: str
    article: str
    unit: str
    values: tuple[DatedValue, ...]

    def on(self, day: date) -> DatedValue | None:
        """The value in force on a day; None before the first."""
        held = [dated for dated in self.values if dated.since <= day]
        return held[-1] if held else None


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to read a passage that leaves room."""

    value: Value
    means_pt: str
    means_en: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A named interpretation: the choice adopted, its reason, the others, and its parameter."""

    id: str
    articles: tuple[str, ...]
    parameter: str
    choice: Value
    choices: tuple[Choice, ...]
    reason_pt: str
    reason_en: str
    waits_for: WaitsFor | None = None


@dataclass(frozen=True, slots=True)
class Instrument:
    """The act a rulebook is the text of; '' and None where there is no such thing.

    `line` names the acts before it and the law it was made under. `confirmed_by` is the lawyer who
    confirmed all this for the house.
    """

    name_pt: str
    name_en: str
    number: str = ""
    day: date | None = None
    line_pt: str = ""
    line_en: str = ""
    confirmed_by: str = ""
    confirmed_on: date | None = None

    @property
    def waits(self) -> bool:
        """Whether nobody has confirmed yet that this is the act."""
        return bool(self.number) and not self.confirmed_by

    def cited(self, language: str, waits: str = "") -> str:
        """The act as a finding cites it: number, day, and that it is not confirmed yet.

        A third language names it as its own country does, in Portuguese, and has `waits` for that.
        """
        pt = language != "en"
        if not self.number:
            return self.name_pt if pt else self.name_en
        day = "" if self.day is None else f"{', de ' if pt else ' of '}{self.day:%d/%m/%Y}"
        waits = waits or (
            "a confirmar pelo jurista da casa" if pt else "not confirmed by a lawyer yet"
        )
        return f"{self.number}{day}{f' ({waits})' if self.waits else ''}"


class Values(dict[str, Any]):
    """Parameter values by name; asking for one that is not stated raises UnknownParameter."""

    __slots__ = ("rulebook", "starts")

    def __init__(self, rulebook: str, values: Mapping[str, Value], starts: dict[str, date]) -> None:
        super().__init__(values)
        self.rulebook = rulebook
        self.starts = starts

    def __missing__(self, name: str) -> NoReturn:
        raise UnknownParameter(self.rulebook, name, self.starts.get(name))


@dataclass(frozen=True, slots=True, eq=False)
class LawInForce:
    """What a rulebook asks on one day. `values` may be indexed directly where speed counts."""

    rulebook: str
    values: Values
    cited: Mapping[str, str]

    def __getitem__(self, name: str) -> Any:
        """The value of a parameter. Raises: UnknownParameter, never a default."""
        return self.values[name]

    def states(self, name: str) -> bool:
        """Whether this rulebook states that parameter on this day."""
        return name in self.values

    def article_of(self, check: str) -> str | None:
        """The article a check upholds in this rulebook; None where the book has no such rule.

        A control of the house (`controls`) cites the house's own.
        """
        return self.cited.get(check)


@dataclass(frozen=True, eq=False)
class Law:
    """One rulebook whole. `digest` is the SHA-256 of its file in hex.

    `switched` holds the readings a caller chose otherwise than the file adopts them. `sets` are
    those of the book that are among its figures (`figure_sets`): then `digest` is over them too,
    and `of_file` the file's own.
    """

    id: str
    title_pt: str
    title_en: str
    source: str
    cites: str
    digest: str
    articles: dict[str, Article]
    parameters: dict[str, Parameter]
    readings: dict[str, Reading]
    switched: dict[str, Value] = field(default_factory=dict)
    instrument: Instrument | None = None
    sets: tuple[RecordedSet, ...] = ()
    of_file: str = ""
    _days: dict[date, LawInForce] = field(init=False, repr=False)
    _segments: dict[int, LawInForce] = field(init=False, repr=False)
    _changes: tuple[date, ...] = field(init=False, repr=False)
    _cited: dict[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        changes = {dated.since for p in self.parameters.values() for dated in p.values}
        cited = {check: a.number for a in self.articles.values() for check in a.upheld_by}
        object.__setattr__(self, "_days", {})
        object.__setattr__(self, "_segments", {})
        object.__setattr__(self, "_changes", tuple(sorted(changes)))
        object.__setattr__(self, "_cited", cited)

    @property
    def title(self) -> str:
        """The title in Portuguese, the first language of the house."""
        return self.title_pt

    @property
    def checks(self) -> dict[str, str]:
        """Every check of this rulebook and the article it upholds."""
        return dict(self._cited)

    def counterpart(self, other_law: "Law", number: str) -> str | None:
        """The article of this book that upholds what another book's article does; None for none."""
        if self.id == other_law.id:
            return number if number in self.articles else None
        asked = other_law.articles[number].upheld_by if number in other_law.articles else ()
        return next((self._cited[check] for check in asked if check in self._cited), None)

    def on(self, day: date) -> LawInForce:
        """The law in force on a gaming day; the same object for all days between two changes."""
        known = self._days.get(day)
        if known is not None:
            return known
        segment = bisect_right(self._changes, day)
        rules = self._segments.get(segment)
        if rules is None:
            rules = self._segments[segment] = self._in_force(day)
        if len(self._days) >= _DAYS_KEPT:
            self._days.clear()
        self._days[day] = rules
        return rules

    def adopted(self, reading: Reading, day: date) -> Value:
        """The choice of a reading that holds on a day; before its first, as the file adopts it."""
        held = self.parameters[reading.parameter].on(day)
        return reading.choice if held is None else held.value

    def _in_force(self, day: date) -> LawInForce:
        held = {name: parameter.on(day) for name, parameter in self.parameters.items()}
        values = {name: dated.value for name, dated in held.items() if dated is not None}
        starts = {name: p.values[0].since for name, p in self.parameters.items()}
        cited = {**controls.cited(values), **self._cited}
        return LawInForce(self.id, Values(self.id, values, starts), cited)

    def as_on(self, day: date) -> "Law":
        """This law as it stood on a day, on every day. What it did not state yet it does not state.

        Raises: LawError, for a day before the first on which it states anything.
        """
        if not self._changes or day < self._changes[0]:
            first = self._changes[0].isoformat() if self._changes else "–"
            asked = Phrase("a day from {first} on, when it began", first=first)
            raise LawError(self.id, "rulebook", day.isoformat(), asked)
        held = {name: (each, each.on(day)) for name, each in self.parameters.items()}
        first_day = self._changes[0]
        parameters = {
            name: replace(each, values=(replace(value, since=first_day),))
            for name, (each, value) in held.items()
            if value is not None
        }
        return replace(self, parameters=parameters)

    def with_readings(self, choices: Mapping[str, Value]) -> "Law":
        """This law with readings switched, on every day; choices as values or as the file spells.

        Raises: LawError, for a reading or a choice that does not exist, listing those that do.
        """
        readings, parameters = dict(self.readings), dict(self.parameters)
        switched = dict(self.switched)
        for name, wanted in choices.items():
            if name not in readings or readings[name].parameter not in parameters:
                raise LawError(
                    self.id,
                    f"reading.{name}",
                    Phrase("no such reading"),
                    Phrase("one of {there}", there=listed(readings)),
                )
            reading = readings[name]
            value = _choice_called(self.id, reading, wanted)
            parameter = parameters[reading.parameter]
            if name not in switched and all(value == d.value for d in parameter.values):
                continue  # what the file adopts on every day is no switch
            first = replace(
                parameter.values[0], value=value, source=f"reading {name} = {spelled(value)}"
            )
            readings[name] = replace(reading, choice=value)
            parameters[parameter.name] = replace(parameter, values=(first,))
            switched[name] = value
        return replace(self, readings=readings, parameters=parameters, switched=switched)


def _choice_called(book: str, reading: Reading, wanted: Value) -> Value:
    for choice in reading.choices:
        # Compared as written, so that `True` is not taken for 1 and a command line's "true" fits.
        if spelled(choice.value) == spelled(wanted):
            return choice.value
    there = listed([spelled(choice.value) for choice in reading.choices])
    asked = Phrase("one of {there}", there=there)
    raise LawError(book, f"reading.{reading.id}", repr(wanted), asked)
