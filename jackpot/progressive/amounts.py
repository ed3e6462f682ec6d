"""Money and percentages of the progressive prize, as whole numbers.

A percentage has at most four decimals, so it is a whole number of millionths, and a whole number of
cents times such a percentage is a whole number of microcents: nothing has to be rounded.

Law: PT art. 40 (percentage), 44 (starting value).
"""

from typing import Final

MICROCENTS: Final = 1_000_000  # in a cent
WHOLE: Final = 1_000_000  # millionths in a whole: one of them is 0.0001 %
_IN_A_PERCENT: Final = 10_000


def percentage(millionths: int) -> str:
    """A number of millionths as a percentage, with no more decimals than it needs: ``"2.5"``."""
    whole, rest = divmod(millionths, _IN_A_PERCENT)
    return f"{whole}.{rest:04d}".rstrip("0").rstrip(".")


def contribution_microcents(stake_cents: int, rate_millionths: int, chips: int = 1) -> int:
    """What so many chips add to the meter. Units: microcents, exact. Law: PT art. 40."""
    # Millionths of a cent are microcents, so the two factors of a million are one.
    return stake_cents * rate_millionths * chips


def displayed_cents(microcents: int) -> int:
    """What a display shows of a meter: the whole cents. Law: PT art. 41."""
    return microcents // MICROCENTS
