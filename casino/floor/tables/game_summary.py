"""What a game came to: the page a closing ends with, to be printed, and found again later.

Figures are read off the record; what is found of it is asked of the checks that judge it. The
rounds by themselves are judged by the reconciliation, which says so on the game's own timeline.
"""

from collections.abc import Set as AbstractSet
from datetime import datetime
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino import clock
from casino.access.offices_held import offices_of
from casino.events.complaints import ComplaintDecided
from casino.events.event_policy import AT_THE_TABLE, FLOOR, OVERSEERS
from casino.events.floor_life import DealerTookTable, DropCounted, TableHandedOver
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import PlayInterrupted
from casino.floor.closing.chip_totals import equation_of
from casino.floor.closing.still_words import items_of
from casino.floor.floor_access import floor_page
from casino.floor.floor_page import shown
from casino.floor.game_pages import GAME, game_for, no_game
from casino.floor.game_view import GameView
from casino.floor.table_links import summed_at
from casino.law.checks.table.complaints_heard import complaints_of
from casino.law.dossier import in_time
from casino.previewing import of_whole_partida
from casino.web.entries.timeline_links import opens, timeline_url
from casino.web.forms.people_choices import people_of
from casino.web.forms.warnings import warned_of
from casino.web.words.field_words import word
from casino.web.words.incident_words import category_word, settled_word


@floor_page(FLOOR | OVERSEERS, reads_only=True)
def summary_view(request: HttpRequest, table: str) -> HttpResponse:
    """A game of this table: the one the address names, else its last."""
    game = game_for(request, table, left=True)
    if game is None:
        return no_game(request, table)
    now, held = clock.now(), offices_of(request)
    over, opened = game.evening.closed, game.evening.opened
    context: dict[str, object] = {
        "scene": game,
        "table": table,
        "over": over,
        "reason": word(over.event.reason, "reason") if over and over.event.reason else "",
        "fiscals": _fiscals(request, game),
        "dealers": _dealers(request, game),
        "chefe": _named(request, opened.event.fiscal_chefe or "") if opened is not None else "",
        "rounds": _rounds(game),
        "stops": len(game.dossier.of(PlayInterrupted)),
        "incidents": _incidents(game),
        "complaints": _complaints(game),
        "prizes": summed_at(game),
        "found": warned_of(of_whole_partida(game.dossier), {}),
        "money": equation_of(game.evening),
        "drop_url": _drop_url(game, held),
        "items": items_of(game, held),
        "printed": now,
        "led": bool(held & FLOOR),
        "timeline": timeline_url("partida", game.partida)
        if opens(request, "partida", game.partida)
        else "",
    }
    return shown(request, "sala/summary.html", context)


def _named(request: HttpRequest, number: str) -> str:
    """Number and name, of whoever is of the floor still."""
    known = people_of(request).everybody.get(number)
    return number if known is None else known.words


def _fiscals(request: HttpRequest, game: GameView) -> list[tuple[str, datetime | None]]:
    """Who answered for it: as it was opened, and since when whoever it was handed over to."""
    opened = game.evening.opened
    first = opened.event.fiscal_de_banca if opened is not None else None
    over = sorted(game.dossier.of(TableHandedOver), key=in_time)
    named = [] if not first else [(_named(request, first), None)]
    return [
        *named,
        *((_named(request, one.event.fiscal_de_banca), one.occurred_at) for one in over),
    ]


def _dealers(request: HttpRequest, game: GameView) -> list[tuple[str, datetime | None]]:
    """Who dealt: as it was opened, and since when whoever took the table."""
    opened = game.evening.opened
    first = opened.event.pagador if opened is not None else None
    took = sorted(game.dossier.of(DealerTookTable), key=in_time)
    named = [] if not first else [(_named(request, first), None)]
    return [*named, *((_named(request, one.event.pagador), one.occurred_at) for one in took)]


def _rounds(game: GameView) -> int | None:
    """How many were recorded; where none was, how many the closing tells; None: nobody recorded
    any.
    """
    over = game.evening.closed
    count: int | None = over.event.rounds if over is not None else None
    return len(game.dossier.of(RoundPlayed)) or count


def _incidents(game: GameView) -> list[dict[str, object]]:
    found = []
    for one in game.evening.incidents:
        number = one.event.incident
        over = game.evening.settled(one.event)
        found.append(
            {
                "number": number,
                "what": category_word(one.event.category),
                "at": one.occurred_at,
                "over": "" if over is None else settled_word(over.event.reason),
                "url": reverse("sala:incident_steps", args=[game.table, number]),
            }
        )
    return found


def _complaints(game: GameView) -> list[dict[str, object]]:
    decided = {one.event.complaint: one for one in game.dossier.anywhere(ComplaintDecided)}
    found = []
    for one in complaints_of(game.evening):
        number = one.event.complaint
        outcome = decided[number].event.outcome if number in decided else ""
        found.append(
            {
                "number": number,
                "what": word(one.event.subject, "subject"),
                "at": one.event.received_at or one.occurred_at,
                "over": word(outcome, "outcome") if outcome else "",
                "url": reverse("sala:complaint_read", args=[game.table, number]),
            }
        )
    return found


def _drop_url(game: GameView, held: AbstractSet[str]) -> str:
    """Where the drop box of a closed game is counted, while nobody counted it; '' for others."""
    if not game.over or game.dossier.of(DropCounted) or not held & AT_THE_TABLE:
        return ""
    return f"{reverse('sala:chips', args=[game.table])}?{urlencode({GAME: game.partida})}"
