"""The game a screen is about: the one open at its table, or a page that says there is none."""

from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino import clock
from casino.access import access_policy
from casino.floor import form_state as carried
from casino.floor.floor_access import NotAtTheTable, acts_at
from casino.floor.floor_page import entries_of, shown
from casino.floor.game_view import GameView, last_game_view, load_game_view
from casino.holding import is_held
from casino.models import Partida

GAME: Final = "game"  # in an address: the name of a game that was closed


def game_for(request: HttpRequest, table: str, *, left: bool = False) -> GameView | None:
    """The game open at a table; the last one too, where this form was recorded in it already.

    With `left`, for a screen that does what a closing left to be done: the game the address names,
    and where it names none and none is open, the last one.
    """
    named = request.GET.get(GAME, "") if left else ""
    if named:
        values = {} if "\0" in named else {"table_code": table, "partida_id": named}
        known = bool(values) and Partida.objects.filter(**values).exists()
        return load_game_view(named, clock.now()) if known else None
    game = last_game_view(table, clock.now())
    if game is None or (game.over and not left and not was_recorded(request)):
        return None
    return game


def form_of(request: HttpRequest) -> UUID | None:
    """The key of the form that was sent; None for a page that is asked for."""
    form_state = carried.posted(request.POST) if request.method == "POST" else None
    return form_state.key if form_state is not None else None


def was_recorded(request: HttpRequest) -> bool:
    """Whether this very form was recorded before, or is held."""
    form = form_of(request)
    return form is not None and (bool(entries_of(form)) or is_held(form))


def no_game(request: HttpRequest, table: str) -> HttpResponse:
    """No game is open there: what was sent, if anything, was not recorded."""
    sent = request.method == "POST"
    context = {"table": table, "sent": sent, "table_url": table_url(table)}
    return shown(request, "sala/no_game.html", context, status=409 if sent else 200)


def check_table(request: HttpRequest, table: str) -> None:
    """For pages of an entry, whose address names no table. Raises: NotAtTheTable."""
    if not acts_at(request, table):
        raise NotAtTheTable(access_policy.NOT_HIS_TABLE)


def after_closing(game: GameView) -> str:
    """Where one goes on after what belongs to a closing: to it, or to what the game came to."""
    return summary_url(game) if game.over else reverse("sala:close", args=[game.table])


def summary_url(game: GameView) -> str:
    """What a game came to."""
    of_game = urlencode({GAME: game.partida})
    return f"{reverse('sala:summary', args=[game.table])}?{of_game}"


def table_url(table: str) -> str:
    """The table's own page."""
    return reverse("sala:table", args=[table])
