"""What answers on the floor when a page cannot: what went wrong, what was and was not stored, and
three ways on. It never fails itself: where it cannot be made, a page that is always the same is.

Every other address of the house keeps its plain pages.
"""

import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django.views import defaults

from casino import clock
from casino.access.open_games import tables_known
from casino.floor import form_state as carried
from casino.floor.floor_page import entries_of
from casino.holding import is_held

PLACE: Final = "/sala/"
# Whether what was sent is in the book; "held" while it can be taken back, "none" where nothing was.
Stored = Literal["none", "yes", "held", "no", "unknown"]
_WORDS: Final[dict[int, tuple[Promise, Promise]]] = {
    400: (
        gettext_lazy("This cannot be read"),
        gettext_lazy("What was sent is not what the page asks for."),
    ),
    403: (gettext_lazy("Not allowed"), gettext_lazy("Your office does not open this page.")),
    404: (gettext_lazy("Not found"), gettext_lazy("There is nothing at this address.")),
    500: (
        gettext_lazy("Something went wrong"),
        gettext_lazy("The fault is ours and has been noted."),
    ),
    503: (
        gettext_lazy("The book is busy"),
        gettext_lazy("Somebody else is recording at this moment. Try again in a few seconds."),
    ),
}
AWAY: Final = gettext_noop(
    "The book cannot be reached at this moment. What was recorded before is not lost. Try again in"
    " a minute; if it lasts, call whoever looks after the server."
)
# In both languages, for nobody knows whose: as plain as a page can be.
_ALWAYS: Final = b"""<!DOCTYPE html>
<html lang="pt-PT" data-theme="dark"><head><meta charset="utf-8"><title>Livro da Sala</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/casino/tokens.css">
<link rel="stylesheet" href="/static/casino/sala.css"></head>
<body><main id="main"><h1>Algo correu mal</h1>
<p id="stored">N\xc3\xa3o se sabe se ficou registado: tente de novo, nada \xc3\xa9 registado duas \
vezes.</p>
<p lang="en">Something went wrong. Whether it was recorded is not known: try again, nothing is \
recorded twice.</p>
<p><a class="primary" href="/sala/">\xc3\x80 sala</a></p></main></body></html>
"""
_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of what was sent: whether it is in the book, and since when."""

    stored: Stored
    at: datetime | None = None


def sent_by(request: HttpRequest, status: int) -> Sent:
    """What became of what was sent, as far as the book can be asked."""
    if request.method != "POST":
        return Sent("none")
    try:
        form_state = carried.posted(request.POST)
        if form_state is None:  # a page without a key of its own: the witness's, the entrance
            return Sent("unknown" if status >= 500 else "no")
        found = entries_of(form_state.key)
        if not found and is_held(form_state.key):
            return Sent("held")
    except Exception:  # whatever keeps the book from answering
        return Sent("unknown")
    return Sent("yes", found[0].recorded_at) if found else Sent("no")


def failed(request: HttpRequest, status: int, why: str = "", heading: str = "") -> HttpResponse:
    """The page, in place of the one that could not be made."""
    try:
        return HttpResponse(_page(request, status, why, heading), status=status)
    except Exception:
        _log.exception("The page that says what went wrong could not be made either.")
        return HttpResponse(_ALWAYS, status=status)


def _page(request: HttpRequest, status: int, why: str, heading: str) -> str:
    sent = sent_by(request, status)
    usual, words = _WORDS[status]
    table = _table_of(request)
    again = request.method != "POST" or (sent.stored not in ("yes", "held") and status >= 500)
    context = {
        "now": clock.now(),
        "heading": heading or usual,
        "words": why or words,
        "stored": sent.stored,
        "stored_at": sent.at,
        "table": table,
        "table_url": reverse("sala:table", args=[table]) if table else "",
        "again": again and status != 404,
        "fields": carried.stamped(request.POST) if again and request.method == "POST" else None,
        "onward": request.get_full_path(),
    }
    return render_to_string("sala/failed.html", context, request)


def _table_of(request: HttpRequest) -> str:
    """The table an address is of; '' for none the house has."""
    named = request.path.removeprefix(PLACE).partition("/")[0]
    try:
        return named if named in tables_known() else ""
    except Exception:
        return ""


def _on_the_floor(
    status: int, otherwise: Callable[..., HttpResponse]
) -> Callable[..., HttpResponse]:
    """A handler of a status: the floor's page at its addresses, the house's own elsewhere."""

    def answer(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
        if request.path.startswith(PLACE):
            return failed(request, status)
        return otherwise(request) if exception is None else otherwise(request, exception)

    return answer


unreadable = _on_the_floor(400, defaults.bad_request)
not_allowed = _on_the_floor(403, defaults.permission_denied)
not_found = _on_the_floor(404, defaults.page_not_found)
_internal: Final = _on_the_floor(500, defaults.server_error)


def server_error(request: HttpRequest) -> HttpResponse:
    """A fault of ours; or 503, where the database is away."""
    if not isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return _internal(request)
    if request.path.startswith(PLACE):
        answer = failed(request, 503, gettext(AWAY), gettext("The book does not answer"))
    else:
        answer = HttpResponse(render_to_string("503.html"), status=503)
    answer["Retry-After"] = "5"  # seconds: a server that is started anew takes that long
    return answer
