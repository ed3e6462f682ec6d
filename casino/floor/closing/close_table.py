"""S12: the table closes. What is missing is listed with a way to it, and forbids nothing; what
stays open stays open under somebody's name. Undone only by the chefia da sala, with a reason.

Law: PT art. 55; 13, 17, 58, 59, 60, which are attested.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, cast

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.access.offices_held import offices_of
from casino.events import Malformed
from casino.events.event_policy import FLOOR, MANAGER
from casino.events.floor_life import PartidaReopened, RoundsDeferred
from casino.events.partidas import Attested, PartidaClosed
from casino.events.round.round_played import RoundPlayed
from casino.events.staff import Office
from casino.floor.act_forms import ActForm
from casino.floor.closing.still_missing import chefe_of
from casino.floor.closing.still_words import items_of
from casino.floor.floor_access import actor_of, floor_page
from casino.floor.floor_page import shown
from casino.floor.form_state import paper_of
from casino.floor.game_pages import game_for, no_game, summary_url, table_url
from casino.floor.game_view import GameView, last_game_view
from casino.floor.recording_views import record_form_view
from casino.floor.stated_moments import moment_of_clock
from casino.house_day import house_zone
from casino.law.finding import Finding
from casino.previewing import Draft, of_whole_partida
from casino.recording import Actor
from casino.tlog.canonical import instant_text
from casino.web.forms.warnings import warned_of

CONFIRM: Final = "confirm"  # in an address: the page before the last
ANNOUNCED: Final = "announced"  # in its address: the moment somebody tapped
NOW: Final = "now"  # in place of that moment: the server's, at this tap
ALL: Final = "all"
REOPENED: Final[dict[str, Promise]] = {
    "closed_by_mistake": _("Closed by mistake"),
    "play_goes_on": _("Play goes on"),
    "ordered": _("Ordered by a superior"),
    "other": _("Other"),
}
# What the articles ask somebody to answer for, where no record shows it.
ATTESTED: Final[dict[str, Promise]] = {
    "13": _("stakes were closed before every deal"),
    "17": _("the cards were dealt in order, the bank's second face down"),
    "58": _("cards out of play went to the discard corner at once"),
    "59": _("the cards of each round went back into the shuffler"),
    "60": _("cards that had to wait went back with the next round's"),
}
# The checks that ask for such a word.
_ASKED_BY: Final = {
    "13": "stakes_timed_or_attested", "17": "deal_recorded_or_attested",
    "58": "discards_attested", "59": "putting_back_timed_or_attested",
    "60": "deferred_cards_timed_or_attested",
}  # fmt: skip


class CloseForm(ActForm):
    """When the closing was announced, how many rounds were played, what is attested.

    `announced` is the moment somebody tapped on the page before; without it the field is empty, for
    that it was announced is an act, and nobody is told to have done one by a form.
    """

    announced = forms.TimeField(
        label=_("Closing announced at"),
        required=False,
        input_formats=["%H:%M", "%H:%M:%S"],
        widget=forms.TimeInput({"type": "time", "autocomplete": "off"}, format="%H:%M"),
    )
    attest = forms.ChoiceField(choices=[(ALL, ""), ("some", "")], required=False)

    def __init__(
        self, data: Mapping[str, object] | None, game: GameView, announced: datetime | None = None
    ) -> None:
        super().__init__(data)
        self.add(PartidaClosed, "reason rounds cards_counted fiscal_chefe pagador")
        self.fields["articles"] = forms.MultipleChoiceField(
            choices=[(one, one) for one in articles_for(game)], required=False
        )
        rounds = len(game.dossier.of(RoundPlayed))
        self.begin(
            reason="end_of_day",
            rounds=rounds or None,
            fiscal_chefe=chefe_of(game.evening) or None,
            pagador=game.dealer or None,
        )
        self.initial["announced"] = _clock(announced)


class ReopenForm(ActForm):
    """Why the closing is undone."""

    reason = forms.ChoiceField(
        label=_("Reason"),
        choices=list(REOPENED.items()),
        error_messages={"required": _("Choose the reason.")},
    )


def articles_for(game: GameView) -> tuple[str, ...]:
    """The articles somebody answers for at this table; none where its rulebook asks for no word."""
    asked = ["13", "17"]
    if game.machine:
        asked += ["58", "59"]
        asked += ["60"] if game.dossier.of(RoundsDeferred) else []
    return tuple(one for one in asked if _ASKED_BY[one] in game.law.checks)


def announced_by(game: GameView) -> datetime | None:
    """When the closing was announced at the latest, as whoever emptied the machine said.

    He said that it was announced when the cards began to come out, not when.
    """
    for unload in reversed(game.evening.unloads):
        if unload.event.reason == "closing":
            return unload.event.started_at if unload.event.closing_announced else None
    return None


def closed(
    game: GameView, data: Mapping[str, Any], by: Actor, tapped: datetime | None = None
) -> PartidaClosed:
    """The closing. `tapped` is the moment its field was filled with. Raises: Malformed."""
    at, shown_at = data["at"], data["announced"]
    attested_at = data.get("sent_at", at)  # by whoever records it, who does so now
    announced = None
    if tapped is not None and shown_at is not None and f"{shown_at:%H:%M:%S}" == _clock(tapped):
        announced = tapped  # on the night the clocks go back its text would be read an hour off
    elif shown_at is not None:
        announced = moment_of_clock("announced", shown_at, at, game.since)
    articles = articles_for(game) if data["attest"] == ALL else data["articles"]
    office = cast("Office", by.office)
    return PartidaClosed(
        **game.at,
        rounds=data["rounds"],
        reason=data["reason"],
        closing_announced_at=announced,
        cards_counted=data["cards_counted"],
        fiscal_de_banca=by.staff if by.office == "fiscal_de_banca" else None,
        fiscal_chefe=data["fiscal_chefe"],
        pagador=data["pagador"],
        attested=tuple(
            Attested(article=one, staff=by.staff, office=office, at=attested_at) for one in articles
        )
        if articles_for(game)
        else None,
    )


@floor_page(FLOOR)
def close_view(request: HttpRequest, table: str) -> HttpResponse:
    """First what is missing, then the last look, then it is closed."""
    game = game_for(request, table)
    if game is None:
        return no_game(request, table)
    items = items_of(game, offices_of(request))
    emptied = any(recorded.event.reason == "closing" for recorded in game.evening.unloads)
    context: dict[str, Any] = {"scene": game, "table": table, "items": items}
    by_then = announced_by(game)
    context |= {"by_then": by_then, "by_then_at": by_then and instant_text(by_then)}
    context |= {"emptied": emptied}
    asked = request.GET.get(ANNOUNCED, "")
    if asked == NOW and request.method != "POST":  # the moment of the tap stays in the address
        sheet = paper_of(request)
        at = instant_text(game.now if sheet is None else sheet.at)
        return HttpResponseRedirect(f"{request.path}?{CONFIRM}=1&{ANNOUNCED}={at}")
    tapped = _tapped(asked, game.now)
    if request.method != "POST" and CONFIRM not in request.GET:
        return shown(request, "sala/close.html", context)
    by = actor_of(request, PartidaClosed.kind)
    if request.method != "POST":
        context["found"] = warned_of(would_be_found(game, by, tapped), {})
    articles = [(one, ATTESTED[one], game.cites[one]) for one in articles_for(game)]
    return record_form_view(
        request,
        screen="close",
        acts=lambda data: [closed(game, data, by, tapped)],
        form=CloseForm(request.POST or None, game, tapped),
        template="sala/close_confirm.html",
        context=context | {"articles": articles, "all": ALL},
        done=summary_url(game),
        tables=(table,),
    )


def would_be_found(game: GameView, by: Actor, tapped: datetime | None) -> list[Finding]:
    """What its judges would find of the game if it were closed now, all of it answered for."""
    shown_at = None if tapped is None else tapped.astimezone(house_zone()).time()
    data: dict[str, object] = {
        "at": game.now,
        "announced": shown_at,
        "attest": ALL,
        "rounds": len(game.dossier.of(RoundPlayed)) or None,
        "reason": "end_of_day",
        "cards_counted": None,
        "fiscal_chefe": chefe_of(game.evening) or None,
        "pagador": game.dealer or None,
    }
    draft = Draft(closed(game, data, by, tapped), game.now, by)
    return of_whole_partida(game.dossier, draft)


def _clock(moment: datetime | None) -> str:
    """What the house's clock showed then; '' for no moment."""
    return "" if moment is None else moment.astimezone(house_zone()).strftime("%H:%M:%S")


def _tapped(asked: str, now: datetime) -> datetime | None:
    """The moment an address names; None for none that can have been."""
    try:
        moment = datetime.fromisoformat(asked)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None and moment <= now else None


@floor_page({MANAGER})
def reopen_view(request: HttpRequest, table: str) -> HttpResponse:
    """The closing is undone."""
    game = last_game_view(table, clock.now())
    if game is None:
        return no_game(request, table)
    by = actor_of(request, PartidaReopened.kind)

    def reopened(data: Mapping[str, Any]) -> list[PartidaReopened]:
        if game.evening.closed is None:
            raise Malformed("$", "this table is not closed: nothing was recorded")
        return [PartidaReopened(**game.at, reason=data["reason"], authorised_by=by.staff)]

    return record_form_view(
        request,
        screen="reopen",
        acts=reopened,
        form=ReopenForm(request.POST or None),
        template="sala/reopen.html",
        context={"scene": game, "table": table},
        done=table_url(table),
        tables=(table,),
    )
