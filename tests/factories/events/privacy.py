"""The same for erasures and requests of data subjects: see house.py."""

from datetime import date
from typing import Final

from audit.retention_events import (
    ErasureDecided,
    ErasureProposed,
    ErasureSuspended,
    SubjectRequested,
    SuspensionLifted,
    ValueNamed,
)
from casino.events.event import EntryRef
from tests.factories.events.house import ACT, IN_THE_HOUSE, PARTIDA


def _of(entry: EntryRef, field: str) -> ValueNamed:
    return ValueNamed(stream=entry.stream, n=entry.n, leaf=entry.leaf, field=field)


FULL: Final = (
    ErasureProposed(
        basis="data_subject_request",
        values=(_of(ACT, "contact"), _of(ACT, "attachments")),
        request="RGPD-2026-3",
    ),
    ErasureDecided(proposed=IN_THE_HOUSE, decision="approved"),
    ErasureSuspended(
        suspension="SUS-2026-1",
        ordered_by="court",
        reference="Ofício 412/2026",
        of_partida=PARTIDA,
        from_day=date(2026, 11, 19),
        to_day=date(2026, 11, 20),
    ),
    SuspensionLifted(suspension="SUS-2026-1", reference="Ofício 430/2026"),
    SubjectRequested(
        request="RGPD-2026-3",
        asks="erasure",
        about="player",
        received_on=date(2026, 11, 20),
        reference="Carta de 20.11.2026",
        subject="Inês Conceição",
    ),
)

BARE: Final = (
    ErasureProposed(basis="retention_over", values=(_of(IN_THE_HOUSE, "name"),)),
    ErasureDecided(proposed=IN_THE_HOUSE, decision="refused"),
    ErasureSuspended(suspension="SUS-2026-2", ordered_by="house", reference="Despacho 7/2026"),
    SuspensionLifted(suspension="SUS-2026-2", reference="Despacho 9/2026"),
    SubjectRequested(
        request="RGPD-2026-4",
        asks="access",
        about="staff",
        received_on=date(2026, 11, 20),
        reference="Pedido 4",
        subject="S-0187",
    ),
)
