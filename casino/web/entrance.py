"""The entrance: number and password, and no more than so many wrong ones.

What counts is the number that was typed together with the address it came from, whether there is
such an account or not: nobody learns here who has one, and nobody shuts out another from afar. A
browser on which that person logged in before counts by itself: wrong tries of others, from the same
address too, never shut him out of his own tablet.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final
from uuid import uuid4

from django import forms
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.signals import user_logged_in
from django.core import signing
from django.db import connection, transaction
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.models import LoginTry
from casino.security_log import as_number, note
from casino.web.forms.people_choices import number_of

TRIES: Final = 10
WINDOW: Final = timedelta(minutes=15)
TOO_MANY: Final = "too_many"
_SALT: Final = "casino.web.entrance"
_NETWORK: Final = 64  # bits of an IPv6 address that one household is given
KNOWN: Final = "known_browser"  # the cookie: this browser's name, and who logged in on it
_KNOWN_DAYS: Final = 180
_MOST_KNOWN: Final = 40  # of one tablet


class EntranceForm(AdminAuthenticationForm):
    """Number and password; says that they do not fit and how often it may still be tried.

    So many tries has everybody who types a number, whether there is such an account or not. `wait`
    is how long nobody is let in any more, where that is so.
    """

    wait: timedelta | None = None
    error_messages = {  # noqa: RUF012 - as Django declares it
        **AdminAuthenticationForm.error_messages,
        "invalid_login": _("The number or the password is not right."),
    }

    def clean(self) -> dict[str, object]:
        """Ask the password only where it was not tried too often. Raises: ValidationError."""
        typed, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not typed or not password:
            return super().clean()
        typed = self.cleaned_data["username"] = number_of(typed)
        whose = whose_try(typed, self.request)
        with one_try(whose) as left:
            cleaned = self._compared(whose, left)
        if isinstance(cleaned, forms.ValidationError):
            raise cleaned
        return cleaned

    def _compared(
        self, whose: str, left: timedelta | int
    ) -> dict[str, object] | forms.ValidationError:
        """What was typed, or why it lets nobody in: returned, for a wrong password is counted."""
        if isinstance(left, timedelta):
            self.wait = left
            typed = as_number(self.cleaned_data["username"])
            note("login-refused", self.request, typed, why="too many wrong passwords")
            return _refusal(left)
        try:
            cleaned = super().clean()
        except forms.ValidationError as error:
            return forms.ValidationError([error, _tries_left(left)])
        LoginTry.objects.filter(whose=whose).delete()  # it was right: what went before is forgiven
        return cleaned


def whose_try(typed: str, request: HttpRequest | None) -> str:
    """What stands for a number and where it was typed, and tells neither: a browser that person
    logged in on before, or else an address.
    """
    number = typed.strip()
    browser, people = ("", []) if request is None else _known(request)
    address = "" if request is None else request.META.get("REMOTE_ADDR", "")
    place = f"browser {browser}" if _mark(number) in people else _place(address)
    return salted_hmac(_SALT, f"{number}\n{place}", algorithm="sha256").hexdigest()


def _mark(number: str) -> str:
    """A person in the cookie: nobody reads off a tablet who logs in on it."""
    return salted_hmac(KNOWN, number, algorithm="sha256").hexdigest()[:16]


def _known(request: HttpRequest) -> tuple[str, list[str]]:
    """A browser's own name, and the marks of those who logged in on it; "" for one not known."""
    try:
        value = signing.loads(request.COOKIES.get(KNOWN, ""), salt=KNOWN)
    except signing.BadSignature:
        return "", []
    return value["browser"], value["people"]


@receiver(user_logged_in)
def _knows_him(request: HttpRequest | None, user: object, **_: object) -> None:
    if request is not None:
        request._logged_in_here = user.get_username()  # type: ignore[attr-defined]


def known_browsers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that marks a browser on which somebody logged in as one he is known on."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        number: str | None = getattr(request, "_logged_in_here", None)
        if number is not None:
            browser, people = _known(request)
            others = [one for one in people if one != _mark(number)][-_MOST_KNOWN + 1 :]
            values = {"browser": browser or uuid4().hex, "people": [*others, _mark(number)]}
            response.set_cookie(
                KNOWN,
                signing.dumps(values, salt=KNOWN),
                max_age=timedelta(days=_KNOWN_DAYS),
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    return answer


def _place(address: str) -> str:
    """The address; of IPv6 the network, for one machine has more addresses than it could try."""
    try:
        found: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or int(found) >> (128 - _NETWORK))


def whose_address(what: str, request: HttpRequest) -> str:
    """What stands for the address something is asked from, and does not tell it."""
    place = _place(request.META.get("REMOTE_ADDR", ""))
    return salted_hmac(f"{_SALT}.{what}", place, algorithm="sha256").hexdigest()


@contextmanager
def one_try(whose: str, tries: int = TRIES) -> Iterator[timedelta | int]:
    """A try, and all that is asked to answer it: as `begin_try`, one after the other of the same.

    It counts once the answer stands: where the database goes away before, or whoever tried undoes
    the transaction because no secret was compared, nothing does.
    """
    _forget_old()  # by itself: nobody else's try waits for this one's answer
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [whose])
        yield _counted(whose, tries)


def begin_try(whose: str, tries: int = TRIES) -> timedelta | int:
    """Count a try before it is made, so that many at once count as many; how many are left then.

    How long to wait, where this was one too many.

    A try that is refused counts no further: the first of them is forgotten after its time.
    """
    _forget_old()
    return _counted(whose, tries)


def _forget_old() -> None:
    LoginTry.objects.filter(tried_at__lt=clock.now() - WINDOW).delete()


def _counted(whose: str, tries: int) -> timedelta | int:
    now = clock.now()
    own = LoginTry.objects.create(id=uuid4(), whose=whose, tried_at=now)
    tried: list[datetime] = list(
        LoginTry.objects.filter(whose=whose).order_by("tried_at").values_list("tried_at", flat=True)
    )
    if len(tried) <= tries:
        return tries - len(tried)
    own.delete()
    return max(tried[-1 - tries] + WINDOW - now, timedelta(seconds=1))


def _tries_left(left: int) -> str:
    """How often a password may still be tried before the entrance shuts for a while."""
    if not left:
        minutes = WINDOW // timedelta(minutes=1)
        return gettext("No try is left: wait %(n)s minutes.") % {"n": minutes}
    text = ngettext("%(n)s try is left.", "%(n)s tries are left.", left)
    return text % {"n": left}


def _refusal(wait: timedelta) -> forms.ValidationError:
    minutes = -(-int(wait.total_seconds()) // 60) or 1
    text = ngettext(
        "Too many wrong passwords: try again in %(n)s minute.",
        "Too many wrong passwords: try again in %(n)s minutes.",
        minutes,
    )
    return forms.ValidationError(text % {"n": minutes}, code=TOO_MANY)
