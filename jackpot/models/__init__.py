"""The shelves of the progressive: chips that feed a pool, and what is done with the pool."""

from typing import Final

from casino.models.shelf import Shelving
from jackpot.models import contributions, pools
from jackpot.models.contributions import Contribution, JackpotIncrement
from jackpot.models.pools import (
    JackpotAdjustment,
    JackpotPayment,
    JackpotReading,
    JackpotSeal,
    JackpotStart,
    JackpotTerms,
    JackpotTermsConfirmation,
    JackpotWin,
    JackpotWinnerRow,
)

__all__ = [
    "SHELVES",
    "Contribution",
    "JackpotAdjustment",
    "JackpotIncrement",
    "JackpotPayment",
    "JackpotReading",
    "JackpotSeal",
    "JackpotStart",
    "JackpotTerms",
    "JackpotTermsConfirmation",
    "JackpotWin",
    "JackpotWinnerRow",
]

SHELVES: Final[dict[type, list[Shelving]]] = {**contributions.SHELVES, **pools.SHELVES}
