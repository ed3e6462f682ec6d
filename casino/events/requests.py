"""What one of the direction asks for and another decides on: high offices, a log-in made anew, the
figures of a rulebook.

An office counts by `OfficeGranted` and `OfficeEnded` alone, as ever: whoever approves a request
records one of them in the same act, and of figures `FiguresSet`. No article asks for it; the
house's own rule.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, ClassVar, Final, Literal, get_args

from casino.events import Malformed
from casino.events.corrections import Decision
from casino.events.event import EntryRef, Event, HouseEvent
from casino.events.event_policy import DIRECTION, EVERYBODY, PERSONNEL, Policy
from casino.events.phrases import marked
from casino.events.shape import Part
from casino.events.values import Code, Listed, Reference, Sha256, Text

# Given and ended by two persons: they decide over others' records, or see what is private.
OfficeByTwo = Literal["chefia_da_sala", "inspetor", "auditor", "administrador"]
BY_TWO: Final[frozenset[str]] = frozenset(get_args(OfficeByTwo))
OfficeChange = Literal["office_given", "office_ended"]
# Why a figure changes: an act, the inspection service's answer, or the house's own choice where the
# text states none.
Basis = Literal["act", "answer", "house"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficeAsked(HouseEvent):
    """That somebody be given an office (until `valid_until`, if that is known), or lose it.

    It begins or ends at the moment another person approves.
    """

    kind: ClassVar[str] = "office-asked/1"
    label: ClassVar[str] = marked("office asked for")
    policy: ClassVar[Policy] = Policy(writers=DIRECTION, readers=PERSONNEL, correctable=False)

    staff: Code
    office: OfficeByTwo
    change: OfficeChange
    valid_until: datetime | None = None
    reference: Reference | None = None

    def contradictions(self) -> None:
        """What ends has no end beside it. Raises: Malformed."""
        if self.change == "office_ended" and self.valid_until is not None:
            raise Malformed(
                "$.valid_until",
                "found {found}; of an office that is ended nothing is asked here",
                found=self.valid_until.isoformat(),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginResetAsked(HouseEvent):
    """That somebody who lost password or second factor be given a code to set both anew.

    Another person approves, having seen him. The code itself stands in no entry.
    """

    kind: ClassVar[str] = "login-reset-asked/1"
    label: ClassVar[str] = marked("new log-in asked for")
    policy: ClassVar[Policy] = Policy(writers=DIRECTION, readers=PERSONNEL, correctable=False)

    staff: Code
    reference: Reference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestDecided(Event):
    """Another person's word on such a request."""

    kind: ClassVar[str] = "request-decided/1"
    label: ClassVar[str] = marked("request decided")
    policy: ClassVar[Policy] = Policy(writers=DIRECTION, readers=PERSONNEL, correctable=False)

    asked: EntryRef
    decision: Decision
    reason: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureValue(Part):
    """One figure of a rulebook by its name there, ``limits.maximum_over_minimum``.

    `value` is written as a rulebook's file writes it, without quotation marks: ``25``, ``3/2``,
    ``true``, ``[9, 10, 11]``, ``face_down``.
    """

    parameter: Reference
    value: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figures(Event):
    """Figures of a rulebook from the gaming day `since` on, and why.

    `source` is the act with its article, or the reference of the answer, `document_day` the day of
    either; `file_sha256` the document's file, which stands among the request's attachments.
    """

    rulebook: Code
    since: date
    figures: Annotated[tuple[FigureValue, ...], Listed(20)]
    basis: Basis
    source: Reference
    grounds: Annotated[str, Text(400)]
    document_day: date | None = None
    file_sha256: Sha256 | None = None

    def contradictions(self) -> None:
        """One figure at least, and each once; of an answer its day. Raises: Malformed."""
        named = [each.parameter for each in self.figures]
        if not named:
            raise Malformed("$.figures", "found none; asked is one figure at least")
        for place, name in enumerate(named):
            if name in named[:place]:
                raise Malformed(
                    f"$.figures[{place}].parameter",
                    "found {found} twice; asked is each figure once",
                    found=name,
                )
        if self.basis == "answer" and self.document_day is None:
            raise Malformed("$.document_day", "found none; of an answer its day is asked")


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresAsked(_Figures):
    """That figures of a rulebook hold from a gaming day on, once another person has approved.

    Law: of no article; which figures they are, the rulebook says.
    """

    kind: ClassVar[str] = "figures-asked/1"
    label: ClassVar[str] = marked("figures of a rulebook asked for")
    policy: ClassVar[Policy] = Policy(
        writers=DIRECTION, readers=PERSONNEL, private_readers=PERSONNEL, correctable=False
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresSet(_Figures):
    """Figures of a rulebook that were asked for by `asked`, and approved: recorded by who decided.

    It says again what was asked for, so that whoever reads it alone knows the figures.
    """

    kind: ClassVar[str] = "figures-set/1"
    label: ClassVar[str] = marked("figures of a rulebook set")
    policy: ClassVar[Policy] = Policy(writers=DIRECTION, readers=EVERYBODY, correctable=False)

    asked: EntryRef
