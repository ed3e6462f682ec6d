"""The auditor's shelves: runs, findings, verifications, exports; and the runs under way."""

from typing import Final

from audit.models.evidence import entries_named, entries_of, ids_of, mark_of, refs_of
from audit.models.findings import SHELVES as FINDINGS
from audit.models.findings import Finding, FindingSupersession
from audit.models.jobs import PartidaReading, RunDifference, RunPart, RunSheet
from audit.models.pools import SHELVES as POOLS
from audit.models.pools import PoolReplay, PoolReplayRun
from audit.models.runs import SHELVES as RUNS
from audit.models.runs import GameAnswers, Reconciliation, ReconciliationResult
from audit.models.verifications import SHELVES as VERIFICATIONS
from audit.models.verifications import Export, Verification
from audit.models.verifying import VerificationRun
from casino.models.shelf import Shelving

__all__ = [
    "SHELVES",
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

SHELVES: Final[dict[type, list[Shelving]]] = RUNS | FINDINGS | VERIFICATIONS | POOLS
