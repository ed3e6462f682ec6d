"""The exact chance of every line of an approved table, and what a stake can expect of it.

The cards that count for a player are as likely to be any cards of the shoe as any others, wherever
he sits and whatever was dealt to the rest: so the first n of them are a draw of n cards from whole
packs. Draws are gone through card by card and those that come to the same are counted once, with
their number; a draw that can win nothing more is not followed. All counting is in whole numbers.

What is reckoned is a player who takes every card that may count. Who stops earlier has the chances
of fewer cards (`cards`); where the largest prize is won, his expectation is no higher for it. That
others may win in the same round, and share, is left out.

Law: PT art. 42, 43.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import perm
from typing import Final

from casino.cards import VALUE, Card, best_total
from jackpot.progressive.catalogue import combination
from jackpot.progressive.combinations import PACK, RANKS, SUITS, Combination
from jackpot.progressive.prizes import PrizeList

Pack = Mapping[Card, int]


def packs(decks: int) -> Counter[Card]:
    """So many packs of 52 cards, counted card by card. Law: PT art. 3."""
    return Counter(dict.fromkeys(PACK, decks))


@dataclass(frozen=True, slots=True)
class LineChance:
    """One line: its exact chance, and what it is worth to a stake on the average.

    Units: `prize_cents` with the meter where it was asked; `expected_cents` exact cents.
    """

    code: str
    chance: Fraction
    prize_cents: int

    @property
    def expected_cents(self) -> Fraction:
        """Chance times prize."""
        return self.chance * self.prize_cents

    @property
    def one_in(self) -> Fraction | None:
        """Once in how many draws; None where it cannot come."""
        return 1 / self.chance if self.chance else None


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a table gives back: its lines in their order, and the stake they are held against."""

    lines: tuple[LineChance, ...]
    stake_cents: int

    @property
    def expected_cents(self) -> Fraction:
        """What comes back for one stake on the average. Units: exact cents."""
        return sum((line.expected_cents for line in self.lines), Fraction(0))

    @property
    def returned(self) -> Fraction:
        """The part of the stake that comes back on the average."""
        return self.expected_cents / self.stake_cents

    @property
    def chance(self) -> Fraction:
        """The chance to win anything."""
        return sum((line.chance for line in self.lines), Fraction(0))


def expectation(
    prizes: PrizeList,
    stake_cents: int,
    microcents: int,
    decks: int,
    *,
    cards: int | None = None,
    no_card_at: int | None = None,
) -> Expectation:
    """What one stake can expect of an approved table with so much on the meter.

    `cards` and `no_card_at` as for `chances`. Law: PT art. 43.
    """
    found = chances(prizes, microcents, packs(decks), cards=cards, no_card_at=no_card_at)
    lines = [
        LineChance(line.code, found[line.code], line.due_cents(microcents)) for line in prizes.lines
    ]
    return Expectation(tuple(lines), stake_cents)


def chances(
    prizes: PrizeList,
    microcents: int,
    pack: Pack,
    *,
    cards: int | None = None,
    no_card_at: int | None = None,
) -> dict[str, Fraction]:
    """The exact chance that each line is the one that is won, drawing from `pack`.

    The meter matters only where the larger of two prizes is won. `cards` is how many cards the
    player gets, at most those that count and by default all. `no_card_at` is the total that gets no
    further card (the law's `hit.until`): its draws end there, and so does a blackjack's; a pair may
    be split instead and always gets two cards more. None where all cards come whatever they make.
    Law: PT art. 18, 26, 42.
    """
    ranked = [combination(line.code) for line in prizes.ranked(microcents)]
    most = min(prizes.cards_counted, cards or prizes.cards_counted)
    drawing = _Drawing(ranked, pack, most, no_card_at)
    chance = drawing.chances()
    return {line.code: chance[line.code] for line in prizes.lines}


_NOTHING: Final = 10**6  # the place, in the order of the lines, of a draw that has won nothing


# A draw so far: its cards in a fixed order, the place of the line it has won, whether it may split.
_Draw = tuple[tuple[Card, ...], int, bool]


class _Drawing:
    """All draws of so many cards from a pack, followed as long as a better line may still come."""

    def __init__(
        self, ranked: Sequence[Combination], pack: Pack, most: int, no_card_at: int | None
    ) -> None:
        self.ranked = ranked
        self.pack = [(card, n) for card, n in pack.items() if n]
        self.all = sum(pack.values())
        self.most = min(most, self.all)
        self.no_card_at = no_card_at
        # For each line and each length, in how many ways the draws that ended there can be had.
        self.ended: Counter[tuple[int, int]] = Counter()

    def chances(self) -> dict[str, Fraction]:
        """The chance of every combination, by its code."""
        draws: dict[_Draw, int] = {((), _NOTHING, False): 1}
        for length in range(self.most):
            draws = self._one_more(draws, length)
        for (_, won, _), ways in draws.items():
            self.ended[won, self.most] += ways
        return {
            asked.code: sum(
                (
                    Fraction(self.ended[place, length], perm(self.all, length))
                    for length in range(self.most + 1)
                ),
                Fraction(0),
            )
            for place, asked in enumerate(self.ranked)
        }

    def _one_more(self, draws: Mapping[_Draw, int], length: int) -> dict[_Draw, int]:
        """Every draw with one card more; those that can win nothing better end here."""
        longer: dict[_Draw, int] = {}
        for (cards, won, pair), ways in draws.items():
            hopes = self._hopes(cards, won)
            if not hopes or self._gets_no_more(cards, pair):
                self.ended[won, length] += ways
                continue
            for card, there in self.pack if cards else self._first_cards():
                left = there - cards.count(card)
                if not left:
                    continue
                drawn = (*cards, card)
                best, alive = self._won(drawn, hopes, won)
                if not alive:
                    self.ended[best, length + 1] += ways * left
                    continue
                splits = pair or (length == 1 and VALUE[cards[0]] == VALUE[card])
                draw = (tuple(sorted(drawn)), best, splits)
                longer[draw] = longer.get(draw, 0) + ways * left
        return longer

    def _first_cards(self) -> list[tuple[Card, int]]:
        """The first card; of one suit, for all four, where nothing tells the suits apart.

        Suits may be exchanged, colour for colour, without changing what is won: unless a line
        names one, or the pack does not hold all alike. It is a third of the work.
        """
        there = dict(self.pack)
        for rank in RANKS:
            alike = {rank + suit for suit in SUITS}
            if len({there.get(card, 0) for card in alike}) > 1:
                return self.pack
            for asked in self.ranked:
                if any(alike & place and not alike <= place for place in asked.places):
                    return self.pack
        return [(card, n * len(SUITS)) for card, n in self.pack if card[1] == SUITS[0]]

    def _hopes(self, cards: tuple[Card, ...], won: int) -> list[tuple[int, Combination]]:
        """The better lines these cards may still become."""
        return [
            (place, asked)
            for place, asked in enumerate(self.ranked[:won])
            if len(cards) < asked.cards <= self.most and (not cards or asked.fits(cards))
        ]

    def _won(
        self, cards: tuple[Card, ...], hopes: Sequence[tuple[int, Combination]], won: int
    ) -> tuple[int, bool]:
        """The best line won with these cards, and whether a better one may still come."""
        alive = False
        for place, asked in hopes:
            if asked.fits(cards):
                if asked.cards == len(cards):
                    return place, alive
                alive = True
        return won, alive

    def _gets_no_more(self, cards: tuple[Card, ...], pair: bool) -> bool:
        """Whether the law gives such a hand no further card. Law: PT art. 18, 26."""
        if self.no_card_at is None or len(cards) < 2 or pair:
            return False
        return best_total(cards) >= self.no_card_at
