"""When the bank is done: its total, and whether it draws on a soft seventeen.

Law: PT art. 6 a), 19; whether an ace counted eleven lets it stand is each rulebook's to say.
"""

from collections.abc import Sequence
from typing import Any

from casino.cards import Card, best_total, hard_total


def bank_stands(cards: Sequence[Card], p: dict[str, Any]) -> bool:
    """Whether a bank with these cards, two at least, draws no more. Law: PT art. 19."""
    total, stands_at = best_total(cards), p["bank.stands_at"]
    if total == stands_at and p["bank.soft_seventeen"] == "draws":
        return hard_total(cards) == total
    return bool(total >= stands_at)
