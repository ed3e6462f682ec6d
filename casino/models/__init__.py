"""The projections: every table of the floor, and what each event becomes on them."""

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
    DropTally,
    HandOver,
    Reopening,
    Seat,
)
from casino.models.held import HeldRecord, StagedImport, StagedPiece
from casino.models.incidents_projections import Incident, IncidentClosure, IncidentStepRow
from casino.models.inspection_projections import (
    FigureSetting,
    FirmwareDecision,
    LeaveDecision,
    LeaveRequest,
    LimitsApproval,
    NoticeReceipt,
    RegulationText,
)
from casino.models.job_attempts import JobTry
from casino.models.keeping_projections import Erasure, ImportConfirmation, Rebuild
from casino.models.login_accounts import (
    Account,
    ApiClient,
    ApiMessage,
    Authenticator,
    DirectoryOffices,
    LoginReset,
    LoginTry,
    MailAddress,
    QuickCode,
    RecoveryCode,
    SecurityEvent,
    WitnessSecret,
)
from casino.models.namings import Naming
from casino.models.notices_projections import FootageHold, Notice
from casino.models.partidas_projections import Closing, Partida
from casino.models.people import (
    Duty,
    OfficeEnd,
    OfficeGrant,
    Staff,
    StaffRequest,
    StaffRequestDecision,
)
from casino.models.private_values import Attachment, PrivateLook, PrivateValue, WaitingFile
from casino.models.rounds_projections import Round, StakeReport
from casino.models.sealing_projections import (
    DocumentSeal,
    DocumentSignature,
    Epoch,
    EpochApproval,
    HouseActDecision,
    PepperChange,
    Restoration,
    SchemaRecord,
    SigningKey,
)
from casino.models.shoes_projections import (
    Burn,
    CartaAviso,
    Cut,
    Interruption,
    LastRound,
    ShoeReport,
    Shuffle,
)
from casino.models.shufflers_projections import (
    Attestation,
    Emptiness,
    LidOpening,
    Shuffler,
    ShufflerLoad,
    ShufflerReport,
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
