"""People with their offices: how one is appointed, logs in, and tells an event without a form."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from django.test import Client

from casino import clock
from casino.events.staff import OfficeGranted, StaffRegistered
from casino.models import Account, BookEntry
from casino.recording import Actor, Receipt, Source, record

ADMINISTRATOR = Actor("S-0001", "administrador", "job")
PASSWORD = "a password for tests"
LONG_AGO = datetime(2026, 1, 1, 12, tzinfo=UTC)
# Who holds which office in these tests.
CAST = {
    "fiscal_de_banca": "S-0187",
    "fiscal_chefe": "S-0021",
    "chefia_da_sala": "S-0003",
    "inspetor": "I-0001",
    "auditor": "A-0001",
    "administrador": "S-0009",
}


def write(event: Any, *, by: Actor = ADMINISTRATOR, at: datetime | None = None) -> Receipt:
    """Put an event into the book without a form."""
    moment = at or clock.now() - timedelta(minutes=5)
    return record(event, key=uuid4(), by=by, occurred_at=moment, source=Source())


def appoint(staff: str, office: str) -> None:
    """Somebody holds an office since long ago."""
    if not BookEntry.objects.filter(
        kind=StaffRegistered.kind, entry__contains=staff.encode()
    ).exists():
        write(StaffRegistered(staff=staff), at=LONG_AGO)
    granted = OfficeGranted(staff=staff, office=office, valid_from=LONG_AGO, granted_by="S-0001")
    write(granted, at=LONG_AGO)


def somebody(office: str, staff: str | None = None, *, with_password: bool = False) -> Client:
    """A browser in which somebody with that office is logged in."""
    number = staff or CAST[office]
    appoint(number, office)
    account = Account.objects.create_user(
        number, PASSWORD if with_password else None, language="en"
    )
    client = Client(headers={"accept-language": "en"})
    client.force_login(account)
    return client
