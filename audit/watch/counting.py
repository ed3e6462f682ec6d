"""Which rows count: not those that were corrected, nor corrections nobody approved."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from casino.models import Correction, Supersession
from casino.queries import replaced

LOOKED_BACK: Final = timedelta(days=400)  # what is older was found long ago


def counting(rows: Iterable[Any]) -> Iterator[Any]:
    """Those of these rows that count."""
    found = list(rows)
    if not found:
        return
    partidas = {row.partida_id for row in found}
    corrected = Supersession.objects.filter(partida_id__in=partidas)
    touched = corrected.values_list("stream", "partida_id")
    asked = set(touched) & {(row.stream, row.partida_id) for row in found}
    known = {place: replaced(*place) for place in asked}
    for row in found:
        if row.n not in known.get((row.stream, row.partida_id), ()):
            yield row


def of_entries_that_count(rows: QuerySet[Any]) -> QuerySet[Any]:
    """The same within a query, for what settles or explains another row."""
    approved = Correction.objects.filter(
        stream=OuterRef("stream"), pending_n=OuterRef("n"), decision="approved"
    )
    asked = Supersession.objects.filter(stream=OuterRef("stream")).annotate(
        approved=Exists(approved)
    )
    waiting = asked.filter(n=OuterRef("n"), approved=False)
    corrected = asked.filter(original_n=OuterRef("n"), approved=True)
    return rows.filter(~Exists(waiting), ~Exists(corrected))
