"""What a run found of its games against what stands of them.

Whoever compares holds the partida's reading locked, so two runs never raise the same finding twice,
and a run that read less than another already recorded leaves that one's findings alone.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final
from uuid import UUID

from audit.models import Finding as FindingRow
from audit.models import PartidaReading, Reconciliation, RunSheet, ref_of
from audit.reconcile.judge_partida import Judged
from audit.runs import house_checks
from audit.runs.current_findings import Changes, raise_findings, standing, supersede, supersede_all
from audit.runs.numbering import number
from casino.events.corrections import WithdrawalAsked
from casino.events.event import RECONCILER, EntryRef
from casino.law.rulebook import controls
from casino.models import BookEntry, Supersession
from casino.queries import that_count

PARTIDA_CHECKS: Final = frozenset(
    {house_checks.RECORD_JUDGED, house_checks.ROUND_RECORDED_ONCE, *house_checks.OF_A_GAME}
)


def lock_reading(partida: str, rulebook: str = "") -> PartidaReading:
    """Lock a partida's reading until the transaction ends."""
    of_it = {"partida_id": partida, "rulebook": rulebook}
    PartidaReading.objects.bulk_create([PartidaReading(**of_it)], ignore_conflicts=True)
    return PartidaReading.objects.select_for_update().get(**of_it)


def claim_reading(sheet: RunSheet, partida: str) -> bool:
    """Lock a partida's reading until the transaction ends, and make it this run's.

    False where a run that read more was here before: what this one found is out of date.
    """
    reading = lock_reading(partida, sheet.rulebook)
    extent = sum(sheet.reach.values())
    if reading.extent > extent:
        return False
    if reading.run != sheet.run or reading.extent < extent:
        reading.extent, reading.run = extent, sheet.run
        reading.save(update_fields=["extent", "run"])
    return True


def compare(sheet: RunSheet, judged: Judged, *, whole: bool) -> Changes:
    """Write down what a reading of a partida changes. Inside the part's transaction.

    `whole`: everything of the partida was judged, so what was not found no longer holds. What was
    raised of a piece is numbered once the run ends (`conclude`).
    """
    if not claim_reading(sheet, judged.partida):
        return Changes(out_of_date=True)
    rows = list(standing().filter(partida_id=judged.partida))
    # What a withdrawn run was right about this one finds by itself and raises anew, in its own
    # name; so it does with what the other had superseded.
    gone_runs = withdrawn_runs() if rows else {}
    withdrawn = supersede(
        sheet.run,
        [row for row in rows if row.run in gone_runs],
        lambda finding: {"reason": "run_withdrawn", "by": gone_runs[finding.run]},
    )
    before = {row.key: row for row in rows if row.key not in withdrawn}
    fresh = {key: found for key, found in judged.found.items() if key not in before}
    raised = raise_findings(sheet.run, sheet.as_of, fresh)
    if not whole:
        return Changes(raised, withdrawn)
    gone = _gone(sheet, before.values(), judged.found.keys(), judged.rulebooks)
    superseded = (*withdrawn, *supersede_all(sheet, gone, judged.found))
    number(sheet.run, raised)
    return Changes(raised, superseded)


def withdrawn_runs() -> Mapping[UUID, EntryRef]:
    """The runs two persons withdrew, each with the entry by which the first of them asked."""
    asked = Supersession.objects.filter(stream=RECONCILER, kind=WithdrawalAsked.kind)
    began = {row.original_n: row for row in that_count(asked)}  # once they were approved
    runs = Reconciliation.objects.filter(stream=RECONCILER, n__in=began) if began else ()
    entries = BookEntry.objects.in_bulk([row.entry_id for row in began.values()])
    return {run.run: ref_of(entries[began[run.n].entry_id], RECONCILER) for run in runs}


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
    findings_before: Iterable[FindingRow],
    found: Collection[str],
    rulebooks: Collection[str],
) -> list[FindingRow]:
    """The findings this run would have found again if they still held: those of the rulebooks it
    asked, and for a run under each partida's own, those of earlier such runs.
    """
    missing = [row for row in findings_before if row.key not in found]
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
