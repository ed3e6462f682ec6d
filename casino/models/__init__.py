"""The projections: every table of the floor, and what each event becomes on them."""

from typing import Final

from casino.models import complaints_projections as complaints
from casino.models import corrections_projections as corrections
from casino.models import deck_life_projections as deck_life
from casino.models import decks_projections as decks
from casino.models import floor_life_projections as floor_life
from casino.models import incidents_projections as incidents
from casino.models import inspection_projections as inspection
from casino.models import keeping_projections as keeping
from casino.models import namings, people, supersession, witnesses
from casino.models import notices_projections as notices
from casino.models import partidas_projections as partidas
from casino.models import rounds_projections as rounds
from casino.models import sealing_projections as sealing
from casino.models import shoes_projections as shoes
from casino.models import shufflers_projections as shufflers
from casino.models import tables_projections as tables
from casino.models.book_tables import (
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
from casino.models.complaints_projections import Complaint, ComplaintDecision, Review
from casino.models.corrections_projections import Correction, NotCounting
from casino.models.deck_life_projections import (
    DeckReceipt,
    DeckWithdrawal,
    Destruction,
    Replacement,
)
from casino.models.decks_projections import DeckInspection
from casino.models.floor_life_projections import (
    ChipTally,
    Dealing,
    Deferral,
    HandOver,
    Reopening,
    Seat,
)
from casino.models.held import HeldRecord
from casino.models.incidents_projections import Incident, IncidentClosure, IncidentStepRow
from casino.models.inspection_projections import (
    LeaveDecision,
    LeaveRequest,
    LimitsApproval,
    NoticeReceipt,
)
from casino.models.job_attempts import JobTry
from casino.models.keeping_projections import Erasure, Rebuild
from casino.models.login_accounts import Account, LoginTry, QuickCode, WitnessSecret
from casino.models.namings import Naming
from casino.models.notices_projections import FootageHold, Notice
from casino.models.partidas_projections import Closing, Partida
from casino.models.people import Duty, OfficeEnd, OfficeGrant, Staff
from casino.models.private_values import Attachment, PrivateValue, WaitingFile
from casino.models.projection import Projector
from casino.models.rounds_projections import Round
from casino.models.sealing_projections import (
    Epoch,
    EpochApproval,
    Restoration,
    SchemaRecord,
    SigningKey,
)
from casino.models.shoes_projections import Burn, CartaAviso, Cut, Interruption, LastRound, Shuffle
from casino.models.shufflers_projections import (
    Attestation,
    Emptiness,
    LidOpening,
    Shuffler,
    ShufflerLoad,
    ShufflerUnload,
)
from casino.models.supersession import Supersession
from casino.models.tables_projections import Limits, Table
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
