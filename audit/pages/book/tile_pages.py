"""The log as files that others mirror: checkpoint, tiles of hashes, tiles of entries.

Source: C2SP tlog-tiles. Nothing is judged here: what the database holds is handed out as it is, and
whoever mirrors it sees whether it is what was signed. A partial tile is there only where a
checkpoint of such a size was signed. A mirror comes with its token and has no session.
"""

import re
from collections.abc import Callable
from hmac import compare_digest
from typing import Final

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from casino import sealed, security_log
from casino.security import bearer_of
from casino.tlog.proof import HEIGHT, WIDTH
from casino.tlog.tiles import MOST_ENTRY, pack_entries

LARGEST: Final = 1 << 62  # no tree has so many leaves
_is_tile: Final = re.compile(
    r"(?P<level>[0-7]|entries)/(?P<n>(?:x[0-9]{3}/){0,4}[0-9]{3})(?:\.p/(?P<width>[1-9][0-9]{0,2}))?"
).fullmatch
_SIGNED: Final = "SELECT EXISTS (SELECT FROM book_checkpoint WHERE size >= %s AND size < %s)"
_ENTRIES: Final = """
SELECT e.entry FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id
WHERE l.idx >= %s AND l.idx < %s ORDER BY l.idx
"""
_NEVER_CHANGES: Final = "max-age=31536000, immutable"
View = Callable[..., HttpResponse]


def _mirror_of(request: HttpRequest) -> str:
    """The name of the mirror whose token a request brings; '' where it brings none."""
    brought, found = bearer_of(request), ""
    for name, known in settings.MIRROR_TOKENS.items():  # all of them: time tells nothing
        if compare_digest(known.encode(), brought):
            found = name
    return found


def _closed(request: HttpRequest) -> HttpResponse:
    answer = _text(
        _("The book's log is open to mirrors the house has given a token: ask for one.") + "\n", 401
    )
    answer["WWW-Authenticate"] = 'Bearer realm="log"'
    security_log.note("mirror-refused", request, "", what=request.path)
    return answer


def _text(text: str, status: int = 200) -> HttpResponse:
    answer = HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)
    answer["Cache-Control"] = "no-store"
    return answer


@require_safe
def log_checkpoint(request: HttpRequest) -> HttpResponse:
    """The newest checkpoint, with what witnesses signed."""
    if not (settings.MIRROR_OPEN or _mirror_of(request)):
        return _closed(request)
    newest = sealed.latest()
    return _text(newest.note) if newest else _missing()


@require_safe
def log_tile(request: HttpRequest, tile: str) -> HttpResponse:
    """A tile of hashes or of entries, by its path as the format has it."""
    is_entries = tile.startswith("entries/")
    mirror = _mirror_of(request)
    is_open = settings.MIRROR_OPEN and not is_entries
    if not (mirror or is_open):
        return _closed(request)
    parts = _is_tile(tile)
    if parts is None:
        return _missing()
    level = 0 if is_entries else int(parts["level"])
    n, width = int(re.sub("[x/]", "", parts["n"])), int(parts["width"] or WIDTH)
    if parts["n"].startswith("x000/") or (parts["width"] and width >= WIDTH):
        return _missing()
    if not _was_signed(level, n, width):
        return _missing()
    data = _entries_of(n, width) if is_entries else sealed.Tiles()(level, n, width)
    if is_entries:
        security_log.note("mirrored", request, mirror, what=request.path)
    answer = HttpResponse(data, content_type="application/octet-stream")
    answer["Cache-Control"] = f"{'public' if is_open else 'private'}, {_NEVER_CHANGES}"
    return answer


def _missing() -> HttpResponse:
    return _text(_("There is no such part of the log in any tree that was signed.") + "\n", 404)


def _was_signed(level: int, n: int, width: int) -> bool:
    """Whether a tree that was signed has this tile: a full one any larger tree, a partial one a
    tree whose last tile of the level is of just this width.
    """
    each = 1 << HEIGHT * level  # leaves below a hash of the tile
    least = (n * WIDTH + width) * each
    until = min(least + each if width < WIDTH else LARGEST, LARGEST)
    with connection.cursor() as cursor:
        cursor.execute(_SIGNED, [min(least, LARGEST), until])
        return bool(cursor.fetchone()[0])


def _entries_of(n: int, width: int) -> bytes:
    with connection.cursor() as cursor:
        cursor.execute(_ENTRIES, [n * WIDTH, n * WIDTH + width])
        found = [bytes(entry) for (entry,) in cursor.fetchall()]
    # What no tile can hold was altered: in its place stands nothing, which hashes to no leaf.
    return pack_entries([entry if len(entry) <= MOST_ENTRY else b"" for entry in found])
