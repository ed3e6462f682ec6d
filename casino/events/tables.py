"""The tables of the house and their limits. Law: PT art. 2 (boxes), 14, 37 (limits), 39, 41."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, Literal

from casino.events import Malformed
from casino.events.event import TableEvent
from casino.events.event_policy import DIRECTION, EVERYBODY, MANAGER, Policy
from casino.events.phrases import marked
from casino.events.shape import Part
from casino.events.values import Code, Reference, Stake, Whole

JackpotMarking = Literal["none", "automatic", "manual"]
Numbering = Literal["from_dealers_left", "other"]
Layout = Literal["semicircular", "other"]
Boxes = Annotated[int, Whole(1, 20)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRegistered(TableEvent):
    """A table stands in the room, laid out so. Told again, it is laid out so from then on.

    `boxes` is the number of betting boxes, `boxes_marked` whether the cloth marks them;
    `jackpot_place` whether the layout has a slot or a space for the jackpot chip,
    `jackpot_marking` how it is marked.
    """

    kind: ClassVar[str] = "table-registered/1"
    label: ClassVar[str] = marked("table registered")
    policy: ClassVar[Policy] = Policy(writers=DIRECTION, readers=EVERYBODY)

    boxes: Boxes
    place: Reference | None = None
    layout: Layout | None = None
    numbering: Numbering | None = None
    boxes_marked: bool | None = None
    jackpot_place: bool | None = None
    jackpot_marking: JackpotMarking | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StakeLimits(Part):
    """The least and the most of a stake, in cents."""

    minimum_cents: Stake
    maximum_cents: Stake

    def contradictions(self, at: str) -> None:
        """The maximum is no less than the minimum. Raises: Malformed."""
        check_limits(self.minimum_cents, self.maximum_cents, at)


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSet(TableEvent):
    """The table's limits from `valid_from` on, until others are set."""

    kind: ClassVar[str] = "limits-set/1"
    label: ClassVar[str] = marked("limits set")
    policy: ClassVar[Policy] = Policy(writers=frozenset({MANAGER}), readers=EVERYBODY)

    minimum_cents: Stake
    maximum_cents: Stake
    valid_from: datetime
    approved_by: Code | None = None
    reference: Reference | None = None

    def contradictions(self) -> None:
        """The maximum is no less than the minimum. Raises: Malformed."""
        check_limits(self.minimum_cents, self.maximum_cents, "$")


def check_limits(minimum_cents: int, maximum_cents: int, at: str) -> None:
    """Limits that leave room for a stake. Raises: Malformed."""
    if maximum_cents < minimum_cents:
        raise Malformed(
            f"{at}.maximum_cents",
            "found {maximum}; asked is no less than the minimum, {minimum}",
            maximum=maximum_cents,
            minimum=minimum_cents,
        )
