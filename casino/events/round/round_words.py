"""The round record's closed lists of words, and the bounds of its numbers."""

from typing import Final, Literal

Action = Literal["hit", "stand", "double", "split", "surrender"]
WagerKind = Literal["main", "insurance", "even_money", "special", "jackpot"]
Fate = Literal["discard", "hand", "bank"]
VoidedWhy = Literal["turned", "extra", "face_up"]
RoundVoidedWhy = Literal["separator", "incident"]

ACTIONS: Final = frozenset({"hit", "stand", "double", "split", "surrender"})
WAGER_KINDS: Final = frozenset({"main", "insurance", "even_money", "special", "jackpot"})
ON_A_HAND: Final = frozenset({"main", "even_money", "special"})  # kinds that name their hand
FATES: Final = frozenset({"discard", "hand", "bank"})
VOIDED_WHY: Final = frozenset({"turned", "extra", "face_up"})
ROUND_VOIDED_WHY: Final = frozenset({"separator", "incident"})
MISDEALT_AT: Final = frozenset({"bank", "shoe"})
DEALT_TO: Final = frozenset({"bank", "discard"})

MAX_CARDS_IN_HAND: Final = 24
MAX_CENTS: Final = 10**12
MAX_PLACE: Final = 99  # boxes, hands of a box, seats; how many a table may have is the law's matter
MAX_NUMBER: Final = 10**9  # shoes of a partida, rounds of a shoe
# Of one owner's jackpot chips on a box: a pool of 90 million euros is all a book can tell of.
MAX_CHIPS: Final = 1_000
MAX_CHIPS_CENTS: Final = 10**8
MAX_SEQUENCE: Final = 2**53 - 1  # the largest whole number every JSON reader keeps exactly
