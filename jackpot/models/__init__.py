"""The projections of the progressive: chips that feed a pool, and what is done with the pool."""

from typing import Final

from casino.models.projection import Projector
from jackpot.models import contributions
from jackpot.models import pool_projections as pools
from jackpot.models.contributions import Contribution, JackpotIncrement
from jackpot.models.pool_projections import (
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
    "PROJECTIONS",
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

PROJECTIONS: Final[dict[type, list[Projector]]] = {**contributions.PROJECTIONS, **pools.PROJECTIONS}
