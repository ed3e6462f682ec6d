"""How often in a row it failed: of one number at one login, of it anywhere, and at one login.

All are counted, so that nobody guesses one person's secret and nobody fills the book with other
people's numbers. What one login does wrong shuts a number out at that login alone: nobody keeps
another from confirming elsewhere; only many at several logins do. Tries of one number follow each
other: while one is looked at the others wait, so that sixteen at once are no more than five.
Whether there is such a number makes no difference.

A first lock is over well before the time a word may take (54): five slips alone make no finding.
Whoever goes on failing waits longer each time, and a number forgets its failures by a right secret
or by half a day without any: guessing slowly gains nothing.
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

FAILURES: Final = 5  # of one number at one login
FAILURES_ANYWHERE: Final = 20  # of one number at any logins: more than two of them can make
FAILURES_AT_LOGIN: Final = 10  # of any numbers, where one person is logged in
LOCKS: Final = (timedelta(minutes=3), timedelta(minutes=15), timedelta(hours=1))
LOCKED: Final = LOCKS[0]
# After how long without a try failures count no more.
_QUIET: Final = {
    FAILURES: timedelta(hours=12),
    FAILURES_ANYWHERE: timedelta(hours=12),
    FAILURES_AT_LOGIN: timedelta(minutes=15),
}
_KEPT: Final = timedelta(days=1)  # longer than any failure counts
_SALT: Final = "casino.witnessing.tries"
_log: Final = logging.getLogger("casino.witnessing")
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Try(Generic[Found]):
    """What came of one. `found` is None when it failed.

    `locked` says that nobody looked, `first` that it is the first since the lock; `count` is how
    many failed in a row, `left` how many more may before the next lock, `locked_until` the end of a
    lock that holds from now on or held before.
    """

    found: Found | None
    locked: bool = False
    first: bool = False
    count: int = 0
    left: int = 0
    locked_until: datetime | None = None


def one_try(login: str, number: str | None, look: Callable[[], Found | None]) -> Try[Found]:
    """Let `look` see whether a secret is right, unless it failed too often; None counts as failed.

    `login` is who is logged in there, `number` the one that was given (None: it is not about one).
    What was counted stays, whatever follows.
    """
    _forget()
    with transaction.atomic():
        rows = [(_locked_row(_whose("login", login), login, FAILURES_AT_LOGIN), FAILURES_AT_LOGIN)]
        if number is not None:
            for whose, most in (
                (_whose("number", number), FAILURES_ANYWHERE),
                (_whose("number at a login", f"{number}\n{login}"), FAILURES),
            ):
                rows.append((_locked_row(whose, number, most), most))
        for row, most in rows:
            if row.locked_at is not None:
                first, row.told = not row.told, True
                row.save(update_fields=["told"])
                return Try(None, True, first, row.failures, 0, _until(row, most))
        found = look()
        now = clock.now()
        for row, most in rows:
            _settle(row, most, now, failed=found is None)
        left = min(0 if row.locked_at else most - row.failures % most for row, most in rows)
        until = max((_until(row, most) for row, most in rows if row.locked_at), default=None)
        return Try(found, count=rows[-1][0].failures, left=left, locked_until=until)


def _settle(witness_tries: WitnessTries, most: int, now: datetime, *, failed: bool) -> None:
    """Count one. A right one forgives what went before of its number, nothing of the login's."""
    if failed:
        witness_tries.failures += 1
        witness_tries.last_at = now
        witness_tries.locked_at = now if witness_tries.failures % most == 0 else None
    elif most != FAILURES_AT_LOGIN:
        witness_tries.failures = 0
    witness_tries.save()


def _until(witness_tries: WitnessTries, most: int) -> datetime:
    """When a lock ends: each that follows another lasts longer."""
    assert witness_tries.locked_at is not None
    place = min(witness_tries.failures // most, len(LOCKS)) - 1
    return witness_tries.locked_at + LOCKS[place]


def _locked_row(whose: str, who: str, most: int) -> WitnessTries:
    """The count, its row held; its lock taken off where it has run out or was opened for `who`."""
    now = clock.now()
    fresh = WitnessTries(whose=whose, last_at=now)
    WitnessTries.objects.bulk_create([fresh], ignore_conflicts=True)
    row = WitnessTries.objects.select_for_update().get(whose=whose)
    since = row.locked_at
    if since is None:
        if row.last_at <= now - _QUIET[most]:
            row.failures, row.last_at = 0, now
            row.save()
        return row
    opened = WitnessUnlock.objects.filter(person=who, recorded_at__gt=since).exists()
    if opened or _until(row, most) <= now:
        row.failures = 0 if opened else row.failures
        row.locked_at, row.told, row.last_at = None, False, now
        row.save()
    return row


def _forget() -> None:
    """Counts that no longer count; those somebody holds just now are left for another time."""
    with transaction.atomic():
        old = WitnessTries.objects.filter(last_at__lt=clock.now() - _KEPT)
        held = old.select_for_update(skip_locked=True).values_list("whose", flat=True)[:100]
        gone = list(held)
        if gone:
            WitnessTries.objects.filter(whose__in=gone).delete()


def _whose(what: str, who: str) -> str:
    return salted_hmac(_SALT, f"{what}\n{who}", algorithm="sha256").hexdigest()
