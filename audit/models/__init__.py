"""The auditor's projections: runs, findings, cases, verifications, exports, draws, reports,
letters, mails sent, erasures; and the runs under way, the reports asked for, the mails to be sent.
"""

from audit.models.audit_jobs import (
    PartidaReading,
    PoolReplayRun,
    RunDifference,
    RunPart,
    RunSheet,
    VerificationRun,
)
from audit.models.case_projections import CaseNote, CaseNumber, CaseStep
from audit.models.draw_projections import DrawCommitment, DrawResult
from audit.models.evidence import entries_named, entries_of, ids_of, mark_of, ref_of, refs_of
from audit.models.finding_projections import Finding, FindingSupersession
from audit.models.letter_projections import Letter, LetterReceipt
from audit.models.mails import Mail, MailedAlert, SentAlert, WatchLook, WebhookPost, WebhookSetting
from audit.models.replay_projections import PoolReplay
from audit.models.report_requests import PackPiece, ReportFile, ReportIssue, ReportRequest
from audit.models.retention_projections import (
    ErasureDecision,
    ErasureProposal,
    ErasureSuspension,
    SubjectRequest,
)
from audit.models.run_projections import GameAnswers, Reconciliation, ReconciliationResult
from audit.models.saved_filters import SavedFilter
from audit.models.verification_projections import Export, Verification
