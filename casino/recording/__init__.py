"""The one writer: whatever goes into the book goes through `record` or `record_many`.

The admin, the floor screens, the API, the importer and the jobs alike. One transaction holds the
entry, its private values, its rows on the projections and the jobs that follow from it.
"""

from casino.recording.attached_files import File
from casino.recording.refusals import (
    Busy,
    CorrectionPending,
    FileErased,
    KeyReused,
    NeverCorrected,
    NeverWithdrawn,
    NotAllowed,
    NothingToCorrect,
    NothingToErase,
    NothingToWithdraw,
    OwnDuty,
    OwnOffice,
    Refused,
    SecretRefused,
    StandsInTheWay,
    TooLarge,
    WithdrawnAlready,
    WitnessRefused,
)
from casino.recording.submission import Actor, Receipt, Source, Submission, Supersedes
from casino.recording.writing import record, record_many

__all__ = [
    "Actor",
    "Busy",
    "CorrectionPending",
    "File",
    "FileErased",
    "KeyReused",
    "NeverCorrected",
    "NeverWithdrawn",
    "NotAllowed",
    "NothingToCorrect",
    "NothingToErase",
    "NothingToWithdraw",
    "OwnDuty",
    "OwnOffice",
    "Receipt",
    "Refused",
    "SecretRefused",
    "Source",
    "StandsInTheWay",
    "Submission",
    "Supersedes",
    "TooLarge",
    "WithdrawnAlready",
    "WitnessRefused",
    "record",
    "record_many",
]
