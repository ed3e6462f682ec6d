"""How long each private field is kept: the figures of retention_periods.toml beside this."""

import tomllib
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final, Literal

DATA: Final = Path(__file__).with_name("retention_periods.toml")
OTHER: Final = "other"
INSPECTOR: Final = "inspector"


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """How long the values of some fields are kept, and by which source.

    `years` is None where the house erases none of them. `fields` are pairs of kind and field.
    """

    name: str
    counted_from: Literal["recorded", "decided", "left"]
    source: Literal["law", "house"]
    on_request: bool
    years: int | None = None
    cite: str = ""
    fields: frozenset[tuple[str, str]] = field(default=frozenset())

    def until(self, start: date) -> date | None:
        """The day from which a value whose time began on `start` is no longer kept."""
        if self.years is None:
            return None
        year = start.year + self.years
        try:
            return start.replace(year=year)
        except ValueError:  # the 29th of February
            return date(year, 3, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """What is not erased from here; `days` is None where it has no end."""

    name: str
    source: Literal["law", "house"]
    days: int | None = None
    cite: str = ""


@cache
def _read() -> tuple[tuple[Period, ...], tuple[Elsewhere, ...]]:
    data = tomllib.loads(DATA.read_text("utf-8"))
    periods = []
    for one in data["period"]:
        pairs = frozenset((kind, name) for kind, name in map(str.split, one.pop("fields")))
        periods.append(Period(counted_from=one.pop("from"), fields=pairs, **one))
    return tuple(periods), tuple(Elsewhere(**one) for one in data["elsewhere"])


def periods() -> tuple[Period, ...]:
    """Every period, in the order of the file."""
    return _read()[0]


def elsewhere() -> tuple[Elsewhere, ...]:
    """Everything that is not erased from here."""
    return _read()[1]


def period_of(kind: str, name: str) -> Period:
    """The period of a kind's field; whatever stands in none has that of all others."""
    found = next((one for one in periods() if (kind, name) in one.fields), None)
    return found or next(one for one in periods() if one.name == OTHER)
