"""Amounts of a meter as pages write them: to the cent, or to the last of their decimals."""

from fractions import Fraction

from django.utils.formats import number_format

from casino.web.display.money_and_time import fine_money, money
from casino.web.words.languages import language
from jackpot.progressive.amounts import MICROCENTS


def signed(microcents: int) -> str:
    """The same with its sign, a plus included."""
    return f"+{fine_money(microcents)}" if microcents > 0 else fine_money(microcents)


def difference(microcents: int) -> str:
    """A difference of whole cents as such, a finer one to its last decimal, with its sign."""
    if microcents % MICROCENTS:
        return signed(microcents)
    cents = money(microcents // MICROCENTS)
    return f"+{cents}" if microcents > 0 else cents


def percent(part: Fraction, decimals: int) -> str:
    """A part of a whole in percent, rounded half up to so many decimals, all of them written."""
    scaled = int(part * 100 * 10**decimals + Fraction(1, 2))
    whole, rest = divmod(scaled, 10**decimals)
    return f"{_grouped(whole)}{_point()}{rest:0{decimals}d}\u00a0%"


def decimal(ratio: Fraction, decimals: int) -> str:
    """A number of so many decimals, rounded half up."""
    scaled = int(ratio * 10**decimals + Fraction(1, 2))
    whole, rest = divmod(scaled, 10**decimals)
    return f"{_grouped(whole)}{_point()}{rest:0{decimals}d}" if decimals else _grouped(scaled)


def _grouped(whole: int) -> str:
    return number_format(whole, force_grouping=True)


def _point() -> str:
    return "." if _english() else ","


def _english() -> bool:
    return language() == "en"
