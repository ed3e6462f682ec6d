"""The round record: what was staked, dealt, done and handed back in one round of blackjack.

Shapes follow docs/round-record.md. A field that is `None` was left out: its absence means
*unknown*, except for `Hand.split_from` and `RoundPlayed.voided`, which are there exactly when it
happened. The parts check nothing by themselves: a round checks itself whole when it is built, so
that every refusal can name the place.

Units: money in cents, times aware UTC, boxes, hands and seats counted from 1.
"""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from casino.cards import Card
from casino.events.event import Event, Paper
from casino.events.event_policy import DEVICE, FLOOR, SYSTEM, Policy
from casino.events.phrases import marked
from casino.events.round.round_form import check_form, gaming_day_of
from casino.events.round.round_words import (
    ACTIONS,
    MAX_CARDS_IN_HAND,
    MAX_CENTS,
    ON_A_HAND,
    WAGER_KINDS,
    Action,
    Fate,
    RoundVoidedWhy,
    VoidedWhy,
    WagerKind,
)
from casino.events.shape import check_fields

__all__ = [
    "ACTIONS",
    "MAX_CARDS_IN_HAND",
    "MAX_CENTS",
    "ON_A_HAND",
    "WAGER_KINDS",
    "Action",
    "Bank",
    "Box",
    "Dealt",
    "Device",
    "Fate",
    "Hand",
    "Limits",
    "Misdealt",
    "Place",
    "RoundPlayed",
    "RoundVoidedWhy",
    "Times",
    "VoidedCard",
    "VoidedWhy",
    "Wager",
    "WagerKind",
]


@dataclass(frozen=True, slots=True)
class Place:
    """A hand on the layout: box and the hand's number in that box."""

    box: int
    hand: int


@dataclass(frozen=True, slots=True)
class Wager:
    """One owner's stake of one kind: what finally lay there and everything handed back for it.

    `initial_cents` is what this owner had marked on this box before the deal; `at_once` whether
    the wager was settled before the bank played. `even_money` stands in the place of `main`: the
    stake of a blackjack whose owner took 1:1. `special` has no stake of its own. Of an insurance
    alone: `taken_at` is how many of the round's cards had left the shoe when it was laid, `invited`
    whether the dealer had invited to it, `on_its_place` whether it lay on the spot marked for it,
    `spoken` whether a player had already spoken, for a card or to stand.
    """

    owner: str
    kind: WagerKind
    stake_cents: int
    returned_cents: int
    hand: int | None = None
    seat: int | None = None
    initial_cents: int | None = None
    at_once: bool | None = None
    chip: int | None = None
    taken_at: int | None = None
    invited: bool | None = None
    on_its_place: bool | None = None
    spoken: bool | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of one hand in the order they came, and what was decided on it, in order.

    `surrendered_at` is how many of the round's cards had left the shoe when it was given up,
    `from_left` its place among the hands of its box as they lay, from the dealer's left.
    """

    number: int
    cards: tuple[Card, ...]
    actions: tuple[Action, ...]
    split_from: int | None = None
    surrendered_at: int | None = None
    from_left: int | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """One betting box: who holds it, the hands played on it, the wagers of every owner."""

    number: int
    vacant: bool
    hands: tuple[Hand, ...]
    wagers: tuple[Wager, ...]
    holder: str | None = None
    decided_by: str | None = None
    consent: bool | None = None


@dataclass(frozen=True, slots=True)
class VoidedCard:
    """A bank card that was taken out of the round, and why."""

    card: Card
    why: VoidedWhy


@dataclass(frozen=True, slots=True)
class Bank:
    """The bank's cards that counted, in order.

    `open` are the places (from 1) of those that lay face up when the deal ended.
    """

    cards: tuple[Card, ...]
    voided: tuple[VoidedCard, ...]
    open: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Misdealt:
    """A card that came out of the shoe wrongly and where it went.

    `at` is the hand whose player had not asked for it, ``"bank"`` for the bank's second card
    turned by mistake, ``"shoe"`` for a card that lay face up in the shoe. `to` is the hand that
    got it when `fate` is ``"hand"``.
    """

    card: Card
    at: Place | Literal["bank", "shoe"]
    fate: Fate
    seen: bool | None = None
    to: Place | None = None


@dataclass(frozen=True, slots=True)
class Dealt:
    """One card as it left the shoe, and where it was laid."""

    card: Card
    to: Place | Literal["bank", "discard"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The table's limits when the stakes were marked."""

    minimum_cents: int
    maximum_cents: int


@dataclass(frozen=True, slots=True)
class Times:
    """The moments of a round that somebody or something told; each aware UTC."""

    stakes_closed: datetime | None = None
    first_card: datetime | None = None
    paid: datetime | None = None
    collected: datetime | None = None
    inserted: datetime | None = None


@dataclass(frozen=True, slots=True)
class Device:
    """The device that recorded the round, with its own running number."""

    id: str
    sequence: int


@dataclass(frozen=True, slots=True)
class RoundPlayed(Event):
    """One round, whole. `partida` is ``TABLE/YYYY-MM-DD/N``: the gaming day is read off it once.

    `put_back` is how many cards went into the shuffler after it, those that had waited with them;
    `paper` is the sheet it was written on by hand before it was recorded.

    Raises: Malformed, when the record contradicts itself.
    """

    round: str
    table: str
    partida: str
    boxes: tuple[Box, ...]
    bank: Bank
    misdealt: tuple[Misdealt, ...]
    shoe: int | None = None
    number: int | None = None
    device: Device | None = None
    dealer: str | None = None
    rulebook: str | None = None
    limits: Limits | None = None
    times: Times | None = None
    seats_occupied: tuple[int, ...] | None = None
    dealt: tuple[Dealt, ...] | None = None
    warning_card_at: int | None = None
    voided: RoundVoidedWhy | None = None
    put_back: int | None = None
    paper: Paper | None = None
    gaming_day: date = field(init=False)

    kind = "round-played/1"
    label = marked("round played")
    policy = Policy(writers=FLOOR | {DEVICE, SYSTEM})

    def __post_init__(self) -> None:
        object.__setattr__(self, "gaming_day", gaming_day_of(self.table, self.partida))
        check_form(self)
        if self.paper is not None:
            check_fields(self.paper, "$.paper")

    @property
    def stream(self) -> str:
        """The book's stream this event is written to."""
        return f"table/{self.table}"

    @property
    def table_code(self) -> str:
        """The table it tells of."""
        return self.table

    @property
    def partida_id(self) -> str:
        """The partida it belongs to."""
        return self.partida
