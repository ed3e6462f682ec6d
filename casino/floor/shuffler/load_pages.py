"""S6: the cards go into the shuffler, and come out of it. The act is recorded first, alone; the
witness's page follows.

Law: PT art. 53 to 57.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from casino.events.event_policy import PIT
from casino.events.shufflers import ShufflerLoaded, ShufflerUnloaded, UnloadedWhy
from casino.floor.act_forms import YES, ActForm
from casino.floor.closing.still_missing import chefe_of, is_loaded
from casino.floor.floor_access import floor_page
from casino.floor.game_pages import GAME, game_for, no_game, table_url
from casino.floor.game_view import GameView
from casino.floor.recording_views import record_form_view
from casino.floor.stated_moments import moment_of_clock
from casino.house_day import house_zone
from casino.law.game_decks import decks_in_play, decks_wanting
from casino.recording import Receipt
from casino.web.words.field_words import word

PACKETS: Final = (2, 3, 4, 5, 6)
ONE: Final = 1  # can be recorded, and is warned of
DECK: Final = 52  # cards, unless somebody counted otherwise
CLOSING: Final = "closing"


class LoadForm(ActForm):
    """In how many packets, by whom, before whom."""

    def __init__(self, data: Mapping[str, object] | None, game: GameView) -> None:
        super().__init__(data)
        self.add(ShufflerLoaded, "packets shuffler operator fiscal_chefe reason")
        self.fields["packets"].error_messages["required"] = _("Say in how many packets.")
        self.begin(
            shuffler=game.shuffler,
            operator=game.dealer,
            fiscal_chefe=chefe_of(game.evening),
            reason=why_loaded(game),
        )


class UnloadForm(ActForm):
    """Why the cards came out, since when, how many, and whether any stayed behind.

    That the closing was announced, that the machine is empty and how many cards were counted is
    said by whoever saw it, or left open: nothing of it is filled in.
    """

    began = forms.TimeField(
        label=_("Began at"),
        input_formats=["%H:%M", "%H:%M:%S"],
        widget=forms.TimeInput({"type": "time", "autocomplete": "off"}, format="%H:%M"),
    )

    def __init__(self, data: Mapping[str, object] | None, game: GameView, reason: str) -> None:
        super().__init__(data)
        self.add(
            ShufflerUnloaded,
            "reason closing_announced empty cards shuffler operator fiscal_chefe",
            must=("reason", "empty"),
        )
        self.fields["empty"].error_messages["required"] = _("Say whether it was left empty.")
        self.begin(
            reason=reason,
            shuffler=game.shuffler,
            operator=game.dealer,
            fiscal_chefe=chefe_of(game.evening),
        )
        self.initial["began"] = game.now.astimezone(house_zone()).time()


def why_loaded(game: GameView) -> str:
    """What a load is for: the opening, or after the machine was emptied; else the fiscal says."""
    if not game.evening.loads:
        return "opening"
    since = game.evening.loads[-1].occurred_at
    emptied = any(recorded.occurred_at >= since for recorded in game.evening.unloads) or any(
        one.event.emptied for one in game.evening.incidents if one.occurred_at >= since
    )
    return "after_emptying" if emptied else "other"


def loaded(game: GameView, data: Mapping[str, Any]) -> ShufflerLoaded:
    """The load. Raises: Malformed."""
    return ShufflerLoaded(
        **game.at,
        shuffler=data["shuffler"],
        decks=decks_in_play(game.evening),
        packets=data["packets"],
        operator=data["operator"],
        fiscal_chefe=data["fiscal_chefe"],
        reason=data["reason"],
    )


def decks_inside(game: GameView) -> tuple[str, ...]:
    """The decks that come out: those that went in last; those in play where no load is recorded."""
    loads = game.evening.loads
    return loads[-1].event.decks if loads else decks_in_play(game.evening)


def unloaded(game: GameView, data: Mapping[str, Any]) -> ShufflerUnloaded:
    """The cards taken out. Raises: Malformed."""
    at = data["at"]
    began = moment_of_clock("began", data["began"], at, game.since)
    return ShufflerUnloaded(
        **game.at,
        shuffler=data["shuffler"],
        decks=decks_inside(game),
        operator=data["operator"],
        fiscal_chefe=data["fiscal_chefe"],
        closing_announced=data["closing_announced"] if data["reason"] == CLOSING else None,
        reason=data["reason"],
        started_at=began,
        ended_at=at,
        cards=data["cards"],
        empty=data["empty"],
    )


@floor_page({PIT})
def load_view(request: HttpRequest, table: str) -> HttpResponse:
    """The cards go in."""
    game = game_for(request, table)
    if game is None:
        return no_game(request, table)
    context = _around(game) | {
        "packets": PACKETS,
        "one": ONE,
        "again": bool(game.evening.loads),
        "inside": is_loaded(game.evening),
        "reason_word": capfirst(word(why_loaded(game))),
    }
    return record_form_view(
        request,
        screen="load",
        acts=lambda data: [loaded(game, data)],
        form=LoadForm(request.POST or None, game),
        template="sala/load.html",
        context=context,
        done=_to_the_witness,
        tables=(table,),
    )


@floor_page({PIT})
def unload_view(request: HttpRequest, table: str) -> HttpResponse:
    """The cards come out."""
    game = game_for(request, table, left=GAME in request.GET)
    if game is None:
        return no_game(request, table)
    context = _around(game) | {
        "decks_cards": DECK * len(decks_inside(game)),
        "inside": is_loaded(game.evening),
    }
    asked = request.GET.get("reason", "")  # an incident's page leads here with its own
    reason = asked if asked in get_args(UnloadedWhy) else CLOSING
    done = _to_the_witness if _is_closing(request) else table_url(table)
    return record_form_view(
        request,
        screen="unload",
        acts=lambda data: [unloaded(game, data)],
        form=UnloadForm(request.POST or None, game, reason),
        template="sala/unload.html",
        context=context,
        done=done,
        tables=(table,),
    )


def _is_closing(request: HttpRequest) -> bool:
    """Whether a witness is asked: at the closing alone."""
    return request.POST.get("reason", CLOSING) == CLOSING


def _to_the_witness(receipts: Sequence[Receipt]) -> str:
    return reverse("sala:witness", args=[receipts[0].entry_id])


def _around(game: GameView) -> dict[str, object]:
    decks = decks_in_play(game.evening)
    wanting = decks_wanting(game.evening)
    return {"scene": game, "table": game.table, "decks": decks, "wanting": wanting, "yes": YES}
