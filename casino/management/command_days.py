"""Days on a command line."""

from argparse import ArgumentTypeError
from datetime import date

from django.utils.translation import gettext as _


def a_day(text: str) -> date:
    """A day of the command line. Raises: ArgumentTypeError, of what is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        asked = _("found %(found)s; asked is a day as YYYY-MM-DD")
        raise ArgumentTypeError(asked % {"found": text}) from None
