"""What one of the direction asks for and another decides on: high offices, a log-in made anew.

An office counts by `OfficeGranted` and `OfficeEnded` alone, as ever: whoever approves a request
records one of them in the same act. No article asks for it; the house's own rule.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final, Literal, get_args

from casino.events import Malformed
from casino.events.corrections import Decision
from casino.events.event import EntryRef, Event, HouseEvent
from casino.events.event_policy import DIRECTION, PERSONNEL, Policy
from casino.events.phrases import marked
from casino.events.values import Code, Reference

# Given and ended by two persons: they decide over others' records, or see what is private.
OfficeByTwo = Literal["chefia_da_sala", "inspetor", "auditor", "administrador"]
BY_TWO: Final[frozenset[str]] = frozenset(get_args(OfficeByTwo))
OfficeChange = Literal["office_given", "office_ended"]


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
