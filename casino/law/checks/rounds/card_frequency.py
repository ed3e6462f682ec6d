"""Whether the cards a continuous shuffler deals come as often as whole decks give them.

Where cards go back after every round no single count is impossible, so nothing here is certain: a
suspicion with the rate of its false alarms. For each way in which a set may be wrong (so many cards
of a rank, of a suit, of those counting ten, or of one card too many or too few) the likelihood of
what was seen is divided by that under whole decks, round after round, each round drawn without
putting back. Under whole decks such a ratio is a martingale that begins at 1, so the chance that it
ever reaches a bound is at most one in the bound (Ville), whenever one looks and however often. Each
way has its share of the false alarms, so that all of them together keep to the rate asked.

Exact: logarithms are integers, to the base 2 in units of 2**-20, rounded down for what was seen and
up for what is asked, which only makes an alarm rarer. A card not known whole is taken for
whichever card accuses least. Law: PT art. 3.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import perm
from typing import Final, Literal, NamedTuple

from casino.cards import UNKNOWN_SUIT, UNKNOWN_TEN
from casino.law.finding import Rule

CARDS_AS_WHOLE_DECKS: Final = Rule(
    "cards_seen_as_whole_decks_give_them",
    "shoe",
    "The cards a shuffler deals come as often as whole decks give them.",
    needs=("decks.cards", "cards_seen.games_a_false_alarm"),
    severity="warning",
)

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
TENS: Final = "TJQK"
OF_A_DECK: Final = 52
UNITS: Final = 20  # a logarithm is recorded in units of 2**-20
NEVER: Final = -(2**62)  # the logarithm of nothing
_PRECISION: Final = 64

Kind = Literal["rank", "suit", "tens", "card"]


class Family(NamedTuple):
    """Groups of cards alike: how many of each a deck has, and by how many a set may be wrong.

    `wrong` are cards of the whole set; for single cards (`by_deck`) they count half decks.
    """

    kind: Kind
    groups: tuple[str, ...]
    of_deck: int
    wrong: tuple[int, ...]
    by_deck: bool = False

    def wrong_by(self, decks: int) -> tuple[int, ...]:
        """How many cards of a group too many, or too few where negative."""
        return tuple(each * decks // 2 for each in self.wrong) if self.by_deck else self.wrong


FAMILIES: Final = (
    Family("rank", tuple(RANKS), 4, (-16, -8, -4, 4, 8, 16)),
    Family("suit", tuple(SUITS), 13, (-26, -13, -6, 6, 13, 26)),
    Family("tens", (TENS,), 16, (-32, -16, -8, 8, 16, 32)),
    Family("card", tuple(r + s for r in RANKS for s in SUITS), 1, (-2, -1, 1, 2), by_deck=True),
)


class Suspected(NamedTuple):
    """What came too often or too seldom: `times` of `cards` cards, where `expected` were due.

    `group` is a rank, a suit, `TENS` or a card; `expected` is rounded to the nearest whole card.
    """

    kind: Kind
    group: str
    times: int
    cards: int
    expected: int


class CardWatch:
    """The cards of one game, round after round; says at most once what it suspects.

    `one_in` is how many lawful games may go by for one false alarm.
    """

    def __init__(self, one_in: int) -> None:
        self._asked = [_asked(one_in, family) for family in FAMILIES]
        self._reported = [
            {group: [0] * len(family.wrong) for group in family.groups} for family in FAMILIES
        ]
        self._seen = [Counter[str]() for _ in FAMILIES]
        self._cards = 0
        self._suspected = False

    def add(self, cards: Sequence[str], decks: int) -> Suspected | None:
        """Count one round, dealt from so many decks; what is suspected with it for the first time.

        Rounds come in the order in which they were dealt.
        """
        if self._suspected or not 0 < len(cards) <= OF_A_DECK * decks:
            return None
        self._cards += len(cards)
        sure, doubtful = _grouped(cards)
        found: tuple[int, Suspected] | None = None
        for number, family in enumerate(FAMILIES):
            seen, asked = self._seen[number], self._asked[number]
            seen.update(sure[number])
            for group, listed in self._reported[number].items():
                times, perhaps = sure[number].get(group, 0), doubtful[number].get(group, 0)
                steps = _steps(number, decks, times, perhaps, len(cards))
                listed[:] = [before + step for before, step in zip(listed, steps, strict=True)]
                over = max(listed) - asked
                if over >= 0 and (found is None or over > found[0]):
                    found = over, self._what(family, group, seen[group])
        if found is None:
            return None
        self._suspected = True
        return found[1]

    def _what(self, family: Family, group: str, times: int) -> Suspected:
        expected = (2 * self._cards * family.of_deck + OF_A_DECK) // (2 * OF_A_DECK)
        return Suspected(family.kind, group, times, self._cards, expected)


def _grouped(cards: Sequence[str]) -> tuple[list[Mapping[str, int]], list[Mapping[str, int]]]:
    """By family and group: how many of the cards belong to it, and how many may."""
    if all(card[0] != UNKNOWN_TEN and card[1] != UNKNOWN_SUIT for card in cards):
        ranks, suits = Counter(c[0] for c in cards), Counter(c[1] for c in cards)
        tens = {TENS: sum(ranks[rank] for rank in TENS)}
        return [ranks, suits, tens, Counter(cards)], [{}, {}, {}, {}]
    sure = [Counter[str]() for _ in FAMILIES]
    doubtful = [Counter[str]() for _ in FAMILIES]
    for card in cards:
        ranks_of = TENS if card[0] == UNKNOWN_TEN else card[0]
        suits_of = SUITS if card[1] == UNKNOWN_SUIT else card[1]
        _put(ranks_of, sure[0], doubtful[0])
        _put(suits_of, sure[1], doubtful[1])
        if ranks_of[0] in TENS:
            sure[2][TENS] += 1
        _put([rank + suit for rank in ranks_of for suit in suits_of], sure[3], doubtful[3])
    return list(sure), list(doubtful)


def _put(groups: Sequence[str], sure: Counter[str], doubtful: Counter[str]) -> None:
    (sure if len(groups) == 1 else doubtful).update(groups)


@lru_cache(maxsize=100_000)
def _steps(family: int, decks: int, times: int, perhaps: int, cards: int) -> tuple[int, ...]:
    """What one round adds to each logarithm of a group; the least, where cards are in doubt."""
    of = FAMILIES[family]
    group, whole = of.of_deck * decks, OF_A_DECK * decks
    may = range(times, times + perhaps + 1)
    return tuple(
        min(log_ratio(group, whole, wrong, each, cards) for each in may)
        for wrong in of.wrong_by(decks)
    )


def log_ratio(group: int, whole: int, wrong: int, times: int, cards: int) -> int:
    """How much likelier a set with `wrong` cards more makes `times` of `cards`, as a logarithm."""
    lawful = perm(group, times) * perm(whole - group, cards - times)
    if not lawful:
        return 0  # no whole set gives this: that is a certainty, recorded elsewhere
    if group + wrong < 0 or whole + wrong < cards:
        return NEVER
    other = perm(group + wrong, times) * perm(whole - group, cards - times)
    if not other:
        return NEVER
    return log2_down(other * perm(whole, cards), lawful * perm(whole + wrong, cards))


def log2_down(numerator: int, denominator: int) -> int:
    """The logarithm of a fraction to the base 2 in units of 2**-20, never above the true one.

    It lies less than two units below. Both numbers are positive.
    """
    whole = numerator.bit_length() - denominator.bit_length()
    part = _shifted(numerator, denominator, whole)
    if not part >> _PRECISION:
        whole -= 1
        part = _shifted(numerator, denominator, whole)
    count = whole
    for _ in range(UNITS):
        part = part * part >> _PRECISION
        over = part >> (_PRECISION + 1)
        part >>= over
        count = 2 * count + over
    return count


def _shifted(numerator: int, denominator: int, whole: int) -> int:
    """The fraction over 2**whole, in units of 2**-64, rounded down."""
    shift = _PRECISION - whole
    return (numerator << max(shift, 0)) // (denominator << max(-shift, 0))


def _asked(one_in: int, family: Family) -> int:
    """The logarithm at which a way of this family is suspected: each has its share of alarms."""
    ways = len(FAMILIES) * len(family.groups) * len(family.wrong)
    return log2_down(one_in * ways, 1) + 2
