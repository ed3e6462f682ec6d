"""How often something may be tried: a password, a code, a document that anybody may send.

A try counts in several ways at once, each a `Limit`: of one number at one place, of one number from
anywhere, of one address, of one password at many numbers. At his own place somebody has so many
tries in a window; what others do from afar only makes strangers wait, longer each time and never
for long: nobody is shut out by another. What is counted tells neither number, address nor password.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, NamedTuple, NoReturn
from uuid import UUID, uuid4, uuid5

from django import forms
from django.db import connection, transaction
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, ngettext

from casino import clock
from casino.models import LoginTry

TRIES: Final = 10
WINDOW: Final = timedelta(minutes=15)
TOO_MANY: Final = "too_many"
_SALT: Final = "casino.web.entrance"
_NETWORK: Final = 64  # bits of an IPv6 address that one household is given
_DAY: Final = timedelta(days=1)
_FROM_ANYWHERE: Final = 30  # tries at one number by browsers it is not known on, in a day
_OF_ADDRESS: Final = 40  # wrong tries at any numbers, in an hour
_OF_PASSWORD: Final = 5  # numbers at which one password was tried, in a day
_TAG: Final = 8  # hex digits: enough to see the same password again, too few to guess it from
_ROWS: Final = UUID("6d0c6ac3-7f0f-4a52-9d0b-5a2f7d1f6c11")


@dataclass(frozen=True, slots=True)
class Limit:
    """So many tries in a window. `whose` stands for what is counted, and does not tell it.

    With `longest` whoever goes on waits a second after the last try, then two, then four, that long
    at most; without it he waits until the first of his tries is out of the window. Of tries with
    the same `once` the first counts. `name` is for the security log.
    """

    whose: str
    tries: int = TRIES
    window: timedelta = WINDOW
    longest: timedelta | None = None
    once: str = ""
    name: str = "own"


class Tried(NamedTuple):
    """A try that was counted before it was made. `wait`: it must not be made yet, for that long,
    because of `limit`. `left`: how many more there are by the first limit.
    """

    rows: Sequence[UUID]
    left: int
    wait: timedelta | None = None
    limit: Limit | None = None

    def forgive(self) -> None:
        """It was right: it counts nowhere."""
        LoginTry.objects.filter(pk__in=self.rows).delete()


def try_once(*limits: Limit) -> Tried:
    """Count a try by all limits before it is made, so that many at once count as many.

    One that is refused counts no further.
    """
    now = clock.now()
    _forget_old(now)
    rows = [
        LoginTry(
            id=uuid5(_ROWS, f"{one.whose}\n{one.once}") if one.once else uuid4(),
            whose=one.whose,
            tried_at=now,
            counts_until=now + one.window,
        )
        for one in limits
    ]
    LoginTry.objects.bulk_create(rows, ignore_conflicts=True)
    named = [row.pk for row in rows]
    left = 0
    for number, (limit, row) in enumerate(zip(limits, rows, strict=True)):
        others = LoginTry.objects.filter(whose=limit.whose, tried_at__gte=now - limit.window)
        tried = list(
            others.exclude(pk=row.pk).order_by("tried_at").values_list("tried_at", flat=True)
        )
        wait = _wait(limit, tried, now)
        if wait is not None:
            # One that counts once and was there before stays.
            LoginTry.objects.filter(pk__in=named, tried_at=now).delete()
            return Tried((), 0, wait, limit)
        left = left if number else limit.tries - len(tried) - 1
    return Tried(named, left)


def _wait(limit: Limit, tried: Sequence[datetime], now: datetime) -> timedelta | None:
    """How long until one more may be made, after those before it in their order."""
    over = len(tried) - limit.tries
    if over < 0:
        return None
    if limit.longest is None:
        return max(tried[-limit.tries] + limit.window - now, timedelta(seconds=1))
    pause = min(timedelta(seconds=2 ** min(over, 30)), limit.longest)
    return tried[-1] + pause - now if tried[-1] + pause > now else None


def begin_try(whose: str, tries: int = TRIES) -> timedelta | int:
    """Count one by one limit; how many are left then, or how long to wait."""
    tried = try_once(Limit(whose, tries))
    return tried.left if tried.wait is None else tried.wait


@contextmanager
def one_try(whose: str, tries: int = TRIES) -> Iterator[timedelta | int]:
    """A try, and all that is asked to answer it: as `begin_try`, one after the other of the same.

    It counts once the answer stands: where the database goes away before, or whoever tried undoes
    the transaction because no secret was compared, nothing does.
    """
    _forget_old(clock.now())  # by itself: nobody else's try waits for this one's answer
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [whose])
        yield begin_try(whose, tries)


def _forget_old(now: datetime) -> None:
    LoginTry.objects.filter(counts_until__lt=now).delete()


# What is counted


def of_stranger(number: str, password: str, request: HttpRequest | None) -> list[Limit]:
    """What counts beside his own place where a browser is not known as that person's."""
    minute, tag = timedelta(minutes=1), _keyed("password", password)[:_TAG]
    address = _place(request)
    return [
        Limit(_keyed("account", number), _FROM_ANYWHERE, _DAY, minute, name="account"),
        Limit(_keyed("address", address), _OF_ADDRESS, timedelta(hours=1), minute, name="address"),
        Limit(f"password {tag}", _OF_PASSWORD, _DAY, WINDOW, number, name="password"),
    ]


def whose_place(number: str, place: str) -> str:
    """What stands for a number and where it was typed: a browser, or an address."""
    return salted_hmac(_SALT, f"{number}\n{place}", algorithm="sha256").hexdigest()


def whose_address(what: str, request: HttpRequest) -> str:
    """What stands for the address something is asked from, and does not tell it."""
    return _keyed(what, _place(request))


def whose_account(what: str, number: str) -> str:
    """What stands for something one account tries, wherever from."""
    return _keyed(what, number)


def _keyed(what: str, value: str) -> str:
    return salted_hmac(f"{_SALT}.{what}", value, algorithm="sha256").hexdigest()


def _place(request: HttpRequest | None) -> str:
    return "" if request is None else place_of(request.META.get("REMOTE_ADDR", ""))


def place_of(address: str) -> str:
    """The address; of IPv6 the network, for one machine has more addresses than it could try."""
    try:
        found: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or int(found) >> (128 - _NETWORK))


# What is said


def tries_left(left: int) -> str:
    """How often it may still be tried before nobody is heard for a while."""
    if not left:
        minutes = WINDOW // timedelta(minutes=1)
        return gettext("No try is left: wait %(n)s minutes.") % {"n": minutes}
    text = ngettext("%(n)s try is left.", "%(n)s tries are left.", left)
    return text % {"n": left}


def wait_text(wait: timedelta) -> str:
    """For how long nobody is heard."""
    seconds = -(-wait // timedelta(seconds=1))
    if seconds < 60:
        text = ngettext(
            "Too many wrong tries: try again in %(n)s second.",
            "Too many wrong tries: try again in %(n)s seconds.",
            seconds,
        )
        return text % {"n": seconds}
    minutes = -(-seconds // 60)
    text = ngettext(
        "Too many wrong tries: try again in %(n)s minute.",
        "Too many wrong tries: try again in %(n)s minutes.",
        minutes,
    )
    return text % {"n": minutes}


def refuse_for(wait: timedelta) -> NoReturn:
    """Say for how long nobody is heard. Raises: ValidationError."""
    raise forms.ValidationError(wait_text(wait), code=TOO_MANY)
