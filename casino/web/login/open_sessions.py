"""How long a session lasts, and which there are.

HOUSE_SESSIONS says by office how long nothing may be done in one (`idle`) and how long it lasts at
most (`most`); of several offices the shorter counts. What is needed for it stands in the session
itself: nothing is asked of the database for a page. Times are seconds of the server's clock.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, TypedDict

from django.conf import settings
from django.contrib.auth import SESSION_KEY, logout
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from casino import clock
from casino.models import Account
from casino.queries import offices_at
from casino.security_log import note

GetResponse = Callable[[HttpRequest], HttpResponse]
_KEPT: Final = "login-session"  # in the session: what `_begins` puts there
SCREEN: Final = "wall-screen"  # in a session that is nobody's: who put up the screen it is of
_STEP: Final = 60  # seconds: a session is not written more often for being used
_BROWSER: Final = 120  # characters of what a browser calls itself
_MOST_READ: Final = 2_000  # sessions
# What a browser calls itself names others it is like: the first that fits.
_DEVICES: Final = (
    (("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"),
     ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("Chrome", "Chrome"), ("CriOS", "Chrome"),
     ("Safari", "Safari")),
    (("Android", "Android"), ("iPad", "iPad"), ("iPhone", "iPhone"), ("Windows", "Windows"),
     ("CrOS", "ChromeOS"), ("Macintosh", "macOS"), ("Linux", "Linux")),
)  # fmt: skip


class _Kept(TypedDict):
    """What a session holds of itself; times in seconds."""

    begun: int
    used: int
    path: str
    idle: int
    ends: int
    address: str
    browser: str


# Of a session that began before there were limits.
_UNKNOWN: Final[_Kept] = {
    "begun": 0, "used": 0, "path": "", "idle": 0, "ends": 0, "address": "", "browser": ""
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OpenSession:
    """One session of somebody. `name` stands for its key, which is shown to nobody."""

    name: str
    number: str
    begun: datetime
    used: datetime
    ends: datetime
    address: str
    browser: str
    is_this: bool
    is_screen: bool = False

    @property
    def device(self) -> str:
        """Browser and system by name; what is not known, as the browser calls itself."""
        words = (next((word for mark, word in of if mark in self.browser), "") for of in _DEVICES)
        return ", ".join(filter(None, words)) or self.browser


def limits_of(number: str) -> tuple[timedelta, timedelta]:
    """How long a session of this person may be idle, and last."""
    held = offices_at(number, clock.now())
    limits: dict[str, dict[str, timedelta]] = settings.HOUSE_SESSIONS
    own = [limits[office] for office in held if office in limits] or [limits[""]]
    return min(one["idle"] for one in own), min(one["most"] for one in own)


@receiver(user_logged_in)
def _begins(request: HttpRequest | None, user: Account, **_: object) -> None:
    """Put into a session what its limits are."""
    if request is not None:
        begin_limits(request, *limits_of(user.get_username()))


def begin_limits(request: HttpRequest, idle: timedelta, most: timedelta) -> int:
    """Put limits and where it began into a session; when it ends at the latest, in seconds."""
    now = int(time.time())
    kept: _Kept = {
        "begun": now,
        "used": now,
        "path": "",
        "idle": int(idle.total_seconds()),
        "ends": now + int(most.total_seconds()),
        "address": request.META.get("REMOTE_ADDR", ""),
        "browser": request.META.get("HTTP_USER_AGENT", "")[:_BROWSER],
    }
    request.session[_KEPT] = kept
    return kept["ends"]


def limited_sessions(get_response: GetResponse) -> GetResponse:
    """Middleware that ends a session that was idle, or has lasted, for too long.

    A page that only looks again at itself is no use of it.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return get_response(request)
        kept: _Kept | None = request.session.get(_KEPT)
        if kept is None or not request.user.is_authenticated:
            return get_response(request)
        now = int(time.time())
        if now >= kept["ends"] or now - kept["used"] > kept["idle"]:
            why = "lasted" if now >= kept["ends"] else "idle"
            note("session-ended", request, request.user.get_username(), why=why)
            logout(request)
        elif now - kept["used"] >= _STEP and (
            request.method == "POST" or kept["path"] != request.path
        ):
            request.session[_KEPT] = {**kept, "used": now, "path": request.path}
        return get_response(request)

    return answer


def sessions_of(number: str, own_key: str | None = None) -> list[OpenSession]:
    """The sessions of a person and the screens he put up, the last used first.

    They are read one by one: a house has few.
    """
    account = Account.objects.filter(staff=number).first()
    if account is None:
        return []
    found = [_read(row, number, own_key) for row in _rows() if _is_of(row, account)]
    return sorted(found, key=lambda one: one.used, reverse=True)


def end_session(number: str, name: str) -> bool:
    """End one of his; False where there is none by that name."""
    account = Account.objects.filter(staff=number).first()
    for row in _rows():
        if account and _is_of(row, account) and _name(row) == name:
            row.delete()
            return True
    return False


def end_sessions(account: Account) -> None:
    """End all of his."""
    for row in _rows():
        if _is_of(row, account):
            row.delete()


def _is_of(session: Session, account: Account) -> bool:
    data = session.get_decoded()
    by = data.get(SCREEN, {}).get("by")
    return data.get(SESSION_KEY) == str(account.pk) or by == account.get_username()


def _rows() -> list[Session]:
    return list(Session.objects.filter(expire_date__gt=clock.now())[:_MOST_READ])


def _read(session: Session, number: str, own_key: str | None) -> OpenSession:
    data = session.get_decoded()
    kept: _Kept = data.get(_KEPT) or _UNKNOWN
    return OpenSession(
        name=_name(session),
        number=number,
        begun=_moment(kept["begun"]),
        used=_moment(kept["used"]),
        ends=_moment(kept["ends"]),
        address=kept["address"],
        browser=kept["browser"],
        is_this=session.session_key == own_key,
        is_screen=SCREEN in data,
    )


def _name(session: Session) -> str:
    return salted_hmac("casino.web.login.sessions", session.session_key).hexdigest()[:16]


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
