"""The auditor's projections: runs, findings, verifications, exports; and the runs under way."""

from typing import Final

from audit.models.audit_jobs import PartidaReading, RunDifference, RunPart, RunSheet
from audit.models.evidence import entries_named, entries_of, ids_of, mark_of, refs_of
from audit.models.finding_projections import PROJECTIONS as FINDINGS
from audit.models.finding_projections import Finding, FindingSupersession
from audit.models.replay_projections import PROJECTIONS as POOLS
from audit.models.replay_projections import PoolReplay, PoolReplayRun
from audit.models.run_projections import PROJECTIONS as RUNS
from audit.models.run_projections import GameAnswers, Reconciliation, ReconciliationResult
from audit.models.verification_projections import PROJECTIONS as VERIFICATIONS
from audit.models.verification_projections import Export, Verification
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
