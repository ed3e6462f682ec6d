"""What went wrong, coded so that it can be counted, with the moments the law asks for.

Law: PT art. 5 (replacing cards), 51 (damaged card, jam), 55.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, Literal

from casino.events import Malformed
from casino.events.decks import CardList
from casino.events.event import FloorEvent
from casino.events.event_policy import DEVICE, FLOOR, Policy
from casino.events.phrases import marked
from casino.events.shape import Part, Withheld
from casino.events.staff import Office
from casino.events.values import Cents, Code, Listed, Number, PrivateText, Reference, Uuid, Word

Category = Literal[
    "jam",
    "damaged_card",
    "warning_light",
    "lid_opened",
    "exposed_card",
    "dealing_error",
    "payment_error",
    "deck_defect",
    "conduct",
    "cash",
    "other",
]
Step = Literal[
    "called",
    "arrived",
    "lid_opened",
    "lid_closed",
    "resolved",
    "technician_called",
    "technician_arrived",
]
Replaced = Literal["card", "deck", "nothing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Person(Part):
    """Somebody it concerns, by number or pseudonym, and as what: ``"player"``, an office."""

    person: Code
    role: Word | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentReported(FloorEvent):
    """Something went wrong. `incident` is its number in the register, for ever.

    Three levels say what: `category`, `reason`, `detail` (codes of the house). The moments are the
    light or the notice, the call, the arrival of whom was called, the lid opened and closed, the
    trouble solved, the technician asked for and arrived, the word to the inspection service
    (`communication` its reference). `replaced` is what was exchanged, `authorisation` the
    inspectorate's leave to exchange single cards; `emptied` whether the machine was emptied.
    `amount_cents` is the money it is about.
    """

    kind: ClassVar[str] = "incident-reported/1"
    label: ClassVar[str] = marked("incident reported")
    policy: ClassVar[Policy] = Policy(writers=FLOOR | {DEVICE}, witnessed_under="51")
    private: ClassVar[frozenset[str]] = frozenset({"text"})

    incident: Code
    category: Category
    reason: Code
    people: Annotated[tuple[Person, ...], Listed(50)]
    detail: Code | None = None
    round: Uuid | None = None
    shoe: Number | None = None
    deck: Code | None = None
    shuffler: Code | None = None
    damaged_cards: CardList | None = None
    replaced: Replaced | None = None
    authorisation: Reference | None = None
    noticed_at: datetime | None = None
    called_at: datetime | None = None
    arrived_at: datetime | None = None
    opened_at: datetime | None = None
    opened_by: Code | None = None
    opened_by_office: Office | None = None
    emptied: bool | None = None
    lid_closed_at: datetime | None = None
    resolved_at: datetime | None = None
    resolved_by: Code | None = None
    resolved_by_office: Office | None = None
    technician_called_at: datetime | None = None
    technician_arrived_at: datetime | None = None
    communicated_at: datetime | None = None
    communicated_by: Code | None = None
    communicated_by_office: Office | None = None
    communication: Reference | None = None
    amount_cents: Cents | None = None
    text: PrivateText | Withheld | None = None

    def contradictions(self) -> None:
        """A lid closes after it was opened. Raises: Malformed."""
        if (
            self.opened_at is not None
            and self.lid_closed_at is not None
            and self.lid_closed_at < self.opened_at
        ):
            raise Malformed(
                "$.lid_closed_at",
                "found {found}; asked is no earlier than {begun}, when it began",
                found=self.lid_closed_at.isoformat(),
                begun=self.opened_at.isoformat(),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentStep(FloorEvent):
    """What was done next about an incident, told as it happens: one tap, one moment.

    `by` did it, `emptied` is whether the machine was emptied then.
    """

    kind: ClassVar[str] = "incident-step/1"
    label: ClassVar[str] = marked("step of an incident")
    policy: ClassVar[Policy] = Policy(writers=FLOOR | {DEVICE})

    incident: Code
    step: Step
    by: Code | None = None
    by_office: Office | None = None
    emptied: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentClosed(FloorEvent):
    """An incident is settled: how, and for which coded reason."""

    kind: ClassVar[str] = "incident-closed/1"
    label: ClassVar[str] = marked("incident closed")
    policy: ClassVar[Policy] = Policy()  # the floor's own
    private: ClassVar[frozenset[str]] = frozenset({"text"})

    incident: Code
    outcome: Code
    reason: Code
    communicated_at: datetime | None = None
    communication: Reference | None = None
    text: PrivateText | Withheld | None = None
