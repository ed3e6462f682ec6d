"""What whoever logged in has to do before anything else opens.

Stands last among the middleware, so that no page has to ask: as long as a step is left, every
address but the step's own leads there, and nothing that is sent is taken.
"""

from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext

from casino.models import Account
from casino.web.login.factor_given import is_given

GetResponse = Callable[[HttpRequest], HttpResponse]
FACTOR: Final = "second-factor"
CHANGE: Final = "admin:password_change"
SET_UP: Final = "second-factor-own"
# The same on the floor; a passkey is a second factor too.
_ALSO: Final = {FACTOR: {"sala:factor"}, SET_UP: {"admin:casino_passkeys"}}
# Open all the while: to leave, to choose the language, to log in as somebody else.
_OPEN: Final = frozenset(
    {"admin:login", "admin:logout", "admin:jsi18n", "language", "provider", "provider-back"}
    | {f"sala:{name}" for name in ("enter", "change", "leave", "lock")}
)


def next_step(request: HttpRequest) -> str | None:
    """The name of the page of what has to be done first; None where nothing has to."""
    user = request.user
    if not isinstance(user, Account):
        return None
    if user.asks_second and not is_given(request):
        return FACTOR
    if user.password_is_temporary:
        return CHANGE
    return SET_UP if settings.SECOND_FACTOR and not user.asks_second else None


def to_step(step: str, onward: str) -> HttpResponse:
    """To the page of a step, and from there on to an address."""
    return redirect(f"{reverse(step)}?{urlencode({REDIRECT_FIELD_NAME: onward})}")


def required_steps(get_response: GetResponse) -> GetResponse:
    """Middleware that leads to the step that is left."""

    def answer(request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return get_response(request)
        step = next_step(request)
        if step is None or _name(request) in {step, *_ALSO.get(step, ()), *_OPEN}:
            return get_response(request)
        if request.path_info.startswith("/api/"):
            return _problem()
        onward = request.get_full_path() if request.method == "GET" else ""
        on_floor = step == FACTOR and request.path_info.startswith("/sala/")
        return to_step("sala:factor" if on_floor else step, onward)

    return answer


def _name(request: HttpRequest) -> str:
    try:
        return resolve(request.path_info).view_name
    except Resolver404:
        return ""


def _problem() -> HttpResponse:
    """The same for a program that calls in somebody's session (RFC 9457)."""
    why = gettext("A step of the log-in is left: open the house in a browser first.")
    kind = "urn:livro-da-sala:problem:login-incomplete"
    values = {"type": kind, "title": "Forbidden", "status": 403, "detail": why}
    return JsonResponse(values, status=403, content_type="application/problem+json")
