"""Anular: what was sent a moment ago and is not in the book yet is taken back.

Also how somebody says that he has read what could not be written.
"""

from urllib.parse import urlencode
from uuid import UUID

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.urls import reverse

from casino import holding
from casino.access.open_games import tables_known
from casino.events.event_policy import FLOOR
from casino.events.shoes import CutMade
from casino.floor.floor_access import floor_page
from casino.floor.floor_page import AGAIN, LATE, RECORDED, UNDONE, entries_of
from casino.floor.form_state import KEY
from casino.floor.game_pages import table_url
from casino.floor.shoe.cut_plan import seats_of
from casino.models import HeldRecord, Incident
from casino.queries import load_entry
from casino.web.forms.shield import is_too_soon


@floor_page(FLOOR, settles=False)
def take_back_view(request: HttpRequest, table: str) -> HttpResponse:
    """Nothing of it is recorded, or it was recorded before: the page it was sent from says which.

    That is the table's; of a cut the cut's, and of what was done about an incident that incident's.
    """
    if request.method == "POST" and table not in tables_known():
        raise Http404
    return _answer(request, table, table_url(table))


@floor_page(FLOOR)
def take_back_duty(request: HttpRequest) -> HttpResponse:
    """The same of what is of no table: that somebody came or went. The floor says which."""
    return _answer(request, holding.NO_TABLE, reverse("sala:floor"))


def _answer(request: HttpRequest, table: str, onward: str) -> HttpResponse:
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    try:
        form = UUID(request.POST.get(KEY, ""))
    except ValueError:
        form = None
    values: dict[str, str] = {}
    seated = {} if form is None else _seated(form)
    about = "" if form is None else _incident(form, table)
    if form is None or is_too_soon(request.POST):
        pass
    elif holding.take_back(form, table, request.user.get_username()):
        values = {UNDONE: "1"} | seated
        onward = reverse("sala:cut", args=[table]) if seated else about or onward
    elif entries_of(form):
        values = {RECORDED: str(form), AGAIN: "1", LATE: "1"}
        onward = about or onward
    response = HttpResponseRedirect(f"{onward}?{urlencode(values)}" if values else onward)
    response.status_code = 303
    return response


def _seated(form: UUID) -> dict[str, str]:
    """The seats of a cut that is held, as its page's address has them; nothing of another act."""
    row = HeldRecord.objects.filter(key=form, failed_at=None).first()
    cuts = (
        [] if row is None else [one for one in holding.events_of(row) if isinstance(one, CutMade)]
    )
    return seats_of(cuts[0]) if cuts else {}


def _incident(form: UUID, table: str) -> str:
    """The page of the incident that a form, held or in the book, tells more of; '' for none.

    What tells more of one is sent once the incident itself is in the book.
    """
    events = holding.events_held(form) or [
        recorded.event
        for entry in entries_of(form)
        if (recorded := load_entry(entry.pk)) is not None
    ]
    number = next((getattr(one, "incident", None) for one in events), None)
    here = number and Incident.objects.filter(table_code=table, incident=number).exists()
    return reverse("sala:incident_steps", args=[table, number]) if here else ""
