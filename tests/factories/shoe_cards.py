"""Whole shoes dealt card by card at the table of `Game`: six boxes of two cards, and the bank.

Nobody draws: what is asked of the cards alone does not hang on how a hand is played.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any, Final
from uuid import UUID, uuid5

from casino.cards import Card
from casino.events.round.round_played import Bank, Dealt, Hand, Place, RoundPlayed
from casino.events.shoes import CardsShuffled, DeckPasses
from casino.law.dossier import RecordedEvent
from casino.simulation.card_source import ONE_DECK
from tests.factories.games import DAY, Game
from tests.factories.rounds import a_round, box, main

SIX: Final = ONE_DECK * 6
SEEN: Final = 262  # cards of six decks where some fifty stay behind the warning card
_IN_A_ROUND: Final = 14
_NAMES: Final = UUID("00000000-0000-4000-8000-0000000ca4d5")


class Evening(Game):
    """A game so many days after that of `Game`, with the same decks."""

    def __init__(self, days: int, **known: Any) -> None:
        self.later = timedelta(days=days)
        super().__init__(**known)

    @property
    def where(self) -> dict[str, str]:
        """Table and partida, as its events name them."""
        self.partida = f"{self.table}/{(DAY + self.later).isoformat()}/1"
        return super().where

    def add(self, *given: Any, **known: Any) -> RecordedEvent[Any]:
        """Add an entry of a finished event."""
        one = super().add(*given, **known)
        moments = {"occurred_at": one.occurred_at, "recorded_at": one.recorded_at}
        self.entries[-1] = replace(one, **{name: at + self.later for name, at in moments.items()})
        return self.entries[-1]


def shuffled(rng: Random, cards: Sequence[Card] = SIX) -> list[Card]:
    """These cards in any order."""
    return rng.sample(cards, len(cards))


def a_round_of(cards: Sequence[Card], shoe: int, number: int) -> RoundPlayed:
    """Fourteen cards as they leave the shoe: two to each of six boxes and to the bank."""
    boxes = [
        replace(one, hands=(Hand(1, (cards[n], cards[n + 7]), ()),))
        for n, one in enumerate(box(place, "9S 8D", main(1000, 0)) for place in range(1, 7))
    ]
    to = [*(Place(place, 1) for place in range(1, 7)), "bank"] * 2
    plain = a_round(*boxes, shoe=shoe, number=number)
    return replace(
        plain,
        bank=Bank((cards[6], cards[13]), (), (1,)),
        dealt=tuple(Dealt(card, place) for card, place in zip(cards, to, strict=True)),
    )


def deal_shoe(
    game: Game, shoe: int, cards: Sequence[Card], *, seen: int = SEEN, prepared: bool = True
) -> list[RoundPlayed]:
    """Shuffle and deal a shoe until so many cards were seen, within whole rounds."""
    hour, minute = divmod(19 * 60 + 40 + 16 * shoe, 60)
    at = f"{hour % 24:02d}:{minute:02d}"
    if prepared:
        passes = tuple(DeckPasses(deck=deck, passes=5) for deck in game.decks)
        game.record(CardsShuffled, at, shoe=shoe, decks=passes)
    played = []
    for number in range(1, seen // _IN_A_ROUND + 1):
        dealt = cards[_IN_A_ROUND * (number - 1) : _IN_A_ROUND * number]
        name = uuid5(_NAMES, f"{game.partida}/{shoe}/{number}")
        event = replace(a_round_of(dealt, shoe, number), round=str(name), **game.where)
        game.add(event, f"{at}:{30 + number}")
        played.append(event)
    return played


def gathered(rng: Random, played: Sequence[RoundPlayed], *, turned: bool = False) -> list[Card]:
    """The discards of a shoe as they lie: the hands of a round picked up in any order.

    `turned`: the pile is dealt from its other end.
    """
    cards: list[Card] = []
    for event in played:
        hands = [hand.cards for one in event.boxes for hand in one.hands]
        hands.append(event.bank.cards)
        for hand in rng.sample(hands, len(hands)):
            cards += hand
    return cards[::-1] if turned else cards


def riffled(rng: Random, cards: Sequence[Card], passes: int = 1) -> list[Card]:
    """Riffled so many times, as a skilled hand does (Gilbert, Shannon, Reeds)."""
    found = list(cards)
    for _ in range(passes):
        half = sum(rng.getrandbits(1) for _ in found)
        left, right = found[:half][::-1], found[half:][::-1]
        found = []
        while left or right:
            take = left if rng.randrange(len(left) + len(right)) < len(left) else right
            found.append(take.pop())
    return found


__all__ = [
    "SEEN",
    "SIX",
    "Evening",
    "a_round_of",
    "deal_shoe",
    "gathered",
    "riffled",
    "shuffled",
]
