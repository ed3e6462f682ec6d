"""Every kind of fact the floor may tell, by the name it has in the book."""

from typing import Any, Final

from casino.facts.corrections import Corrected
from casino.facts.decks import DeckInspected
from casino.facts.incidents import IncidentClosed, IncidentReported
from casino.facts.keeping import Erased, ShelfRebuilt
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
from casino.facts.shufflers import ShufflerLoaded, ShufflerRegistered, ShufflerUnloaded
from casino.facts.staff import DutyBegun, DutyEnded, OfficeEnded, OfficeGranted, StaffRegistered
from casino.facts.tables import LimitsSet, TableRegistered
from casino.facts.witnessing import Witnessed

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
        Erased,
        ShelfRebuilt,
        SigningKeyNamed,
        EpochBegun,
        EpochApproved,
        SchemaRecorded,
        BookRestored,
    )
}
