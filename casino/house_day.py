"""The house's clock: its zone, when its day begins, which day it is (settings.HOUSE_*)."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from django.conf import settings

from casino import clock
from casino.gaming_day import gaming_day_at


def house_zone() -> ZoneInfo:
    """The zone in which people say what time it is."""
    return ZoneInfo(settings.HOUSE_TIME_ZONE)


def house_day_at(moment: datetime) -> date:
    """The gaming day of a moment."""
    return gaming_day_at(moment, settings.HOUSE_TIME_ZONE, settings.HOUSE_DAY_STARTS)


def gaming_day_now() -> date:
    """The gaming day it is."""
    return house_day_at(clock.now())


def day_begins(day: date) -> datetime:
    """The moment at which a gaming day begins; aware UTC."""
    starts = time.fromisoformat(settings.HOUSE_DAY_STARTS)
    return datetime.combine(day, starts, house_zone()).astimezone(UTC)
