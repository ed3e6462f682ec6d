"""A dealer who makes no mistake the law does not cure, at a table of few and equal cards.

Whatever may lawfully happen happens often: second cards turned by mistake and replaced, cards the
bank drew too many put away, cards drawn for one who stood, pairs split again and again, doubles and
surrenders. He pays by his own reckoning (PT art. 18-36), not by the engine's.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from casino.cards import VALUE, best_total, hard_total, is_blackjack
from casino.events.round.round_played import (
    Bank,
    Box,
    Dealt,
    Hand,
    Limits,
    Misdealt,
    Place,
    RoundPlayed,
    VoidedCard,
    Wager,
)
from tests.factories.rounds import ON_TIME

SHOE: Final = ("5C", "9C", "TH", "AS", "8S", "8D", "2C", "7H", "7S", "6H", "8H", "KD")
DECKS: Final = 4
STAKE: Final = 1000


@dataclass
class OneHand:
    """A hand as it grows."""

    box: int
    number: int
    cards: list[str]
    out_of: int | None = None
    does: list[str] = field(default_factory=list)
    split: bool = False

    @property
    def place(self) -> Place:
        return Place(self.box, self.number)

    @property
    def natural(self) -> bool:
        return not self.split and len(self.cards) == 2 and is_blackjack(tuple(self.cards))

    @property
    def total(self) -> int:
        """Points; the ace of a hand doubled as 9 or 10 counts 1 (32)."""
        first, drawn = self.cards[:2], self.cards[2:]
        low = hard_total(first)
        if "double" in self.does and "A" in (first[0][0], first[1][0]) and low in (9, 10):
            total = low + hard_total(drawn)
            return total + 10 if total <= 11 and any(VALUE[card] == 1 for card in drawn) else total
        return best_total(self.cards)


class Table:
    """One round from the first card to the last, and what everybody gets for it."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.used: Counter[str] = Counter()
        self.dealt: list[Dealt] = []
        self.misdealt: list[Misdealt] = []
        self.bank: list[str] = []
        self.voided: list[VoidedCard] = []
        self.boxes = [[OneHand(number, 1, [])] for number in range(1, self.dice.randint(2, 4))]

    def chance(self, of_ten: int) -> bool:
        return self.dice.randrange(10) < of_ten

    def card(self, to: Any) -> str:
        """The next card of the shoe, laid somewhere."""
        card = self.dice.choice([one for one in SHOE if self.used[one] < DECKS])
        self.used[card] += 1
        self.dealt.append(Dealt(card, to))
        return card

    def deal(self) -> None:
        """Two cards each, the bank's second face down, or replaced where it was turned (17)."""
        for second in (False, True):
            for (hand,) in self.boxes:
                hand.cards.append(self.card(hand.place))
            while second and self.chance(4):
                why = self.dice.choice(["turned", "face_up"])
                self.voided.append(VoidedCard(self.card("bank"), why))
            self.bank.append(self.card("bank"))

    def ask(self) -> None:
        """Every player, by box and by hand, until he stands or may ask no more (18, 26-31, 36)."""
        for hands in self.boxes:
            for hand in hands:  # grows while hands are split off
                while self.goes_on(hand, hands):
                    pass
                if hand.does[-1:] == ["stand"] and self.chance(2):
                    stray = self.card("discard")
                    self.misdealt.append(Misdealt(stray, hand.place, "discard", seen=True))

    def goes_on(self, hand: OneHand, hands: list[OneHand]) -> bool:
        """One decision; whether another follows."""
        if len(hand.cards) < 2:
            hand.cards.append(self.card(hand.place))
            return True
        cards, first_two = hand.cards, len(hand.cards) == 2
        if hand.natural or best_total(cards) >= 21:
            return False
        if first_two and VALUE[cards[0]] == VALUE[cards[1]] and len(hands) < 5 and self.chance(7):
            moved = OneHand(hand.box, len(hands) + 1, [cards.pop()], hand.number, split=True)
            hands.append(moved)
            hand.split = True
            hand.does.append("split")
            return True
        if hand.split and VALUE[cards[0]] == 1:
            return False
        if first_two and not hand.split and VALUE[self.bank[0]] != 1 and self.chance(1):
            hand.does.append("surrender")
            return False
        if first_two and hard_total(cards) in (9, 10, 11) and self.chance(5):
            hand.does.append("double")
            cards.append(self.card(hand.place))
            return False
        if best_total(cards) > 11 and self.chance(5):
            hand.does.append("stand")
            return False
        hand.does.append("hit")
        cards.append(self.card(hand.place))
        return True

    def play_the_bank(self) -> None:
        """Up to seventeen with anybody in play; what it takes beyond that is put away (19, 22)."""
        everybody = [hand for hands in self.boxes for hand in hands]
        left = [hand for hand in everybody if hand.total <= 21 and "surrender" not in hand.does]
        in_play = any(not hand.natural for hand in left)
        while in_play and best_total(self.bank) < 17:
            self.bank.append(self.card("bank"))
        while self.chance(3):
            why = self.dice.choice(["extra", "turned", "face_up"])
            self.voided.append(VoidedCard(self.card("bank"), why))

    def paid(self, hand: OneHand) -> tuple[int, int, bool]:
        """What lay on a hand, what came back for it, and whether before the bank played."""
        stake = STAKE * 2 if "double" in hand.does else STAKE
        natural = len(self.bank) == 2 and is_blackjack(tuple(self.bank))
        bank, total = best_total(self.bank), hand.total
        if "surrender" in hand.does:
            return stake, stake // 2, True
        if hand.natural:
            back = stake if natural else stake * 5 // 2
            return stake, back, VALUE[self.bank[0]] not in (1, 10)
        if total > 21:
            return stake, 0, True
        if natural or total < bank <= 21:
            return stake, 0, False
        return stake, stake if total == bank else 2 * stake, False

    def wagers(self, hand: OneHand) -> list[Wager]:
        """The stake and, for three sevens or a suited 6-7-8, the special prize (35)."""
        stake, back, at_once = self.paid(hand)
        seat, owner = hand.box, f"J{hand.box}"
        wagers = [Wager(owner, "main", stake, back, hand.number, seat, STAKE, at_once)]
        ranks = sorted(card[0] for card in hand.cards[:3])
        suits = {card[1] for card in hand.cards[:3]}
        if ranks == ["7", "7", "7"] or (ranks == ["6", "7", "8"] and len(suits) == 1):
            wagers.append(Wager(owner, "special", 0, 3 * stake, hand.number, seat, None, True))
        return wagers

    def record(self) -> RoundPlayed:
        """The round as it is recorded. Raises: Malformed, if the record contradicts itself."""
        boxes = []
        for number, hands in enumerate(self.boxes, 1):
            lying = tuple(
                Hand(one.number, tuple(one.cards), tuple(one.does), one.out_of)  # type: ignore[arg-type]
                for one in hands
            )
            wagers = tuple(wager for one in hands for wager in self.wagers(one))
            holder = f"J{number}"
            boxes.append(Box(number, False, lying, wagers, holder, holder))
        return RoundPlayed(
            round="00000000-0000-4000-8000-000000000001",
            table="BJ-01",
            partida="BJ-01/2026-11-20/1",
            boxes=tuple(boxes),
            bank=Bank(tuple(self.bank), tuple(self.voided), (1,)),
            misdealt=tuple(self.misdealt),
            limits=Limits(STAKE, 30 * STAKE),
            times=ON_TIME,
            dealt=tuple(self.dealt),
        )


def lawful_round(seed: int) -> RoundPlayed:
    """One round of this dealer's. Raises: Malformed, if the record contradicts itself."""
    table = Table(seed)
    table.deal()
    table.ask()
    table.play_the_bank()
    return table.record()
