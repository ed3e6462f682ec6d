"""Article 3 across the rounds of a shoe: a card cannot come more often than the game has decks.

A round's record names no number of decks: who knows no more asks for the largest game allowed, who
knows the shoe's decks for those. A card not known whole is not counted.

Law: PT art. 3.
"""

from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from casino.cards import UNKNOWN_SUIT, UNKNOWN_TEN
from casino.events.deck_life import CardReplaced, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.event import Event
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsShuffled, CardsSpread

# What tells of the cards of a game: its decks, its shoes, its rounds.
ABOUT_CARDS: Final[tuple[type[Event], ...]] = (
    *(PartidaOpened, PartidaClosed, CardsShuffled, CardsSpread, RoundPlayed),
    *(CardReplaced, DeckInspected, DeckWithdrawn),
)
# A shoe keeps 52 small counts; what was longest untouched goes first, whatever the file's size.
SHOES_COUNTED: Final = 8_192
NONE_EXCHANGED: Final[Mapping[str, int]] = {}


class Excess(NamedTuple):
    """A card that came once too often, and how often it has come now."""

    card: str
    times: int


def cards_of(played: RoundPlayed) -> list[str]:
    """Every card of a round that left the shoe, voided and misdealt ones too."""
    cards = list(played.bank.cards)
    for box in played.boxes:
        for hand in box.hands:
            cards += hand.cards
    if played.bank.voided or played.misdealt:
        cards += [voided.card for voided in played.bank.voided]
        cards += [misdealt.card for misdealt in played.misdealt if misdealt.fate == "discard"]
    return cards


def known(card: str) -> bool:
    """Whether the code names one single card of a deck."""
    return card[0] != UNKNOWN_TEN and card[1] != UNKNOWN_SUIT


class ShoeCards:
    """The cards seen of each shoe, in bounded memory.

    A card is reported once per shoe, with the round that first passed what the decks hold. A shoe
    forgotten to make room and met again is counted anew: it may then hide an excess, never invent
    one.
    """

    def __init__(self, shoes: int = SHOES_COUNTED) -> None:
        self._shoes = shoes
        self._seen: OrderedDict[tuple[str, int], Counter[str]] = OrderedDict()

    def add(
        self,
        partida: str,
        shoe: int,
        cards: Sequence[str],
        most: int,
        exchanged: Mapping[str, int] = NONE_EXCHANGED,
        alone: int | None = None,
    ) -> list[Excess]:
        """Count one round; the cards that now, for the first time, came more than `most` times.

        Of a card that was `exchanged` one more may come for each time. One that a round by itself
        shows more than `alone` times (`most`) is left to that round's own finding.
        """
        key = partida, shoe
        seen = self._seen.get(key)
        if seen is None:
            seen = self._seen[key] = Counter()
            if len(self._seen) > self._shoes:
                self._seen.popitem(last=False)
        else:
            self._seen.move_to_end(key)
        found = []
        for card in cards:
            seen[card] += 1
            if (
                seen[card] == most + exchanged.get(card, 0) + 1
                and known(card)
                and cards.count(card) <= (most if alone is None else alone)
            ):
                found.append(Excess(card, seen[card]))
        return found
