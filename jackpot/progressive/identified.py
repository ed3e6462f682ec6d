"""From which prize on its winner is identified.

No numbered article asks for it; the law against money laundering does, and the sum is the house's,
with the day it holds from.
"""

from collections.abc import Mapping
from datetime import date


def identified_from(figures: Mapping[str, int], day: date) -> int | None:
    """The sum from which a winner is identified, that one included; None: from none.

    `figures` are sums by the day they hold from, as YYYY-MM-DD. Units: cents. Law: Lei 83/2017.
    """
    begun = [since for since in figures if date.fromisoformat(since) <= day]
    return figures[max(begun)] if begun else None
