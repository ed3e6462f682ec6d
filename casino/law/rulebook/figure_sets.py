"""Figures of a rulebook that two persons set in the book, and the law they make of the file's.

A set counts where the book shows who asked for it, that another of the direction approved, and that
both came before its first day: so no night that was played is judged otherwise by it. The law in
use is the file's with the sets that count added as dated values, in the order of the book; a set of
the same figure that is recorded later holds instead of the earlier one from its own day on. What
the file states for a later day still holds from that day. Of no article: it says how each figure of
every article is changed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Final, Literal, NamedTuple

from casino.events.event import HOUSE, EntryRef
from casino.events.event_policy import DIRECTION
from casino.events.phrases import Phrase
from casino.events.requests import FiguresAsked, FiguresSet, FigureValue, RequestDecided
from casino.events.shape import fields_of
from casino.law.dossier import AnyRecorded
from casino.law.rulebook.law_text import (
    CHOICE,
    RATIO,
    LawError,
    Table,
    Value,
    listed,
    spelled,
)
from casino.law.rulebook.rulebook import DatedValue, Law, Parameter, RecordedSet
from casino.law.rulebook.strictness import refuse_what_nobody_knows

# The kinds of entry of which a set stands: what is asked, decided and recorded.
KINDS: Final = (FiguresAsked, RequestDecided, FiguresSet)
_ALIKE: Final = tuple(field.name for field in fields_of(FiguresAsked))

Why = Literal["persons", "day"]
# Of a figure of a set on a day: it held, holds, will hold, or a later set took its place before it
# ever held.
State = Literal["before", "held", "later", "replaced"]
Figures = FiguresAsked | FiguresSet


class Paired(NamedTuple):
    """The sets that count, in the order of the book; the others, each with what it lacks."""

    counting: tuple[RecordedSet, ...]
    alone: tuple[tuple[RecordedSet, Why], ...]


def paired(of_sets: Iterable[AnyRecorded]) -> Paired:
    """Which sets count, of the entries of KINDS that belong to each set.

    `persons`: nobody asked for exactly this, or no other person of the direction approved it in the
    same act. `day`: its first day had begun when it was recorded.
    """
    there = {one.n: one for one in of_sets if one.stream == HOUSE}
    counting: list[RecordedSet] = []
    alone: list[tuple[RecordedSet, Why]] = []
    used: set[int] = set()
    for _n, one in sorted(there.items()):
        if not isinstance(one.event, FiguresSet):
            continue
        asked_n = one.event.asked.n
        if asked_n in used or not _of_two(one, there.get(asked_n), there.get(one.n - 1)):
            alone.append((one, "persons"))
        elif one.event.since <= max(one.gaming_day, _day_before(one.recorded_at)):
            alone.append((one, "day"))
        else:
            used.add(asked_n)
            counting.append(one)
    return Paired(tuple(counting), tuple(alone))


def _day_before(moment: datetime) -> date:
    """The calendar day before a moment's, in UTC: a night that began on it may still be played."""
    return moment.astimezone(UTC).date() - timedelta(days=1)


def _of_two(
    figure_set: RecordedSet, request: AnyRecorded | None, decision: AnyRecorded | None
) -> bool:
    """Whether one of the direction asked for this very set and another approved it."""
    asked = figure_set.event.asked
    if request is None or decision is None or request.leaf != asked.leaf:
        return False
    return (
        isinstance(request.event, FiguresAsked)
        and same_figures(request.event, figure_set.event)
        and isinstance(decision.event, RequestDecided)
        and decision.event.decision == "approved"
        and decision.event.asked == asked
        and decision.by.staff.casefold() == figure_set.by.staff.casefold()
        and request.by.staff.casefold() != figure_set.by.staff.casefold()
        and {request.by.office, decision.by.office} <= DIRECTION
    )


def same_figures(figures: FiguresAsked, figures_set: FiguresSet) -> bool:
    """Whether a set says all that was asked for and nothing else."""
    return all(getattr(figures, name) == getattr(figures_set, name) for name in _ALIKE)


def set_of(figures: FiguresAsked, request: EntryRef) -> FiguresSet:
    """What is recorded where a request, the entry so named, is approved: word for word the same."""
    return FiguresSet(asked=request, **{name: getattr(figures, name) for name in _ALIKE})


def with_sets(law: Law, sets: Sequence[RecordedSet]) -> Law:
    """The law in use: a rulebook as its file states it, and the sets of it that count, in order.

    A set the rulebook could not hold as it is now (a figure that was renamed) is left out whole,
    and is none of the result's `sets`. Without sets it is the law itself, digest and all.
    """
    used = law
    for one in sets:
        if one.event.rulebook == law.id:
            try:
                used = _with(law, used, one)
            except LawError:
                continue
    return used


def proposed(of_file: Law, used: Law, figures: Figures, confirmed_on: date) -> Law:
    """The law in use as a set would make it; `of_file` is the same as its file states it.

    Raises: LawError, as the file's own reader says it, for a figure the rulebook does not have, a
    value not of its form, and values with which no rulebook would be taken.
    """
    values = {each.parameter: value_of(used, each) for each in figures.figures}
    law = _law_of(of_file, used, figures, values, confirmed_on)
    refuse_what_nobody_knows(_file(law), law)
    return law


def _file(law: Law) -> str:
    return f"{law.id}.toml"


def value_of(law: Law, figure: FigureValue) -> Value:
    """A figure's value, read as the rulebook's file is. Raises: LawError."""
    key = f'parameter."{figure.parameter}"'
    parameter = law.parameters.get(figure.parameter)
    if parameter is None:
        raise LawError(
            _file(law),
            key,
            Phrase("a figure this rulebook does not have"),
            Phrase("one of {there}", there=listed(law.parameters)),
        )
    table = Table(_file(law), key, {"is": _raw(figure.value, parameter.unit)}, {"is"})
    value = table.value("is", parameter.unit)
    several = isinstance(parameter.values[-1].value, tuple)
    if isinstance(value, tuple) != several:
        asked = Phrase("several numbers, like [9, 10, 11]") if several else Phrase("one number")
        raise table.error("is", spelled(value), asked)
    for reading in law.readings.values():
        there = [spelled(choice.value) for choice in reading.choices]
        if reading.parameter == parameter.name and spelled(value) not in there:
            raise table.error("is", spelled(value), Phrase("one of {there}", there=listed(there)))
    return value


def _raw(written: str, unit: str) -> object:
    """A value as the file's reader meets it, from how the file spells it."""
    if unit in (CHOICE, RATIO):
        return written
    try:
        return json.loads(written, parse_float=str)
    except (ValueError, RecursionError):
        return written  # which the reader refuses, and says what was found


def _with(of_file: Law, used: Law, figure_set: RecordedSet) -> Law:
    """Raises: LawError."""
    law = proposed(of_file, used, figure_set.event, figure_set.gaming_day)
    sets = (*used.sets, figure_set)
    return replace(law, sets=sets, of_file=of_file.digest, digest=digest_of(of_file.digest, sets))


def _law_of(
    of_file: Law,
    used: Law,
    figures: Figures,
    values: Mapping[str, Value],
    confirmed_on: date,
) -> Law:
    """The law with these values from the set's day on, in the place of earlier sets' from there."""
    switched = {reading.parameter: reading.id for reading in used.readings.values()}
    parameters = dict(used.parameters)
    for name, value in values.items():
        source = f"our choice, {figures.source}" if figures.basis == "house" else figures.source
        if name in switched:
            source = f"{source}, reading {switched[name]}"
        added = DatedValue(figures.since, value, source, confirmed_on)
        parameters[name] = _dated(of_file.parameters[name], parameters[name], added)
    return replace(used, parameters=parameters)


def _dated(stated_in: Parameter, used: Parameter, added: DatedValue) -> Parameter:
    """A figure through time with one more value: the file's other days, and earlier sets' before
    its own.
    """
    stated = {dated.since: dated for dated in stated_in.values}
    earlier = {dated.since: dated for dated in used.values if dated.since < added.since}
    values = stated | earlier | {added.since: added}
    return replace(used, values=tuple(values[day] for day in sorted(values)))


def changes_nothing(used: Law, law: Law, parameter: str, since: date) -> bool:
    """Whether a figure is in a law on every day from one on what it is in the law used now."""
    before, then = used.parameters[parameter], law.parameters[parameter]
    days = {since, *(one.since for one in (*before.values, *then.values) if one.since > since)}
    return all(_value_on(before, day) == _value_on(then, day) for day in days)


def _value_on(parameter: Parameter, day: date) -> Value | None:
    dated = parameter.on(day)
    return None if dated is None else dated.value


def set_by(law: Law, parameter: str, since: date) -> RecordedSet | None:
    """The set by which a figure of a law in use holds from a day on; None, where the file does."""
    of_it = (
        one
        for one in reversed(law.sets)
        if one.event.since == since and parameter in {each.parameter for each in one.event.figures}
    )
    return next(of_it, None)


def replaced_by(law: Law, figure_set: RecordedSet, parameter: str) -> RecordedSet | None:
    """The later set by which a figure of a set of this law never comes to hold: of the same figure,
    from the same day on or an earlier one.
    """
    later = law.sets[law.sets.index(figure_set) + 1 :]
    of_it = (
        one
        for one in later
        if one.event.since <= figure_set.event.since
        and parameter in {each.parameter for each in one.event.figures}
    )
    return next(of_it, None)


def state_on(law: Law, figure_set: RecordedSet, parameter: str, day: date) -> State:
    """How a figure of one of this law's sets stands on a day."""
    since, held = figure_set.event.since, law.parameters[parameter].on(day)
    if replaced_by(law, figure_set, parameter) is not None:
        return "replaced"
    if since > day:
        return "later"
    return "held" if held is not None and held.since == since else "before"


def digest_of(of_file: str, sets: Sequence[RecordedSet]) -> str:
    """The digest of a law in use: SHA-256 over the file's and the sets' leaf hashes, all in hex, a
    line each; without sets the file's own.
    """
    if not sets:
        return of_file
    return hashlib.sha256("\n".join([of_file, *(one.leaf for one in sets)]).encode()).hexdigest()


def digest_on(law: Law, day: date) -> str:
    """The digest of what a law in use asks on a day: sets that begin later are not in it."""
    return digest_of(law.of_file or law.digest, [one for one in law.sets if one.event.since <= day])
