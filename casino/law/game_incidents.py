"""An incident as it was recorded tap by tap: its report, with the moments that were recorded after
it.

What the report tells itself stands. What it leaves open is filled in from the first step of that
kind, from the lid as it was opened for it, and from the notice to the inspection service. What is
told of a time before it was noticed tells nothing of it, be it under the same number.

Law: PT art. 51.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from casino.events import Malformed
from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.event import Event
from casino.events.incidents import IncidentReported, IncidentStep
from casino.events.notices import NoticeSent
from casino.events.shufflers import ShufflerOpened
from casino.law.dossier import Dossier, RecordedEvent, in_time

if TYPE_CHECKING:
    from casino.law.partida_context import PartidaContext

JAMS: Final = frozenset({"jam", "warning_light"})
DAMAGES: Final = frozenset({"damaged_card"})
TROUBLES: Final = JAMS | DAMAGES | {"lid_opened"}

# What a step tells: the moment, who did it, and his office.
_STEP_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "called": ("called_at",),
    "arrived": ("arrived_at",),
    "lid_opened": ("opened_at", "opened_by", "opened_by_office"),
    "lid_closed": ("lid_closed_at",),
    "resolved": ("resolved_at", "resolved_by", "resolved_by_office"),
    "technician_called": ("technician_called_at",),
    "technician_arrived": ("technician_arrived_at",),
    "communicated": ("communicated_at", "communicated_by", "communicated_by_office"),
}


def asks_second_person(event: IncidentReported) -> bool:
    """Whether somebody else has to have been present: at a shuffler's jam, or its damaged card.

    Law: PT art. 51.
    """
    return event.category in JAMS | DAMAGES and event.shuffler is not None


class Said(NamedTuple):
    """Something told of an incident after its report: what, when, by whom, and where it stands."""

    step: str
    values: tuple[Any, ...]
    by: RecordedEvent[Event]


@dataclass(frozen=True, slots=True, eq=False)
class Incident:
    """An incident with everything that was recorded of it.

    `whole` is its report with the moments filled in, `report` as it was written; `filled` tells of
    each field that was filled in which entry told it.
    """

    whole: RecordedEvent[IncidentReported]
    report: RecordedEvent[IncidentReported]
    steps: tuple[RecordedEvent[IncidentStep], ...]
    filled: dict[str, RecordedEvent[Event]]

    @property
    def event(self) -> IncidentReported:
        """What is known of it by now."""
        return self.whole.event

    @property
    def occurred_at(self) -> datetime:
        """When it happened."""
        return self.report.occurred_at

    def evidence(self, *fields: str) -> tuple[str, ...]:
        """The report's entry, and those that recorded of these fields."""
        texts = (self.filled[name].entry_id for name in fields if name in self.filled)
        return tuple(dict.fromkeys((self.report.entry_id, *texts)))


def incidents_of(dossier: Dossier) -> list[Incident]:
    """The incidents of a partida, in the order of the book."""
    return [_incident(recorded, dossier) for recorded in dossier.of(IncidentReported)]


def incidents_around(dossier: Dossier) -> list[Incident]:
    """The incidents recorded outside a partida of its shuffler or its table, as they happened."""
    return [_incident(recorded, dossier) for recorded in dossier.around_of(IncidentReported)]


def _incident(report: RecordedEvent[IncidentReported], dossier: Dossier) -> Incident:
    asked = report.event
    steps = [one for one in dossier.anywhere(IncidentStep) if is_of(dossier, asked, one.event)]
    lids = [one for one in dossier.anywhere(ShufflerOpened) if is_of(dossier, asked, one.event)]
    notices = [
        one
        for one in dossier.anywhere(NoticeSent)
        if is_of(dossier, asked, one.event) and one.event.to == "inspection_service"
    ]
    event, filled = report.event, dict[str, RecordedEvent[Any]]()
    said = sorted([*_of_steps(steps), *_of_lids(lids), *_of_notices(notices)], key=_when)
    for one in said:
        if not is_before(one.values[0], report.event.noticed_at):
            event = _filled(event, one, filled)
    if event.replaced is None:
        event = _exchanged(event, dossier, filled)
    emptied = _emptied(
        one for one in (*steps, *lids) if not is_before(one.occurred_at, report.event.noticed_at)
    )
    if event.emptied is None and emptied is not None:
        event = replace(event, emptied=emptied.event.emptied)
        filled["emptied"] = emptied
    return Incident(replace(report, event=event), report, tuple(steps), filled)


def is_of(dossier: Dossier, reported: IncidentReported, value: Any) -> bool:
    """Whether what is recorded is of an incident: by its number, and by its table where both name
    one.

    The same number at two tables is of two incidents; but a game that reports none of a number
    speaks of the one another table reported.
    """
    if value.incident != reported.incident:
        return False
    if len({reported.table, value.table} - {None}) < 2:
        return True
    own = {one.event.incident for one in dossier.of(IncidentReported)}
    return value.table == dossier.table and value.incident not in own


def is_before(moment: datetime, noticed_at: datetime | None) -> bool:
    """Whether something lies before an incident was noticed; where nobody recorded when, nothing
    does.

    A moment told to the minute may be any of it.
    """
    if noticed_at is None:
        return False
    return moment < (to_the_minute(noticed_at) if moment == to_the_minute(moment) else noticed_at)


def to_the_minute(moment: datetime) -> datetime:
    """The minute a moment lies in, as a form without seconds writes it."""
    return moment.replace(second=0, microsecond=0)


def _when(said: Said) -> tuple[object, ...]:
    return in_time(said.by)


def _of_steps(steps: Iterable[RecordedEvent[IncidentStep]]) -> Iterator[Said]:
    for recorded in steps:
        event = recorded.event
        yield Said(event.step, (recorded.occurred_at, event.by, event.by_office), recorded)


def _of_lids(lids: Iterable[RecordedEvent[ShufflerOpened]]) -> Iterator[Said]:
    for recorded in lids:
        event = recorded.event
        opened_at = event.opened_at or recorded.occurred_at
        yield Said("lid_opened", (opened_at, event.opened_by, event.opened_by_office), recorded)
        if event.closed_at is not None:
            yield Said("lid_closed", (event.closed_at,), recorded)


def _of_notices(notices: Iterable[RecordedEvent[NoticeSent]]) -> Iterator[Said]:
    for recorded in notices:
        event = recorded.event
        sent_at = event.sent_at or recorded.occurred_at
        yield Said("communicated", (sent_at, event.sent_by, event.sent_by_office), recorded)


def _filled(
    event: IncidentReported, said: Said, filled: dict[str, RecordedEvent[Event]]
) -> IncidentReported:
    """The report with what a step tells, where it tells nothing of that itself."""
    names = _STEP_FIELDS[said.step]
    if any(getattr(event, name) is not None for name in names):
        return event
    values = {
        name: value for name, value in zip(names, said.values, strict=False) if value is not None
    }
    try:
        fuller = replace(event, **values)
    except Malformed:
        return event  # a lid said to be closed before it was opened: the step stays by itself
    filled |= dict.fromkeys(values, said.by)
    return fuller


def _exchanged(
    event: IncidentReported, dossier: Dossier, filled: dict[str, RecordedEvent[Event]]
) -> IncidentReported:
    """The report with what was exchanged because of it, where that was recorded by itself.

    What was done to another deck than the one it names is not recorded of it.
    """

    def because_of_it(recorded: RecordedEvent[Any]) -> bool:
        if event.deck is not None and recorded.event.deck != event.deck:
            return False
        return is_of(dossier, event, recorded.event)

    for recorded in dossier.anywhere(DeckWithdrawn):
        if because_of_it(recorded):
            filled["replaced"] = recorded
            return replace(event, replaced="deck")
    for exchanged in dossier.anywhere(CardReplaced):
        if because_of_it(exchanged):
            filled["replaced"] = exchanged
            return replace(event, replaced="card")
    return event


def _emptied(events: Iterable[RecordedEvent[Any]]) -> RecordedEvent[Any] | None:
    """The first entry that says that the machine was emptied, else the first that says it was not.

    Law: PT art. 51, 54.
    """
    said = sorted((one for one in events if one.event.emptied is not None), key=in_time)
    return next((one for one in said if one.event.emptied), said[0] if said else None)


def at_shuffler(game: "PartidaContext", trouble: Incident) -> bool | None:
    """Whether an incident is one of a shuffler; None where nobody knows how the table deals."""
    if trouble.event.category not in TROUBLES:
        return False
    if trouble.event.shuffler is not None:
        return True
    return game.dealing == "shuffler" if game.dealing is not None else None


def troubles_of(game: "PartidaContext") -> list[Incident]:
    """The incidents of a partida, then those recorded outside it that bear on its shuffler."""
    return [*game.incidents, *incidents_around(game.dossier)]


def troubles_between(game: "PartidaContext", start: datetime, end: datetime) -> list[Incident]:
    """The incidents of the shuffler between two moments, in the order in which they happened."""
    return sorted(
        (
            incident
            for incident in game.incidents
            if at_shuffler(game, incident)
            and start
            <= (incident.event.opened_at or incident.event.noticed_at or incident.occurred_at)
            <= end
        ),
        key=lambda incident: in_time(incident.report),
    )


def over_at(game: "PartidaContext", trouble: Incident) -> datetime | None:
    """When an incident was put right, else when it was closed; None while it is neither.

    Neither lies before it was noticed: that was another trouble's end, or is a wrong time.
    """
    event, over = trouble.event, game.settled(trouble.event)
    ends = (event.resolved_at, None if over is None else over.occurred_at)
    return next((at for at in ends if at is not None and not is_before(at, event.noticed_at)), None)
