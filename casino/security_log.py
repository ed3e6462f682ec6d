"""The security log: who came in, who was refused, what was taken away, and from where.

One line an event, on stderr like every other (journald or the container's log keeps it), of the
logger `casino.security_log`: what happened, whose staff number, the address believed
(`casino.security.believed_address`), and what it was about. Whatever somebody typed stands in it as
a quoted text of one line; at the entrance only what looks like a number, for a password may have
been typed into its field.
"""

import json
import logging
import re
from collections.abc import Callable
from typing import Any, Final

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]
_LONGEST: Final = 80  # characters of what somebody typed
_NUMBER: Final = re.compile(r"[A-Za-z]{1,4}-?[0-9]{1,8}")  # what a staff number looks like
_REFUSED: Final = {403: "refused", 413: "refused-too-large", 429: "refused-too-often"}
_log: Final = logging.getLogger(__name__)


class ALine(logging.Filter):
    """Takes the traceback off what Django says of a refusal: it is no fault of the program."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Everything is logged; a refusal without its traceback."""
        if 400 <= getattr(record, "status_code", 0) < 500:
            record.exc_info = record.exc_text = None
        return True


def note(event: str, request: HttpRequest | None, who: str, **more: str) -> None:
    """One event. `who` is a staff number as it was typed, or '' for nobody."""
    place = "" if request is None else request.META.get("REMOTE_ADDR", "")
    values = {"who": who, "from": place, **more}
    _log.info("%s %s", event, " ".join(f"{name}={_text(text)}" for name, text in values.items()))


def as_number(typed: str) -> str:
    """What was typed as a number, or that it was none."""
    return typed if _NUMBER.fullmatch(typed) else "(no number)"


def _text(text: str) -> str:
    return json.dumps(text[:_LONGEST])


def noted(get_response: GetResponse) -> GetResponse:
    """Middleware that notes what is refused, and what is handed out as a file."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        event = _REFUSED.get(response.status_code)
        if event is None and response.get("Content-Disposition", "").startswith("attachment"):
            event = "file-taken"
        if event is not None:
            user = getattr(request, "user", None)
            who = user.get_username() if user is not None else ""
            note(event, request, who, what=f"{request.method} {request.path}")
        return response

    return answer


@receiver(user_logged_in)
def _came_in(request: HttpRequest | None, user: Any, **_: object) -> None:
    note("login", request, user.get_username())


@receiver(user_logged_out)
def _left(request: HttpRequest | None, user: Any, **_: object) -> None:
    note("logout", request, "" if user is None else user.get_username())


@receiver(user_login_failed)
def _failed(
    credentials: dict[str, object], request: HttpRequest | None = None, **_: object
) -> None:
    note("login-failed", request, as_number(str(credentials.get("username", ""))))
