"""What the house's register told of a person when an act was recorded, as proof of a finding.

A finding that somebody held no office, or was not on duty in it, rests on the entries that gave it
to him and ended it; where he never had it, on those of his other offices. Where there are none at
all, that is an event of its own: nothing was on record of him.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from casino.events.event import Event
from casino.events.staff import DutyBegun, DutyEnded, OfficeEnded, OfficeGranted
from casino.law.dossier import Dossier, RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict
from casino.law.partida_context import PartidaContext
from casino.law.questions import Shown, breach

CHEFE: Final = "fiscal_chefe"
MOST: Final = 20  # entries of one person: the last ones known then


class OnRecord(NamedTuple):
    """The ids of entries a finding rests on besides the act, and what it observed of them."""

    evidence: tuple[str, ...]
    observed: dict[str, object]


def office_on_record(
    dossier: Dossier, staff: str | None, office: str, act: RecordedEvent[Event]
) -> OnRecord:
    """Of somebody who did not hold an office when an act was recorded; see the module.

    Without a number there is nobody the register could tell of.
    """
    if staff is None:
        return OnRecord((), {})
    kept = [*dossier.house_of(OfficeGranted), *dossier.house_of(OfficeEnded)]
    return _on_record(dossier, kept, staff, office, act)


def duty_on_record(
    dossier: Dossier, staff: str, office: str, act: RecordedEvent[Event]
) -> OnRecord:
    """The same of a duty in an office."""
    kept = [*dossier.house_of(DutyBegun), *dossier.house_of(DutyEnded)]
    return _on_record(dossier, kept, staff, office, act)


def _on_record(
    dossier: Dossier,
    recorded_events: Sequence[RecordedEvent[Any]],
    staff: str,
    office: str,
    act: RecordedEvent[Event],
) -> OnRecord:
    known_by = dossier.first_record(act).recorded_at
    mine = [
        one for one in recorded_events if one.event.staff == staff and one.recorded_at <= known_by
    ]
    asked = [one for one in mine if one.event.office == office]
    events = sorted(asked or mine, key=in_time)[-MOST:]
    return OnRecord(
        tuple(one.entry_id for one in events), {} if events else {"on_record": "nothing"}
    )


def held_office(
    game: PartidaContext,
    asked: str,
    who: tuple[str | None, str | None],
    at: datetime,
    act: RecordedEvent[Event],
) -> bool | None:
    """Whether whoever did something (number, office) held the office asked; None: nobody knows.

    A number counts by what the house had granted it at that moment and by the record of the act,
    whatever was written beside it. An office without a number can only speak against itself:
    nobody answers for it.
    """
    staff, office = who
    if staff is not None:
        return game.dossier.holds_office(staff, asked, at, act)
    return False if office is not None and office != asked else None


def by_office(
    game: PartidaContext,
    asked: str,
    who: tuple[str | None, str | None],
    at: datetime,
    act: RecordedEvent[Event],
    *shown_by: Shown,
) -> Verdict:
    """Whether an act was done by somebody of an office; `act` is the record that says by whom."""
    held = held_office(game, asked, who, at, act)
    if held is None:
        return UNDECIDED
    return LAWFUL if held else without_office(game.dossier, asked, who, act, *shown_by)


def without_office(
    dossier: Dossier,
    asked: str,
    who: tuple[str | None, str | None],
    act: RecordedEvent[Event],
    *shown_by: Shown,
) -> Breach:
    """That whoever did something (number, office) held another office than the one asked."""
    staff, office = who
    known = office_on_record(dossier, staff, asked, act)
    said = {"staff": staff, "office": office, **known.observed}
    observed = {name: value for name, value in said.items() if value is not None}
    return breach(observed, {"office": asked}, *shown_by, *known.evidence)
