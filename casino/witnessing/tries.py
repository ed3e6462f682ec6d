"""How often in a row it failed: of one number that was given, and at one login.

Both are counted, so that nobody guesses one person's secret and nobody fills the book with other
people's numbers. Tries of one number follow each other: while one is looked at the others wait, so
that sixteen at once are no more than five. Whether there is such a number makes no difference.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

from django.db import transaction
from django.utils.crypto import salted_hmac

from casino import clock
from casino.models import WitnessTries, WitnessUnlock

FAILURES: Final = 5  # of one number
FAILURES_AT_LOGIN: Final = 10  # of any numbers, where one person is logged in
LOCKED: Final = timedelta(minutes=15)
_SALT: Final = "casino.witnessing.tries"
_log: Final = logging.getLogger("casino.witnessing")
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Try(Generic[Found]):
    """What came of one. `found` is None when it failed.

    `locked` says that nobody looked, `first` that it is the first since the lock; `count` is how
    many failed in a row, `locked_until` the end of a lock that holds from now on or held before.
    """

    found: Found | None
    locked: bool = False
    first: bool = False
    count: int = 0
    locked_until: datetime | None = None


def one_try(login: str, number: str | None, look: Callable[[], Found | None]) -> Try[Found]:
    """Let `look` see whether a secret is right, unless it failed too often; None counts as failed.

    `login` is who is logged in there, `number` the one that was given (None: it is not about one).
    What was counted stays, whatever follows.
    """
    _forget()
    with transaction.atomic():
        rows = [_locked_row(_whose("login", login), login)]
        if number is not None:
            rows.append(_locked_row(_whose("number", number), number))
        for row in rows:
            if row.locked_at is not None:
                first, row.told = not row.told, True
                row.save(update_fields=["told"])
                return Try(None, True, first, row.failures, row.locked_at + LOCKED)
        found = look()
        now = clock.now()
        for row, most in zip(rows, (FAILURES_AT_LOGIN, FAILURES), strict=False):
            _settle(row, most, now, failed=found is None)
        until = max((row.locked_at + LOCKED for row in rows if row.locked_at), default=None)
        return Try(found, count=rows[-1].failures, locked_until=until)


def _settle(row: WitnessTries, most: int, now: datetime, *, failed: bool) -> None:
    """Count one. A right one forgives what went before of its number, nothing of the login's."""
    if failed:
        row.failures += 1
        row.last_at = now
        row.locked_at = now if row.failures >= most else None
    elif most == FAILURES:
        row.failures = 0
    row.save()


def _locked_row(whose: str, person: str) -> WitnessTries:
    """The count, its row held; begun again where the lock has run out or was opened."""
    now = clock.now()
    fresh = WitnessTries(whose=whose, last_at=now)
    WitnessTries.objects.bulk_create([fresh], ignore_conflicts=True)
    row = WitnessTries.objects.select_for_update().get(whose=whose)
    since = row.locked_at
    if since is None:
        over = row.last_at <= now - LOCKED
    else:
        opened = WitnessUnlock.objects.filter(person=person, recorded_at__gt=since)
        over = since + LOCKED <= now or opened.exists()
    if over:
        row.failures, row.locked_at, row.told, row.last_at = 0, None, False, now
        row.save()
    return row


def _forget() -> None:
    """Counts that no longer count; those somebody holds just now are left for another time."""
    with transaction.atomic():
        old = WitnessTries.objects.filter(last_at__lt=clock.now() - 2 * LOCKED)
        held = old.select_for_update(skip_locked=True).values_list("whose", flat=True)[:100]
        gone = list(held)
        if gone:
            WitnessTries.objects.filter(whose__in=gone).delete()


def _whose(what: str, who: str) -> str:
    return salted_hmac(_SALT, f"{what}\n{who}", algorithm="sha256").hexdigest()
