"""One tablet, several people: changed between by a code, and locked where nobody touches it.

Who logged in fully on a tablet stands in its session until the gaming day ends; to any of them it
is changed by his own quick code, for the floor alone. docs/decisions/0014-quick-change.md says why.
"""

import math
import time
from collections.abc import Callable
from hmac import compare_digest
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY, login, logout
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.core import signing
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils.translation import gettext, ngettext

from casino.house_day import gaming_day_now
from casino.models import Account
from casino.witnessing import has_quick_code, is_quick_code, one_try

# Who logged in here: {"day": ..., "people": {number: {"hash": of the password, "at": seconds}}}.
SHIFT: Final = "sala-shift"
QUICK: Final = "sala-quick"  # whoever is here came by his code
LOCKED: Final = "sala-locked"  # nobody is here until one of them types his code
SAID: Final = "sala-said"  # what the next page of the entrance says, once
TOUCHED: Final = "sala-touched"  # a cookie: when something was last done at this tablet, and what
_SALT: Final = "casino.sala.touched"
_FLOOR: Final = "/sala/"
_DESK: Final = "/admin/"
# Sheets that are printed from the floor, each of one record: the only pages beside it a code opens.
_PRINTED: Final = frozenset({"admin:casino_bookentry_receipt", "jackpot-payout"})
GetResponse = Callable[[HttpRequest], HttpResponse]


def idle_seconds() -> int:
    """After how long without a touch a tablet is locked; 0 for never."""
    return int(settings.HOUSE_TABLET_LOCKS.total_seconds())


def people_here(request: HttpRequest) -> list[str]:
    """Who logged in on this tablet on this gaming day, and whose password is still the same."""
    kept = _shift(request)
    accounts = Account.objects.filter(staff__in=kept, is_active=True)
    known = {one.staff: one.get_session_auth_hash() for one in accounts}
    return [one for one in kept if compare_digest(known.get(one, ""), kept[one]["hash"])]


def _shift(request: HttpRequest) -> dict[str, dict[str, Any]]:
    """Those whose log-in still holds: of this gaming day, and no older than a session may be."""
    data: dict[str, Any] = request.session.get(SHIFT) or {}
    if data.get("day") != gaming_day_now().isoformat():
        return {}
    oldest = time.time() - settings.SESSION_COOKIE_AGE
    return {number: one for number, one in data["people"].items() if one["at"] > oldest}


def _keep(request: HttpRequest, people: dict[str, dict[str, Any]]) -> None:
    if people:
        request.session[SHIFT] = {"day": gaming_day_now().isoformat(), "people": people}
    else:
        request.session.pop(SHIFT, None)


@receiver(user_logged_in)
def _logged_in(request: HttpRequest | None, user: Any, **_: Any) -> None:
    """Whoever logs in, by whatever door, is one of those here; he came by his password."""
    if request is None or not hasattr(request, "session"):
        return
    for mark in (QUICK, LOCKED, SAID):
        request.session.pop(mark, None)
    mine = {"hash": user.get_session_auth_hash(), "at": int(time.time())}
    _keep(request, {**_shift(request), user.get_username(): mine})


def enter_as(request: HttpRequest, user: Any) -> None:
    """Log in with a password; the others of this tablet stay on its list."""
    others = _shift(request)
    login(request, user)
    _keep(request, {**others, **_shift(request)})


def change_to(request: HttpRequest, staff: str, code: str) -> str:
    """Change to one of those here by his code; why not, "" where it was done.

    After too many wrong ones he is no longer on the list: he logs in with his password.
    """
    if staff not in people_here(request):
        return gettext("%(who)s has not logged in on this tablet today. Use the password.") % {
            "who": staff
        }
    account = Account.objects.get(staff=staff)
    if not has_quick_code(account):
        return gettext("%(who)s has set no quick code yet. Use the password.") % {"who": staff}
    name = f"quick/{staff}"
    tried = one_try(name, name, lambda: is_quick_code(account, code) or None)
    if tried.found is None:
        if tried.locked or not tried.left:
            _forget(request, staff)
            return gettext("Too many wrong codes: %(who)s logs in with the password.") % {
                "who": staff
            }
        return ngettext(
            "The code is not right. %(n)s try is left.",
            "The code is not right. %(n)s tries are left.",
            tried.left,
        ) % {"n": tried.left}
    _become(request, account)
    return ""


def _forget(request: HttpRequest, staff: str) -> None:
    kept = _shift(request)
    kept.pop(staff, None)
    _keep(request, kept)


def _become(request: HttpRequest, account: Account) -> None:
    """Make him the one who is here; another session, unless it was his own that was locked."""
    here = _shift(request)
    if request.session.get(SESSION_KEY) == str(account.pk):
        request.session.pop(LOCKED, None)
        request.session.cycle_key()
        request.user = account
    else:
        login(request, account, backend=settings.AUTHENTICATION_BACKENDS[0])
    _keep(request, here)  # it was no log-in: his own still counts from when it was
    request.session[QUICK] = True


def leave_as(request: HttpRequest) -> None:
    """Log out whoever is here; the others of this tablet stay on its list."""
    user = request.user.get_username()
    others = _shift(request)
    others.pop(user, None)
    logout(request)
    _keep(request, others)
    if user:
        request.session[SAID] = gettext("%(who)s is logged out.") % {"who": user}


def lock(request: HttpRequest) -> None:
    """Nobody is here any more, until one of those of this tablet types his code."""
    if request.user.is_authenticated:
        request.session[LOCKED] = True
        request.user = AnonymousUser()


def said_once(request: HttpRequest) -> str:
    """What the entrance has to say about a log-out, once."""
    words: str = request.session.pop(SAID, "")
    if not words and request.session.get(LOCKED):
        words = gettext("Locked: nobody touched the tablet for a while.")
    return words


# Every request


def one_at_a_tablet(get_response: GetResponse) -> GetResponse:
    """Middleware: a code opens the floor alone, until the gaming day ends; who is idle is out."""

    def answer(request: HttpRequest) -> HttpResponse:
        on_floor = on_the_floor(request)
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return get_response(request)
        session = request.session
        if session.get(QUICK) and request.user.get_username() not in _shift(request):
            logout(request)
            request.session[SAID] = gettext("The gaming day is over: log in with the password.")
        elif session.get(LOCKED) or (session.get(QUICK) and not (on_floor or _is_print(request))):
            request.user = AnonymousUser()
        elif on_floor and request.user.is_authenticated and _is_idle(request):
            lock(request)
        acting = (on_floor or _is_at_the_desk(request)) and _is_touch(request)
        acting = acting and request.user.is_authenticated
        response = get_response(request)
        if acting or (on_floor and request.method == "POST" and request.user.is_authenticated):
            _touch(request, response)
        return response

    return answer


def on_the_floor(request: HttpRequest) -> bool:
    """Whether it is a page of the Sala."""
    return request.path_info.startswith(_FLOOR)


def _is_at_the_desk(request: HttpRequest) -> bool:
    """Whether he is at work in the admin, by his password, and was not idle before.

    From there the floor is a tap away, and whoever works is not idle.
    """
    if not request.path_info.startswith(_DESK) or request.session.get(QUICK):
        return False
    return request.user.is_authenticated and not _is_idle(request)


def _is_print(request: HttpRequest) -> bool:
    """Whether it is one of the sheets the floor prints: read, of what he may read there too."""
    if request.method not in ("GET", "HEAD"):
        return False
    try:
        return resolve(request.path_info).view_name in _PRINTED
    except Resolver404:
        return False


def _last(request: HttpRequest) -> dict[str, Any]:
    """When something was last done here, and which page it was; a cookie nobody can make."""
    try:
        data: dict[str, Any] = signing.loads(request.COOKIES.get(TOUCHED, ""), salt=_SALT)
    except signing.BadSignature:
        return {}
    return data


def _is_idle(request: HttpRequest) -> bool:
    """Whether nothing was done for too long: since the last touch, or since the log-in."""
    mine = _shift(request).get(request.user.get_username(), {})
    since = max(int(_last(request).get("at", 0)), int(mine.get("at", 0)))
    return bool(since and idle_seconds()) and time.time() - since > idle_seconds()


def _is_touch(request: HttpRequest) -> bool:
    """Whether somebody did something: a page that only looks again at itself is nobody."""
    return request.method == "POST" or _last(request).get("page") != request.get_full_path()


def last_sent(request: HttpRequest) -> float:
    """When this tablet sent something last, or a moment later; 0 where it never did. Unix time."""
    return float(_last(request).get("sent", 0))


def sent_to(request: HttpRequest) -> tuple[str, ...]:
    """The table to whose page this tablet sent something last; none where that was no table's."""
    table = str(_last(request).get("to", ""))
    return (table,) if table else ()


def _touch(request: HttpRequest, response: HttpResponse) -> None:
    sent, to = last_sent(request), "".join(sent_to(request))
    if request.method == "POST":
        named = request.resolver_match.kwargs if request.resolver_match is not None else {}
        sent, to = time.time(), str(named.get("table", ""))
    page = request.get_full_path()[:300]
    data = {"at": int(time.time()), "sent": math.ceil(sent), "to": to, "page": page}
    response.set_cookie(
        TOUCHED,
        signing.dumps(data, salt=_SALT),
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Strict",
    )
