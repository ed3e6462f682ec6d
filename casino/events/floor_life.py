"""Who deals, who sits, what chips lie there, which rounds' cards wait to go back.

Law: PT art. 8, 16 (who sat where), 60 (cards that could not be put back).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, Literal

from casino.events import Malformed
from casino.events.event import PartidaEvent
from casino.events.event_policy import AT_THE_TABLE, MANAGER, TABLE_OR_DEVICE, Policy
from casino.events.partidas import ChipCounts, check_values_once
from casino.events.phrases import marked
from casino.events.values import Cents, Code, Listed, Place, Uuid

CountedWhen = Literal["opening", "closing", "fill", "credit", "interim"]
DeferredWhy = Literal["shuffler_full", "jam", "dispute", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerTookTable(PartidaEvent):
    """A dealer began to deal; `relieves` is whom he took over from."""

    kind: ClassVar[str] = "dealer-took-table/1"
    label: ClassVar[str] = marked("dealer came to the table")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    pagador: Code
    relieves: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerLeftTable(PartidaEvent):
    """A dealer stopped dealing."""

    kind: ClassVar[str] = "dealer-left-table/1"
    label: ClassVar[str] = marked("dealer left the table")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    pagador: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHandedOver(PartidaEvent):
    """Another fiscal de banca answers for the table from here on; `relieves` is who did before."""

    kind: ClassVar[str] = "table-handed-over/1"
    label: ClassVar[str] = marked("table handed over")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    fiscal_de_banca: Code
    relieves: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken(PartidaEvent):
    """Somebody sat down. `player` is his pseudonym in this partida."""

    kind: ClassVar[str] = "seat-taken/1"
    label: ClassVar[str] = marked("seat taken")
    policy: ClassVar[Policy] = Policy(writers=TABLE_OR_DEVICE)

    seat: Place
    player: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLeft(PartidaEvent):
    """A seat became free."""

    kind: ClassVar[str] = "seat-left/1"
    label: ClassVar[str] = marked("seat left")
    policy: ClassVar[Policy] = Policy(writers=TABLE_OR_DEVICE)

    seat: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsCounted(PartidaEvent):
    """The chips of a table were counted, by value; `second` counted beside the dealer.

    At a fill or a credit they are those brought or taken away, else all that lie there.
    """

    kind: ClassVar[str] = "chips-counted/1"
    label: ClassVar[str] = marked("chips counted")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    moment: CountedWhen
    counts: ChipCounts
    pagador: Code | None = None
    second: Code | None = None

    def contradictions(self) -> None:
        """Each value is counted once, and nobody counts beside himself. Raises: Malformed."""
        check_values_once(self.counts)
        if self.second is not None and self.pagador is not None:
            if self.second.casefold() == self.pagador.casefold():
                raise Malformed("$.second", "found the dealer himself; asked is another person")


@dataclass(frozen=True, slots=True, kw_only=True)
class DropCounted(PartidaEvent):
    """The cash of a table's drop box was counted; `second` counted beside `counted_by`.

    It is what chips were sold for at the table since the box before it, or since the opening, until
    `taken_at`, when the box was taken off the table. Units: cents.
    """

    kind: ClassVar[str] = "drop-counted/1"
    label: ClassVar[str] = marked("drop box counted")
    policy: ClassVar[Policy] = Policy()  # the floor's own

    cash_cents: Cents
    taken_at: datetime | None = None
    counted_by: Code | None = None
    second: Code | None = None

    def contradictions(self) -> None:
        """Nobody counts beside himself. Raises: Malformed."""
        if self.second is not None and self.counted_by is not None:
            if self.second.casefold() == self.counted_by.casefold():
                raise Malformed("$.second", "found who counted; asked is another person")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsDeferred(PartidaEvent):
    """The cards of these rounds could not be put back into the shuffler yet."""

    kind: ClassVar[str] = "rounds-deferred/1"
    label: ClassVar[str] = marked("cards not put back yet")
    policy: ClassVar[Policy] = Policy(writers=TABLE_OR_DEVICE)

    rounds: Annotated[tuple[Uuid, ...], Listed(100, once=True)]
    reason: DeferredWhy
    shuffler: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartidaReopened(PartidaEvent):
    """A closing was undone: play goes on. `authorised_by` is whose leave it was."""

    kind: ClassVar[str] = "partida-reopened/1"
    label: ClassVar[str] = marked("partida reopened")
    policy: ClassVar[Policy] = Policy(writers=frozenset({MANAGER}))

    reason: Code
    authorised_by: Code | None = None
