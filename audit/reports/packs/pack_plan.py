"""What goes into an evidence pack: which sealed reports, which findings, which part of the book."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db.models import Max, Min, Q, QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from audit import audit_queries
from audit.exporting import Scope
from audit.models import Finding
from audit.models.evidence import entries_named
from audit.reports.report_entries import Asked, TooMuch
from casino import sealed
from casino.events.event import RECONCILER
from casino.importing import regulation_texts
from casino.importing.regulation_texts import held_on
from casino.models import Attachment, BookEntry, BookLeaf, Partida, RegulationText
from casino.queries import table_of
from casino.sealed import NotSealed

MOST_ENTRIES: Final = 500_000  # of the copy of the book in a pack
MOST_REPORTS: Final = 40
MOST_NIGHTS: Final = 7  # beyond, a pack has registers, and no report of each night
MOST_IN_FULL: Final = 50  # findings of a report of non-conformity


def findings_of(asked: Asked) -> audit_queries.Findings:
    """The findings a pack is of; none of a copy."""
    if asked.pack == "finding":
        return Finding.objects.filter(pk__in=[UUID(one) for one in asked.findings])
    if asked.pack == "game":
        return Finding.objects.filter(partida_id=asked.partida)
    if asked.pack != "days":
        return Finding.objects.none()
    there = Q(gaming_day__range=(asked.first, asked.last))
    return Finding.objects.filter(there & Q(table_code=asked.table) if asked.table else there)


def texts_of(asked: Asked) -> dict[str, bytes]:
    """The files of the official texts its findings cite, by SHA-256; of a copy, of every text."""
    if asked.pack.startswith("copy"):
        rows = list(RegulationText.objects.order_by("n"))
    else:
        days = findings_of(asked).order_by().values_list("rulebook", "gaming_day").distinct()
        received = {book: list(regulation_texts.texts_of(book)) for book, _day in days}
        rows = [row for book, day in days if (row := held_on(received[book], day)) is not None]
    digests = {row.file_sha256 for row in rows}
    kept = Attachment.objects.filter(pk__in=digests, content__isnull=False).order_by("pk")
    return {one.sha256: bytes(one.content or b"") for one in kept}


def members_of(asked: Asked) -> list[Asked]:
    """The sealed reports of a pack. Raises: TooMuch."""
    if asked.pack.startswith("copy"):
        return []
    first, last = asked.first, asked.last
    tables = _tables(asked)
    found = [Asked("game", first, last, table) for table in tables]
    ids = asked.findings
    if asked.pack != "finding":
        still = audit_queries.open_findings(findings_of(asked)).values_list("pk", flat=True)
        ids = tuple(str(one) for one in still[: MOST_IN_FULL + 1])
    if 0 < len(ids) <= MOST_IN_FULL:
        found.insert(0, Asked("nonconformity", first, last, asked.table, findings=ids))
    if asked.pack == "days":
        found.append(Asked("incidents", first, last, asked.table))
        found.append(Asked("complaints", first, last, asked.table))
    if len(found) > MOST_REPORTS:
        raise TooMuch(_("More than 40 reports in one pack: ask for fewer days, or for one table."))
    return found


def _tables(asked: Asked) -> Sequence[str]:
    """The tables whose nights are in it."""
    if asked.pack == "game":
        return [table_of(asked.partida)]
    if (asked.last - asked.first).days >= MOST_NIGHTS:
        return []
    if asked.table or asked.pack == "finding":
        return list(filter(None, [asked.table]))
    games = Partida.objects.filter(gaming_day__range=(asked.first, asked.last))
    return list(games.order_by("table_code").values_list("table_code", flat=True).distinct())


def scope_of(asked: Asked) -> Scope:
    """The part of the book that is copied: from the first to the last entry it is about.

    Raises: TooMuch, NotSealed.
    """
    newest = sealed.latest()
    if newest is None:
        raise NotSealed(sealed.NO_CHECKPOINT)
    if asked.pack in ("copy_book", "copy_table"):
        if newest.size > MOST_ENTRIES and asked.pack == "copy_book":
            raise too_large(newest.size)
        return Scope("table", table=asked.table) if asked.table else Scope()
    # What the auditor said later, of old evidence, is left out where it would take months along:
    # its proofs are in the reports.
    first, end = _span(asked, [], newest.size)
    if end - first > MOST_ENTRIES:
        first, end = _span(asked, [RECONCILER], newest.size)
    if end - first > MOST_ENTRIES:
        raise too_large(end - first)
    return Scope("range", first=first, end=end)


def too_large(entries: int) -> TooMuch:
    """Why no copy is packed."""
    n, most = (number_format(one, force_grouping=True) for one in (entries, MOST_ENTRIES))
    return TooMuch(
        _(
            "The copy of the book would hold %(n)s entries; a pack holds %(most)s at most. Ask for"
            " fewer days, or for one table; the house makes larger copies (manage.py"
            " export_bundle)."
        )
        % {"n": n, "most": most}
    )


def _span(asked: Asked, leaving_out: Sequence[str], size: int) -> tuple[int, int]:
    """The first index and that behind the last, within the signed tree. Raises: NotSealed."""
    entries = _entries(asked).exclude(stream__name__in=leaving_out)
    found = BookLeaf.objects.filter(entry__in=entries).aggregate(first=Min("idx"), last=Max("idx"))
    if found["first"] is None or found["first"] >= size:
        raise NotSealed(sealed.NO_CHECKPOINT)
    return found["first"], min(found["last"] + 1, size)


def _entries(asked: Asked) -> QuerySet[BookEntry]:
    if asked.pack == "finding":
        found = list(findings_of(asked))
        named = entries_named([one for finding in found for one in finding.evidence])
        ids = {*(one.pk for one in found), *(one.pk for one in named.values())}
        return BookEntry.objects.filter(pk__in=ids)
    rows = BookEntry.objects.filter(gaming_day__range=(asked.first, asked.last))
    if asked.pack == "game":
        return rows.filter(partida_id=asked.partida)
    return rows.filter(table_code=asked.table) if asked.table else rows


__all__ = ["findings_of", "members_of", "scope_of", "texts_of"]
