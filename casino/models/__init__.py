"""The shelves: every table of the floor, and what each fact becomes on them."""

from typing import Final

from casino.models import (
    corrections,
    decks,
    incidents,
    keeping,
    partidas,
    people,
    rounds,
    sealing,
    shoes,
    shufflers,
    tables,
)
from casino.models.account import Account, LoginTry, WitnessSecret
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
from casino.models.corrections import Correction
from casino.models.decks import DeckInspection
from casino.models.incidents import Incident, IncidentClosure
from casino.models.jobs import JobTry
from casino.models.keeping import Erasure, Rebuild
from casino.models.partidas import Closing, Partida
from casino.models.people import Duty, OfficeEnd, OfficeGrant, Staff
from casino.models.private import Attachment, PrivateValue, WaitingFile
from casino.models.rounds import Round
from casino.models.sealing import Epoch, EpochApproval, Restoration, SchemaRecord, SigningKey
from casino.models.shelf import Shelving
from casino.models.shoes import Burn, CartaAviso, Cut, Interruption, LastRound, Shuffle
from casino.models.shufflers import Attestation, Shuffler, ShufflerLoad, ShufflerUnload
from casino.models.supersession import Supersession
from casino.models.tables import Limits, Table

__all__ = [
    "SHELVES",
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
    "Closing",
    "Correction",
    "Cut",
    "DeckInspection",
    "Duty",
    "Epoch",
    "EpochApproval",
    "Erasure",
    "Incident",
    "IncidentClosure",
    "Interruption",
    "JobOutbox",
    "JobTry",
    "LastRound",
    "Limits",
    "LoginTry",
    "OfficeEnd",
    "OfficeGrant",
    "Partida",
    "PrivateValue",
    "Rebuild",
    "Restoration",
    "Round",
    "SchemaRecord",
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
]

SHELVES: Final[dict[type, list[Shelving]]] = {
    **corrections.SHELVES,
    **decks.SHELVES,
    **incidents.SHELVES,
    **keeping.SHELVES,
    **partidas.SHELVES,
    **people.SHELVES,
    **rounds.SHELVES,
    **sealing.SHELVES,
    **shoes.SHELVES,
    **shufflers.SHELVES,
    **tables.SHELVES,
}
