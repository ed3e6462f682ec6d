"""Every kind of event the floor may tell, by the name it has in the book."""

from typing import Any, Final

from casino.events.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.events.corrections import Corrected, WithdrawalAsked
from casino.events.deck_life import CardReplaced, DeckReceived, DecksDestroyed, DeckWithdrawn
from casino.events.decks import DeckInspected
from casino.events.floor_life import (
    ChipsCounted,
    DealerLeftTable,
    DealerTookTable,
    PartidaReopened,
    RoundsDeferred,
    SeatLeft,
    SeatTaken,
    TableHandedOver,
)
from casino.events.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.events.inspection import (
    LeaveAsked,
    LeaveDecided,
    LimitsApproved,
    NoticeAcknowledged,
)
from casino.events.keeping import Erased, ProjectionRebuilt
from casino.events.notices import FootageHeld, NoticeSent
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.sealing import (
    BookRestored,
    EpochApproved,
    EpochBegun,
    SchemaRecorded,
    SigningKeyNamed,
)
from casino.events.shoes import (
    CardBurned,
    CardsShuffled,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    LastRoundAnnounced,
    PlayInterrupted,
    PlayResumed,
)
from casino.events.shufflers import (
    ShufflerFoundEmpty,
    ShufflerLoaded,
    ShufflerOpened,
    ShufflerRegistered,
    ShufflerUnloaded,
)
from casino.events.staff import DutyBegun, DutyEnded, OfficeEnded, OfficeGranted, StaffRegistered
from casino.events.tables import LimitsSet, TableRegistered
from casino.events.witnessing import (
    PasskeyRegistered,
    PasskeyRevoked,
    Witnessed,
    WitnessFailed,
    WitnessUnlocked,
)

KINDS: Final[dict[str, type[Any]]] = {
    event.kind: event
    for event in (
        TableRegistered,
        LimitsSet,
        StaffRegistered,
        OfficeGranted,
        OfficeEnded,
        DutyBegun,
        DutyEnded,
        PartidaOpened,
        PartidaClosed,
        DeckInspected,
        CardsShuffled,
        CutMade,
        CartaAvisoPlaced,
        CardBurned,
        LastRoundAnnounced,
        CardsSpread,
        PlayInterrupted,
        PlayResumed,
        ShufflerRegistered,
        ShufflerLoaded,
        ShufflerUnloaded,
        RoundPlayed,
        Witnessed,
        IncidentReported,
        IncidentClosed,
        Corrected,
        WithdrawalAsked,
        Erased,
        ProjectionRebuilt,
        SigningKeyNamed,
        EpochBegun,
        EpochApproved,
        SchemaRecorded,
        BookRestored,
        DeckReceived,
        DeckWithdrawn,
        CardReplaced,
        DecksDestroyed,
        ShufflerOpened,
        ShufflerFoundEmpty,
        IncidentStep,
        ComplaintReceived,
        DisputeReviewed,
        ComplaintDecided,
        NoticeSent,
        FootageHeld,
        DealerTookTable,
        DealerLeftTable,
        SeatTaken,
        SeatLeft,
        ChipsCounted,
        RoundsDeferred,
        PartidaReopened,
        TableHandedOver,
        PasskeyRegistered,
        PasskeyRevoked,
        WitnessFailed,
        WitnessUnlocked,
        LeaveAsked,
        LeaveDecided,
        LimitsApproved,
        NoticeAcknowledged,
    )
}
