"""Requests about offices, log-ins and figures that wait for another person of the direction."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.access.offices_held import offices_of
from casino.admin.site import Panel
from casino.events.event_policy import ADMIN, DIRECTION, FLOOR
from casino.events.requests import FiguresAsked
from casino.floor.tables.todo_lists import Todo
from casino.house_day import day_begins
from casino.models import StaffRequest, StaffRequestDecision
from casino.models.people import FIGURES, LOGIN_RESET
from casino.recording.office_rules import of_overseer
from casino.web.entries.entry_page import event_and_author
from casino.web.words import figure_words

WORDS = {
    "office_given": _("Office to be given: approve or refuse"),
    "office_ended": _("Office to be ended: approve or refuse"),
    LOGIN_RESET: _("New log-in: see the person, then approve or refuse"),
    FIGURES: _("Figures of a rulebook: approve or refuse, before their first day"),
}


def waiting(now: datetime) -> Iterator[Todo]:
    """Each for the direction, but for who asked and whom it is about."""
    decided = StaffRequestDecision.objects.filter(asked_n=OuterRef("n"))
    for one in StaffRequest.objects.filter(~Exists(decided)).order_by("n"):
        asked = _figures(one)
        by_admin = of_overseer(one) and one.office != ADMIN
        yield Todo(
            what="request",
            words=WORDS[one.change],
            do=_("See who asks for what"),
            url=reverse("admin:casino_staffrequest_change", args=[one.pk]),
            of=one.about if asked is None else lazy(figure_words.request, str)(asked),
            key=str(one.pk),
            since=one.recorded_at,
            until=None if asked is None else day_begins(asked.since),  # then it is too late
            offices=frozenset({ADMIN}) if by_admin else DIRECTION,
            never=frozenset({one.staff.casefold(), one.person.casefold()} - {""}),
        )


def _figures(staff_request: StaffRequest) -> FiguresAsked | None:
    """The figures it asks for, where it does."""
    if staff_request.change != FIGURES:
        return None
    event, _author = event_and_author(staff_request.entry)
    assert isinstance(event, FiguresAsked)
    return event


def panel(request: HttpRequest) -> Panel | None:
    """On the first page of an administrator, who has no list on the floor: what he may decide."""
    if offices_of(request) & FLOOR or ADMIN not in offices_of(request):
        return None
    me = request.user.get_username().casefold()
    todos = [one for one in waiting(clock.now()) if ADMIN in one.offices and me not in one.never]
    return Panel("admin/casino/requests_waiting.html", todos) if todos else None
