"""Who works in the house, in which office, and when somebody was on duty where.

Law: PT art. 8 (fiscal de banca), 51, 54, 55 (fiscal-chefe).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final, Literal, get_args

from casino.events import Malformed
from casino.events.event import HouseEvent
from casino.events.event_policy import DIRECTION, PERSONNEL, Policy
from casino.events.phrases import marked
from casino.events.shape import Withheld
from casino.events.values import Code, CodesOnce, PrivateLine, Reference

Office = Literal[
    "pagador",
    "fiscal_de_banca",
    "fiscal_chefe",
    "chefia_da_sala",
    "inspetor",
    "auditor",
    "administrador",
    "dispositivo",
    "sistema",
]
OFFICES: Final[tuple[Office, ...]] = get_args(Office)


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffRegistered(HouseEvent):
    """A number stands for a person (or a device) from here on; what he is called can be erased."""

    kind: ClassVar[str] = "staff-registered/1"
    label: ClassVar[str] = marked("staff number registered")
    policy: ClassVar[Policy] = Policy(
        writers=DIRECTION, readers=PERSONNEL, private_readers=PERSONNEL
    )
    private: ClassVar[frozenset[str]] = frozenset({"name", "contact"})

    staff: Code
    name: PrivateLine | Withheld | None = None
    contact: PrivateLine | Withheld | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficeGranted(HouseEvent):
    """A person holds an office from `valid_from` to before `valid_until`, or until it ends."""

    kind: ClassVar[str] = "office-granted/1"
    label: ClassVar[str] = marked("office granted")
    policy: ClassVar[Policy] = Policy(writers=DIRECTION, readers=PERSONNEL)

    staff: Code
    office: Office
    valid_from: datetime
    granted_by: Code
    valid_until: datetime | None = None
    reference: Reference | None = None

    def contradictions(self) -> None:
        """An office ends after it began. Raises: Malformed."""
        if self.valid_until is not None and self.valid_until <= self.valid_from:
            raise Malformed(
                "$.valid_until",
                "found {found}; asked is later than {begun}, when it begins",
                found=self.valid_until.isoformat(),
                begun=self.valid_from.isoformat(),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficeEnded(HouseEvent):
    """A person no longer holds an office, from `ended_at` on, however long it was granted for."""

    kind: ClassVar[str] = "office-ended/1"
    label: ClassVar[str] = marked("office ended")
    policy: ClassVar[Policy] = Policy(writers=DIRECTION, readers=PERSONNEL)

    staff: Code
    office: Office
    ended_at: datetime
    ended_by: Code
    reason: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DutyBegun(HouseEvent):
    """A person went on duty in an office, at these tables; `()` is the whole room."""

    kind: ClassVar[str] = "duty-begun/1"
    label: ClassVar[str] = marked("went on duty")
    policy: ClassVar[Policy] = Policy()  # the floor's own

    staff: Code
    office: Office
    tables: CodesOnce


@dataclass(frozen=True, slots=True, kw_only=True)
class DutyEnded(HouseEvent):
    """A person went off duty in an office, at whatever tables he was."""

    kind: ClassVar[str] = "duty-ended/1"
    label: ClassVar[str] = marked("went off duty")
    policy: ClassVar[Policy] = Policy()  # the floor's own

    staff: Code
    office: Office
