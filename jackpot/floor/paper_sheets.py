"""A pool's registers on paper, for an hour without the house. Law: PT art. 41, 49, 50."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from casino.floor.away.blank_sheets import Sheet
from jackpot.events import JackpotIncremented, JackpotPaid

SHEETS: Final = (
    Sheet(
        _("Jackpot: chips collected"),
        JackpotIncremented.kind,
        "jackpot shoe number chips display_cents",
        ("41",),
        rows=18,
    ),
    Sheet(
        _("Jackpot: prizes won and paid"),
        JackpotPaid.kind,
        "jackpot box code paid_cents means document approved_by",
        ("49", "50"),
        rows=6,
        free=4,
        witness=True,
    ),
)
