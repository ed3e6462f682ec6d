"""One event of every kind with every field told, and one with only what must be told: the floor.

Typed by hand beside tests/tlog/golden/payloads.txt, where the same events stand as the book's
bytes.
"""

from datetime import UTC, datetime
from typing import Final

from casino.events.corrections import Corrected, WithdrawalAsked
from casino.events.decks import DeckInspected
from casino.events.event import EntryRef, OverriddenWarning
from casino.events.incidents import IncidentClosed, IncidentReported, Person
from casino.events.keeping import Erased, ImportConfirmed, ProjectionRebuilt
from casino.events.partidas import (
    Attested,
    ChipCount,
    DeckInUse,
    PartidaClosed,
    PartidaOpened,
    SpecialCard,
)
from casino.events.sealing import (
    BookRestored,
    DocumentSealAsked,
    EpochApproved,
    EpochBegun,
    HouseActDecided,
    PepperChanged,
    SchemaRecorded,
    SigningKeyNamed,
    SigningKeyNamedAlone,
)
from casino.events.shufflers import ShufflerLoaded, ShufflerRegistered, ShufflerUnloaded
from casino.events.staff import DutyBegun, DutyEnded, OfficeEnded, OfficeGranted, StaffRegistered
from casino.events.tables import LimitsSet, StakeLimits, TableRegistered
from casino.events.witnessing import PasskeyAnswer, Witnessed

TABLE: Final = "BJ-06"
PARTIDA: Final = "BJ-06/2026-11-20/1"
ROUND: Final = "0193479e-6b1c-7c3e-9a54-0c6f2b1d7e10"
NONCE: Final = "0193479e-7777-4c3e-9a54-0c6f2b1d7e10"
A: Final = "a" * 64
B: Final = "b" * 64
AT: Final = {"table": TABLE, "partida": PARTIDA}
SURE: Final = {"despite": (OverriddenWarning(check="one_card_burned", reason="hurry"),)}
ACT: Final = EntryRef(stream="table/BJ-06", n=12, leaf=A)
IN_THE_HOUSE: Final = EntryRef(stream="house", n=31, leaf=A)
KEY: Final = "livro.example/sala+8f3a2b1c+AbCdEfGhIjKlMnOpQrStUvWxYz0123456789+/abcdef"
KEY_BEFORE: Final = "livro.example/sala+0a1b2c3d+AZYXWVUTSRQPONMLKJIHGFEDCBA9876543210zyxwvut"
LATER: Final = EntryRef(stream="table/BJ-06", n=13, leaf=B)


def at(clock: str) -> datetime:
    """A moment of the evening of 20 November 2026, ``"19:47"``."""
    return datetime.fromisoformat(f"2026-11-20T{clock}").replace(tzinfo=UTC)


FULL: Final = (
    TableRegistered(
        table=TABLE,
        boxes=7,
        place="Sala Norte, 1.º piso",
        layout="semicircular",
        numbering="from_dealers_left",
        jackpot_place=True,
        jackpot_marking="manual",
        **SURE,
    ),
    LimitsSet(
        table=TABLE,
        minimum_cents=1000,
        maximum_cents=30000,
        valid_from=at("15:00"),
        approved_by="S-0001",
        reference="SRIJ 12/2026",
        **SURE,
    ),
    StaffRegistered(staff="S-0187", name="Inês Conceição", contact="912 345 678", **SURE),
    OfficeGranted(
        staff="S-0187",
        office="fiscal_chefe",
        valid_from=at("08:00"),
        valid_until=datetime(2027, 11, 20, 8, 0, tzinfo=UTC),
        granted_by="S-0001",
        reference="OS 7/2026",
        **SURE,
    ),
    OfficeEnded(
        staff="S-0187",
        office="fiscal_chefe",
        ended_at=at("20:00"),
        ended_by="S-0001",
        reason="left",
        **SURE,
    ),
    DutyBegun(staff="S-0187", office="fiscal_chefe", tables=("BJ-06", "BJ-07"), **SURE),
    DutyEnded(staff="S-0187", office="fiscal_chefe", **SURE),
    PartidaOpened(
        **AT,
        rulebook="pt",
        limits=StakeLimits(minimum_cents=1000, maximum_cents=30000),
        decks=(
            DeckInUse(deck="D-0231", back_colour="red"),
            DeckInUse(deck="D-0232"),
        ),
        dealing="shuffler",
        shuffler="CSM-04",
        fiscal_de_banca="S-0100",
        fiscal_chefe="S-0187",
        pagador="P-104",
        cut_card=SpecialCard(front="yellow", back="yellow"),
        carta_aviso=SpecialCard(front="black", back="green"),
        jackpots=("JP-1",),
        counts=(ChipCount(value_cents=500, count=200), ChipCount(value_cents=2500, count=0)),
        **SURE,
    ),
    PartidaClosed(
        **AT,
        rounds=212,
        reason="end_of_day",
        closing_announced_at=at("23:30"),
        cards_counted=312,
        fiscal_de_banca="S-0100",
        fiscal_chefe="S-0187",
        pagador="P-104",
        counts=(ChipCount(value_cents=500, count=180),),
        attested=(
            Attested(article="58", staff="S-0100", office="fiscal_de_banca", at=at("23:45")),
            Attested(article="59", staff="S-0100"),
        ),
        **SURE,
    ),
    DeckInspected(
        **AT,
        deck="D-0231",
        moment="exhibition",
        cards=51,
        order_complete=False,
        faces="regular",
        backs="marked",
        result="missing",
        spread_in_rows=True,
        jokers=0,
        seal="intact",
        pagador="P-104",
        fiscal_de_banca="S-0100",
        fiscal_chefe="S-0187",
        machine="DV-2",
        receipt="000123",
        damaged_cards=(),
        missing_cards=("7S",),
        extra_cards=(),
        note="Falta o sete.\nVisto duas vezes.",
        **SURE,
    ),
    ShufflerRegistered(
        shuffler="CSM-04",
        maker="Acme",
        model="One 2",
        serial="SN 0099",
        firmware="4.1",
        approval="Hom. 3/2025",
        certificate="Lab 77",
        continuous=True,
        in_service=True,
        at_table=TABLE,
        **SURE,
    ),
    ShufflerLoaded(
        **AT,
        shuffler="CSM-04",
        decks=("D-0231", "D-0232"),
        packets=3,
        operator="P-104",
        fiscal_chefe="S-0187",
        reason="opening",
        started_at=at("19:40"),
        ended_at=at("19:47"),
        cards=104,
        **SURE,
    ),
    ShufflerUnloaded(
        **AT,
        shuffler="CSM-04",
        decks=("D-0231", "D-0232"),
        operator="P-104",
        fiscal_chefe="S-0187",
        closing_announced=True,
        reason="closing",
        started_at=at("23:40"),
        ended_at=at("23:41"),
        cards=103,
        empty=False,
        **SURE,
    ),
    Witnessed(
        **AT,
        witnessed=ACT,
        act="shuffler-loaded/1",
        staff="S-0187",
        office="fiscal_chefe",
        method="passkey",
        nonce=NONCE,
        expires_at=at("19:50"),
        text_sha256=B,
        article="54",
        present_from=at("19:39"),
        present_until=at("19:48"),
        passkey=PasskeyAnswer(
            credential="Y3JlZA",
            client_data="Y2xpZW50",
            authenticator_data="YXV0aA",
            signature="c2ln-_8",
        ),
    ),
    IncidentReported(
        **AT,
        incident="IN-2026-0001",
        category="jam",
        reason="card_bent",
        people=(Person(person="S-0187", role="fiscal_chefe"), Person(person="J2")),
        detail="second_roller",
        round=ROUND,
        shoe=1,
        deck="D-0231",
        shuffler="CSM-04",
        damaged_cards=("7S", "X?"),
        replaced="card",
        authorisation="SRIJ 15/2026",
        noticed_at=at("21:00"),
        called_at=at("21:01"),
        arrived_at=at("21:04"),
        opened_at=at("21:05"),
        opened_by="S-0187",
        opened_by_office="fiscal_chefe",
        emptied=False,
        lid_closed_at=at("21:08"),
        resolved_at=at("21:09"),
        resolved_by="S-0187",
        resolved_by_office="fiscal_chefe",
        technician_called_at=at("21:06"),
        technician_arrived_at=at("21:07"),
        communicated_at=at("21:30"),
        communicated_by="S-0002",
        communicated_by_office="chefia_da_sala",
        communication="E-mail 44/2026",
        amount_cents=4000,
        text="Carta presa no segundo rolo",
        **SURE,
    ),
    IncidentClosed(
        **AT,
        incident="IN-2026-0001",
        outcome="settled",
        reason="card_replaced",
        communicated_at=at("21:30"),
        communication="E-mail 44/2026",
        text="Resolvido",
        **SURE,
    ),
    Corrected(**AT, pending=LATER, original=ACT, decision="approved", reason="checked"),
    WithdrawalAsked(
        **AT, entry=ACT, act="cut-made/1", reason="tapped_by_mistake", falls_with=LATER
    ),
    Erased(**AT, entry=ACT, field="note", legal_basis="gdpr-17-1-a", reference="Pedido 3/2026"),
    ProjectionRebuilt(shelf="casino_cut", rows=12, sha256=A, rows_before=13, sha256_before=B),
    ImportConfirmed(
        content="rounds", file_sha256=A, records=1_200, brought_by="S-0003", mapping_sha256=B
    ),
    SigningKeyNamedAlone(vkey=KEY, reason="yearly", replaces=KEY_BEFORE),
    SigningKeyNamed(vkey=KEY, reason="yearly", replaces=KEY_BEFORE),
    HouseActDecided(act=IN_THE_HOUSE, decision="approved"),
    PepperChanged(pepper="1f0a77c2", reason="somebody_left"),
    EpochBegun(
        origin="livro.example/sala/2",
        lost_origin="livro.example/sala",
        lost_size=41203,
        lost_root=A,
        reason="disk_lost",
        reference="Auto 7/2026",
    ),
    EpochApproved(begun=IN_THE_HOUSE),
    SchemaRecorded(sha256=A, migrations=("audit.0001_shelves", "casino.0002_book"), server="15.13"),
    BookRestored(size=41203, root=A, entries=12, source="bundle", reason="disk_lost"),
    DocumentSealAsked(document="REL-2026-000012/1", sha256=A, digest=B, certificate=A),
)

BARE: Final = (
    TableRegistered(table=TABLE, boxes=5),
    LimitsSet(table=TABLE, minimum_cents=1000, maximum_cents=1000, valid_from=at("15:00")),
    StaffRegistered(staff="S-0187"),
    OfficeGranted(staff="S-0187", office="pagador", valid_from=at("08:00"), granted_by="S-0001"),
    OfficeEnded(staff="S-0187", office="pagador", ended_at=at("20:00"), ended_by="S-0001"),
    DutyBegun(staff="S-0187", office="fiscal_chefe", tables=()),
    DutyEnded(staff="S-0187", office="fiscal_chefe"),
    PartidaOpened(
        **AT,
        rulebook="pt",
        limits=StakeLimits(minimum_cents=1000, maximum_cents=40000),
        decks=(),
        dealing="shoe",
    ),
    PartidaClosed(**AT),
    DeckInspected(
        deck="D-0231",
        moment="store",
        cards=52,
        order_complete=True,
        faces="regular",
        backs="regular",
        result="conform",
    ),
    ShufflerRegistered(shuffler="CSM-04", maker="Acme", model="One 2", serial="SN 0099"),
    ShufflerLoaded(**AT, shuffler="CSM-04", decks=(), packets=2),
    ShufflerUnloaded(**AT, shuffler="CSM-04", decks=()),
    Witnessed(
        witnessed=ACT,
        act="shuffler-loaded/1",
        staff="S-0187",
        office="fiscal_chefe",
        method="pin",
        nonce=NONCE,
        expires_at=at("19:50"),
        text_sha256=B,
    ),
    IncidentReported(incident="IN-2026-0002", category="other", reason="noise", people=()),
    IncidentClosed(incident="IN-2026-0002", outcome="settled", reason="over"),
    Corrected(pending=LATER, original=ACT, decision="refused", reason="was_right"),
    WithdrawalAsked(entry=ACT, act="card-burned/1", reason="told_twice"),
    Erased(entry=ACT, field="note", legal_basis="gdpr-17-1-a"),
    ProjectionRebuilt(shelf="casino_cut", rows=0, sha256=A),
    ImportConfirmed(content="first_day", file_sha256=A, records=0, brought_by="S-0003"),
    SigningKeyNamedAlone(vkey=KEY, reason="first"),
    SigningKeyNamed(vkey=KEY, reason="first"),
    HouseActDecided(act=IN_THE_HOUSE, decision="refused"),
    PepperChanged(pepper="1f0a77c2", reason="yearly"),
    EpochBegun(
        origin="livro.example/sala/2",
        lost_origin="livro.example/sala",
        lost_size=1,
        lost_root=A,
        reason="disk_lost",
    ),
    EpochApproved(begun=IN_THE_HOUSE),
    SchemaRecorded(sha256=A, migrations=(), server="15.13"),
    BookRestored(size=1, root=A, entries=0, source="bundle", reason="disk_lost"),
    DocumentSealAsked(document="REL-2026-000012/1", sha256=A, digest=B, certificate=A),
)
