"""Approved tables as real houses publish them, and winners written short.

The regulation names no combination (n.º 43), so the examples are taken from where such tables are
printed: a progressive on aces dealt one after the other from the first card (Lincoln Casino, four
packs; its meter showed 61 284.61), the same idea with colours (Commodore Casino), and three cards
ranked as in poker (known as 21+3, six packs).
"""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from jackpot.progressive.amounts import MICROCENTS, WHOLE
from jackpot.progressive.payout import Payout, Winner
from jackpot.progressive.prizes import PrizeLine, PrizeList

ALL: Final = "100 %"
SHOWN: Final = 6_128_461 * MICROCENTS  # what the printed meter showed, and no fraction of a cent


def line(code: str, prize: str | int) -> PrizeLine:
    """``line("pair", "10 %")`` for a share of the meter, ``line("pair", 500)`` for cents."""
    if isinstance(prize, int):
        return PrizeLine(code, fixed_cents=prize)
    return PrizeLine(code, share_millionths=int(prize.removesuffix(" %")) * WHOLE // 100)


def prizes(counted: int, *rows: tuple[str, str | int], match: Any = "best") -> PrizeList:
    """An approved table: how many cards count, then code and prize of each line."""
    return PrizeList(counted, tuple(line(*row) for row in rows), match)


ACES: Final = prizes(
    4,
    ("four_aces_same_suit", ALL),
    ("four_aces", "10 %"),
    ("three_aces_same_suit", 250_000),
    ("three_aces", 25_000),
    ("two_aces_same_suit", 5_000),
    ("two_aces", 2_500),
)
ACES_BY_COLOUR: Final = prizes(
    4,
    ("four_aces_same_colour", ALL),
    ("three_aces_same_suit", 250_000),
    ("four_aces", 150_000),
    ("three_aces_same_colour", 25_000),
    ("three_aces", 10_000),
    ("two_aces_same_suit", 5_000),
    ("two_aces_same_colour", 1_000),
    ("two_aces", 500),
    ("one_ace", 100),
)
THREE_CARDS: Final = prizes(
    3,
    ("three_of_a_kind_same_suit", ALL),
    ("sequence_of_three_same_suit", 3_500),
    ("three_of_a_kind", 3_300),
    ("sequence_of_three", 1_000),
    ("three_cards_same_suit", 500),
)


def winner(seat: int, code: str, owner: str = "", box: int | None = None) -> Winner:
    """Who sits at a seat and won on its own box, unless another is named; seat 0 stands."""
    return Winner(owner or f"J{seat}", seat if box is None else box, code, seat or None)


def winners(text: str) -> list[Winner]:
    """``"1 pair, 4 two_aces"``: seat and combination."""
    pairs = (one.split() for one in text.split(","))
    return [winner(int(seat), code) for seat, code in pairs]


def steps(paid: Payout) -> list[tuple[str, str, int]]:
    """Whom, by what, how many cents: the payments in their order."""
    return [(step.winner.owner, step.by, step.paid_cents) for step in paid.steps]


def cards(text: str) -> tuple[str, ...]:
    """``"AS JS"``."""
    return tuple(text.split())


def counted(text: str) -> Sequence[tuple[str, ...]]:
    """The one sequence of cards that counts."""
    return (cards(text),)


DAY = date(2026, 11, 20)
