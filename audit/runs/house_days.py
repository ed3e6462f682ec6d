"""The house's days as the auditor counts them: when one ends, and what is due after it."""

from datetime import date, datetime, timedelta
from typing import Final

from django.db import connection

from casino.house_day import day_begins, house_day_at

A_DAY: Final = timedelta(days=1)
REST: Final = timedelta(hours=1)  # from a day's end until it is due: the last tables are closed
PATIENCE: Final = timedelta(hours=12)  # from then on its absence is a finding

_FIRST: Final = """
SELECT min(e.recorded_at) FROM book_stream s JOIN book_entry e ON e.stream_id = s.id AND e.n = 1
"""


def day_ends_at(day: date) -> datetime:
    """The moment at which the house's next day begins."""
    return day_begins(day + A_DAY)


def first_day() -> date | None:
    """The gaming day on which this book was begun; None for an empty one.

    Days before it are nobody's duty, whatever was imported of them.
    """
    with connection.cursor() as cursor:
        cursor.execute(_FIRST)
        (begun,) = cursor.fetchone()
    return None if begun is None else house_day_at(begun)


def last_day(until: datetime) -> date | None:
    """The last gaming day of this book that had ended by then; None where none had."""
    first, last = first_day(), house_day_at(until) - A_DAY
    return last if first is not None and first <= last else None
