"""The second factor of whoever is logged in by his password: asked, judged, remembered.

That it was given stands in the session; for how long this browser asks for none says
HOUSE_SECOND_FACTOR_HOLDS, of several offices the shortest.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext

from casino import clock
from casino.models import Account, SecurityEvent
from casino.queries import offices_at
from casino.security_log import note
from casino.web.entrance import factor_remembered, factor_was_given
from casino.web.login.throttle import Limit, tries_left, try_once, wait_text, whose_account
from casino.witnessing import Factor

GIVEN: Final = "second-factor"  # in the session: how, and when (seconds)


def is_given(request: HttpRequest) -> bool:
    """Whether whoever is logged in here gave his second factor in this session."""
    return GIVEN in request.session


def is_stale(request: HttpRequest) -> bool:
    """Whether he who has a second factor gave it too long ago for what asks for it anew."""
    user = request.user
    if not isinstance(user, Account) or not user.asks_second:
        return False
    at = request.session.get(GIVEN, {}).get("at", 0)
    fresh: timedelta = settings.HOUSE_SECOND_FACTOR_FRESH
    age: float = clock.now().timestamp() - at
    return age > fresh.total_seconds()


def give(request: HttpRequest, account: Account, how: Factor) -> None:
    """It was right: this session has it from now on, and this browser remembers it."""
    now = int(clock.now().timestamp())
    request.session[GIVEN] = {"how": how, "at": now}
    request.session.cycle_key()
    factor_was_given(request, account, now)
    note("second-factor", request, account.staff, how=how)


def count_providers(request: HttpRequest, account: Account, at: int) -> None:
    """The identity provider asked him for one: this session has it, since then and no later.

    What asks for it anew still does, and no browser remembers it.
    """
    if account.asks_second:
        now = int(clock.now().timestamp())
        request.session[GIVEN] = {"how": "provider", "at": min(at, now)}
        note("second-factor", request, account.staff, how="provider")


def attempt(
    request: HttpRequest, account: Account, look: Callable[[], Factor | None]
) -> tuple[str, timedelta | None]:
    """Let `look` judge what he gave, unless too much was wrong: why it was not right, '' where it
    was, and how long to wait where nobody looked.
    """
    tried = try_once(Limit(whose_account("second", account.staff)))
    if tried.wait is not None:
        note("second-factor-refused", request, account.staff, why="too many wrong")
        return wait_text(tried.wait), tried.wait
    found = look()
    if found is None:
        note("second-factor-failed", request, account.staff)
        return f"{gettext('The code is not right.')} {tries_left(tried.left)}", None
    tried.forgive()
    give(request, account, found)
    return "", None


def holds_for(account: Account) -> timedelta:
    """For how long a browser remembers it of him."""
    held = offices_at(account.staff, clock.now())
    holds: dict[str, timedelta] = settings.HOUSE_SECOND_FACTOR_HOLDS
    return min((holds.get(office, timedelta(0)) for office in held), default=timedelta(0))


@receiver(user_logged_in)
def _remembers(request: HttpRequest | None, user: Account, **_: object) -> None:
    """Who logs in where he gave it not long ago is not asked again, unless a session of his was
    taken away since: that browser may be in other hands.
    """
    if request is None or not user.asks_second or is_given(request):
        return
    at = factor_remembered(request, user)
    if at is None or clock.now().timestamp() - at >= holds_for(user).total_seconds():
        return
    since = datetime.fromtimestamp(at, UTC)
    taken = SecurityEvent.objects.filter(event="session-taken-away", at__gte=since)
    if not taken.filter(about=f'of="{user.staff}"').exists():
        request.session[GIVEN] = {"how": "remembered", "at": at}
