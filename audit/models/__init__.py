"""The auditor's projections: runs, findings, verifications, exports; and the runs under way."""

from typing import Final

from audit.models.evidence import entries_named, entries_of, ids_of, mark_of, refs_of
from audit.models.findings import PROJECTIONS as FINDINGS
from audit.models.findings import Finding, FindingSupersession
from audit.models.jobs import PartidaReading, RunDifference, RunPart, RunSheet
from audit.models.pools import PROJECTIONS as POOLS
from audit.models.pools import PoolReplay, PoolReplayRun
from audit.models.runs import PROJECTIONS as RUNS
from audit.models.runs import GameAnswers, Reconciliation, ReconciliationResult
from audit.models.verifications import PROJECTIONS as VERIFICATIONS
from audit.models.verifications import Export, Verification
from audit.models.verifying import VerificationRun
from casino.models.projection import Projector

__all__ = [
    "PROJECTIONS",
    "Export",
    "Finding",
    "FindingSupersession",
    "GameAnswers",
    "PartidaReading",
    "PoolReplay",
    "PoolReplayRun",
    "Reconciliation",
    "ReconciliationResult",
    "RunDifference",
    "RunPart",
    "RunSheet",
    "Verification",
    "VerificationRun",
    "entries_named",
    "entries_of",
    "ids_of",
    "mark_of",
    "refs_of",
]

PROJECTIONS: Final[dict[type, list[Projector]]] = RUNS | FINDINGS | VERIFICATIONS | POOLS
