"""The combinations that approved terms may name, each by its code, as data.

The regulation names none: the concession holder draws up the table, the inspectorate approves it.
What stands here are the words in which such tables are written, and no table. A code is one of
these words, or it spells the cards themselves: ``AS-JS``, ``QH-QH``, ``7-7-7`` (a rank alone is any
suit), in the order of a suit from the ace to the king.

A row is a code, the cards it asks (``*`` any, ``TJQK`` one of these), what their ranks together
have to be, and what their suits.

Law: PT art. 43.
"""

import re
from functools import cache
from typing import Final

from casino.events import Malformed
from casino.events.round.field_form import shown
from jackpot.progressive.combinations import (
    PACK,
    RANKS,
    SUITS,
    Combination,
    RanksTogether,
    SuitsTogether,
)

_ROWS: Final[tuple[tuple[str, str, RanksTogether, SuitsTogether], ...]] = (
    ("one_ace", "A", "any", "any"),
    ("two_aces", "A A", "any", "any"),
    ("two_aces_same_colour", "A A", "any", "colour"),
    ("two_aces_same_suit", "A A", "any", "same"),
    ("three_aces", "A A A", "any", "any"),
    ("three_aces_same_colour", "A A A", "any", "colour"),
    ("three_aces_same_suit", "A A A", "any", "same"),
    ("four_aces", "A A A A", "any", "any"),
    ("four_aces_same_colour", "A A A A", "any", "colour"),
    ("four_aces_same_suit", "A A A A", "any", "same"),
    ("one_seven", "7", "any", "any"),
    ("two_sevens", "7 7", "any", "any"),
    ("two_sevens_same_colour", "7 7", "any", "colour"),
    ("two_sevens_same_suit", "7 7", "any", "same"),
    ("three_sevens", "7 7 7", "any", "any"),
    ("three_sevens_same_colour", "7 7 7", "any", "colour"),
    ("three_sevens_same_suit", "7 7 7", "any", "same"),
    ("pair", "* *", "same", "any"),
    ("pair_same_colour", "* *", "same", "colour"),
    ("pair_same_suit", "* *", "same", "same"),
    ("three_of_a_kind", "* * *", "same", "any"),
    ("three_of_a_kind_same_colour", "* * *", "same", "colour"),
    ("three_of_a_kind_same_suit", "* * *", "same", "same"),
    ("four_of_a_kind", "* * * *", "same", "any"),
    ("four_of_a_kind_same_colour", "* * * *", "same", "colour"),
    ("four_of_a_kind_same_suit", "* * * *", "same", "same"),
    ("sequence_of_two_same_suit", "* *", "sequence", "same"),
    ("sequence_of_three", "* * *", "sequence", "any"),
    ("sequence_of_three_same_colour", "* * *", "sequence", "colour"),
    ("sequence_of_three_same_suit", "* * *", "sequence", "same"),
    ("sequence_of_four", "* * * *", "sequence", "any"),
    ("sequence_of_four_same_colour", "* * * *", "sequence", "colour"),
    ("sequence_of_four_same_suit", "* * * *", "sequence", "same"),
    ("six_seven_eight", "6 7 8", "any", "any"),
    ("six_seven_eight_same_colour", "6 7 8", "any", "colour"),
    ("six_seven_eight_same_suit", "6 7 8", "any", "same"),
    ("blackjack", "A TJQK", "any", "any"),
    ("blackjack_same_colour", "A TJQK", "any", "colour"),
    ("blackjack_same_suit", "A TJQK", "any", "same"),
    ("king_and_queen_same_suit", "Q K", "any", "same"),
    ("two_cards_same_colour", "* *", "any", "colour"),
    ("two_cards_same_suit", "* *", "any", "same"),
    ("three_cards_same_colour", "* * *", "any", "colour"),
    ("three_cards_same_suit", "* * *", "any", "same"),
    ("four_cards_same_colour", "* * * *", "any", "colour"),
    ("four_cards_same_suit", "* * * *", "any", "same"),
)
_EXAMPLE: Final = "AS-JS"
_NAMED: Final = re.compile(rf"[{RANKS}][{SUITS}]?(?:-[{RANKS}][{SUITS}]?){{0,3}}")


@cache
def _lying(ranks: str, suit: str = "") -> frozenset[str]:
    """The cards that may lie in one place; the same object for the same place."""
    return frozenset(
        card for card in PACK if (ranks == "*" or card[0] in ranks) and card.endswith(suit)
    )


CATALOGUE: Final[dict[str, Combination]] = {
    code: Combination(code, tuple(_lying(place) for place in asked.split()), ranks, suits)
    for code, asked, ranks, suits in _ROWS
}


def combination(code: str, path: str = "$.code") -> Combination:
    """The combination a code names.

    Raises: Malformed, for a code that names none. Law: PT art. 43.
    """
    found = CATALOGUE.get(code) or _named(code)
    if found is None:
        words = ", ".join([*CATALOGUE, _EXAMPLE])
        raise Malformed(
            path, "found {found}; asked is one of {words}", found=shown(code), words=words
        )
    if found.code != code:
        # One combination has one name: two lines of a table could not be told apart otherwise.
        raise Malformed(
            path, "found {found}; asked is {asked}", found=shown(code), asked=found.code
        )
    return found


@cache
def _named(code: str) -> Combination | None:
    """The combination a code spells card by card, under its one right spelling."""
    if not _NAMED.fullmatch(code):
        return None
    cards = sorted(code.split("-"), key=lambda card: (RANKS.index(card[0]), card[1:]))
    return Combination("-".join(cards), tuple(_lying(card[0], card[1:]) for card in cards))
