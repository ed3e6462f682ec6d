"""What is recorded of an incident, made of what was tapped: the report, each step, the exchange of
a card or a deck, the notice, the end. No database, no page.

Law: PT art. 5, 51.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.events.notices import NoticeSent
from casino.events.shufflers import ShufflerOpened
from casino.law.game_incidents import Incident
from casino.web.words.incident_words import SETTLED

# Which trouble is the machine's own where one deals.
MACHINE: Final = frozenset({"jam", "warning_light", "damaged_card"})
CHEFE: Final = "fiscal_chefe"
# The steps in the order in which they are taken; those of the lid only where a machine deals.
STEPS: Final = (
    "called",
    "arrived",
    "lid_opened",
    "lid_closed",
    "technician_called",
    "technician_arrived",
    "resolved",
)
LID: Final = frozenset({"lid_opened", "lid_closed"})
TECHNICIAN: Final = frozenset({"technician_called", "technician_arrived"})
# Where each step of an incident is recorded, once it was taken.
MOMENT_OF: Final = {
    "called": "called_at",
    "arrived": "arrived_at",
    "lid_opened": "opened_at",
    "lid_closed": "lid_closed_at",
    "technician_called": "technician_called_at",
    "technician_arrived": "technician_arrived_at",
    "resolved": "resolved_at",
}
At = Mapping[str, Any]  # the table and the partida


def reported(
    at: At, number: str, category: Any, reason: str, moment: datetime, **more: Any
) -> IncidentReported:
    """The report: `more` are further fields of the event. Raises: Malformed."""
    return IncidentReported(
        **at,
        incident=number,
        category=category,
        reason=reason,
        people=(),
        noticed_at=moment,
        **more,
    )


def step_taken(
    at: At,
    incident: Incident,
    step: Any,
    *,
    shuffler: str | None,
    by: str | None = None,
    office: str | None = None,
    moment: datetime,
    emptied: bool | None = None,
) -> IncidentStep | ShufflerOpened:
    """What one tap tells. The lid of a machine is recorded as what it is. Raises: Malformed."""
    number = incident.event.incident
    if step == "lid_opened" and shuffler is not None:
        reason: Any = incident.event.category  # a warning light is treated as the jam it tells of
        return ShufflerOpened(
            **at,
            shuffler=shuffler,
            reason=reason if reason in ("jam", "damaged_card") else "jam",
            opened_by=by,
            opened_by_office=office,  # type: ignore[arg-type]
            opened_at=moment,
            incident=number,
        )
    return IncidentStep(
        **at,
        incident=number,
        step=step,
        by=by,
        by_office=office,  # type: ignore[arg-type]
        emptied=emptied,
    )


def exchanged(
    at: At,
    number: str,
    *,
    what: str,
    deck: str,
    card: str | None,
    shuffler: str | None,
    by: str | None,
    office: str | None,
    from_deck: str | None = None,
    authorisation: str | None = None,
    shown: bool | None = None,
    held_apart: bool | None = None,
) -> CardReplaced | DeckWithdrawn:
    """A card exchanged for another, or its whole deck taken out of play. Raises: Malformed."""
    if what == "deck":
        return DeckWithdrawn(
            **at, deck=deck, reason="damaged", incident=number, held_apart=held_apart
        )
    return CardReplaced(
        **at,
        deck=deck,
        card=card or "X?",
        reason="damaged",
        from_deck=from_deck,
        authorisation=authorisation,
        replaced_by=by,
        replaced_by_office=office,  # type: ignore[arg-type]
        shuffler=shuffler,
        shown=shown,
        incident=number,
    )


def settled(at: At, number: str, reason: str, text: str | None = None) -> IncidentClosed:
    """The end of an incident. Raises: Malformed."""
    return IncidentClosed(**at, incident=number, outcome=SETTLED, reason=reason, text=text)


def notice_of(
    at: At,
    incident: Incident,
    *,
    number: str,
    means: Any,
    reference: str,
    by: str,
    office: Any,
    moment: datetime,
) -> NoticeSent:
    """The notice to the inspection service about an incident. Raises: Malformed."""
    category = incident.event.category
    about: Any = {"damaged_card": "damaged_card", "deck_defect": "deck", "jam": "machine"}.get(
        category, "incident"
    )
    return NoticeSent(
        **at,
        notice=number,
        to="inspection_service",
        about=about,
        means=means,
        reference=reference,
        sent_at=moment,
        sent_by=by,
        sent_by_office=office,
        incident=incident.event.incident,
        deck=incident.event.deck,
    )


def steps_open(incident: Incident, machine: bool) -> tuple[str, ...]:
    """The steps of this incident that nobody recorded yet, in their order."""
    return tuple(step for step in steps_of(incident, machine) if taken(incident, step) is None)


def steps_of(incident: Incident, machine: bool) -> tuple[str, ...]:
    """The steps an incident may take; the lid and the technician are a machine's."""
    ours = machine and incident.event.category in MACHINE
    return tuple(step for step in STEPS if ours or step not in LID | TECHNICIAN)


def taken(incident: Incident, step: str) -> datetime | None:
    """When a step was taken, as far as recorded."""
    moment: datetime | None = getattr(incident.event, MOMENT_OF[step])
    return moment


def owes_notice(incident: Incident, machine: bool) -> bool:
    """Whether the inspection service is still to be told of it: a card a machine damaged, a deck.

    Law: PT art. 51, 55.
    """
    category = incident.event.category
    asked = category == "deck_defect" or (machine and category == "damaged_card")
    return asked and incident.event.communicated_at is None


def unsolved(incident: Incident, machine: bool) -> bool:
    """Whether it would be closed with the machine neither put right nor left to a technician.

    Law: PT art. 51.
    """
    event = incident.event
    asked = machine and event.category in ("jam", "warning_light")
    return asked and event.resolved_at is None and event.technician_called_at is None
