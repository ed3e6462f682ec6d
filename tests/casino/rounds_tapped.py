"""Rounds as they are tapped: the words of a plain one, and the page they make."""

from typing import Final
from urllib.parse import urlencode

from tests.casino.sala_forms import address
from tests.factories.floor import SHOE_TABLE

DEAL: Final = "s1 s2 TH 9D 6C 9S 8D TD"  # 19 and 17 against a bank that shows six and has sixteen
PLAIN: Final = f"{DEAL} stand stand 2H"
PAID: Final = f"{PLAIN} min @1.1 r2000 @2.1 r0"


def page(words: str, **more: str) -> str:
    """The address of the page that shows these taps."""
    return f"{address('round', SHOE_TABLE)}?{urlencode({'taps': words, **more})}"
