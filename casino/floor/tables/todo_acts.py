"""Acts upon the house's keys, and restorations, that wait for a second person."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef, Q, Value
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.events.event_policy import ADMIN, MANAGER
from casino.events.sealing import BY_TWO
from casino.floor.tables.todo_lists import Todo
from casino.models import HouseActDecision, PepperChange, Restoration, SigningKey
from casino.models.projection import Projection

_WORDS: Final[Mapping[type[Projection], Promise]] = {
    SigningKey: _("Signing key to be approved"),
    PepperChange: _("Other pepper of personal codes to be approved"),
    Restoration: _("Restoration to be approved"),
}
LATELY: Final = timedelta(days=400)


def undecided(now: datetime) -> Iterator[Projection]:
    """The acts of administradores nobody else has decided on. One question where none waits."""
    decided = HouseActDecision.objects.filter(act_stream=OuterRef("stream"), act_n=OuterRef("n"))
    alone = Q(~Exists(decided), entry__kind__in=BY_TWO)
    first, *others = (
        projection._default_manager.filter(alone, office=ADMIN, recorded_at__gte=now - LATELY)
        .annotate(of=Value(projection.__name__))
        .values_list("of", "pk")
        for projection in _WORDS
    )
    named = {projection.__name__: projection for projection in _WORDS}
    for name, entry in first.union(*others):
        yield named[name]._default_manager.get(pk=entry)


def waiting(now: datetime) -> Iterator[Todo]:
    """Each for the management, and not for whoever recorded it."""
    for row in undecided(now):
        yield Todo(
            what="house-act",
            words=_WORDS[type(row)],
            do=_("Approve or refuse"),
            url=reverse(f"admin:casino_{row._meta.model_name}_change", args=[row.pk]),
            of=row.n,
            since=row.recorded_at,
            offices=frozenset({MANAGER}),
            never=frozenset({row.staff.casefold()}),
        )
