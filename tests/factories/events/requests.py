"""Requests that two persons decide: one of each kind told in full, and one bare."""

from datetime import UTC, datetime
from typing import Final

from casino.events.requests import LoginResetAsked, OfficeAsked, RequestDecided
from tests.factories.events.house import IN_THE_HOUSE, SURE

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
)

BARE: Final = (
    OfficeAsked(staff="S-0187", office="auditor", change="office_ended"),
    LoginResetAsked(staff="S-0187"),
    RequestDecided(asked=IN_THE_HOUSE, decision="refused", reason="other"),
)
