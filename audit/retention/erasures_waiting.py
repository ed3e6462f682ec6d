"""Erasures that wait for a person, and what somebody asked about himself and nobody answered.

A request has a month (RGPD art. 12, n.º 3). It is answered with the first notice whose reference is
its number, as a letter is sent.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from audit.letter_state import sent_as
from audit.models import ErasureDecision, ErasureProposal, SubjectRequest
from audit.retention.retention_questions import persons_of
from casino.events.event_policy import MANAGER
from casino.floor.tables.todo_lists import Todo
from casino.house_day import day_begins
from casino.models import Erasure

ANSWERED_IN: Final = timedelta(days=30)
LOOKED_BACK: Final = timedelta(days=400)
_OFFICES: Final = frozenset({MANAGER})  # whose the list is, of those who may erase


def waiting(now: datetime, tables: Collection[str] | None = None) -> Iterator[Todo]:
    """What waits for the chefia da sala; none is of a table."""
    if tables is None:
        yield from _proposals(now)
        yield from _requests(now)


def _proposals(now: datetime) -> Iterator[Todo]:
    """Those nobody refused, with something left to erase."""
    refused = ErasureDecision.objects.filter(decision="refused").values("proposed_n")
    recent = ErasureProposal.objects.filter(recorded_at__gte=now - LOOKED_BACK)
    proposals = list(recent.exclude(n__in=refused).order_by("n"))
    if not proposals:
        return
    since = Erasure.objects.filter(recorded_at__gte=proposals[0].recorded_at)
    gone = set(since.values_list("entry_stream", "entry_n", "field"))
    for one in proposals:
        if {(value["stream"], value["n"], value["field"]) for value in one.values} <= gone:
            continue
        behind = persons_of(one)
        yield Todo(
            what="erasure",
            words=_("Erasure to be decided on"),
            do=_("See the proposal"),
            url=reverse("erasure", args=[one.pk]),
            of=one.request,
            key=str(one.pk),
            since=one.recorded_at,
            offices=_OFFICES,
            never=frozenset(behind) if len(behind) == 1 else frozenset(),
        )


def _requests(now: datetime) -> Iterator[Todo]:
    """Those nobody has answered."""
    recent = SubjectRequest.objects.filter(recorded_at__gte=now - LOOKED_BACK)
    for one in recent.exclude(Exists(sent_as(OuterRef("request")))).order_by("n"):
        yield Todo(
            what="subject",
            words=_("Request of a data subject nobody has answered"),
            do=_("See what is held"),
            url=reverse("subject", args=[one.pk]),
            of=one.request,
            since=one.recorded_at,
            until=day_begins(one.received_on + ANSWERED_IN),
            offices=_OFFICES,
        )
