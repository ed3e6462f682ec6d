"""Questions that many checks ask, and the breaches they come to.

What nobody recorded (None) is not decidable.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from typing import Any, Final, TypedDict, Unpack

from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Severity, Verdict, Where

NOWHERE: Final[Mapping[str, int | str]] = {}  # what was looked at, and no part of it
# What shows a breach: entries, or their ids; None of them for what nobody recorded.
Shown = RecordedEvent[Any] | str | None


def evidence_of(*shown_by: Shown) -> tuple[str, ...]:
    """The ids of these entries, each once, in the order given."""
    ids = (one if isinstance(one, str) else one.entry_id for one in shown_by if one is not None)
    return tuple(dict.fromkeys(ids))


class Details(TypedDict, total=False):
    """What else a question tells of its breach."""

    where: Mapping[str, int | str]
    readings: str | tuple[str, ...]


class Consequences(TypedDict, total=False):
    """What follows from a breach, as the fields of Breach tell it."""

    owed_cents: int
    owed_to: str | None
    among: tuple[Where, ...]
    stakes: tuple[Where, ...] | None
    rest_unknown: bool
    severity: Severity | None


def breach(
    observed: Mapping[str, object],
    expected: Mapping[str, object],
    *shown_by: Shown,
    where: Mapping[str, int | str] = NOWHERE,
    readings: str | tuple[str, ...] = (),
    **more: Unpack[Consequences],
) -> Breach:
    """A breach with what shows it; moments are written as ISO, yes and no as words."""
    evidence = evidence_of(*shown_by)
    texts = _in_words(observed), _in_words(expected)
    hangs_on = (readings,) if isinstance(readings, str) else readings
    return Breach(dict(where), *texts, hangs_on, evidence=evidence, **more)


def _in_words(values: Mapping[str, object]) -> dict[str, object]:
    return {name: _in_a_word(value) for name, value in values.items()}


def _in_a_word(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, date) else value


def equal(
    name: str, value: object, asked: object, *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether something is what was asked."""
    if value is None:
        return UNDECIDED
    return LAWFUL if value == asked else breach({name: value}, {name: asked}, *shown_by, **more)


def all_equal(
    pairs: Mapping[str, tuple[object, object]], *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether all of these (found, asked) are what was asked; a breach tells those that differ."""
    wrong = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    if not wrong:
        return LAWFUL
    observed = {name: found for name, (found, _) in wrong.items()}
    return breach(observed, {name: asked for name, (_, asked) in wrong.items()}, *shown_by, **more)


def one_of(
    name: str, value: object, allowed: Collection[object], *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether something is one of those allowed."""
    if value is None:
        return UNDECIDED
    if value in allowed:
        return LAWFUL
    return breach({name: value}, {"one_of": list(allowed)}, *shown_by, **more)


def at_least(
    name: str, value: int | None, least: int, *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether there are as many as were asked, or more."""
    if value is None:
        return UNDECIDED
    if value >= least:
        return LAWFUL
    return breach({name: value}, {"at_least": least}, *shown_by, **more)


def at_most(
    name: str, value: int | None, most: int, *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether there are no more than were allowed."""
    if value is None:
        return UNDECIDED
    if value <= most:
        return LAWFUL
    return breach({name: value}, {"at_most": most}, *shown_by, **more)


def not_before(
    moment: datetime | None, earliest: datetime | None, *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether something came no earlier than a moment."""
    if moment is None or earliest is None:
        return UNDECIDED
    if moment >= earliest:
        return LAWFUL
    return breach({"moment": moment}, {"not_before": earliest}, *shown_by, **more)


def not_after(
    moment: datetime | None, latest: datetime | None, *shown_by: Shown, **more: Unpack[Details]
) -> Verdict:
    """Whether something came no later than a moment."""
    if moment is None or latest is None:
        return UNDECIDED
    if moment <= latest:
        return LAWFUL
    return breach({"moment": moment}, {"not_after": latest}, *shown_by, **more)


def breaches_in(verdict: Verdict) -> list[Breach]:
    """The breaches of an answer; none where it is another."""
    if isinstance(verdict, list):
        return verdict
    return [verdict] if isinstance(verdict, Breach) else []


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """What several answers to one question come to: all breaches, else what is open, else lawful.

    None where it was not asked at all.
    """
    listed = list(verdicts)
    wrong = [verdict for verdict in listed if isinstance(verdict, (Breach, list))]
    if breaches := [one for verdict in wrong for one in breaches_in(verdict)]:
        return breaches
    return UNDECIDED if UNDECIDED in listed else LAWFUL if LAWFUL in listed else None


def any_of(answers: Iterable[bool | None]) -> bool | None:
    """Whether something holds of any; None where nobody knows of one and it holds of no other."""
    listed = set(answers)
    return True if True in listed else None if None in listed else False
