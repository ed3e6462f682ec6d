"""What was told to the inspection service, and which recordings are kept for it.

Law: PT art. 51, 55 (a damaged card, a deck that is not whole, is communicated); Lei do Jogo art. 52
(recordings are destroyed after thirty days unless they hold matter under investigation).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Literal

from casino.events.event import FloorEvent
from casino.events.event_policy import HEADS, SUPERVISION, Policy
from casino.events.phrases import marked
from casino.events.shufflers import check_span
from casino.events.staff import Office
from casino.events.values import Code, CodesOnce, Reference

NoticeTo = Literal["inspection_service", "management", "other"]
NoticeMeans = Literal["portal", "email", "telephone", "letter", "in_person"]
NoticeAbout = Literal[
    "damaged_card", "deck", "incident", "complaint", "jackpot", "machine", "table", "other"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeSent(FloorEvent):
    """Something was communicated. `notice` is its number in the house's own register.

    `reference` is what proves it was sent; `sent_by_office` the office of whom it bound.
    """

    kind: ClassVar[str] = "notice-sent/1"
    label: ClassVar[str] = marked("notice sent")
    policy: ClassVar[Policy] = Policy(writers=HEADS, readers=SUPERVISION)

    notice: Code
    to: NoticeTo
    about: NoticeAbout
    means: NoticeMeans
    reference: Reference
    sent_at: datetime | None = None
    sent_by: Code | None = None
    sent_by_office: Office | None = None
    incident: Code | None = None
    complaint: Code | None = None
    deck: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FootageHeld(FloorEvent):
    """Recordings are kept from being destroyed, or were handed over.

    `hold` is the hold's number; recorded again with `handed_over_at` when the recordings left the
    house, `receipt` what the inspection service gave for them.
    """

    kind: ClassVar[str] = "footage-held/1"
    label: ClassVar[str] = marked("recordings kept")
    policy: ClassVar[Policy] = Policy(writers=HEADS, readers=SUPERVISION)

    hold: Code
    recorded_from: datetime
    recorded_until: datetime
    reason: Code
    cameras: CodesOnce | None = None
    incident: Code | None = None
    complaint: Code | None = None
    handed_over_at: datetime | None = None
    receipt: Reference | None = None

    def contradictions(self) -> None:
        """They end no earlier than they begin. Raises: Malformed."""
        check_span(self.recorded_from, self.recorded_until)
