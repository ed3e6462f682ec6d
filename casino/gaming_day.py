"""The house's day: an evening belongs to the date on which it began."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def gaming_day_at(moment: datetime, zone: str, starts: str) -> date:
    """The gaming day of a moment.

    Shapes: `moment` aware; `zone` an IANA name; `starts` the local time (``"08:00"``) at which the
    house's day begins. What happens before it belongs to the date before, also on the nights on
    which the clocks change.
    """
    local = moment.astimezone(ZoneInfo(zone))
    before = local.time() < time.fromisoformat(starts)
    return local.date() - timedelta(days=1) if before else local.date()
