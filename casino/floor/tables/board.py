"""The board: every table at one look, for a screen on the wall that nobody touches.

It asks again by itself (board.js): only what changed is sent, and without script the browser
fetches the page anew. Whoever oversees the floor sees it as he sees any page; on a wall a screen is
put up once by a head of the room and is nobody's session from then on: it opens this page and
no other (docs/decisions/0047-a-board-on-the-wall.md).
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Final, NamedTuple

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.utils.http import parse_etags
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino import clock
from casino.access.offices_held import offices_of
from casino.events.event_policy import HEADS, SUPERVISION
from casino.floor.floor_access import floor_page
from casino.floor.tables.board_tiles import board_at
from casino.floor.tables.todo_lists import book_now
from casino.web.entrance import KNOWN
from casino.web.login.wall_screens import begin_wall_screen, wall_screen_of

ASK_AGAIN: Final = 8  # seconds after which a page without script asks again
LASTS: Final = 20  # seconds for which tiles are shown of a book that has not changed
WALL: Final = "wall"  # in a form: that this screen is to stay
_SCRIPT, _STYLE = "casino/board.js", "casino/board.css"

View = Callable[[HttpRequest], HttpResponse]


class Kept(NamedTuple):
    """The tiles as this process wrote them last, of which book and stretch of time."""

    of: tuple[bytes, int]
    html: str
    tag: str


kept: Final[dict[str, Kept]] = {}  # by language


@never_cache
def board_view(request: HttpRequest) -> HttpResponse:
    """The page; a POST makes of the browser a screen on the wall. Raises: PermissionDenied."""
    screen = None if request.user.is_authenticated else wall_screen_of(request)
    if screen is None or request.method not in ("GET", "HEAD"):
        return _own_view(request)
    with override(screen.language):
        return _page(request, is_wall=True)


@floor_page(SUPERVISION)
def _own_view(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request, is_wall=False)
    if not offices_of(request) & HEADS:
        raise PermissionDenied(
            gettext("A screen is put up by the fiscal-chefe or by the chefia da sala.")
        )
    response = redirect("sala:board")
    if WALL in request.POST:
        begin_wall_screen(request)
        response.delete_cookie(KNOWN)  # it remembers nobody's second factor
    return response


@never_cache
@require_safe
def board_now(request: HttpRequest) -> HttpResponse:
    """The tiles for the page's script: 304 while nothing has changed. The clock is in a header.

    403 for whoever may not look: the page then asks for itself, and says who may.
    """
    language = get_language()
    if request.user.is_authenticated:
        may = bool(offices_of(request) & SUPERVISION)
    else:
        screen = wall_screen_of(request)
        may = screen is not None
        language = screen.language if screen is not None else language
    if not may:
        return HttpResponse(status=403)
    with override(language):
        tiles = _tiles()
    response: HttpResponse = HttpResponse(tiles.html)
    if tiles.tag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    response["ETag"] = tiles.tag
    response["X-House-Clock"] = _clock()
    response["X-Page"] = _program()
    return response


def _page(request: HttpRequest, *, is_wall: bool) -> HttpResponse:
    context = {
        "tiles": _tiles().html,
        "clock": _clock(),
        "program": _program(),
        "ask_again": ASK_AGAIN,
        "is_wall": is_wall,
        "may_put_up": not is_wall and bool(offices_of(request) & HEADS),
        "days": settings.HOUSE_WALL_SCREEN.days,
    }
    return TemplateResponse(request, "sala/board.html", context)


def _tiles() -> Kept:
    """What the room looks like, written once for every screen as long as the book is the same."""
    now, language = clock.now(), get_language() or ""
    of = (book_now(), int(now.timestamp()) // LASTS)
    last = kept.get(language)
    if last is None or last.of != of:
        html = render_to_string("sala/board_tiles.html", {"board": board_at(now)})
        tag = f'W/"{sha256(html.encode()).hexdigest()[:24]}"'
        last = kept[language] = Kept(of, html, tag)
    return last


def _clock() -> str:
    """The house's time."""
    return localtime(clock.now()).strftime("%H:%M:%S")


def _program() -> str:
    """Which page this is: it is fetched anew where the program brought another."""
    return f"{static(_SCRIPT)} {static(_STYLE)}"
