"""Recordings of a table are kept: for an incident of it, for a complaint, or as such.

Whoever keeps them keeps pictures of people beyond the days the law gives: the fiscal-chefe or the
chefia da sala, as of a complaint.

Law: Lei do Jogo art. 52 (recordings are destroyed after thirty days).
"""

from collections.abc import Mapping
from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from casino import clock
from casino.events.event_policy import HEADS
from casino.events.notices import FootageHeld
from casino.events.shape import fields_of
from casino.floor.act_forms import ActForm
from casino.floor.floor_access import actor_of, floor_page
from casino.floor.game_pages import no_game, table_url
from casino.floor.game_view import last_game_view
from casino.floor.incidents.incident_steps import incident_at
from casino.floor.recording_views import Act, record_form_view
from casino.web.forms.form_fields import field_for
from casino.web.forms.running_numbers import HOLDS, next_number, numbering

INCIDENT: Final = "incident"  # in an address: the incident they are kept for
BEFORE: Final = timedelta(minutes=10)
AFTER: Final = timedelta(minutes=30)  # of an incident, where it is not still going on
ASKED: Final = ("hold", "recorded_from", "recorded_until", "reason", "cameras")


class HoldForm(ActForm):
    """From when until when, which cameras, why."""

    def __init__(
        self,
        data: Mapping[str, object] | None,
        number: str,
        reason: str,
        values: Mapping[str, object],
    ) -> None:
        super().__init__(data)
        by_name = {field.name: field for field in fields_of(FootageHeld)}
        for name in ("recorded_from", "recorded_until", "cameras"):
            self.fields[name] = field_for(by_name[name], FootageHeld.kind)
        self.fields["cameras"].widget.with_none = False
        self.add(FootageHeld, "reason hold")
        self.begin(hold=number, reason=reason, **values)


def span(now: datetime, noticed: datetime | None) -> dict[str, datetime]:
    """From ten minutes before until now; of what was noticed long ago, until half an hour after."""
    now = now.replace(microsecond=0)
    at = min(now, noticed.replace(microsecond=0)) if noticed is not None else now
    return {"recorded_from": at - BEFORE, "recorded_until": min(now, at + AFTER)}


@floor_page(HEADS)
def footage_view(request: HttpRequest, table: str) -> HttpResponse:
    """Of the last game at a table, or of one of its incidents. Raises: Http404, for none such."""
    number = request.GET.get(INCIDENT, "")
    game, incident = incident_at(table, number) if number else (None, None)
    game = game or last_game_view(table, clock.now())
    if game is None:
        return no_game(request, table)
    at, url = game.at, table_url(table)
    noticed: datetime | None = None
    if incident is not None:
        noticed = incident.event.noticed_at or incident.occurred_at
        url = reverse("sala:incident_steps", args=[table, number])
    actor_of(request, FootageHeld.kind)

    def held(data: Mapping[str, Any]) -> list[Act]:
        return [
            Act(FootageHeld(**at, incident=number or None, **{name: data[name] for name in ASKED}))
        ]

    with numbering(HOLDS) if request.method == "POST" else nullcontext():
        reason = "incident" if number else "other"
        values = span(clock.now(), noticed)
        return record_form_view(
            request,
            screen="footage",
            acts=held,
            form=HoldForm(request.POST or None, next_number(HOLDS), reason, values),
            template="sala/footage.html",
            context={"table": table, "number": number, "back_url": url},
            done=url,
            tables=(table,),
        )
