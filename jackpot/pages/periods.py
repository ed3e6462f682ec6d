"""From which gaming day to which a page looks back, as its address says."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from django.http import HttpRequest
from django.utils.translation import gettext as _

from casino import clock
from casino.house_day import day_begins, gaming_day_now

USUAL: Final = 7  # days
MOST: Final = 93  # days: a quarter of a year


@dataclass(frozen=True, slots=True)
class Period:
    """Gaming days, the first and the last among them; `refused` says what was asked wrongly."""

    first_day: date
    last_day: date
    refused: str = ""

    @property
    def first(self) -> datetime:
        """When the first day began."""
        return day_begins(self.first_day)

    @property
    def last(self) -> datetime:
        """When the last day ended; now, while it lasts."""
        return min(day_begins(self.last_day + timedelta(days=1)), clock.now())


def period_of(request: HttpRequest) -> Period:
    """The days asked for (``?from=2026-11-01&to=2026-11-20``), else the last week."""
    today = gaming_day_now()
    usual = Period(today - timedelta(days=USUAL - 1), today)
    texts = request.GET.get("from", ""), request.GET.get("to", "")
    if not any(texts):
        return usual
    try:
        last = min(date.fromisoformat(texts[1]), today) if texts[1] else today
        first = date.fromisoformat(texts[0]) if texts[0] else last - timedelta(days=USUAL - 1)
        if first.year < 2000:
            raise ValueError
    except (ValueError, OverflowError):
        return _refusing(usual, _("Say from which day to which."))
    if first > last:
        return _refusing(usual, _("The first day comes after the last."))
    if (last - first).days >= MOST:
        asked = _("At most %(days)s days at once: choose fewer.")
        return Period(last - timedelta(days=MOST - 1), last, asked % {"days": MOST})
    return Period(first, last)


def _refusing(period: Period, words: str) -> Period:
    return Period(period.first_day, period.last_day, words)
