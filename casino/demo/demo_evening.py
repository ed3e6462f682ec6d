"""The gaming day of the demo, and the house's clock on it."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings

from casino.house_day import house_zone


@dataclass(frozen=True, slots=True)
class Evening:
    """One gaming day."""

    day: date

    def at(self, clock: str) -> datetime:
        """The moment at which the house's clock showed ``"20:15"``; aware UTC.

        What lies before the start of the house's day is after midnight.
        """
        moment = time.fromisoformat(clock)
        late = moment < time.fromisoformat(settings.HOUSE_DAY_STARTS)
        local = datetime.combine(self.day + timedelta(days=late), moment, house_zone())
        return local.astimezone(ZoneInfo("UTC"))

    def before(self, days: int, clock: str) -> datetime:
        """The same so many days earlier."""
        return Evening(self.day - timedelta(days=days)).at(clock)
