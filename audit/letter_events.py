"""The house's letters: made from the record and numbered; that one reached whom it was sent to.

That a letter went out is a notice of the floor (`notice-sent/1`) whose reference is the letter's
number; the inspection service acknowledges that notice itself (`notice-acknowledged/1`) and decides
on a leave itself (`inspection-leave-decided/1`). Law: PT art. 5, 51, 55, 61.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, Final, Literal

from casino.events.event import Event, HouseEvent
from casino.events.event_policy import HEADS, SUPERVISION, Policy
from casino.events.phrases import marked
from casino.events.shape import Withheld
from casino.events.values import (
    Code,
    Count,
    EntryNumber,
    PrivateText,
    Reference,
    Sha256,
    Uuid,
    Whole,
)

LetterName = Literal["notice", "leave", "complaint_receipt", "complaint_answer"]
LetterLanguage = Literal["pt", "en"]
ReceivedHow = Literal["signed_copy", "postal_receipt", "email_reply", "refused", "other"]
PREFIX: Final = "CTA"


def letter_number(year: int, number: int) -> str:
    """A letter's number as it is cited: ``CTA-2026-000001``."""
    return f"{PREFIX}-{year}-{number:06d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterIssued(Event):
    """A letter was made from the record by whoever signs it, and given its number.

    `matter` is what it is about, by its number in its register: an incident, a leave, a complaint;
    `reply_to` the reference of the letter it answers. `number` counts from 1 within each `year`,
    without a gap; the rest is as of a report (`report-issued/1`).
    """

    kind: ClassVar[str] = "letter-issued/1"
    label: ClassVar[str] = marked("letter made")
    policy: ClassVar[Policy] = Policy(writers=HEADS, readers=SUPERVISION, correctable=False)

    letter: LetterName
    matter: Code
    year: Annotated[int, Whole(2000, 2999)]
    number: EntryNumber
    request: Uuid
    letter_language: LetterLanguage
    json_sha256: Sha256
    proofs_sha256: Sha256
    entries: Count
    size: EntryNumber
    root: Sha256
    reply_to: Reference | None = None

    @property
    def document(self) -> str:
        """Its number as it is cited."""
        return letter_number(self.year, self.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterReceived(HouseEvent):
    """A letter reached whom it was sent to, as the house says: a copy signed, a slip of the post.

    `document` is the letter's number, `received_by` who took it, `reference` what he gave for it.
    """

    kind: ClassVar[str] = "letter-received/1"
    label: ClassVar[str] = marked("receipt of a letter")
    policy: ClassVar[Policy] = Policy(writers=HEADS, readers=SUPERVISION)
    private: ClassVar[frozenset[str]] = frozenset({"received_by"})

    document: Code
    how: ReceivedHow
    received_at: datetime | None = None
    reference: Reference | None = None
    received_by: PrivateText | Withheld | None = None
