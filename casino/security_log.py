"""The security log: who came in, who was refused, what was taken away, and from where.

One line an event, on stderr like every other (journald or the container's log keeps it), of the
logger `casino.security_log`: what happened, whose staff number, the address believed
(`casino.security.believed_address`), and what it was about. Beside it a row in a table
(`SecurityEvent`, kept for HOUSE_SECURITY_LOG) that people read on a page. Whatever somebody typed
stands in it as a quoted text of one line; at the entrance only what looks like a number, for a
password may have been typed into its field.
"""

import json
import logging
import re
from collections.abc import Callable
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, Final

from django.apps import apps
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import Error, transaction
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from casino import clock

GetResponse = Callable[[HttpRequest], HttpResponse]
Row = dict[str, object]  # the columns of a `SecurityEvent`
_LONGEST: Final = 80  # characters of what somebody typed
_NUMBER: Final = re.compile(r"[A-Za-z]{1,4}-?[0-9]{1,8}")  # what a staff number looks like
_REFUSED: Final = {403: "refused", 413: "refused-too-large", 429: "refused-too-often"}
# Of one event from one address so many rows a minute: the lines on stderr are all of them.
_MOST: Final = 60
_log: Final = logging.getLogger(__name__)
# Rows of the request under way: written once it is answered, whatever its transactions became.
_rows: Final[ContextVar[list[Row] | None]] = ContextVar("security_rows", default=None)


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
    about = _line(more)
    _log.info("%s", f"{event} {_line({'who': who, 'from': place})} {about}".rstrip())
    row: Row = {"at": clock.now(), "event": event, "about": about}
    row |= {"staff": _plain(who), "address": _plain(place)}
    waiting = _rows.get()
    if waiting is None:
        _write([row])
    else:
        waiting.append(row)


def _write(kept: list[Row]) -> None:
    """Keep rows; where the database does not, their lines stand on stderr all the same."""
    model = apps.get_model("casino", "SecurityEvent")  # logging is set up before there are models
    since = clock.now() - timedelta(minutes=1)
    try:
        with transaction.atomic():
            for row in kept:
                same = model.objects.filter(event=row["event"], at__gte=since)
                if same.filter(address=row["address"])[:_MOST].count() < _MOST:
                    model.objects.create(**row)
    except Error:  # a connection that is gone, too
        _log.warning("the database did not keep the rows of this request")


def _plain(text: str) -> str:
    """As the database can hold it."""
    return text[:_LONGEST].replace("\0", "")


def _line(values: dict[str, str]) -> str:
    return " ".join(f"{name}={_text(text)}" for name, text in values.items())


def as_number(typed: str) -> str:
    """What was typed as a number, or that it was none."""
    return typed if _NUMBER.fullmatch(typed) else "(no number)"


def _text(text: str) -> str:
    return json.dumps(text[:_LONGEST])


def noted(get_response: GetResponse) -> GetResponse:
    """Middleware that notes what is refused, and what is handed out as a file."""

    def answer(request: HttpRequest) -> HttpResponse:
        waiting: list[Row] = []
        token = _rows.set(waiting)
        try:
            response = answered(request)
        finally:
            _rows.reset(token)
            if waiting:
                _write(waiting)
        return response

    def answered(request: HttpRequest) -> HttpResponse:
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
