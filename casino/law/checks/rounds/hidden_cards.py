"""Whether somebody's stakes, insurances or draws know a card that was not out.

Whoever counts the cards knows of which those left consist: that is no fault, and so it is what
everything is measured against here. The next card is any of those left, each as likely, whatever
was staked or decided before it. Against it stands that somebody stakes more before an ace or a ten
comes to him, insures where the bank's second card counts ten, draws where the next card does not
break him: with this or that much knowledge, of each the likelihood is divided by that under
ignorance, decision after decision. Under ignorance the ratio is a martingale that begins at 1, so
the chance that it ever reaches a bound is at most one in the bound (Ville). Each of the nine ways
has its share of the false alarms.

The number speaks for either side: far above 1 for knowledge, about 1 or below for none. Exact, and
rounded to the side that accuses less. Law: PT art. 7, 13, 17, 33.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from casino.cards import VALUE, best_total, hard_total
from casino.events.round.round_played import Box, Place, RoundPlayed
from casino.law.checks.rounds.card_frequency import NEVER, OF_A_DECK, RANKS, SUITS, log2_down
from casino.law.checks.rounds.shoe_frequency import power_of_two
from casino.law.finding import Rule

NOBODY_KNOWS_A_HIDDEN_CARD: Final = Rule(
    "nobody_knows_a_card_before_it_is_out",
    "shoe",
    "Nobody's stakes and decisions know a card before it is out.",
    needs=("decks.cards", "bank.second_card", "hidden_cards.players_a_false_alarm"),
    severity="warning",
)

By = Literal["stakes_laid", "insurances_laid", "cards_asked"]
BY: Final[tuple[By, ...]] = ("stakes_laid", "insurances_laid", "cards_asked")
# How much of what he cannot know somebody knows, in quarters.
_KNOWN: Final = (1, 2, 3)
_SHARED: Final = log2_down(len(BY) * len(_KNOWN), 1) + 2
_STIFF: Final = range(12, 17)  # hard totals that a card may break and that may be stood on
_ONE_DECK: Final = frozenset(rank + suit for rank in RANKS for suit in SUITS)
_GOOD_FIRST: Final = frozenset(card for card in _ONE_DECK if VALUE[card] in (1, 10))
_TENS: Final = frozenset(card for card in _ONE_DECK if VALUE[card] == 10)
# Of each stiff total the cards that break it, and the others.
_BREAK: Final = {
    (total, breaks): frozenset(card for card in _ONE_DECK if (total + VALUE[card] > 21) is breaks)
    for total in _STIFF
    for breaks in (False, True)
}


class Known(NamedTuple):
    """What somebody's decisions of one kind came to: how many, how many of them right, how many
    were to be expected (rounded), and how many times likelier knowledge makes them than ignorance.
    """

    by: By
    decisions: int
    right: int
    expected: int
    strength: int


class _Guess(NamedTuple):
    """Somebody's decision bets on a card (or against it) that is one of `cards`."""

    owner: str
    by: By
    on: bool
    cards: frozenset[str]
    chance: Fraction


@lru_cache(maxsize=20_000)
def _steps(chance: Fraction, on: bool, came: bool) -> tuple[int, ...]:
    """What a decision adds to the logarithms, one for each measure of knowledge."""
    steps = []
    for quarters in _KNOWN:
        knows = Fraction(quarters, 4)
        likely = chance + knows * (1 - chance if on else -chance)
        ratio = likely / chance if came else (1 - likely) / (1 - chance)
        steps.append(log2_down(ratio.numerator, ratio.denominator) if ratio else NEVER)
    return tuple(steps)


class _Record:
    """The decisions of one person and kind."""

    def __init__(self) -> None:
        self.logs = [0] * len(_KNOWN)
        self.decisions = self.right = 0
        self.expected = Fraction(0)

    def add(self, guess: _Guess, came: bool) -> None:
        """The card he bet on came, or another."""
        self.decisions += 1
        self.right += came == guess.on
        self.expected += guess.chance if guess.on else 1 - guess.chance
        steps = _steps(guess.chance, guess.on, came)
        self.logs = [before + step for before, step in zip(self.logs, steps, strict=True)]

    def known(self, by: By) -> Known:
        """What they came to."""
        strength = power_of_two(max(self.logs) - _SHARED)
        return Known(by, self.decisions, self.right, round(self.expected), strength)


class HiddenWatch:
    """The decisions of everybody at a table over the shoes of one game.

    `hole` says that the bank's second card is dealt with the first ones and lies face down.
    """

    def __init__(self, *, hole: bool) -> None:
        self._hole = hole
        self._of: dict[tuple[str, By], _Record] = defaultdict(_Record)
        self._stakes: dict[str, list[int]] = defaultdict(list)
        self.next_shoe(0)

    def next_shoe(self, decks: int) -> None:
        """What is added from now on is of another shoe of so many decks."""
        self._decks = decks
        self._out_of: Counter[str] = Counter()
        self._hidden = OF_A_DECK * decks
        self._waiting: list[_Guess] = []  # on the next card of the shoe

    def add(self, played: RoundPlayed) -> None:
        """A round of the shoe, its cards in the order in which they came, all of them known.

        Of one in which a card went astray the cards are counted, and nobody's decisions.
        """
        turns = _turns(played, hole=self._hole)
        if turns is None:
            self._waiting = []
            for one in played.dealt or ():
                self._out(one.card)
            return
        insuring: list[_Guess] = []
        hands: dict[Place, list[str]] = defaultdict(list)
        dealt = played.dealt or ()
        boxes = {box.number: box for box in played.boxes}
        for number in range(len(dealt) + 1):
            if number == turns.begin:
                insuring = self._insurances(played)
            for box in turns.ended.get(number, ()):
                self._stands(box)
            if number in (turns.hole, len(dealt)):
                continue
            to = dealt[number].to
            if isinstance(to, Place):
                if hands[to] or to.hand == 1:
                    self._before_a_card(boxes[to.box], hands[to])
                hands[to].append(dealt[number].card)
            self._out(dealt[number].card)
        if turns.hole is not None:
            self._take(dealt[turns.hole].card)
        if len(played.bank.cards) > 1:
            for guess in insuring:
                self._of[guess.owner, guess.by].add(guess, played.bank.cards[1] in guess.cards)

    def _before_a_card(self, box: Box, hand: list[str]) -> None:
        """A card comes to a hand: the box's first, on which he staked, or one he asked for.

        What is left out may hang on nothing that comes later: a stake counts though its hand was
        split, and of a box that was split no draw does.
        """
        if not hand:
            self._waiting += self._stake(box)
        elif len(hand) > 1 and len(box.hands) == 1:
            self._draws(box, hand, breaks=False)

    def _out(self, card: str) -> None:
        """The next card of the shoe is seen."""
        waiting, self._waiting = self._waiting, []
        for guess in waiting:
            self._of[guess.owner, guess.by].add(guess, card in guess.cards)
        self._take(card)

    def _take(self, card: str) -> None:
        self._out_of[card] += 1
        self._hidden -= 1

    def _chance(self, cards: Iterable[str]) -> Fraction:
        """How likely the next card is one of these, to whoever saw what was dealt."""
        there = sum(max(self._decks - self._out_of[card], 0) for card in cards)
        return Fraction(there, self._hidden) if self._hidden > 0 else Fraction(0)

    def _guess(self, owner: str, by: By, cards: frozenset[str], *, on: bool = True) -> list[_Guess]:
        chance = self._chance(cards)
        return [_Guess(owner, by, on, cards, chance)] if 0 < chance < 1 else []

    def _stake(self, box: Box) -> list[_Guess]:
        """He staked more, or less, than on average before: on the first card that comes."""
        main = [one for one in box.wagers if one.kind == "main" and one.owner == box.holder]
        if box.holder is None or not main:
            return []
        stake = main[0].initial_cents or main[0].stake_cents
        before = self._stakes[box.holder]
        more = stake * len(before) - sum(before)
        before.append(stake)
        if not more:
            return []
        return self._guess(box.holder, "stakes_laid", _GOOD_FIRST, on=more > 0)

    def _insurances(self, played: RoundPlayed) -> list[_Guess]:
        """Against the bank's ace: who insured bets on a ten, who did not bets against it."""
        if not played.bank.cards or VALUE[played.bank.cards[0]] != 1:
            return []
        found: dict[str, _Guess] = {}
        for box in played.boxes:
            insured = {one.owner for one in box.wagers if one.kind in ("insurance", "even_money")}
            for wager in box.wagers:
                if wager.kind in ("main", "even_money") and wager.owner not in found:
                    on = wager.owner in insured
                    for guess in self._guess(wager.owner, "insurances_laid", _TENS, on=on):
                        found[wager.owner] = guess
        return list(found.values())

    def _stands(self, box: Box) -> None:
        """His turn is over: where he stood he bets that the next card would have broken him."""
        for hand in box.hands if len(box.hands) == 1 else ():
            if hand.actions[-1:] == ("stand",):
                self._draws(box, hand.cards, breaks=True)

    def _draws(self, box: Box, hand: Sequence[str], *, breaks: bool) -> None:
        """On a total that a card may break he bets that the next one does, or does not."""
        total = hard_total(hand)
        if box.holder is None or total not in _STIFF or best_total(hand) != total:
            return
        # Of two boxes that wait for one card only the first counts.
        if any(one.owner == box.holder and one.by == "cards_asked" for one in self._waiting):
            return
        self._waiting += self._guess(box.holder, "cards_asked", _BREAK[total, breaks])

    def decided(self, owner: str, by: By) -> Known | None:
        """What a person's decisions of one kind came to; None where there is none."""
        record = self._of.get((owner, by))
        return None if record is None else record.known(by)

    def of(self) -> Mapping[str, Known]:
        """By person, what speaks most for knowledge."""
        found: dict[str, Known] = {}
        for (owner, by), record in self._of.items():
            one = record.known(by)
            if owner not in found or one.strength > found[owner].strength:
                found[owner] = one
        return found


class _Turns(NamedTuple):
    """When in a round whose turn was over: by the number of cards that were out.

    `begin` is when the first deal was over, `hole` which card lies face down until the end.
    """

    begin: int
    ended: Mapping[int, Sequence[Box]]
    hole: int | None


def _turns(played: RoundPlayed, *, hole: bool) -> _Turns | None:
    """None of a round in which a card went astray, or that was broken off."""
    if played.misdealt or played.bank.voided or played.voided is not None:
        return None
    dealt = played.dealt or ()
    places: dict[Place | str, list[int]] = defaultdict(list)
    for number, one in enumerate(dealt):
        places[one.to].append(number)
    second = [places[Place(box.number, 1)][1:2] for box in played.boxes if box.hands]
    face_down = places["bank"][1:2] if hole else []
    begin = 1 + max([0, *places["bank"][:1], *face_down, *(n for one in second for n in one)])
    ended: dict[int, list[Box]] = defaultdict(list)
    over = begin
    for box in sorted(played.boxes, key=lambda one: one.number):
        for hand in box.hands:
            over = max([over, *(number + 1 for number in places[Place(box.number, hand.number)])])
        ended[over].append(box)
    return _Turns(begin, ended, face_down[0] if face_down else None)
