"""Amounts and moments as every page writes them."""

from datetime import datetime

from django.utils.formats import date_format, number_format
from django.utils.timezone import localtime

from casino.web.words.languages import language


def moment(at: datetime) -> str:
    """A moment in the house's time, to the second."""
    local = localtime(at)
    return f"{date_format(local, 'SHORT_DATE_FORMAT')} {date_format(local, 'H:i:s')}"


def money(cents: int) -> str:
    """Cents as an amount in euros, as the language writes it: ``1 234,50 €`` or ``€1,234.50``."""
    whole, rest = divmod(abs(cents), 100)
    return _euros("-" if cents < 0 else "", whole, f"{rest:02d}")


def fine_money(microcents: int) -> str:
    """An amount in euros: to the cent where it is whole cents, else as fine as it is."""
    cents, fraction = divmod(microcents, 1_000_000)
    if not fraction:
        return money(cents)
    whole, rest = divmod(abs(microcents), 10**8)
    return _euros("-" if microcents < 0 else "", whole, f"{rest:08d}".rstrip("0"))


def _euros(sign: str, whole: int, rest: str) -> str:
    grouped = number_format(whole, force_grouping=True)
    if language() == "en":
        return f"{sign}€{grouped}.{rest}"
    return f"{sign}{grouped},{rest}\u00a0€"
