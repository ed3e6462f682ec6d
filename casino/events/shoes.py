"""What is done to the cards of one shoe: shuffle, cut, warning card, burnt card, stop, last round.

What the shoe itself reports of them is `CardOut`.

`shoe` is the shoe's running number in the partida. Where a shuffler deals, each load counts as a
shoe: the first is 1. `round` is the client's UUID of a round, `number` its number in the shoe.

Law: PT art. 8 (cut), 9 (warning card), 10 (burnt card), 11 (last round), 12 (cards spread), 53.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from casino.events import Malformed
from casino.events.event import PartidaEvent
from casino.events.event_policy import AT_THE_TABLE, DEVICE, Policy
from casino.events.partidas import SpecialCard
from casino.events.phrases import marked
from casino.events.shape import Part, refuse_twice
from casino.events.values import (
    MAX_CARDS,
    MAX_PLACE,
    CardCode,
    Cards,
    Code,
    Listed,
    Number,
    Place,
    SeatsRising,
    Uuid,
    Whole,
    Word,
)

CutAfter = Literal["start", "next_shoe", "interruption"]
CutBy = Literal["seat", "fiscal_de_banca", "pagador", "nobody"]
ShuffledHow = Literal["by_hand", "machine"]
MeasuredHow = Literal["counted", "estimated"]
CameOut = Literal["during_round", "before_round"]
SpreadWhy = Literal["no_players", "no_stakes", "other"]
InterruptedWhy = Literal[
    "no_players", "no_stakes", "dealer_change", "shuffler", "incident", "complaint", "other"
]
Passes = Annotated[int, Whole(0, 100)]
Players = Annotated[int, Whole(0, MAX_PLACE)]
Burnt = Annotated[int, Whole(0, 20)]
Position = Annotated[int, Whole(1, MAX_CARDS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckPasses(Part):
    """How many passes one deck was given."""

    deck: Code
    passes: Passes


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsShuffled(PartidaEvent):
    """The cards were shuffled, deck by deck, for this shoe or before they went into a shuffler.

    `shuffled_by` is who did it, `cards` how many there were in all. `used_cards_turned` is whether
    the cards of the shoe before were parted before it, open ones from closed, and the open pile was
    turned onto the other.
    """

    kind: ClassVar[str] = "cards-shuffled/1"
    label: ClassVar[str] = marked("cards shuffled")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    shoe: Number
    decks: Annotated[tuple[DeckPasses, ...], Listed(20)]
    shuffled_by: Code | None = None
    method: ShuffledHow | None = None
    face_down: bool | None = None
    cards: Cards | None = None
    used_cards_turned: bool | None = None

    def contradictions(self) -> None:
        """Each deck's passes are recorded once. Raises: Malformed."""
        decks = [each.deck for each in self.decks]
        for index, deck in enumerate(decks):
            if deck in decks[:index]:
                refuse_twice(f"$.decks[{index}].deck", deck)


@dataclass(frozen=True, slots=True, kw_only=True)
class CutOffer(Part):
    """A seat was asked to cut, and what it answered."""

    seat: Place
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CutMade(PartidaEvent):
    """The cut: who sat there, who was asked in which order, who did it.

    `after` is what went before; `due_seat` the rightful seat as the door worked it out. `seat` is
    told exactly when a seat cut, `staff` only when one of the house did. `special_card` is whether
    a special card was used, `card_colour` of which colour. Where two cut, each is an entry.
    """

    kind: ClassVar[str] = "cut-made/1"
    label: ClassVar[str] = marked("cut made")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    shoe: Number
    after: CutAfter
    seats_occupied: SeatsRising
    offers: Annotated[tuple[CutOffer, ...], Listed(MAX_PLACE)]
    cut_by: CutBy
    due_seat: Place | None = None
    seat: Place | None = None
    staff: Code | None = None
    special_card: bool | None = None
    card_colour: Word | None = None

    def contradictions(self) -> None:
        """A seat is asked once; who cut is recorded once and fully. Raises: Malformed."""
        seats = [offer.seat for offer in self.offers]
        for index, seat in enumerate(seats):
            if seat in seats[:index]:
                refuse_twice(f"$.offers[{index}].seat", seat)
        if self.cut_by == "seat" and self.seat is None:
            raise Malformed("$.seat", "found none; asked is the seat that cut")
        if self.cut_by != "seat" and self.seat is not None:
            raise Malformed(
                "$.seat",
                "found seat {found}; the cut is said to be made by {cut_by}",
                found=self.seat,
                cut_by=self.cut_by,
            )
        if self.cut_by in ("seat", "nobody") and self.staff is not None:
            raise Malformed(
                "$.staff",
                "found {found}; the cut is said to be made by {cut_by}",
                found=self.staff,
                cut_by=self.cut_by,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class CartaAvisoPlaced(PartidaEvent):
    """The warning card went in, so many cards from the end, with so many players at the table.

    `colours` are those of the card's sides, where they are not the partida's own.
    """

    kind: ClassVar[str] = "carta-aviso-placed/1"
    label: ClassVar[str] = marked("warning card placed")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    shoe: Number
    cards_from_end: Cards
    players: Players
    cards_in_shoe: Cards | None = None
    measured: MeasuredHow | None = None
    colours: SpecialCard | None = None

    def contradictions(self) -> None:
        """The card lies among the cards there are. Raises: Malformed."""
        if self.cards_in_shoe is not None and self.cards_from_end > self.cards_in_shoe:
            raise Malformed(
                "$.cards_from_end",
                "found {found}; the shoe is said to hold {cards} cards",
                found=self.cards_from_end,
                cards=self.cards_in_shoe,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class CardBurned(PartidaEvent):
    """So many cards were taken out before the first deal; 0 says that none was.

    `to_discard_corner` is whether they went there, `seen` whether anybody saw a face.
    """

    kind: ClassVar[str] = "card-burned/1"
    label: ClassVar[str] = marked("card burnt")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    shoe: Number
    cards: Burnt
    to_discard_corner: bool | None = None
    seen: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOut(PartidaEvent):
    """A card left the shoe, as the shoe itself reports; nobody else does, and nobody corrects it.

    `position` counts the cards of the shoe as they leave it, from 1, burnt ones too: the highest
    tells how many are out. `card` is what a shoe that reads them read.
    """

    kind: ClassVar[str] = "card-out/1"
    label: ClassVar[str] = marked("card out of the shoe")
    policy: ClassVar[Policy] = Policy(writers=frozenset({DEVICE}), correctable=False)

    shoe: Number
    position: Position
    card: CardCode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastRoundAnnounced(PartidaEvent):
    """The dealer said that this is the shoe's last round.

    `came_out` is when the warning card did, `audible` whether everybody could hear it.
    """

    kind: ClassVar[str] = "last-round-announced/1"
    label: ClassVar[str] = marked("last round announced")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    shoe: Number | None = None
    round: Uuid | None = None
    number: Number | None = None
    came_out: CameOut | None = None
    audible: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsSpread(PartidaEvent):
    """All the cards were laid out on the table before the shoe was used up."""

    kind: ClassVar[str] = "cards-spread/1"
    label: ClassVar[str] = marked("cards spread")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    reason: SpreadWhy
    shoe: Number | None = None
    round: Uuid | None = None
    face_up: bool | None = None
    cards: Cards | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayInterrupted(PartidaEvent):
    """Play stopped. `round` is the last that was played."""

    kind: ClassVar[str] = "play-interrupted/1"
    label: ClassVar[str] = marked("play interrupted")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    reason: InterruptedWhy
    shoe: Number | None = None
    round: Uuid | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayResumed(PartidaEvent):
    """Play went on. `round` is the first that was played again."""

    kind: ClassVar[str] = "play-resumed/1"
    label: ClassVar[str] = marked("play resumed")
    policy: ClassVar[Policy] = Policy(writers=AT_THE_TABLE)

    shoe: Number | None = None
    round: Uuid | None = None
