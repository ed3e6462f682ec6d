"""A screen on the wall: a session that is nobody's and opens one page.

Whoever puts it up is logged out there; the session stays, with his number, for HOUSE_WALL_SCREEN.
It ends before where he holds no such office any more, where his account is closed, and where
he or an administrator ends it in the list of his sessions.
"""

import time
from datetime import timedelta
from typing import NamedTuple, TypedDict

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest
from django.utils.translation import get_language

from casino import clock
from casino.events.event_policy import HEADS
from casino.models import Account
from casino.queries import offices_at
from casino.security_log import note
from casino.web.login.open_sessions import SCREEN, begin_limits


class _Kept(TypedDict):
    """What such a session holds of itself; `ends` in seconds since 1970."""

    by: str
    ends: int
    language: str


class WallScreen(NamedTuple):
    """Who put it up, and in which language it is read."""

    by: str
    language: str


def begin_wall_screen(request: HttpRequest) -> None:
    """Make of this browser a screen on the wall; whoever was logged in is not any more."""
    by, language = request.user.get_username(), get_language() or settings.LANGUAGE_CODE
    lasts: timedelta = settings.HOUSE_WALL_SCREEN
    logout(request)  # nothing of his session is left
    ends = begin_limits(request, idle=lasts, most=lasts)
    kept: _Kept = {"by": by, "ends": ends, "language": language}
    request.session[SCREEN] = kept
    request.session.set_expiry(int(lasts.total_seconds()))
    note("wall-screen-put-up", request, by)


def wall_screen_of(request: HttpRequest) -> WallScreen | None:
    """The screen this browser is, as long as it may be; None for any other browser."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    kept: _Kept | None = request.session.get(SCREEN)
    if kept is None or time.time() >= kept["ends"]:
        return None
    if not offices_at(kept["by"], clock.now()) & HEADS:
        return None
    if not Account.objects.filter(staff=kept["by"], is_active=True).exists():
        return None
    return WallScreen(kept["by"], kept["language"])
