"""What the law asks of the progressive prize, as checks with a name and a statement.

The law is one book, so its checks are named here; what they look at is told in facts of the
jackpot's own room, and there `jackpot.rules` asks them.

Law: PT art. 47.
"""

from typing import Final

from casino.regulation.finding import Check

ONE_CHIP: Final = Check(
    "one_chip_per_player",
    "jackpot",
    "In each round a player stakes one chip on the progressive prize, not more.",
    needs=("jackpot.chips_per_player", "jackpot.chip_for"),
)
CHECKS: Final = (ONE_CHIP,)
