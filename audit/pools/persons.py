"""What two persons do with a pool: a prize is paid, a meter corrected on a second one's word too.

No numbered article asks for him, so what is missing stands under the house's register. The word is
waited for until the gaming day is over; one that comes later cures what was raised.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet

from audit.runs.house_days import day_ends_at
from casino.models import Attestation
from casino.queries import that_count
from jackpot.models import JackpotAdjustment, JackpotPayment


def done_by_one(since: datetime, now: datetime) -> Iterator[Any]:
    """Rows of adjustments and payments since then whose day is over, and that nobody confirmed."""
    word = Attestation.objects.filter(
        witnessed_stream=OuterRef("stream"), witnessed_n=OuterRef("n")
    ).exclude(witness__iexact=OuterRef("staff"))
    of_both: tuple[QuerySet[Any], ...] = (
        JackpotAdjustment.objects.all(),
        JackpotPayment.objects.all(),
    )
    for acts in of_both:
        alone = that_count(acts).filter(~Exists(word), recorded_at__gte=since).order_by(F("n"))
        yield from (row for row in alone if day_ends_at(row.gaming_day) <= now)
