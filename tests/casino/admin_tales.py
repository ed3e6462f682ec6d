"""People at the admin's doors, and forms filled in as a browser would send them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import UUID, uuid4

from django.test import Client

from casino import clock
from casino.admin.form_fields import ListField, ObjectField, PlainField, RowsField
from casino.admin.forms import REASON, FactForm, RoundForm, form_for, told_of
from casino.facts.fact import EntryRef
from casino.facts.sealing import EpochApproved, EpochBegun
from casino.facts.staff import OfficeGranted, StaffRegistered
from casino.facts.witnessing import PasskeyRegistered, PasskeyRevoked
from casino.models import Account, BookEntry
from casino.recording import Actor, Receipt, Source, record
from tests.factories.facts.every import FULL

ADMINISTRATOR = Actor("S-0001", "administrador", "job")
PASSWORD = "a password for tests"
_ROUNDS = count(100)  # of a shoe, so that no two wins are of one round
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


def write(fact: Any, *, by: Actor = ADMINISTRATOR, at: datetime | None = None) -> Receipt:
    """Put a fact into the book without a form."""
    moment = at or clock.now() - timedelta(minutes=5)
    return record(fact, key=uuid4(), by=by, occurred_at=moment, source=Source())


def appoint(staff: str, office: str) -> None:
    """Somebody holds an office since long ago."""
    if not BookEntry.objects.filter(
        kind=StaffRegistered.kind, entry__contains=staff.encode()
    ).exists():
        write(StaffRegistered(staff=staff), at=LONG_AGO)
    granted = OfficeGranted(staff=staff, office=office, valid_from=LONG_AGO, granted_by="S-0001")
    write(granted, at=LONG_AGO)


def example(kind: str, staff: str = "S-0021") -> Any:
    """A fact of a kind, told in full, that the book takes as it stands; a passkey is `staff`'s."""
    if kind in (PasskeyRegistered.kind, PasskeyRevoked.kind):
        own = replace(FULL[PasskeyRegistered.kind], staff=staff, credential=uuid4().hex)
        if kind == PasskeyRegistered.kind:
            return own
        write(own, by=Actor(staff, "fiscal_chefe", "job"))
        return PasskeyRevoked(staff=staff, credential=own.credential, reason="lost")
    if kind != EpochApproved.kind:
        return in_the_book(FULL[kind])
    begun = write(FULL[EpochBegun.kind])
    return EpochApproved(begun=EntryRef(stream=begun.stream, n=begun.n, leaf=begun.leaf))


def in_the_book(fact: Any) -> Any:
    """The fact; one of a pool names terms or a win the book holds, and a round of its own."""
    if not fact.stream.startswith("jackpot/"):
        return fact
    if hasattr(fact, "confirms"):
        return replace(fact, confirms=_entry_of("terms-approved/1", "chefia_da_sala"))
    if getattr(fact, "hit", None) is not None:
        return replace(fact, hit=_entry_of("jackpot-won/1", "fiscal_chefe"))
    if not getattr(fact, "round", None):
        return fact
    return replace(fact, round=str(uuid4()), number=next(_ROUNDS))


def _entry_of(kind: str, office: str) -> EntryRef:
    """A fact of a pool that somebody else told."""
    told = write(in_the_book(FULL[kind]), by=Actor("S-0778", office, "job"))
    return EntryRef(stream=told.stream, n=told.n, leaf=told.leaf)


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


def filled(fact: Any, **changed: str) -> dict[str, str]:
    """The form's fields as a browser sends them for this fact; `changed` ones otherwise."""
    form = form_for(type(fact))(type(fact), key=uuid4(), told=told_of(fact))
    sent = dict(_sent(form)) | {"key": str(uuid4())}
    sent["occurred_at-again"] = ""
    sent["occurred_at"] = changed.pop("occurred_at", "2026-11-20T21:15:00")
    return sent | changed


def _sent(form: FactForm) -> Iterator[tuple[str, str]]:
    for name, field in form.fields.items():
        if name in ("key", REASON):
            continue
        raw = form.get_initial_for_field(field, name)
        if isinstance(form, RoundForm) and not isinstance(field, PlainField):
            yield name, raw
        else:
            yield from _of_field(name, field, raw)


def _of_field(name: str, field: Any, raw: Any) -> Iterator[tuple[str, str]]:
    if isinstance(field, RowsField):
        rows, none = raw or ([], False)
        yield f"{name}-rows", str(len(rows))
        for index, row in enumerate(rows):
            yield from _of_columns(f"{name}-{index}", field.columns, row)
        if none:
            yield f"{name}-none", "on"
    elif isinstance(field, ObjectField):
        yield from _of_columns(name, field.columns, raw or {})
    elif isinstance(field, ListField):
        line, none = raw or ("", False)
        yield name, line
        if none:
            yield f"{name}-none", "on"
    elif isinstance(raw, tuple):
        yield name, raw[0]
        yield f"{name}-again", raw[1]
    else:
        yield name, raw or ""


def _of_columns(
    at: str, columns: dict[str, PlainField], row: dict[str, Any]
) -> Iterator[tuple[str, str]]:
    for column, field in columns.items():
        yield from _of_field(f"{at}-{column}", field, row.get(column))


def over_warnings(client: Client, url: str, sent: dict[str, str]) -> Any:
    """Send a form, and again with a reason for every warning it brings."""
    answer = client.post(url, sent)
    if answer.status_code == 200:
        checks = warned_in(answer)
        assert checks, answer.context["form"].errors
        answer = client.post(url, sent | {f"despite-{check}": "it-happened-so" for check in checks})
    return answer


def warned_in(answer: Any) -> list[str]:
    """The checks a page warns of."""
    return re.findall(r'name="despite-([a-z0-9_]+)"', answer.content.decode())


def last_entry(kind: str) -> BookEntry:
    """The newest entry of a kind."""
    entry = BookEntry.objects.select_related("stream").filter(kind=kind).order_by("-pk").first()
    assert entry is not None
    return entry


def key_in(answer: Any) -> UUID:
    """The key a page's form carries."""
    found = re.search(r'name="key" value="([0-9a-f-]{36})"', answer.content.decode())
    assert found is not None
    return UUID(found[1])
