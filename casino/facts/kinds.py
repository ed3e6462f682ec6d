"""Every kind of fact the floor may tell, by the name it has in the book."""

from typing import Any, Final

from casino.facts.complaints import ComplaintDecided, ComplaintReceived, DisputeReviewed
from casino.facts.corrections import Corrected, WithdrawalAsked
from casino.facts.deck_life import CardReplaced, DeckReceived, DecksDestroyed, DeckWithdrawn
from casino.facts.decks import DeckInspected
from casino.facts.floor_life import (
    ChipsCounted,
    DealerLeftTable,
    DealerTookTable,
    PartidaReopened,
    RoundsDeferred,
    SeatLeft,
    SeatTaken,
    TableHandedOver,
)
from casino.facts.incidents import IncidentClosed, IncidentReported, IncidentStep
from casino.facts.inspection import (
    LeaveAsked,
    LeaveDecided,
    LimitsApproved,
    NoticeAcknowledged,
)
from casino.facts.keeping import Erased, ShelfRebuilt
from casino.facts.notices import FootageHeld, NoticeSent
from casino.facts.partidas import PartidaClosed, PartidaOpened
from casino.facts.rounds import RoundPlayed
from casino.facts.sealing import (
    BookRestored,
    EpochApproved,
    EpochBegun,
    SchemaRecorded,
    SigningKeyNamed,
)
from casino.facts.shoes import (
    CardBurned,
    CardsShuffled,
    CardsSpread,
    CartaAvisoPlaced,
    CutMade,
    LastRoundAnnounced,
    PlayInterrupted,
    PlayResumed,
)
from casino.facts.shufflers import (
    ShufflerFoundEmpty,
    ShufflerLoaded,
    ShufflerOpened,
    ShufflerRegistered,
    ShufflerUnloaded,
)
from casino.facts.staff import DutyBegun, DutyEnded, OfficeEnded, OfficeGranted, StaffRegistered
from casino.facts.tables import LimitsSet, TableRegistered
from casino.facts.witnessing import (
    PasskeyRegistered,
    PasskeyRevoked,
    Witnessed,
    WitnessFailed,
    WitnessUnlocked,
)

KINDS: Final[dict[str, type[Any]]] = {
    fact.kind: fact
    for fact in (
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
        ShelfRebuilt,
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
