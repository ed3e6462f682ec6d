"""The automatic shuffler: the machine itself, what goes into it and what comes out.

Law: PT art. 51 to 57.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, Literal

from casino.events import Malformed
from casino.events.event import FloorEvent, HouseEvent, PartidaEvent
from casino.events.event_policy import (
    AT_THE_TABLE,
    DEVICE,
    DIRECTION,
    EVERYBODY,
    PIT,
    TABLE_OR_DEVICE,
    Policy,
)
from casino.events.phrases import marked
from casino.events.staff import Office
from casino.events.values import Cards, Code, Listed, Reference, Whole

LoadedWhy = Literal["opening", "after_emptying", "other"]
UnloadedWhy = Literal["closing", "jam", "damaged_card", "maintenance", "other"]
OpenedWhy = Literal["jam", "damaged_card", "loading", "unloading", "maintenance", "other"]
Packets = Annotated[int, Whole(1, 50)]
DeckCodes = Annotated[tuple[Code, ...], Listed(20, once=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerRegistered(HouseEvent):
    """A machine is known to the house. Told again (new firmware, another table), it is so since.

    `approval` is the inspectorate's permit, `certificate` the laboratory's; `continuous` whether
    cards go back into it after every round; `at_table` where it stands.
    """

    kind: ClassVar[str] = "shuffler-registered/1"
    label: ClassVar[str] = marked("shuffler registered")
    policy: ClassVar[Policy] = Policy(writers=DIRECTION, readers=EVERYBODY)

    shuffler: Code
    maker: Reference
    model: Reference
    serial: Reference
    firmware: Reference | None = None
    approval: Reference | None = None
    certificate: Reference | None = None
    continuous: bool | None = None
    in_service: bool | None = None
    at_table: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerLoaded(PartidaEvent):
    """The cards went into the machine, in so many packets.

    `operator` put them in, `fiscal_chefe` is declared present: the witness's own word is another
    entry. `reason` is ``"after_emptying"`` where an opening had emptied the machine.
    """

    kind: ClassVar[str] = "shuffler-loaded/1"
    label: ClassVar[str] = marked("shuffler loaded")
    # A head inspector witnesses a loading; he does not tell of one.
    policy: ClassVar[Policy] = Policy(writers=frozenset({PIT, DEVICE}), witnessed_under="54")

    shuffler: Code
    decks: DeckCodes
    packets: Packets
    operator: Code | None = None
    fiscal_chefe: Code | None = None
    reason: LoadedWhy | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    cards: Cards | None = None

    def contradictions(self) -> None:
        """It ends no earlier than it began. Raises: Malformed."""
        check_span(self.started_at, self.ended_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerUnloaded(PartidaEvent):
    """The cards came out of the machine.

    `closing_announced` is whether the table's closing had been announced, `empty` whether the
    machine was looked through and held no card any more, `cards` how many came out.
    """

    kind: ClassVar[str] = "shuffler-unloaded/1"
    label: ClassVar[str] = marked("shuffler unloaded")
    policy: ClassVar[Policy] = Policy(writers=frozenset({PIT, DEVICE}), witnessed_under="55")

    shuffler: Code
    decks: DeckCodes
    operator: Code | None = None
    fiscal_chefe: Code | None = None
    closing_announced: bool | None = None
    reason: UnloadedWhy | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    cards: Cards | None = None
    empty: bool | None = None

    def contradictions(self) -> None:
        """It ends no earlier than it began. Raises: Malformed."""
        check_span(self.started_at, self.ended_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerOpened(FloorEvent):
    """The lid was opened. `incident` is what for, `emptied` whether the cards came out."""

    kind: ClassVar[str] = "shuffler-opened/1"
    label: ClassVar[str] = marked("shuffler opened")
    policy: ClassVar[Policy] = Policy(writers=TABLE_OR_DEVICE)

    shuffler: Code
    reason: OpenedWhy
    opened_by: Code | None = None
    opened_by_office: Office | None = None
    opened_at: datetime | None = None
    closed_at: datetime | None = None
    emptied: bool | None = None
    incident: Code | None = None

    def contradictions(self) -> None:
        """It was closed no earlier than it was opened. Raises: Malformed."""
        check_span(self.opened_at, self.closed_at, "closed_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerFoundEmpty(FloorEvent):
    """A machine taken out of use was looked through: `cards_found` lay in it, 0 where none did.

    `second` looked beside the author.
    """

    kind: ClassVar[str] = "shuffler-found-empty/1"
    label: ClassVar[str] = marked("shuffler looked through")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    shuffler: Code
    cards_found: Cards
    second: Code | None = None


def check_span(
    started_at: datetime | None, ended_at: datetime | None, end: str = "ended_at"
) -> None:
    """An act that ends no earlier than it began; `end` names its field. Raises: Malformed."""
    if started_at is not None and ended_at is not None and ended_at < started_at:
        raise Malformed(
            f"$.{end}",
            "found {found}; asked is no earlier than {begun}, when it began",
            found=ended_at.isoformat(),
            begun=started_at.isoformat(),
        )
