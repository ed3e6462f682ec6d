"""What may be told of the progressive. Law: PT art. 41, 45, 47, 48."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final

from casino.facts.fact import PartidaFact
from casino.facts.shape import Part
from casino.facts.values import MAX_NUMBER, Cents, Code, Listed, Number, Place, Uuid, Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotChip(Part):
    """The chips one owner laid for the jackpot on one box: `n` of them.

    `marked` is whether a marker took their place when they were collected, `seat` where he sits.
    """

    box: Place
    owner: Code
    n: Annotated[int, Whole(1, MAX_NUMBER)]
    seat: Place | None = None
    marked: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotIncremented(PartidaFact):
    """The dealer collected a round's jackpot chips and raised the display by hand.

    `round` is the round's UUID, `shoe` and `number` its place, as far as known. `chip_cents` is
    what one chip was worth, `display_cents` what the display showed afterwards. `closing_called` is
    whether the dealer had called the stakes closed.
    """

    kind: ClassVar[str] = "jackpot-incremented/1"

    jackpot: Code
    chips: Annotated[tuple[JackpotChip, ...], Listed(200)]
    round: Uuid | None = None
    shoe: Number | None = None
    number: Number | None = None
    chip_cents: Cents | None = None
    display_cents: Cents | None = None
    closing_called: bool | None = None
    collected_before_deal: bool | None = None


KINDS: Final[dict[str, type[Any]]] = {fact.kind: fact for fact in (JackpotIncremented,)}
