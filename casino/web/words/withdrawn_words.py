"""A withdrawal in one sentence: who asked for it and why, who decided, how late."""

from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext

from casino.recording.withdrawing import RUN
from casino.web.entries.entry_standing import Link
from casino.web.words import field_words

DAYS: Final = 48  # from so many hours on a time is said in days


def withdrawn_words(link: Link, recorded_at: datetime, kind: str = "") -> str:
    """What became of the record of a kind that was recorded then."""
    values = {
        "asked_by": link.staff,
        "why": field_words.word(link.reason),
        "by": link.decided_by,
        "late": how_late((link.decided_at or link.asked_at) - recorded_at),
    }
    if link.decision is None:
        said = gettext(
            "Withdrawal asked for by %(asked_by)s (%(why)s), %(late)s after the record:"
            " it waits for its second person."
        )
    elif link.decision == "approved" and kind == RUN:
        said = gettext(
            "Withdrawn, what the run found does not hold: asked for by %(asked_by)s (%(why)s),"
            " approved by %(by)s %(late)s after the record."
        )
    elif link.decision == "approved":
        said = gettext(
            "Withdrawn, it did not happen: asked for by %(asked_by)s (%(why)s), approved by %(by)s"
            " %(late)s after the record."
        )
    else:
        said = gettext("Withdrawal asked for by %(asked_by)s (%(why)s), refused by %(by)s.")
    return said % values


def how_late(time: timedelta) -> str:
    """The same, of what came soon after."""
    return spelled(time) if time >= timedelta(minutes=1) else gettext("less than a minute")


def spelled(time: timedelta) -> str:
    """``38 min``, ``2 h 05 min``, ``8 d 5 h``."""
    minutes = int(time.total_seconds()) // 60
    if minutes >= DAYS * 60:
        return f"{minutes // 1440} d {minutes % 1440 // 60} h"
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60:02d} min"
