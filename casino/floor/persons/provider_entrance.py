"""Logging in by the identity provider, from the entrance of the admin and from the floor's.

The provider says who somebody is, and no more: the account must be here and open, and what is left
of a log-in (second factor, first password) is asked as after a password. What was sent when a
session had ended waits in the new one until he is back.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, TypedDict

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import Resolver404, reverse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from casino import clock
from casino.floor.floor_access import entrance, same_place
from casino.floor.persons.floor_entrance import CODE, NUMBER, SECRET, WHO, entered
from casino.floor.persons.quick_change import enter_as
from casino.models import LoginTry
from casino.security_log import note
from casino.web.forms.kept_form import ENTER, entrance_page
from casino.web.login.directory_offices import groups_in, note_groups
from casino.web.login.factor_given import count_providers
from casino.web.login.factor_page import left_to_send, step_left
from casino.web.login.password_page import own_address
from casino.web.login.provider_account import (
    AWAY,
    NOT_BEGUN,
    REFUSED,
    TOO_MUCH,
    UNPROVED,
    NotLetIn,
    account_of,
    second_factors,
)
from casino.web.login.provider_client import NotBelieved, ProviderAway, claims_of, send
from casino.web.login.provider_settings import IdentityProvider
from casino.web.login.sent_on import answer_as_sent, looked_at
from casino.web.login.throttle import Limit, try_once, wait_text, whose_address

ONWARD: Final = "provider-onward"
_KEPT: Final = "provider-login"  # in the session, until he is back
_LASTS: Final = timedelta(minutes=10)
_TRIES: Final = 40  # begun from one address in an hour, and not ended
_MOST_KEPT: Final = 64 * 1024  # characters of a form that waits
_OURS: Final = frozenset(
    {ONWARD, NUMBER, SECRET, WHO, CODE, "enter-onward", "csrfmiddlewaretoken"}
    | {f"{ENTER}-username", f"{ENTER}-password"}
)
Fields = Sequence[tuple[str, str]]


class _Kept(TypedDict):
    """What the session keeps of a log-in that was begun; `at` in seconds."""

    at: float
    state: str
    nonce: str
    verifier: str
    onward: str
    sent: Fields
    tries: Sequence[str]


_NOTHING: Final[_Kept] = {
    "at": 0.0, "state": "", "nonce": "", "verifier": "", "onward": "", "sent": (), "tries": ()
}  # fmt: skip


@never_cache
@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Keep what had been sent, and send the browser to the provider.

    By a page and not by a redirection: a form of ours leads to no other host (Content-Security-
    Policy, form-action).
    """
    provider = _provider()
    onward = own_address(request.POST.get(ONWARD, "")) or reverse("admin:index")
    sent = left_to_send(request, _OURS)
    limit = Limit(
        whose_address("provider", request), _TRIES, timedelta(hours=1), timedelta(minutes=1)
    )
    tried = try_once(limit)
    if tried.wait is not None:
        note("login-refused", request, "", why="too many begun (address)")
        answer = _again(request, onward, sent, 429, wait_text(tried.wait))
        answer["Retry-After"] = str(int(tried.wait.total_seconds()) + 1)
        return answer
    if sum(len(name) + len(value) for name, value in sent) > _MOST_KEPT:
        return _again(request, onward, sent, 413, str(TOO_MUCH))
    try:
        there = send(provider, _back(request))
    except ProviderAway as error:
        return _away(request, onward, sent, error)
    request.session[_KEPT] = {
        "at": clock.now().timestamp(),
        "state": there.state,
        "nonce": there.nonce,
        "verifier": there.verifier,
        "onward": onward,
        "sent": sent,
        "tries": [str(row) for row in tried.rows],
    }
    context = {"url": there.url, "provider_host": provider.host}
    answer = TemplateResponse(request, "casino/to_provider.html", context)
    answer["Refresh"] = f"0; url={there.url}"
    return answer


@never_cache
@require_GET
def come_back(request: HttpRequest) -> HttpResponse:
    """Judge what the provider says, and let him in whose account is here."""
    provider = _provider()
    kept: _Kept = request.session.pop(_KEPT, None) or _NOTHING
    onward, sent = kept["onward"] or reverse("admin:index"), kept["sent"]
    begun = clock.now().timestamp() - kept["at"] <= _LASTS.total_seconds()
    if not begun or not constant_time_compare(request.GET.get("state", ""), kept["state"]):
        note("login-refused", request, "", why="no log-in was begun here, or another")
        return _again(request, onward, sent, 403, str(NOT_BEGUN))
    if "error" in request.GET or request.GET.get("iss", provider.issuer) != provider.issuer:
        note("login-refused", request, "", why=f"provider: {request.GET.get('error', 'iss')}")
        return _again(request, onward, sent, 403, REFUSED % {"host": provider.host})
    code = request.GET.get("code", "")
    try:
        claims = claims_of(provider, code, _back(request), kept["nonce"], kept["verifier"])
        account = account_of(request, provider, claims)
    except ProviderAway as error:
        return _away(request, onward, sent, error)
    except NotBelieved as error:
        note("login-refused", request, "", why=f"provider: {error}")
        return _again(request, onward, sent, 403, UNPROVED % {"host": provider.host})
    except NotLetIn as error:
        return _again(request, onward, sent, 403, str(error))
    LoginTry.objects.filter(pk__in=kept["tries"]).delete()
    enter_as(request, account)
    groups = groups_in(claims.get(provider.groups_claim))
    if groups is not None:
        note_groups(account, groups)
    if second_factors(claims) & provider.second_factors:
        at = claims.get("auth_time")
        count_providers(request, account, at if isinstance(at, int) else 0)
    return _go_on(request, onward, sent)


def _go_on(request: HttpRequest, onward: str, sent: Fields) -> HttpResponse:
    """As after a password: first the step that is left, then what had been sent or asked for."""
    if sent:
        request.method = "POST"  # as what waited was sent
    if same_place(onward):
        return entered(request, onward, sent)
    left = step_left(request, onward, sent)
    if left is not None:
        return left
    try:
        return answer_as_sent(request, onward, looked_at(sent)) if sent else redirect(onward)
    except Resolver404:
        return redirect("admin:index")


def _provider() -> IdentityProvider:
    """Raises: Http404, where the house has none."""
    provider: IdentityProvider | None = settings.HOUSE_PROVIDER
    if provider is None:
        raise Http404
    return provider


def _back(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("provider-back"))


def _away(request: HttpRequest, onward: str, sent: Fields, error: ProviderAway) -> HttpResponse:
    note("login-refused", request, "", why=f"provider away: {error}")
    return _again(request, onward, sent, 503, AWAY % {"host": _provider().host})


def _again(request: HttpRequest, onward: str, sent: Fields, status: int, why: str) -> HttpResponse:
    """The entrance he came from, with what had been sent, and why he is not in."""
    if same_place(onward):
        return entrance(request, onward, sent, status, errors=[(NUMBER, why)])
    return entrance_page(request, onward, sent, status, why=why)
