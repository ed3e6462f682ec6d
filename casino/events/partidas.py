"""A partida: a table from its opening to its closing, with its decks and its way of dealing.

Law: PT art. 3, 4 (decks and special cards), 13, 48, 58, 59 (what is attested), 52, 55.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, Literal

from casino.events import Malformed
from casino.events.event import PartidaEvent
from casino.events.event_policy import Policy
from casino.events.phrases import marked
from casino.events.shape import Part, refuse_twice
from casino.events.staff import Office
from casino.events.tables import StakeLimits
from casino.events.values import (
    Cards,
    Code,
    CodesOnce,
    Count,
    Listed,
    Stake,
    Whole,
    Word,
)

Dealing = Literal["shoe", "shuffler"]
ClosedWhy = Literal["end_of_day", "no_players", "lack_of_capital", "incident", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckInUse(Part):
    """A deck of the set, and the colour of its backs: a plain word, ``"red"``."""

    deck: Code
    back_colour: Word | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialCard(Part):
    """The colours of both sides of the card one cuts with, or of the warning card."""

    front: Word
    back: Word


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipCount(Part):
    """How many chips of one value lay there."""

    value_cents: Stake
    count: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Attested(Part):
    """A named person says that an article was kept throughout, where nothing else can show it."""

    article: Code
    staff: Code
    office: Office | None = None
    at: datetime | None = None


DeckSet = Annotated[tuple[DeckInUse, ...], Listed(20)]
ChipCounts = Annotated[tuple[ChipCount, ...], Listed(40)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartidaOpened(PartidaEvent):
    """A table opens: by which rulebook and limits, with which decks, dealt how, who is there.

    `limits` is a copy of those in force. `jackpots` are the pools its side stakes feed, `()` none.
    `counts` is the float, chips by value; `dealing` ``"shuffler"`` means the cards go into one.
    `special_cards` is how many special cards go with the shoe, where `cut_card` and `carta_aviso`
    do not tell it: 0 says that there is none.
    """

    kind: ClassVar[str] = "partida-opened/1"
    label: ClassVar[str] = marked("partida opened")
    policy: ClassVar[Policy] = Policy()  # the floor's own

    rulebook: Code
    limits: StakeLimits
    decks: DeckSet
    dealing: Dealing
    shuffler: Code | None = None
    fiscal_de_banca: Code | None = None
    fiscal_chefe: Code | None = None
    pagador: Code | None = None
    cut_card: SpecialCard | None = None
    carta_aviso: SpecialCard | None = None
    special_cards: Annotated[int, Whole(0, 20)] | None = None
    jackpots: CodesOnce | None = None
    counts: ChipCounts | None = None

    def contradictions(self) -> None:
        """A deck stands in a set once; a shoe is no shuffler; cards described are there.

        Raises: Malformed.
        """
        check_decks_once(tuple(each.deck for each in self.decks))
        check_values_once(self.counts)
        described = sum(card is not None for card in (self.cut_card, self.carta_aviso))
        if self.special_cards is not None and self.special_cards < described:
            raise Malformed(
                "$.special_cards",
                "found {found}; the colours of {described} are told",
                found=self.special_cards,
                described=described,
            )
        if self.dealing == "shoe" and self.shuffler is not None:
            raise Malformed(
                "$.shuffler",
                "found shuffler {found}; the partida says it is dealt from a shoe",
                found=self.shuffler,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class PartidaClosed(PartidaEvent):
    """A table closes. `rounds` is how many were played, `counts` the chips left, by value.

    `attested` is what named persons answer for over the whole partida, `cards_counted` the cards
    that came back in all.
    """

    kind: ClassVar[str] = "partida-closed/1"
    label: ClassVar[str] = marked("partida closed")
    policy: ClassVar[Policy] = Policy()  # the floor's own

    rounds: Count | None = None
    reason: ClosedWhy | None = None
    closing_announced_at: datetime | None = None
    cards_counted: Cards | None = None
    fiscal_de_banca: Code | None = None
    fiscal_chefe: Code | None = None
    pagador: Code | None = None
    counts: ChipCounts | None = None
    attested: Annotated[tuple[Attested, ...], Listed(100)] | None = None

    def contradictions(self) -> None:
        """Each value of chip is counted once. Raises: Malformed."""
        check_values_once(self.counts)


def check_decks_once(decks: tuple[str, ...]) -> None:
    """No deck lies twice in one set. Raises: Malformed."""
    for index, deck in enumerate(decks):
        if deck in decks[:index]:
            refuse_twice(f"$.decks[{index}].deck", deck)


def check_values_once(counts: tuple[ChipCount, ...] | None) -> None:
    """No value of chip is counted twice. Raises: Malformed."""
    values = [each.value_cents for each in counts or ()]
    for index, value in enumerate(values):
        if value in values[:index]:
            refuse_twice(f"$.counts[{index}].value_cents", value)
