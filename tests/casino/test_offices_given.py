"""Offices: to registered numbers, never to oneself, high ones from now on, and one who stays."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.urls import reverse

from casino import clock
from casino.events.corrections import Corrected
from casino.events.staff import OfficeEnded, OfficeGranted, StaffRegistered
from casino.house_day import house_zone
from casino.models import BookEntry, OfficeGrant
from casino.previewing import Draft, preview
from casino.queries import offices_at
from casino.recording import Actor, Receipt, Source, Submission, Supersedes, record, record_many
from casino.recording.refusals import (
    LastAdministrator,
    OfficeBackwards,
    OwnOffice,
    UnknownNumber,
    WitnessRefused,
)
from tests.casino.admin_forms import filled
from tests.factories.people import CAST, appoint, somebody
from tests.factories.usual_events import second_word

pytestmark = pytest.mark.django_db
MANAGER = Actor("S-0003", "chefia_da_sala", "admin")
ADMIN = Actor("S-0009", "administrador", "admin")
SHELL = Actor("S-0003", "chefia_da_sala", "local")  # asked for no second person
CHEFE = Actor("S-0021", "fiscal_chefe", "admin")
NEW = "S-0500"
MINUTE = timedelta(minutes=1)


def recorded(event: Any, by: Actor = MANAGER, corrects: Receipt | None = None) -> Receipt:
    supersedes = None
    if corrects is not None:
        supersedes = Supersedes(corrects.n, corrects.leaf, "typing-error")
    return record(
        event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source(), supersedes=supersedes
    )


def granted(person: str = NEW, office: str = "fiscal_chefe", ago: timedelta = MINUTE) -> Any:
    since = clock.now() - ago
    return OfficeGranted(staff=person, office=office, valid_from=since, granted_by="S-0003")  # type: ignore[arg-type]


@pytest.fixture
def known() -> str:
    recorded(StaffRegistered(staff=NEW))
    return NEW


# To whom


def test_an_office_is_given_to_a_registered_number(known: str) -> None:
    recorded(granted(known))
    assert offices_at(NEW, clock.now()) == {"fiscal_chefe"}


@pytest.mark.parametrize(("number", "spelt"), [("S-7777", None), ("s-0500", NEW)])
def test_a_number_nobody_registered_so_is_refused_with_how_it_is_spelt(
    known: str, number: str, spelt: str | None
) -> None:
    with pytest.raises(UnknownNumber, match="not registered") as refused:
        recorded(granted(number, "pagador"))
    assert refused.value.values.get("spelt") == spelt
    assert ("spelling" in str(refused.value)) == (spelt is not None)
    assert not OfficeGrant.objects.filter(person=number).exists()


def test_who_is_registered_with_the_same_word_is_registered() -> None:
    events = (StaffRegistered(staff=NEW), granted())
    now = clock.now()
    record_many([Submission(event, uuid4(), MANAGER, now, Source()) for event in events])
    assert offices_at(NEW, clock.now()) == {"fiscal_chefe"}


@pytest.mark.parametrize("number", ["S-0003", "s-0003"])
def test_nobody_gives_himself_an_office_in_another_spelling_either(number: str) -> None:
    recorded(StaffRegistered(staff=number), by=ADMIN)
    with pytest.raises(OwnOffice):
        recorded(granted(number, "fiscal_chefe"))


@pytest.mark.parametrize("typed", ["S-0003", " S-0003 ", "s-0003", "\uff33-0003", "S-000\uff13"])
def test_nor_by_the_form_however_it_is_typed(typed: str) -> None:
    manager = somebody("chefia_da_sala")
    now = clock.now().astimezone(house_zone()).strftime("%Y-%m-%dT%H:%M:%S")
    sent = filled(granted(CAST["chefia_da_sala"]), occurred_at=now, staff=typed)
    answer = manager.post(reverse("admin:casino_officegrant_add"), sent)
    assert answer.status_code == 200
    assert "fiscal_chefe" not in offices_at("S-0003", clock.now())
    assert set(OfficeGrant.objects.values_list("held", flat=True)) == {"chefia_da_sala"}


# From when on


@pytest.mark.parametrize(
    ("office", "minutes", "refused"),
    [
        ("fiscal_chefe", 14, False),
        ("fiscal_chefe", 16, True),
        ("chefia_da_sala", 16, True),
        ("administrador", 16, True),
        ("pagador", 60 * 24, False),
        ("fiscal_de_banca", 60 * 24, False),
    ],
)
def test_a_high_office_begins_when_it_is_recorded(
    known: str, office: str, minutes: int, refused: bool
) -> None:
    event = granted(known, office, minutes * MINUTE)
    if not refused:
        recorded(event)
        return
    with pytest.raises(OfficeBackwards, match="a second person decides"):
        recorded(event)
    assert not OfficeGrant.objects.exists()


def test_one_that_began_earlier_waits_for_a_second_person_who_is_not_its_holder(known: str) -> None:
    first = recorded(granted(known))
    earlier = granted(known, ago=timedelta(days=3))
    pending = recorded(earlier, corrects=first)
    long_ago = clock.now() - timedelta(days=2)
    assert offices_at(NEW, long_ago) == frozenset()
    with pytest.raises(WitnessRefused):
        recorded(approval(pending, first), by=MANAGER)
    with pytest.raises(WitnessRefused):
        recorded(approval(pending, first), by=Actor(NEW, "fiscal_chefe", "admin"))
    recorded(approval(pending, first), by=CHEFE)
    assert offices_at(NEW, long_ago) == {"fiscal_chefe"}


def approval(pending: Receipt, original: Receipt) -> Corrected:
    return second_word({}, pending, original, reason="seen-on-paper")


# Who stays


def ended(person: str, at: datetime | None = None) -> OfficeEnded:
    now = at or clock.now()
    return OfficeEnded(staff=person, office="administrador", ended_at=now, ended_by="S-0003")


@pytest.fixture
def administrator() -> Receipt:
    call_command("account", "S-0009", "--begin", "Ana")
    row = OfficeGrant.objects.get(held="administrador")
    leaf = bytes(BookEntry.objects.get(pk=row.entry_id).leaf_hash).hex()
    return Receipt(row.entry_id, row.stream, row.n, leaf, row.recorded_at, repeated=False)


def test_the_only_administrator_is_not_ended(administrator: Receipt) -> None:
    with pytest.raises(LastAdministrator, match="Give another person the office first") as refused:
        recorded(ended("S-0009"))
    assert refused.value.values["person"] == "S-0009"
    assert "administrador" in offices_at("S-0009", clock.now())


def test_he_is_once_another_holds_the_office_without_an_end(
    administrator: Receipt, known: str
) -> None:
    limited = OfficeGranted(
        staff=known,
        office="administrador",
        valid_from=clock.now() - MINUTE,
        valid_until=clock.now() + timedelta(days=30),
        granted_by="S-0003",
    )
    recorded(limited, by=SHELL)
    with pytest.raises(LastAdministrator):
        recorded(ended("S-0009"))
    recorded(granted(known, "administrador"), by=SHELL)
    recorded(ended("S-0009"), by=SHELL)
    with pytest.raises(LastAdministrator):
        recorded(ended(known))


def test_his_office_is_not_corrected_away(administrator: Receipt) -> None:
    short = OfficeGranted(
        staff="S-0009",
        office="administrador",
        valid_from=clock.now() - MINUTE,
        valid_until=clock.now() + MINUTE,
        granted_by="S-0009",
    )
    with pytest.raises(LastAdministrator):
        recorded(short, corrects=administrator)


# At the door of the admin


def test_the_form_says_so_in_the_readers_language() -> None:
    appoint(CAST["administrador"], "administrador")
    manager = somebody("chefia_da_sala")
    now = clock.now().astimezone(house_zone()).strftime("%Y-%m-%dT%H:%M:%S")
    sent = filled(ended(CAST["administrador"]), occurred_at=now)
    url = reverse("admin:casino_officeend_add")
    assert "is the only administrator" in manager.post(url, sent).content.decode()
    answer = manager.post(url, sent, headers={"accept-language": "pt-pt"})
    assert "é o único administrador" in answer.content.decode()
    backwards = filled(
        granted(CAST["administrador"], "fiscal_chefe", timedelta(days=3)), occurred_at=now
    )
    answer = manager.post(reverse("admin:casino_officegrant_add"), backwards)
    assert "This office begins when it is recorded" in answer.content.decode()
    assert "would be fiscal-chefe from" in answer.content.decode()
    assert not BookEntry.objects.filter(kind="office-ended/1").exists()


# A number registered anew


@pytest.mark.parametrize("number", [NEW, "s-0500"])
def test_a_number_that_is_registered_anew_is_warned_of(known: str, number: str) -> None:
    [found] = preview([Draft(StaffRegistered(staff=number), clock.now(), MANAGER)])
    assert [(one.check, one.where, one.observed) for one in found] == [
        ("number_registered_once", {"staff": number}, {"registered_as": NEW})
    ]
    [found] = preview([Draft(StaffRegistered(staff="S-0501"), clock.now(), MANAGER)])
    assert found == []
