"""What the inspection service is asked for and answers, told in full and bare."""

from datetime import date
from typing import Final

from casino.events.inspection import (
    FirmwareDecided,
    LeaveAsked,
    LeaveDecided,
    LimitsApproved,
    NoticeAcknowledged,
    RegulationTextReceived,
)
from tests.factories.events.house import SURE, at

FULL: Final = (
    LeaveAsked(
        leave="AU-2026-0001",
        deck="D-0231",
        cards=("7S", "7S"),
        grounds="Não há outro baralho desta cor na casa",
        document="Ofício 3/2026",
        incident="IN-2026-0001",
        **SURE,
    ),
    LeaveDecided(
        leave="AU-2026-0001",
        decision="granted",
        document="Despacho 12/2026",
        decided_at=at("19:30"),
        cards=("7S",),
        **SURE,
    ),
    LimitsApproved(
        tables=("BJ-06", "BJ-07"),
        minimum_cents=1000,
        maximum_cents=30000,
        valid_from=at("15:00"),
        document="Despacho 13/2026",
        **SURE,
    ),
    FirmwareDecided(
        model="Seis",
        firmware="4.2.1",
        firmware_sha256="a" * 64,
        decision="approved",
        valid_from=at("15:00"),
        document="Despacho 17/2026",
        **SURE,
    ),
    NoticeAcknowledged(
        notice="CM-2026-0004", received_at=at("21:35"), reference="Registo 51", **SURE
    ),
    RegulationTextReceived(
        rulebook="pt", title="Portaria 1/2007", file_sha256="a" * 64, in_force=date(2007, 3, 1)
    ),
)

BARE: Final = (
    LeaveAsked(leave="AU-2026-0002", deck="D-0231", cards=(), grounds="."),
    LeaveDecided(leave="AU-2026-0002", decision="refused", document="Despacho 14/2026"),
    LimitsApproved(
        tables=(),
        minimum_cents=1000,
        maximum_cents=1000,
        valid_from=at("15:00"),
        document="Despacho 15/2026",
    ),
    FirmwareDecided(
        model="Seis",
        firmware="4.2.1",
        firmware_sha256="b" * 64,
        decision="revoked",
        valid_from=at("15:00"),
        document="Despacho 17/2026",
    ),
    NoticeAcknowledged(notice="CM-2026-0005"),
    RegulationTextReceived(rulebook="es", title="Manual", file_sha256="b" * 64),
)
