"""Ending a run: whoever did its last part says so, once.

The sheet's row is locked while its parts are added up; who comes second finds the run ended.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from audit.events import ReconciliationFinished, StreamRead
from audit.models import Finding, Reconciliation, RunPart, RunSheet
from audit.models.audit_jobs import DONE, FAILED, FINISHED, OPEN
from audit.reconcile.compare_laws import as_standing, compared, shortened
from audit.reconcile.findings_of_games import PARTIDA_CHECKS, supersede_missing
from audit.reconcile.judge_partida import OUTCOMES
from audit.reconcile.opening import Asked, laws_of
from audit.reconcile.working import add_answers
from audit.runs import house_checks, keys
from audit.runs.current_findings import raise_findings, standing, supersede_all
from audit.runs.house_days import day_ends_at
from audit.runs.house_findings import by_key, house_finding
from audit.runs.numbering import number, number_the_rest
from audit.runs.run_records import record_of
from casino import clock
from casino.events.event import HOUSE
from casino.law.finding import LAWFUL, UNDECIDED
from casino.models import Partida
from casino.queries import day_of, stream_of, that_count
from casino.tasks import done

COUNTED: Final = ("entries", "rounds", "not_judged")
STREAMS_LISTED: Final = 500


def conclude(run: UUID) -> str:
    """End a run whose parts are all done, or of which one failed; its state afterwards."""
    with transaction.atomic():
        sheet = RunSheet.objects.select_for_update().get(run=run)
        if sheet.state != OPEN:
            return sheet.state
        parts = list(RunPart.objects.filter(run=sheet).order_by("number"))
        if any(part.state == OPEN for part in parts):
            return OPEN
        failed = [part for part in parts if part.state == FAILED]
        sheet.state = FAILED if failed else FINISHED
        sheet.ended_at = clock.now()
        sheet.save(update_fields=["state", "ended_at"])
        results = [part.result or {} for part in parts if part.state == DONE]
        if failed:
            _say_it_failed(sheet, failed, {key for of in results for key in of["raised"]})
        else:
            _say_it_ended(sheet, results)
        done(sheet.job)
    return sheet.state


def _say_it_ended(sheet: RunSheet, results: Sequence[dict[str, Any]]) -> None:
    found = {key for result in results for key in result["found"]}
    raised = [key for result in results for key in result["raised"]]
    superseded = [key for result in results for key in result["superseded"]]
    if sheet.rulebook:
        sheet.compared = _compared(sheet, results)  # what would hold changes nothing that does
    else:
        superseded += _supersede_pieces(sheet, results, found)
        superseded += supersede_all(sheet, _house_findings(sheet))
        number(sheet.run, raised)
        if sheet.reason == "nightly":
            number_the_rest(sheet.run)
    counts = {name: sum(result[name] for result in results) for name in COUNTED}
    sheet.answers = {}
    for result in results:
        add_answers(sheet.answers, result["answers"])
    sheet.save(update_fields=["answers", "compared"])
    answers = [of_check for checks in sheet.answers.values() for of_check in checks.values()]
    counts["lawful"] = sum(of_check[OUTCOMES.index(LAWFUL)] for of_check in answers)
    counts["undecided"] = sum(of_check[OUTCOMES.index(UNDECIDED)] for of_check in answers)
    record_of(
        sheet.run,
        ReconciliationFinished(
            run=str(sheet.run),
            scope=Asked.of_sheet(sheet).scope,
            findings=len(found),
            raised=len(raised),
            superseded=len(superseded),
            changes=keys.changes_of(raised, superseded),
            digest=keys.digest_of(counts, list(found)),
            read_up_to=_read_up_to(sheet),
            **counts,
        ),
        keys.event_key("finished", sheet.run),
    )


def _compared(sheet: RunSheet, results: Sequence[dict[str, Any]]) -> dict[str, object]:
    """What would hold under the run's rulebook beside what stands of the same games.

    With a reading taken otherwise, of those that are played under it, and under it alone.
    """
    rows = standing().exclude(rulebook=house_checks.RULEBOOK).exclude(partida_id="")
    rows = rows.exclude(run__in=Reconciliation.objects.exclude(rulebook="").values("run"))
    if sheet.partida_id:
        rows = rows.filter(partida_id=sheet.partida_id)
    else:
        rows = rows.filter(gaming_day__range=(sheet.from_day, sheet.to_day))
    if sheet.tables:
        rows = rows.filter(table_code__in=sheet.tables)
    if sheet.readings or sheet.law_day is not None:
        rows = rows.filter(rulebook=sheet.rulebook)
    found = (one for result in results for one in result["would_hold"])
    works = sheet.parts.filter(state=DONE).values_list("work", flat=True)
    looked_at = {name: sum(result[name] for result in results) for name in COUNTED[1:]}
    games = {one["partida"] for work in works for one in work}
    looked_at["games"] = len(games)
    books = that_count(Partida.objects.filter(partida_id__in=games)).values_list("rulebook")
    value = compared(shortened(found), as_standing(rows)).keep(sheet, looked_at)
    if any("games" not in result for result in results):
        del value["digest"]  # parts of an earlier version: nobody makes it again from these
    official = laws_of("", sheet.reach.get(HOUSE, 0))
    return value | {"official": [one for one in official if (one["rulebook"],) in set(books)]}


def _read_up_to(sheet: RunSheet) -> tuple[StreamRead, ...]:
    """The streams a run may have read: those of its tables and of the house, or all there were."""
    reach: dict[str, int] = sheet.reach
    own = [stream_of(sheet.partida_id)] if sheet.partida_id else map(stream_of, sheet.tables)
    if here := set(own):
        here.add(HOUSE)
        reach = {name: n for name, n in reach.items() if name in here}
    named = sorted(reach.items())[:STREAMS_LISTED]
    return tuple(StreamRead(stream=name, n=n) for name, n in named)


def _supersede_pieces(
    sheet: RunSheet, results: Iterable[dict[str, Any]], found: set[str]
) -> list[str]:
    """The keys of what no longer holds of the partidas that were judged in pieces."""
    asked: dict[str, set[str]] = defaultdict(set)
    for result in results:
        for partida, rulebooks in result["pieces"]:
            asked[partida] |= set(rulebooks)
    return [
        key
        for partida, rulebooks in sorted(asked.items())
        for key in supersede_missing(sheet, partida, found, rulebooks)
    ]


def _house_findings(sheet: RunSheet) -> list[Finding]:
    """The findings about the auditing that this run's ending cures: it, or its day, never ran."""
    rows = standing().filter(rulebook=house_checks.RULEBOOK, article=house_checks.ARTICLE)
    rows = rows.exclude(check_name__in=PARTIDA_CHECKS)
    if sheet.partida_id:
        return list(rows.filter(partida_id=sheet.partida_id))
    here = rows.filter(Q(gaming_day__range=(sheet.from_day, sheet.to_day)))
    if sheet.tables:  # its day was not reconciled by it
        return list(here.filter(table_code__in=sheet.tables))
    return [
        row
        for row in here
        if row.check_name != house_checks.DAY_RECONCILED
        or sheet.as_of >= day_ends_at(row.gaming_day)
    ]


def _say_it_failed(sheet: RunSheet, failed: Sequence[RunPart], raised: set[str]) -> None:
    """A run that cannot end is a finding, until another run of the same ends.

    Not one that only compares: the record misses nothing by it.
    """
    if sheet.rulebook:
        return
    began = Reconciliation.objects.filter(run=sheet.run).first()
    day = day_of(sheet.partida_id) if sheet.partida_id else sheet.to_day
    assert day is not None
    finding = house_finding(
        house_checks.RUN_COMPLETED,
        day,
        {"part": failed[0].number},
        {"attempts": failed[0].attempts, "trouble": failed[0].trouble or "worker lost"},
        partida=sheet.partida_id,
        evidence=[str(began.entry_id)] if began else [],
    )
    number(sheet.run, raised.union(raise_findings(sheet.run, sheet.as_of, by_key([finding]))))
