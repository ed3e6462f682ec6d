"""Acts upon the house's keys that wait for a second person."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from casino.events.event_policy import MANAGER
from casino.events.sealing import BY_TWO
from casino.floor.tables.todo_lists import Todo
from casino.models import HouseActDecision, SigningKey


def undecided() -> QuerySet[SigningKey]:
    """The acts nobody else has approved or refused, in the order of the book."""
    decided = HouseActDecision.objects.filter(act_stream=OuterRef("stream"), act_n=OuterRef("n"))
    rows = SigningKey.objects.filter(~Exists(decided), entry__kind__in=BY_TWO)
    return rows.order_by("n")


def waiting() -> Iterator[Todo]:
    """Each for the management, and not for whoever recorded it."""
    for row in undecided():
        yield Todo(
            what="house-act",
            words=_("Signing key to be approved"),
            do=_("Approve or refuse"),
            url=reverse("admin:casino_signingkey_change", args=[row.pk]),
            of=row.n,
            since=row.recorded_at,
            offices=frozenset({MANAGER}),
            never=frozenset({row.staff.casefold()}),
        )
