"""When something happened, and when it was recorded where that was another moment."""

from datetime import datetime

from django.utils.translation import gettext as _

from casino.web.display.money_and_time import moment


def happened(occurred_at: datetime, recorded_at: datetime) -> dict[str, str]:
    """`at` in words, and `recorded`: "" where both are the same second."""
    at, recorded = moment(occurred_at), moment(recorded_at)
    differs = at != recorded
    return {"at": at, "recorded": _("recorded %(at)s") % {"at": recorded} if differs else ""}
