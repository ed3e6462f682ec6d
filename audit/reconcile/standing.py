"""What holds now against what held before: new findings are raised, cured ones superseded.

A finding stands while no supersession of its key lies after it in the auditor's stream. Whoever
compares holds the partida's reading locked, so two runs never raise the same finding twice, and a
run that read less than another already told leaves that one's findings alone.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from audit.facts import FindingRaised, FindingSuperseded
from audit.models import Finding as FindingRow
from audit.models import (
    FindingSupersession,
    PartidaReading,
    Reconciliation,
    RunSheet,
    entries_of,
    refs_of,
)
from audit.reconcile import house_checks, keys
from audit.reconcile.judging import Judged
from audit.reconcile.succession import successors
from casino import clock
from casino.facts.corrections import WithdrawalAsked
from casino.facts.fact import RECONCILER, EntryRef
from casino.models import BookEntry, Supersession
from casino.queries import replaced, stream_of, that_count
from casino.recording import Actor, Source, Submission, record_many
from casino.regulation import controls
from casino.regulation.finding import Finding
from casino.regulation.law import load_law

LATE_NAMED: Final = 100  # curing entries a supersession names
BY: Final = Actor("reconciler", "sistema", "job")
PARTIDA_CHECKS: Final = frozenset(
    {house_checks.RECORD_JUDGED, house_checks.ROUND_TOLD_ONCE, *house_checks.OF_A_GAME}
)


@dataclass(frozen=True, slots=True)
class Told:
    """What comparing came to: the keys of the findings that were raised, and superseded.

    `out_of_date`: a run that read more was here before, and nothing was written.
    """

    raised: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    out_of_date: bool = False


def standing() -> QuerySet[FindingRow]:
    """The findings that stand."""
    later = FindingSupersession.objects.filter(finding=OuterRef("key"), n__gt=OuterRef("n"))
    return FindingRow.objects.filter(~Exists(later))


def claim_reading(sheet: RunSheet, partida: str) -> bool:
    """Lock a partida's reading until the transaction ends, and make it this run's.

    False where a run that read more was here before: what this one found is out of date.
    """
    PartidaReading.objects.bulk_create(
        [PartidaReading(partida_id=partida, rulebook=sheet.rulebook)], ignore_conflicts=True
    )
    reading = PartidaReading.objects.select_for_update().get(
        partida_id=partida, rulebook=sheet.rulebook
    )
    extent = sum(sheet.reach.values())
    if reading.extent > extent:
        return False
    if reading.run != sheet.run or reading.extent < extent:
        reading.extent, reading.run = extent, sheet.run
        reading.save(update_fields=["extent", "run"])
    return True


def compare(sheet: RunSheet, judged: Judged, *, whole: bool) -> Told:
    """Write down what a reading of a partida changes. Inside the part's transaction.

    `whole`: everything of the partida was judged, so what was not found no longer holds.
    """
    if not claim_reading(sheet, judged.partida):
        return Told(out_of_date=True)
    rows = list(standing().filter(partida_id=judged.partida))
    withdrawn = take_back(sheet, rows)
    before = {row.key: row for row in rows if row.key not in withdrawn}
    fresh = {key: found for key, found in judged.found.items() if key not in before}
    raised = raise_all(sheet, fresh)
    if not whole:
        return Told(raised, withdrawn)
    gone = _gone(sheet, before.values(), judged.found.keys(), judged.rulebooks)
    return Told(raised, (*withdrawn, *supersede_all(sheet, gone, judged.found)))


def take_back(sheet: RunSheet, rows: Iterable[FindingRow]) -> tuple[str, ...]:
    """Record of these findings that those of withdrawn runs no longer hold; their keys.

    What such a run was right about this one finds by itself and raises anew, in its own name; so it
    does with what the other had superseded.
    """
    rows = list(rows)
    withdrawn = withdrawn_runs() if rows else {}
    return supersede(
        sheet.run,
        [row for row in rows if row.run in withdrawn],
        lambda row: {"reason": "run_withdrawn", "by": withdrawn[row.run]},
    )


def withdrawn_runs() -> Mapping[UUID, EntryRef]:
    """The runs two persons withdrew, each with the entry by which the first of them asked."""
    asked = Supersession.objects.filter(stream=RECONCILER, kind=WithdrawalAsked.kind)
    began = {row.original_n: row for row in that_count(asked)}  # once they were approved
    runs = Reconciliation.objects.filter(stream=RECONCILER, n__in=began) if began else ()
    entries = BookEntry.objects.in_bulk([row.entry_id for row in began.values()])
    return {
        run.run: EntryRef(
            stream=RECONCILER,
            n=began[run.n].n,
            leaf=bytes(entries[began[run.n].entry_id].leaf_hash).hex(),
        )
        for run in runs
    }


def supersede_missing(
    sheet: RunSheet, partida: str, found: Collection[str], rulebooks: Collection[str]
) -> tuple[str, ...]:
    """What a partida that was judged in pieces no longer holds, once all pieces are done: keys."""
    if not claim_reading(sheet, partida):
        return ()
    before = standing().filter(partida_id=partida)
    return supersede_all(sheet, _gone(sheet, before, found, rulebooks), found)


def _gone(
    sheet: RunSheet,
    before: Iterable[FindingRow],
    found: Collection[str],
    rulebooks: Collection[str],
) -> list[FindingRow]:
    """The findings this run would have found again if they still held: those of the rulebooks it
    asked, and for a run under each partida's own, those of earlier such runs.
    """
    missing = [row for row in before if row.key not in found]
    own: set[UUID] = set()
    if not sheet.rulebook:
        runs = {row.run for row in missing}
        own = set(
            Reconciliation.objects.filter(run__in=runs, rulebook="").values_list("run", flat=True)
        )
    return [
        row
        for row in missing
        if (row.check_name in PARTIDA_CHECKS)
        # A control may need a figure another rulebook does not state: asked under the game's own.
        or (row.check_name in controls.ARTICLE_OF and not sheet.rulebook)
        or (row.rulebook != house_checks.RULEBOOK and (row.rulebook in rulebooks or row.run in own))
    ]


def raise_all(sheet: RunSheet, findings: Mapping[str, Finding]) -> tuple[str, ...]:
    """Record findings of a run that do not stand yet; their keys."""
    return raise_findings(sheet.run, sheet.as_of, findings)


def raise_findings(run: UUID, as_of: datetime, findings: Mapping[str, Finding]) -> tuple[str, ...]:
    """Record findings that do not stand yet, as they were seen at a moment; their keys."""
    times = _times_superseded(findings.keys())
    named = refs_of(entry for finding in findings.values() for entry in finding.evidence)
    record_many(
        [
            Submission(
                fact=_fact(run, key, finding, named),
                key=keys.raised_key(key, times.get(key, 0)),
                by=BY,
                occurred_at=as_of,
                source=Source("job", str(run)),
            )
            for key, finding in sorted(findings.items())
        ]
    )
    return tuple(sorted(findings))


def _fact(run: UUID, key: str, finding: Finding, named: Mapping[str, EntryRef]) -> FindingRaised:
    return FindingRaised(
        key=key,
        rulebook=finding.rulebook,
        article=finding.article,
        check=finding.check,
        severity=finding.severity,
        gaming_day=finding.gaming_day,
        table=finding.table or None,
        partida=finding.partida or None,
        evidence=keys.in_order(finding.evidence, named),
        where=keys.flat(finding.where),
        observed=keys.flat(finding.observed),
        expected=keys.flat(finding.expected),
        owed_cents=finding.owed_cents,
        owed_to=finding.owed_to,  # type: ignore[arg-type]  # the fact asks which word
        readings=tuple(dict.fromkeys(finding.readings)),
        run=str(run),
        law=law_digest(finding.rulebook),
        jackpot=_pool_of(finding),
    )


def _pool_of(finding: Finding) -> str | None:
    """The pool a finding is about, where it says so."""
    jackpot = finding.where.get("jackpot")
    return None if jackpot is None else str(jackpot)


def law_digest(rulebook: str) -> str:
    """The digest of a rulebook's file; of the house's own checks for those."""
    if rulebook == house_checks.RULEBOOK:
        return house_checks.DIGEST
    return load_law(rulebook).digest


def _times_superseded(found: Iterable[str]) -> dict[str, int]:
    times: dict[str, int] = {}
    rows = FindingSupersession.objects.filter(finding__in=list(found))
    for key in rows.values_list("finding", flat=True):
        times[key] = times.get(key, 0) + 1
    return times


def supersede_all(
    sheet: RunSheet, gone: Collection[FindingRow], found: Collection[str] = ()
) -> tuple[str, ...]:
    """Record that findings no longer hold; their keys. `found` are those of what does hold."""
    return supersede(sheet.run, gone, lambda row: why(sheet, row), found)


def supersede(
    run: UUID,
    gone: Collection[FindingRow],
    reason: Callable[[FindingRow], Mapping[str, Any]],
    found: Collection[str] = (),
) -> tuple[str, ...]:
    """Record which findings a run saw no longer hold under their keys; these keys.

    `found` are the keys of what holds instead, which was raised before this is called: what cites
    one of them anew is named. Of the others `reason` says why, and by what.
    """
    rows = sorted(gone, key=lambda row: row.key)
    held = standing().filter(key__in=list(found)) if rows and found else ()
    anew = successors(rows, held, run)
    times = _times_superseded(row.key for row in rows)
    record_many(
        [
            Submission(
                fact=FindingSuperseded(
                    finding=row.key,
                    run=str(run),
                    table=row.table_code or None,
                    partida=row.partida_id or None,
                    **_why(row, anew, reason),
                ),
                key=keys.superseded_key(row.key, times.get(row.key, 0)),
                by=BY,
                occurred_at=clock.now(),
                source=Source("job", str(run)),
            )
            for row in rows
        ]
    )
    return tuple(row.key for row in rows)


def _why(
    row: FindingRow,
    anew: Mapping[str, str],
    reason: Callable[[FindingRow], Mapping[str, Any]],
) -> Mapping[str, Any]:
    if row.key in anew:
        return {"reason": "cited_anew", "successor": anew[row.key]}
    return reason(row)


def why(sheet: RunSheet, row: FindingRow) -> dict[str, Any]:
    """Why a finding no longer holds, and by which entry, as far as that can be said."""
    of_the_house = row.rulebook == house_checks.RULEBOOK
    withdrawn = cured(row) if of_the_house else {}
    if "by" in withdrawn:
        return withdrawn
    if not of_the_house and row.law != law_digest(row.rulebook):
        return {"reason": "law_changed"}
    correction = _correction_of(row)
    if correction is not None:
        return {"reason": "corrected", "by": correction}
    late = _told_late(sheet, row)
    if late:
        return {"reason": "late_record", "cured_by": late}
    if of_the_house:
        return {"reason": "cured"}
    told = _told_since(sheet, row)
    if told is not None and not told:
        began = Reconciliation.objects.filter(run=row.run).values_list("code_version", flat=True)
        if sheet.code_version not in began:
            return {"reason": "code_changed"}
    if told is not None and len(told) == 1:
        return {"reason": "cured", "by": told[0]}
    return {"reason": "cured"}


def cured(row: FindingRow) -> dict[str, Any]:
    """That a finding no longer holds, and by which withdrawal, where what it rested on is gone."""
    leaves = [bytes(entry.leaf_hash).hex() for entry in entries_of(row)]
    asked = Supersession.objects.filter(kind=WithdrawalAsked.kind, supersedes_leaf__in=leaves)
    by = that_count(asked).order_by("-recorded_at").first()  # which counts once it was approved
    if by is None:
        return {"reason": "cured"}
    leaf = BookEntry.objects.values_list("leaf_hash", flat=True).get(pk=by.entry_id)
    return {
        "reason": "corrected",
        "by": EntryRef(stream=by.stream, n=by.n, leaf=bytes(leaf).hex()),
    }


def _correction_of(row: FindingRow) -> EntryRef | None:
    """The approved correction of an entry that was the finding's evidence."""
    for entry in entries_of(row):
        stream = entry.stream.name
        if entry.n not in replaced(stream, entry.partida_id):
            continue
        leaf = bytes(entry.leaf_hash).hex()
        pending = Supersession.objects.filter(supersedes_leaf=leaf)
        for correcting in pending.order_by("-n"):
            if correcting.n not in replaced(stream, entry.partida_id):
                found = BookEntry.objects.get(id=correcting.entry_id)
                return EntryRef(stream=stream, n=found.n, leaf=bytes(found.leaf_hash).hex())
    return None


def _told_late(sheet: RunSheet, row: FindingRow) -> tuple[EntryRef, ...]:
    """What the table told of a partida after a finding was seen, of a time before it.

    Whoever looks at a finding that went away so sees which entries made it go, and asks who wrote
    them and why only then. A finding happened when what it rests on was read.
    """
    if not row.partida_id:
        return ()
    stream = stream_of(row.partida_id)
    before = RunSheet.objects.filter(run=row.run).first()  # a look of the watch has none
    since = Q(recorded_at__gt=row.recorded_at)
    if before is not None:
        since = Q(n__gt=before.reach.get(stream, 0))
    told = (
        BookEntry.objects.filter(since, n__lte=sheet.reach.get(stream, 0))
        .filter(partida_id=row.partida_id, stream__name=stream, occurred_at__lt=row.occurred_at)
        .exclude(n__in=replaced(stream, row.partida_id))
        .order_by("n")[:LATE_NAMED]
    )
    return tuple(EntryRef(stream=stream, n=one.n, leaf=bytes(one.leaf_hash).hex()) for one in told)


def _told_since(sheet: RunSheet, row: FindingRow) -> list[EntryRef] | None:
    """What the partida's table told of it since the run that raised a finding, two at most.

    None where that run's reading is not known any more, or the house told something too.
    """
    before = RunSheet.objects.filter(run=row.run).first()
    if before is None or before.reach.get("house") != sheet.reach.get("house"):
        return None
    stream = stream_of(row.partida_id)
    entries = BookEntry.objects.filter(
        Q(n__gt=before.reach.get(stream, 0)) & Q(n__lte=sheet.reach.get(stream, 0)),
        partida_id=row.partida_id,
        stream__name=stream,
    ).order_by("n")[:2]
    return [
        EntryRef(stream=stream, n=entry.n, leaf=bytes(entry.leaf_hash).hex()) for entry in entries
    ]
