"""The game a screen is about: the one open at its table, or a page that says there is none."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino import clock
from casino.admin import permits
from casino.sala import carried
from casino.sala.access import acts_at
from casino.sala.scene import Scene, last_scene
from casino.sala.showing import entries_of, shown


def game_for(request: HttpRequest, table: str) -> Scene | None:
    """The game open at a table; the last one too, where this form was recorded in it already."""
    scene = last_scene(table, clock.now())
    if scene is None or (scene.over and not was_recorded(request)):
        return None
    return scene


def was_recorded(request: HttpRequest) -> bool:
    """Whether this very form was recorded before."""
    own = carried.posted(request.POST) if request.method == "POST" else None
    return own is not None and bool(entries_of(own.key))


def no_game(request: HttpRequest, table: str) -> HttpResponse:
    """No game is open there: what was sent, if anything, was not recorded."""
    sent = request.method == "POST"
    context = {"table": table, "sent": sent, "table_url": table_url(table)}
    return shown(request, "sala/no_game.html", context, status=409 if sent else 200)


def check_table(request: HttpRequest, table: str) -> None:
    """For pages of an entry, whose address names no table. Raises: PermissionDenied, in words."""
    if not acts_at(request, table):
        raise PermissionDenied(permits.NOT_HIS_TABLE)


def table_url(table: str) -> str:
    """The table's own page."""
    return reverse("sala:table", args=[table])
