"""Requests that two persons decide: one of each kind told in full, and one bare."""

from datetime import UTC, date, datetime
from typing import Any, Final

from casino.events.requests import (
    FiguresAsked,
    FiguresSet,
    FigureValue,
    LoginResetAsked,
    OfficeAsked,
    RequestDecided,
)
from tests.factories.events.house import IN_THE_HOUSE, SURE

_ANSWERED: Final[Any] = {
    "rulebook": "pt",
    "since": date(2027, 3, 1),
    "figures": (
        FigureValue(parameter="limits.maximum_over_minimum", value="25"),
        FigureValue(parameter="bank.bust", value="nearer_wins"),
    ),
    "basis": "answer",
    "source": "Ofício 12/2027",
    "grounds": "Resposta do serviço de inspeção",
    "document_day": date(2027, 2, 10),
    "file_sha256": "a" * 64,
}
_DECREED: Final[Any] = {
    "rulebook": "pt",
    "since": date(2027, 3, 1),
    "figures": (FigureValue(parameter="blackjack.pays", value="6/5"),),
    "basis": "act",
    "source": "Decreto 1/2027",
    "grounds": ".",
}

FULL: Final = (
    OfficeAsked(
        staff="S-0187",
        office="chefia_da_sala",
        change="office_given",
        valid_until=datetime(2027, 11, 20, 8, 0, tzinfo=UTC),
        reference="OS 7/2026",
        **SURE,
    ),
    LoginResetAsked(staff="S-0187", reference="OS 7/2026", **SURE),
    RequestDecided(asked=IN_THE_HOUSE, decision="approved", reason="checked"),
    FiguresAsked(**_ANSWERED),
    FiguresSet(asked=IN_THE_HOUSE, **_ANSWERED),
)

BARE: Final = (
    OfficeAsked(staff="S-0187", office="auditor", change="office_ended"),
    LoginResetAsked(staff="S-0187"),
    RequestDecided(asked=IN_THE_HOUSE, decision="refused", reason="other"),
    FiguresAsked(**_DECREED),
    FiguresSet(asked=IN_THE_HOUSE, **_DECREED),
)
