"""What was found when a deck was looked at. Law: PT art. 3, 5, 7, 53, 55."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from casino.events.event import FloorEvent
from casino.events.event_policy import AT_THE_TABLE, Policy
from casino.events.phrases import marked
from casino.events.shape import Withheld
from casino.events.values import CardCode, Code, Listed, PrivateText, Reference, Whole

Moment = Literal["received", "exhibition", "close", "store"]
Condition = Literal["regular", "damaged", "marked", "foreign"]
DeckResult = Literal["conform", "damaged", "missing", "extra", "foreign"]
Seal = Literal["intact", "broken", "none"]
CardList = Annotated[tuple[CardCode, ...], Listed(200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckInspected(FloorEvent):
    """A deck was looked through: how many cards, in order or not, their faces, their backs.

    `moment` is the occasion: on receipt, the exhibition before play, the ordering at the close, in
    store. `order_complete` tells whether every card was found in its place; `spread_in_rows`
    whether they lay face up in rows. `pagador` is who showed or ordered them, `machine` what
    counted them and `receipt` its slip; `jokers` how many lay among them. `result` is what was
    said of the deck, which may be other than what its counts say: that is judged, not refused.
    """

    kind: ClassVar[str] = "deck-inspected/1"
    label: ClassVar[str] = marked("deck inspected")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)
    private: ClassVar[frozenset[str]] = frozenset({"note"})

    deck: Code
    moment: Moment
    cards: Annotated[int, Whole(0, 200)]
    order_complete: bool
    faces: Condition
    backs: Condition
    result: DeckResult
    spread_in_rows: bool | None = None
    jokers: Annotated[int, Whole(0, 20)] | None = None
    seal: Seal | None = None
    pagador: Code | None = None
    fiscal_de_banca: Code | None = None
    fiscal_chefe: Code | None = None
    machine: Code | None = None
    receipt: Reference | None = None
    damaged_cards: CardList | None = None
    missing_cards: CardList | None = None
    extra_cards: CardList | None = None
    note: PrivateText | Withheld | None = None
