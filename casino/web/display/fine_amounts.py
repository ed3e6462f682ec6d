"""Percentages and meters as people write them: ``2,5`` for 25 000 millionths, ``-0,0625`` euros.

A percentage has at most four decimals, a meter in euros at most eight: both are whole numbers in
the book, and what is finer than that is refused, never rounded.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from casino.events import Malformed

_PERCENT_DECIMALS: Final = 4
_METER_DECIMALS: Final = 8
_is_percentage: Final = re.compile(r"(0|[1-9][0-9]{0,2})(?:[.,]([0-9]{1,4}))?").fullmatch
_is_meter: Final = re.compile(r"(-?)([0-9]{1,11})(?:[.,]([0-9]{1,8}))?").fullmatch


class Fine(NamedTuple):
    """How a fine amount is read off what was typed, and shown as it would be typed.

    `read` raises Malformed.
    """

    read: Callable[[str], int]
    shown: Callable[[int], str]


def percentage_of(text: str) -> int:
    """Millionths of a whole. Raises: Malformed, for what is no percentage from 0 to 100."""
    found = _is_percentage(text.replace("%", "").strip())
    if found is None:
        raise Malformed(
            "$",
            "found {found}; asked is a percentage from 0 to 100 with four decimals at most",
            found=text,
        )
    return int(found[1]) * 10**_PERCENT_DECIMALS + int((found[2] or "").ljust(4, "0"))


def percentage(millionths: int) -> str:
    """Millionths as a percentage, with no more decimals than it needs: ``2,5``."""
    return _decimal(millionths, _PERCENT_DECIMALS)


def meter_of(text: str) -> int:
    """Microcents of an amount in euros. Raises: Malformed, for what is none."""
    found = _is_meter(text.replace("€", "").replace("\u2212", "-").strip())
    if found is None:
        raise Malformed(
            "$",
            "found {found}; asked is an amount in euros with eight decimals at most",
            found=text,
        )
    amount = int(found[2]) * 10**_METER_DECIMALS + int((found[3] or "").ljust(8, "0"))
    return -amount if found[1] else amount


def meter(microcents: int) -> str:
    """Microcents as an amount in euros, with no more decimals than it needs: ``-0,0625``."""
    return _decimal(microcents, _METER_DECIMALS)


def _decimal(amount: int, decimals: int) -> str:
    whole, rest = divmod(abs(amount), 10**decimals)
    fraction = f"{rest:0{decimals}d}".rstrip("0")
    return f"{'-' if amount < 0 else ''}{whole}{',' if fraction else ''}{fraction}"


_PERCENTAGES: Final = Fine(percentage_of, percentage)
_METERS: Final = Fine(meter_of, meter)


def fine(name: str) -> Fine | None:
    """How a field of this name is written; None for one that is no fine amount."""
    if name.endswith("_millionths"):
        return _PERCENTAGES
    return _METERS if name.endswith("microcents") else None
