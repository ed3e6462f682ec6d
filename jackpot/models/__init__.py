"""The projections of the progressive: chips that feed a pool, and what is done with the pool."""

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
