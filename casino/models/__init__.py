"""The projections: every table of the floor, and what each event becomes on them."""

from typing import Final

from casino.models import (
    complaints,
    corrections,
    deck_life,
    decks,
    floor_life,
    incidents,
    inspection,
    keeping,
    namings,
    notices,
    partidas,
    people,
    rounds,
    sealing,
    shoes,
    shufflers,
    supersession,
    tables,
    witnesses,
)
from casino.models.account import Account, LoginTry, QuickCode, WitnessSecret
from casino.models.book import (
    BookCheckpoint,
    BookCosignature,
    BookEntry,
    BookLeaf,
    BookPending,
    BookStream,
    BookTile,
    BookTree,
    JobOutbox,
)
from casino.models.complaints import Complaint, ComplaintDecision, Review
from casino.models.corrections import Correction, NotCounting
from casino.models.deck_life import DeckReceipt, DeckWithdrawal, Destruction, Replacement
from casino.models.decks import DeckInspection
from casino.models.floor_life import ChipTally, Dealing, Deferral, HandOver, Reopening, Seat
from casino.models.held import HeldRecord
from casino.models.incidents import Incident, IncidentClosure, IncidentStepRow
from casino.models.inspection import (
    LeaveDecision,
    LeaveRequest,
    LimitsApproval,
    NoticeReceipt,
)
from casino.models.jobs import JobTry
from casino.models.keeping import Erasure, Rebuild
from casino.models.namings import Naming
from casino.models.notices import FootageHold, Notice
from casino.models.partidas import Closing, Partida
from casino.models.people import Duty, OfficeEnd, OfficeGrant, Staff
from casino.models.private import Attachment, PrivateValue, WaitingFile
from casino.models.projection import Projector
from casino.models.rounds import Round
from casino.models.sealing import Epoch, EpochApproval, Restoration, SchemaRecord, SigningKey
from casino.models.shoes import Burn, CartaAviso, Cut, Interruption, LastRound, Shuffle
from casino.models.shufflers import (
    Attestation,
    Emptiness,
    LidOpening,
    Shuffler,
    ShufflerLoad,
    ShufflerUnload,
)
from casino.models.supersession import Supersession
from casino.models.tables import Limits, Table
from casino.models.witnesses import (
    FailedWitness,
    Passkey,
    PasskeyRevocation,
    PasskeyUse,
    WitnessTries,
    WitnessUnlock,
)

__all__ = [
    "PROJECTIONS",
    "Account",
    "Attachment",
    "Attestation",
    "BookCheckpoint",
    "BookCosignature",
    "BookEntry",
    "BookLeaf",
    "BookPending",
    "BookStream",
    "BookTile",
    "BookTree",
    "Burn",
    "CartaAviso",
    "ChipTally",
    "Closing",
    "Complaint",
    "ComplaintDecision",
    "Correction",
    "Cut",
    "Dealing",
    "DeckInspection",
    "DeckReceipt",
    "DeckWithdrawal",
    "Deferral",
    "Destruction",
    "Duty",
    "Emptiness",
    "Epoch",
    "EpochApproval",
    "Erasure",
    "FailedWitness",
    "FootageHold",
    "HandOver",
    "HeldRecord",
    "Incident",
    "IncidentClosure",
    "IncidentStepRow",
    "Interruption",
    "JobOutbox",
    "JobTry",
    "LastRound",
    "LeaveDecision",
    "LeaveRequest",
    "LidOpening",
    "Limits",
    "LimitsApproval",
    "LoginTry",
    "Naming",
    "NotCounting",
    "Notice",
    "NoticeReceipt",
    "OfficeEnd",
    "OfficeGrant",
    "Partida",
    "Passkey",
    "PasskeyRevocation",
    "PasskeyUse",
    "PrivateValue",
    "QuickCode",
    "Rebuild",
    "Reopening",
    "Replacement",
    "Restoration",
    "Review",
    "Round",
    "SchemaRecord",
    "Seat",
    "Shuffle",
    "Shuffler",
    "ShufflerLoad",
    "ShufflerUnload",
    "SigningKey",
    "Staff",
    "Supersession",
    "Table",
    "WaitingFile",
    "WitnessSecret",
    "WitnessTries",
    "WitnessUnlock",
]

_OF_THE_FLOOR: Final[dict[type, list[Projector]]] = {
    **complaints.PROJECTIONS,
    **corrections.PROJECTIONS,
    **deck_life.PROJECTIONS,
    **decks.PROJECTIONS,
    **floor_life.PROJECTIONS,
    **incidents.PROJECTIONS,
    **inspection.PROJECTIONS,
    **keeping.PROJECTIONS,
    **notices.PROJECTIONS,
    **partidas.PROJECTIONS,
    **people.PROJECTIONS,
    **rounds.PROJECTIONS,
    **sealing.PROJECTIONS,
    **shoes.PROJECTIONS,
    **shufflers.PROJECTIONS,
    **supersession.PROJECTIONS,
    **tables.PROJECTIONS,
    **witnesses.PROJECTIONS,
}
# Beside its own projection an event stands on the one of names.
PROJECTIONS: Final[dict[type, list[Projector]]] = {
    event: [*shelvings, *namings.PROJECTIONS.get(event, ())]
    for event, shelvings in _OF_THE_FLOOR.items()
}
