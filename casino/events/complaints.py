"""A player complains; what was in dispute is looked at again; it is decided.

Law: PT art. 61 (until when a complaint is heard), 60 (cards not put back in time).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Literal

from casino.events.event import FloorEvent
from casino.events.event_policy import HEADS, SUPERVISION, Policy
from casino.events.phrases import marked
from casino.events.shape import Withheld
from casino.events.shufflers import check_span
from casino.events.values import Cents, Code, Number, Place, PrivateText, Reference, Uuid

Subject = Literal[
    "counting", "payment", "dealing", "stake", "decision", "jackpot", "conduct", "other"
]
ComplaintOutcome = Literal["upheld", "partly_upheld", "not_upheld", "inadmissible", "withdrawn"]
ReviewedHow = Literal["cards", "recordings", "cards_and_recordings", "hearing", "other"]
ErrorBy = Literal["player", "pagador", "fiscal", "machine", "nobody", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplaintReceived(FloorEvent):
    """A player complains. `complaint` is the number on his slip, for ever.

    `cards_inserted` is whether that round's cards had gone into the shuffler when he spoke, as the
    author saw it; the order is judged from the book. `sheet` is the page of the complaints book.
    """

    kind: ClassVar[str] = "complaint-received/1"
    label: ClassVar[str] = marked("complaint received")
    policy: ClassVar[Policy] = Policy()  # the floor's own
    private: ClassVar[frozenset[str]] = frozenset({"contact", "text"})

    complaint: Code
    subject: Subject
    received_at: datetime | None = None
    reason: Code | None = None
    round: Uuid | None = None
    shoe: Number | None = None
    number: Number | None = None
    box: Place | None = None
    player: Code | None = None
    cards_inserted: bool | None = None
    amount_cents: Cents | None = None
    sheet: Reference | None = None
    contact: PrivateText | Withheld | None = None
    text: PrivateText | Withheld | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeReviewed(FloorEvent):
    """What was in dispute was looked at again, by whom and how; the cards are free from then on.

    `dispute` is the complaint's or the incident's number.
    """

    kind: ClassVar[str] = "dispute-reviewed/1"
    label: ClassVar[str] = marked("dispute reviewed")
    # Cards in dispute wait until whoever answers for the table says they were looked at.
    policy: ClassVar[Policy] = Policy()  # the floor's own
    private: ClassVar[frozenset[str]] = frozenset({"remarks"})

    dispute: Code
    method: ReviewedHow
    error_by: ErrorBy
    round: Uuid | None = None
    requested_by: Code | None = None
    second_reviewer: Code | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    camera: Reference | None = None
    violation: Code | None = None
    pagador: Code | None = None
    amount_cents: Cents | None = None
    remarks: PrivateText | Withheld | None = None

    def contradictions(self) -> None:
        """It ends no earlier than it began. Raises: Malformed."""
        check_span(self.started_at, self.ended_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplaintDecided(FloorEvent):
    """A complaint was decided on.

    `told_at` is when the player was told, `told_of_inspector` whether he was told that he may turn
    to the inspection service.
    """

    kind: ClassVar[str] = "complaint-decided/1"
    label: ClassVar[str] = marked("complaint decided")
    policy: ClassVar[Policy] = Policy(writers=HEADS, readers=SUPERVISION)
    private: ClassVar[frozenset[str]] = frozenset({"text"})

    complaint: Code
    outcome: ComplaintOutcome
    reason: Code
    paid_cents: Cents | None = None
    told_at: datetime | None = None
    told_of_inspector: bool | None = None
    text: PrivateText | Withheld | None = None
