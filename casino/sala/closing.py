"""S12: the table closes. What is missing is listed with a way to it, and forbids nothing; what
stays open stays open under somebody's name. Undone only by the chefia da sala, with a reason.

Law: PT art. 55; 13, 17, 58, 59, 60, which are attested.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, cast

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.admin.offices import offices_of
from casino.admin.warnings import cited
from casino.facts import Malformed
from casino.facts.floor_life import PartidaReopened, RoundsDeferred
from casino.facts.partidas import Attested, PartidaClosed
from casino.facts.rounds import RoundPlayed
from casino.facts.staff import Office
from casino.recording import Actor
from casino.recording.authority import MANAGER
from casino.sala.access import FLOOR, actor_of, floor_page
from casino.sala.act_forms import ActForm
from casino.sala.games import game_for, no_game, table_url
from casino.sala.moments import NeverShown, house_zone, latest, never_shown
from casino.sala.scene import RULEBOOK, Scene, last_scene
from casino.sala.showing import shown
from casino.sala.still_missing import chefe_of
from casino.sala.still_words import items_of
from casino.sala.taking import take

CONFIRM: Final = "confirm"  # in an address: the page before the last
ANNOUNCED: Final = "announced"  # in its address: the moment somebody tapped, as its field takes it
NOW: Final = "now"  # in place of that moment: the server's, at this tap
ALL: Final = "all"
REOPENED: Final[dict[str, Any]] = {
    "closed_by_mistake": _("Closed by mistake"),
    "play_goes_on": _("Play goes on"),
    "ordered": _("Ordered by a superior"),
    "other": _("Other"),
}
# What the articles ask somebody to answer for, where no record shows it.
ATTESTED: Final[dict[str, Any]] = {
    "13": _("stakes were closed before every deal"),
    "17": _("the cards were dealt in order, the bank's second face down"),
    "58": _("cards out of play went to the discard corner at once"),
    "59": _("the cards of each round went back into the shuffler"),
    "60": _("cards that had to wait went back with the next round's"),
}


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

    def __init__(self, data: Mapping[str, Any] | None, scene: Scene, announced: str = "") -> None:
        super().__init__(data)
        self.add(PartidaClosed, "reason rounds cards_counted fiscal_chefe pagador")
        self.fields["articles"] = forms.MultipleChoiceField(
            choices=[(one, one) for one in articles_for(scene)], required=False
        )
        rounds = len(scene.dossier.of(RoundPlayed))
        self.begin(
            reason="end_of_day",
            rounds=rounds or None,
            fiscal_chefe=chefe_of(scene.evening) or None,
            pagador=scene.dealer or None,
        )
        self.initial["announced"] = announced


class ReopenForm(ActForm):
    """Why the closing is undone."""

    reason = forms.ChoiceField(
        label=_("Reason"),
        choices=list(REOPENED.items()),
        error_messages={"required": _("Choose the reason.")},
    )


def articles_for(scene: Scene) -> tuple[str, ...]:
    """The articles somebody answers for at this table."""
    if not scene.machine:
        return ("13", "17")
    deferred = bool(scene.dossier.of(RoundsDeferred))
    return ("13", "17", "58", "59", "60") if deferred else ("13", "17", "58", "59")


def announced_by(scene: Scene) -> datetime | None:
    """When the closing was announced at the latest, as whoever emptied the machine said.

    He said that it was announced when the cards began to come out, not when.
    """
    for unload in reversed(scene.evening.unloads):
        if unload.fact.reason == "closing":
            return unload.fact.started_at if unload.fact.closing_announced else None
    return None


def closed(scene: Scene, told: Mapping[str, Any], by: Actor) -> PartidaClosed:
    """The closing. Raises: Malformed."""
    at = told["at"]
    announced = None
    if told["announced"] is not None:
        try:
            announced = latest(told["announced"], at, house_zone())
        except NeverShown:
            never_shown("announced")
    articles = articles_for(scene) if told["attest"] == ALL else told["articles"]
    office = cast("Office", by.office)
    return PartidaClosed(
        **scene.at,
        rounds=told["rounds"],
        reason=told["reason"],
        closing_announced_at=announced,
        cards_counted=told["cards_counted"],
        fiscal_de_banca=by.staff if by.office == "fiscal_de_banca" else None,
        fiscal_chefe=told["fiscal_chefe"],
        pagador=told["pagador"],
        attested=tuple(
            Attested(article=one, staff=by.staff, office=office, at=at) for one in articles
        ),
    )


@floor_page(FLOOR)
def close_view(request: HttpRequest, table: str) -> HttpResponse:
    """First what is missing, then the last look, then it is closed."""
    scene = game_for(request, table)
    if scene is None:
        return no_game(request, table)
    items = items_of(scene, offices_of(request))
    emptied = any(told.fact.reason == "closing" for told in scene.evening.unloads)
    context = {"scene": scene, "table": table, "items": items}
    context |= {"by_then": _shown(scene), "emptied": emptied}
    announced = request.GET.get(ANNOUNCED, "")
    if announced == NOW and request.method != "POST":  # the moment of the tap stays in the address
        at = scene.now.astimezone(house_zone()).strftime("%H:%M:%S")
        return HttpResponseRedirect(f"{request.path}?{CONFIRM}=1&{ANNOUNCED}={at}")
    if request.method != "POST" and CONFIRM not in request.GET:
        return shown(request, "sala/close.html", context)
    by = actor_of(request, PartidaClosed.kind)
    articles = [(one, ATTESTED[one], cited(RULEBOOK, one)) for one in articles_for(scene)]
    return take(
        request,
        screen="close",
        acts=lambda told: [closed(scene, told, by)],
        form=CloseForm(request.POST or None, scene, announced),
        template="sala/close_confirm.html",
        context=context | {"articles": articles, "all": ALL},
        done=table_url(table),
        tables=(table,),
    )


def _shown(scene: Scene) -> str:
    """The clock when the closing was announced at the latest; '' where nobody said that it was."""
    at = announced_by(scene)
    return "" if at is None else at.astimezone(house_zone()).strftime("%H:%M:%S")


@floor_page({MANAGER})
def reopen_view(request: HttpRequest, table: str) -> HttpResponse:
    """The closing is undone."""
    scene = last_scene(table, clock.now())
    if scene is None:
        return no_game(request, table)
    by = actor_of(request, PartidaReopened.kind)

    def reopened(told: Mapping[str, Any]) -> list[PartidaReopened]:
        if scene.evening.closed is None:
            raise Malformed("$", "this table is not closed: nothing was recorded")
        return [PartidaReopened(**scene.at, reason=told["reason"], authorised_by=by.staff)]

    return take(
        request,
        screen="reopen",
        acts=reopened,
        form=ReopenForm(request.POST or None),
        template="sala/reopen.html",
        context={"scene": scene, "table": table},
        done=table_url(table),
        tables=(table,),
    )
