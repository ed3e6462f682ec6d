"""The gaming days somebody asks for on a form: absurd ones are refused in words."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from casino.house_day import gaming_day_now
from casino.recording.preparing import FIRST_DAY


class DaysRefused(ValueError):
    """These are no days; the text says why, and what to ask instead."""


def days_asked(first: str, last: str) -> tuple[date, date]:
    """The first and the last of them, ISO 8601 as a form sends them. Raises: DaysRefused."""
    try:
        begin, end = date.fromisoformat(first), date.fromisoformat(last)
    except ValueError:
        raise DaysRefused(_("Say from which gaming day to which.")) from None
    if end < begin:
        raise DaysRefused(_("The first day comes after the last."))
    if end > gaming_day_now():
        raise DaysRefused(_("The last day has not begun yet: ask up to today."))
    if begin < FIRST_DAY:
        day = date_format(FIRST_DAY, "SHORT_DATE_FORMAT")
        raise DaysRefused(_("The book holds no day before %(day)s.") % {"day": day})
    return begin, end
