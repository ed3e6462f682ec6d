"""What the inspection service is asked for and what it answers: leaves, approvals, receipts; and
the official texts.

Law: PT art. 5 (leave to exchange single cards, on grounds), 14, 15 (approved limits), 51 (notice).
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, ClassVar, Literal

from casino.events.decks import CardList
from casino.events.event import Event, HouseEvent
from casino.events.event_policy import EVERYBODY, HEADS, INSPECTOR, MANAGER, SUPERVISION, Policy
from casino.events.phrases import marked
from casino.events.tables import check_limits
from casino.events.values import Code, CodesOnce, Reference, Sha256, Stake, Text

FirmwareDecision = Literal["approved", "revoked"]
Decision = Literal["granted", "refused"]
Grounds = Annotated[str, Text(400)]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveAsked(HouseEvent):
    """The house asks for leave to exchange single cards of a deck, and why.

    `leave` is the request's number in the house's register, `document` the paper it was made by.
    """

    kind: ClassVar[str] = "inspection-leave-asked/1"
    label: ClassVar[str] = marked("leave asked for")
    policy: ClassVar[Policy] = Policy(writers=HEADS, readers=SUPERVISION)

    leave: Code
    deck: Code
    cards: CardList
    grounds: Grounds
    document: Reference | None = None
    incident: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveDecided(HouseEvent):
    """What the inspection service decided on such a request.

    Told by the house, and acknowledged by the inspector who tells the same himself. `cards` are
    those it is given for, where they are not all that were asked for.
    """

    kind: ClassVar[str] = "inspection-leave-decided/1"
    label: ClassVar[str] = marked("leave decided on")
    # The inspection service's last word counts; the house may record it, with the document.
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({MANAGER, INSPECTOR}), readers=SUPERVISION, correctable=False
    )

    leave: Code
    decision: Decision
    document: Reference
    decided_at: datetime | None = None
    cards: CardList | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsApproved(HouseEvent):
    """A minimum and a maximum that were approved for these tables, from `valid_from` on."""

    kind: ClassVar[str] = "limits-approved/1"
    label: ClassVar[str] = marked("limits approved")
    # The house may record it as well, with the document.
    policy: ClassVar[Policy] = Policy(writers=frozenset({MANAGER, INSPECTOR}), readers=EVERYBODY)

    tables: CodesOnce
    minimum_cents: Stake
    maximum_cents: Stake
    valid_from: datetime
    document: Reference

    def contradictions(self) -> None:
        """The maximum is no less than the minimum. Raises: Malformed."""
        check_limits(self.minimum_cents, self.maximum_cents, "$")


@dataclass(frozen=True, slots=True, kw_only=True)
class FirmwareDecided(HouseEvent):
    """A program was approved for a model of shuffler from `valid_from` on, or is so no longer.

    `model` is spelled as in the machines' registration, `firmware` the version, `firmware_sha256`
    its digest as the laboratory states it. Source: Portaria 461/2001, n.º 3.
    """

    kind: ClassVar[str] = "firmware-decided/1"
    label: ClassVar[str] = marked("firmware decided on")
    # As with limits: the house may record it as well, with the document.
    policy: ClassVar[Policy] = Policy(writers=frozenset({MANAGER, INSPECTOR}), readers=EVERYBODY)

    model: Reference
    firmware: Reference
    firmware_sha256: Sha256
    decision: FirmwareDecision
    valid_from: datetime
    document: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeAcknowledged(HouseEvent):
    """The inspection service says that a notice of the house reached it."""

    kind: ClassVar[str] = "notice-acknowledged/1"
    label: ClassVar[str] = marked("notice received")
    # That a notice reached it, the inspection service says alone; its last word counts.
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({INSPECTOR}), readers=SUPERVISION, correctable=False
    )

    notice: Code
    received_at: datetime | None = None
    reference: Reference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RegulationTextReceived(Event):
    """The official text of a rulebook came into the house, as a file that is kept.

    `file_sha256` is the file's, which stands among the entry's attachments. `in_force` is the day
    from which this version holds; without one it holds from before any day the house knows of.
    """

    kind: ClassVar[str] = "regulation-text-received/1"
    label: ClassVar[str] = marked("official text received")
    # As with approvals: the inspection service brings it, or the house does. Another text is
    # recorded anew.
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({MANAGER, INSPECTOR}),
        readers=EVERYBODY,
        private_readers=EVERYBODY,
        correctable=False,
    )

    rulebook: Code
    title: Reference
    file_sha256: Sha256
    in_force: date | None = None
