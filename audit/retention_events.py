"""Personal data: what somebody asks about himself, what is to be erased, what holds that back.

What is erased is a private value of an entry (`erased/1`, a value each): proposed by one, carried
out by another (`audit.retention.retention_questions`). The entry and its commitment stay.
"""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, ClassVar, Final, Literal

from casino.events import Malformed
from casino.events.event import EntryRef, Event
from casino.events.event_policy import DIRECTION, OVERSEERS, PERSONNEL, SYSTEM, Policy
from casino.events.phrases import marked
from casino.events.shape import Part, Withheld, refuse_twice
from casino.events.values import (
    Code,
    EntryNumber,
    Listed,
    PartidaName,
    PrivateLine,
    Reference,
    Sha256,
    StreamName,
    Word,
)

MOST_VALUES: Final = 100  # of a proposal

# Its time is over; the person asks; somebody wrote of a person where nothing of him belongs.
Basis = Literal["retention_over", "data_subject_request", "recorded_in_error"]
Ordered = Literal["inspection_service", "court", "house"]
Asks = Literal["access", "erasure"]
About = Literal["player", "staff"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueNamed(Part):
    """A private value: the entry that commits to it, and its field (`attachments`: its files)."""

    stream: StreamName
    n: EntryNumber
    leaf: Sha256
    field: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureProposed(Event):
    """Private values are to be erased, and why. Nothing is erased by this.

    `request` is the number of the data subject's request, exactly where one asked for it.
    """

    kind: ClassVar[str] = "erasure-proposed/1"
    label: ClassVar[str] = marked("erasure proposed")
    policy: ClassVar[Policy] = Policy(
        writers=DIRECTION | {SYSTEM}, readers=PERSONNEL, correctable=False
    )

    basis: Basis
    values: Annotated[tuple[ValueNamed, ...], Listed(MOST_VALUES)]
    request: Code | None = None

    def contradictions(self) -> None:
        """Some values, each once; a request where somebody asked. Raises: Malformed."""
        if not self.values:
            raise Malformed("$.values", "found none; asked is what is to be erased")
        for place, one in enumerate(self.values):
            if one in self.values[:place]:
                refuse_twice(f"$.values[{place}]", one.field)
        if (self.request is not None) != (self.basis == "data_subject_request"):
            raise Malformed(
                "$.request",
                "found basis {basis}; asked is the number of a request exactly where one was made",
                basis=self.basis,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureDecided(Event):
    """Somebody agrees to a proposal, or refuses it; another then erases what was agreed to."""

    kind: ClassVar[str] = "erasure-decided/1"
    label: ClassVar[str] = marked("erasure decided on")
    policy: ClassVar[Policy] = Policy(writers=DIRECTION, readers=PERSONNEL, correctable=False)

    proposed: EntryRef
    decision: Literal["approved", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureSuspended(Event):
    """Nothing of these days, of this game or, where neither is named, of all is erased for now.

    `suspension` is the number of the suspension, `reference` the order's.
    """

    kind: ClassVar[str] = "erasure-suspended/1"
    label: ClassVar[str] = marked("erasure suspended")
    policy: ClassVar[Policy] = Policy(
        writers=DIRECTION | OVERSEERS, readers=PERSONNEL, correctable=False
    )

    suspension: Code
    ordered_by: Ordered
    reference: Reference
    of_partida: PartidaName | None = None
    from_day: date | None = None
    to_day: date | None = None

    def contradictions(self) -> None:
        """Both days or none, in their order. Raises: Malformed."""
        if (self.from_day is None) != (self.to_day is None):
            raise Malformed("$.to_day", "found one day alone; asked are the first and the last")
        if self.from_day is not None and self.to_day is not None and self.to_day < self.from_day:
            raise Malformed(
                "$.to_day",
                "found {found}; asked is no earlier than {begun}, when it began",
                found=self.to_day.isoformat(),
                begun=self.from_day.isoformat(),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspensionLifted(Event):
    """A suspension holds nothing back any more; `reference` says by which document."""

    kind: ClassVar[str] = "suspension-lifted/1"
    label: ClassVar[str] = marked("suspension of erasure lifted")
    policy: ClassVar[Policy] = Policy(
        writers=DIRECTION | OVERSEERS, readers=PERSONNEL, correctable=False
    )

    suspension: Code
    reference: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectRequested(Event):
    """Somebody asks what is held of him, or that it be erased.

    `request` is its number, `subject` what is searched for, exactly as it was written down: a name,
    a document's number, a contact; of staff the staff number.
    """

    kind: ClassVar[str] = "subject-requested/1"
    label: ClassVar[str] = marked("request of a data subject")
    policy: ClassVar[Policy] = Policy(
        writers=DIRECTION, readers=PERSONNEL, private_readers=DIRECTION, correctable=False
    )
    private: ClassVar[frozenset[str]] = frozenset({"subject"})

    request: Code
    asks: Asks
    about: About
    received_on: date
    reference: Reference
    subject: PrivateLine | Withheld
