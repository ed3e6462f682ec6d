"""The entries findings rest on: named by stream, number and leaf, in older ones by row id alone."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db.models import Q

from audit.models.finding_projections import Finding
from casino.events.event import EntryRef
from casino.models import BookEntry

Mark = str | tuple[str, int]  # an entry's id, or its stream and number


def mark_of(named: Any) -> Mark:
    """What one item of a finding's evidence names."""
    return named if isinstance(named, str) else (named["stream"], named["n"])


def entries_named(evidence: Iterable[Any]) -> dict[Mark, BookEntry]:
    """The entries that items of evidence name, with their streams, as far as they are there."""
    marks = {mark_of(one) for one in evidence}
    ids = [UUID(mark) for mark in marks if isinstance(mark, str)]
    numbers: dict[str, list[int]] = {}
    for mark in marks:
        if not isinstance(mark, str):
            numbers.setdefault(mark[0], []).append(mark[1])
    asked = Q(id__in=ids) if ids else Q(pk__in=())
    for stream, of_stream in numbers.items():
        asked |= Q(stream__name=stream, n__in=of_stream)
    found: dict[Mark, BookEntry] = {}
    for entry in BookEntry.objects.filter(asked).select_related("stream") if marks else ():
        for mark in (str(entry.id), (entry.stream.name, entry.n)):
            if mark in marks:
                found[mark] = entry
    return found


def ref_of(entry: BookEntry, stream: str) -> EntryRef:
    """An entry of a stream, as events name it."""
    return EntryRef(stream=stream, n=entry.n, leaf=bytes(entry.leaf_hash).hex())


def entries_of(finding: Finding, most: int | None = None) -> list[BookEntry]:
    """The entries one finding rests on, in its order; the first `most` of them."""
    asked = finding.evidence[:most]
    found = entries_named(asked)
    return [found[mark_of(one)] for one in asked if mark_of(one) in found]


def ids_of(findings: Collection[Finding]) -> dict[Any, frozenset[str]]:
    """The ids of the entries each of these rests on, by the finding's primary key."""
    found = entries_named(one for finding in findings for one in finding.evidence)
    return {
        finding.pk: frozenset(
            str(found[mark].id) for one in finding.evidence if (mark := mark_of(one)) in found
        )
        for finding in findings
    }


def refs_of(ids: Iterable[str]) -> Mapping[str, EntryRef]:
    """Entries by their ids, as events name them; who is not in the book is left out."""
    asked = {UUID(one) for one in ids}
    rows = BookEntry.objects.filter(id__in=asked) if asked else BookEntry.objects.none()
    return {
        str(pk): EntryRef(stream=stream, n=n, leaf=bytes(leaf).hex())
        for pk, stream, n, leaf in rows.values_list("id", "stream__name", "n", "leaf_hash")
    }
