"""The entrance: number and password, and no more than so many wrong ones.

What counts is the number that was typed together with the address it came from, whether there is
such an account or not: nobody learns here who has one, and nobody shuts out another from afar. A
browser on which that person logged in before counts by itself: wrong tries of others, from the same
address too, never shut him out of his own tablet. Of strangers more counts
(`casino.web.login.throttle`).
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Final, NotRequired, TypedDict
from uuid import uuid4

from django import forms
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.signals import user_logged_in
from django.core import signing
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.events.event_policy import ADMIN
from casino.models import Account, LoginTry
from casino.queries import offices_at
from casino.security_log import as_number, note
from casino.web.forms.people_choices import number_of
from casino.web.login.provider_settings import provider_host
from casino.web.login.throttle import (
    Limit,
    of_stranger,
    place_of,
    refuse_for,
    tries_left,
    try_once,
    whose_place,
)
from casino.witnessing import sealed_by

KNOWN: Final = "known_browser"  # the cookie: this browser's name, and who logged in on it
_FACTOR_NOW: Final = "_second_factor_given"  # of a request: when, in seconds
_KNOWN_DAYS: Final = 180
_MOST_KNOWN: Final = 40  # of one tablet


class _Known(TypedDict):
    """What the cookie holds: this browser's name, marks of people, and of some of them when the
    second factor was given (seconds), with what it holds for.
    """

    browser: str
    people: list[str]
    factors: NotRequired[dict[str, tuple[int, str]]]


class EntranceForm(AdminAuthenticationForm):
    """Number and password; says that they do not fit and how often it may still be tried.

    So many tries has everybody who types a number, whether there is such an account or not. `wait`
    is how long nobody is let in any more, where that is so.
    """

    wait: timedelta | None = None
    error_messages = {  # noqa: RUF012 - as Django declares it
        **AdminAuthenticationForm.error_messages,
        "invalid_login": _("The number or the password is not right."),
        "by_provider": _("Here a password lets in the administrador alone: log in with %(host)s."),
    }

    def clean(self) -> dict[str, object]:
        """Ask the password only where it was not tried too often. Raises: ValidationError."""
        typed, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not typed or not password:
            return super().clean()
        typed = self.cleaned_data["username"] = number_of(typed)
        whose = whose_try(typed, self.request)
        known = self.request is not None and is_known(typed, self.request)
        others = [] if known else of_stranger(typed, str(password), self.request)
        tried = try_once(Limit(whose), *others)
        if tried.wait is not None and tried.limit is not None:
            self.wait = tried.wait
            of = "" if tried.limit.name == "own" else f" ({tried.limit.name})"
            why = f"too many wrong passwords{of}"
            note("login-refused", self.request, as_number(typed), why=why)
            refuse_for(tried.wait)
        try:
            cleaned = super().clean()
        except forms.ValidationError as error:
            raise forms.ValidationError([error, tries_left(tried.left)]) from error
        tried.forgive()
        LoginTry.objects.filter(whose=whose).delete()  # it was right: what went before is forgiven
        if not settings.PASSWORD_LOGIN and ADMIN not in offices_at(typed, clock.now()):
            note("login-refused", self.request, as_number(typed), why="by password")
            why = self.error_messages["by_provider"] % {"host": provider_host()}
            raise forms.ValidationError(why, code="by_provider")
        return cleaned


def whose_try(typed: str, request: HttpRequest | None) -> str:
    """What stands for a number and where it was typed, and tells neither: a browser that person
    logged in on before, or else an address.
    """
    number = typed.strip()
    if request is None:
        return whose_place(number, "")
    if is_known(number, request):
        return whose_place(number, f"browser {_known(request)[0]}")
    return whose_place(number, place_of(request.META.get("REMOTE_ADDR", "")))


def is_known(number: str, request: HttpRequest) -> bool:
    """Whether that person logged in on this browser before."""
    return _mark(number) in _known(request)[1]


def _mark(number: str) -> str:
    """A person in the cookie: nobody reads off a tablet who logs in on it."""
    return salted_hmac(KNOWN, number, algorithm="sha256").hexdigest()[:16]


def _known(request: HttpRequest) -> tuple[str, list[str]]:
    """A browser's own name, and the marks of those who logged in on it; "" for one not known."""
    value = _cookie(request)
    return value["browser"], value["people"]


def _cookie(request: HttpRequest) -> _Known:
    try:
        value: _Known = signing.loads(request.COOKIES.get(KNOWN, ""), salt=KNOWN)
    except signing.BadSignature:
        return {"browser": "", "people": []}
    return value


@receiver(user_logged_in)
def _knows_him(request: HttpRequest | None, user: object, **_: object) -> None:
    if request is not None:
        request._logged_in_here = user  # type: ignore[attr-defined]


def factor_was_given(request: HttpRequest, account: Account, at: int) -> None:
    """Let this browser remember when somebody gave his second factor on it (seconds)."""
    request._logged_in_here = account  # type: ignore[attr-defined]
    setattr(request, _FACTOR_NOW, at)


def factor_remembered(request: HttpRequest, account: Account) -> int | None:
    """When he gave his second factor on this browser, if his password and his app are the same."""
    kept = _cookie(request).get("factors", {}).get(_mark(account.staff))
    return kept[0] if kept and constant_time_compare(kept[1], _seal(account)) else None


def _seal(account: Account) -> str:
    return salted_hmac(f"{KNOWN}.factor", sealed_by(account), algorithm="sha256").hexdigest()[:32]


def known_browsers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that marks a browser on which somebody logged in as one he is known on."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        account: Account | None = getattr(request, "_logged_in_here", None)
        if account is not None:
            browser, people = _known(request)
            mark = _mark(account.get_username())
            people = [*[one for one in people if one != mark][-_MOST_KNOWN + 1 :], mark]
            factors = dict(_cookie(request).get("factors", {}))
            if given := getattr(request, _FACTOR_NOW, 0):
                factors[mark] = (given, _seal(account))
            values = {
                "browser": browser or uuid4().hex,
                "people": people,
                "factors": {one: factors[one] for one in people if one in factors},
            }
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
