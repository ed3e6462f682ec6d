"""What was written on paper first: how old a sheet may be, and that somebody is who wrote it.

Whether what it tells was lawful, or kept a deadline, is not asked here: it is recorded, and judged
by when it happened and by when it was recorded, like anything else.
"""

from datetime import datetime, timedelta
from typing import Final

from casino import clock
from casino.events import Malformed
from casino.models import OfficeGrant, Staff
from casino.tlog.canonical import instant_text

OLDEST: Final = timedelta(days=31)  # how long after the act a sheet may be recorded


def check_sheet_age(occurred_at: datetime) -> None:
    """What a sheet tells did not happen longer ago than OLDEST. Raises: Malformed."""
    if clock.now() - occurred_at > OLDEST:
        raise Malformed(
            "$.occurred_at",
            "found {found}; from a sheet of paper is recorded what happened at most {days} days"
            " ago. Look at the day on the sheet",
            found=instant_text(occurred_at),
            days=OLDEST.days,
        )


def check_writer(staff: str) -> None:
    """Whoever wrote a sheet is of the house, by his number as it stands there; else Malformed."""
    known = {
        number
        for rows in (Staff.objects, OfficeGrant.objects)
        for number in rows.filter(person__iexact=staff).values_list("person", flat=True)
    }
    if not known:
        raise Malformed(
            "$.paper.written_by",
            "found {found}; nobody of the house has this staff number. Look at the sheet",
            found=staff,
        )
    if staff not in known:
        raise Malformed(
            "$.paper.written_by",
            "found {found}; in the house's register this number is written {spelt}",
            found=staff,
            spelt=", ".join(sorted(known)),
        )
