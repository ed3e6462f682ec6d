"""A run of the reconciliation, from its opening to its end."""

import time
from dataclasses import asdict
from typing import Any

from django.db import transaction

from audit.models import ReconciliationResult
from audit.models.audit_jobs import DONE, FINISHED
from audit.reconcile.concluding import conclude
from audit.reconcile.cutting import Work
from audit.reconcile.findings_of_games import compare
from audit.reconcile.judge_partida import PartidaJudge
from audit.reconcile.opening import Asked, open_run
from audit.reconcile.working import Result, work
from audit.runs.current_findings import Changes, standing, supersede_all
from tests.factories.evenings import partida_of


def reconcile(job: str, **asked: Any) -> ReconciliationResult:
    """A run from its opening to its end, by one worker."""
    sheet = open_run(job, Asked(**{"reason": "asked", "partida": partida_of(), **asked}))
    work(sheet.run, time.monotonic() + 60)
    assert conclude(sheet.run) == "finished"
    return ReconciliationResult.objects.get(run=sheet.run)


def wrote_findings(rulebook: str, partida: str, sets_aside: str = "") -> ReconciliationResult:
    """A run under another rulebook as it was done before 0.7: it wrote into the book what it found.

    `sets_aside` is a check whose standing findings it took for cured.
    """
    asked = Asked(reason="asked", partida=partida, rulebook=rulebook)
    sheet = open_run(f"before 0.7, {rulebook}", asked)
    partida_judge = PartidaJudge(up_to=sheet.reach, as_of=sheet.as_of, rulebook=rulebook)
    all_of_it = Work(partida)
    with transaction.atomic():
        judged = partida_judge.do(all_of_it)
        parsed = compare(sheet, judged, whole=True)
        others = standing().exclude(run=sheet.run)
        gone = list(others.filter(partida_id=partida, check_name=sets_aside))
        superseded = (*parsed.superseded, *supersede_all(sheet, gone))
        result = Result()
        result.add(all_of_it, judged, Changes(parsed.raised, superseded))
        sheet.parts.update(state=DONE, result=asdict(result))
    assert conclude(sheet.run) == FINISHED
    return ReconciliationResult.objects.get(run=sheet.run)
