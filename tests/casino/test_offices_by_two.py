"""High offices: one of the direction asks, another decides; alone only who has nobody beside."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from casino import clock
from casino.events import Malformed
from casino.events.requests import BY_TWO, OfficeAsked, RequestDecided
from casino.events.staff import OfficeEnded, OfficeGranted, StaffRegistered
from casino.models import BookEntry, OfficeEnd, OfficeGrant, StaffRequest
from casino.queries import offices_at
from casino.recording import Actor, Receipt, Source, Submission, Supersedes, record, record_many
from casino.recording.refusals import (
    AskedAlready,
    DecidedByOther,
    LastAdministrator,
    NothingAsked,
    NumberOfNobody,
    OfficeByTwo,
    OwnOffice,
    UnknownNumber,
    WitnessRefused,
)
from tests.casino.admin_forms import filled
from tests.factories.people import CAST, appoint, somebody
from tests.factories.usual_events import ref, second_word

pytestmark = pytest.mark.django_db
MANAGER = Actor("S-0003", "chefia_da_sala", "admin")
OTHER = Actor("S-0004", "chefia_da_sala", "admin")
ADMIN = Actor("S-0009", "administrador", "admin")
NEW = "S-0500"


@pytest.fixture(autouse=True)
def house() -> None:
    """Two of the direction hold their office, a third could; a number has none yet."""
    for one in (MANAGER, OTHER, ADMIN):
        appoint(one.staff, one.office)
    recorded(StaffRegistered(staff=NEW))


def recorded(event: Any, by: Actor = MANAGER) -> Receipt:
    return record(event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source())


def asked(office: str = "administrador", person: str = NEW, by: Actor = MANAGER) -> Receipt:
    change = "office_ended" if office in offices_at(person, clock.now()) else "office_given"
    return recorded(OfficeAsked(staff=person, office=office, change=change), by)  # type: ignore[arg-type]


def granted(office: str, person: str = NEW) -> Any:
    now = clock.now()
    return OfficeGranted(staff=person, office=office, valid_from=now, granted_by="S-0004")  # type: ignore[arg-type]


def ended(office: str, person: str) -> Any:
    return OfficeEnded(staff=person, office=office, ended_at=clock.now(), ended_by="S-0004")  # type: ignore[arg-type]


def decided(request: Receipt, by: Actor, *done: Any, decision: Any = "approved") -> list[Receipt]:
    word = RequestDecided(asked=ref(request), decision=decision, reason="checked")
    now = clock.now()
    return record_many([Submission(one, uuid4(), by, now) for one in (word, *done)])


# One alone


@pytest.mark.parametrize("office", sorted(BY_TWO))
def test_nobody_gives_or_ends_a_high_office_alone(office: str) -> None:
    by = ADMIN
    with pytest.raises(OfficeByTwo, match="Ask for it"):
        recorded(granted(office), by)
    appoint("S-0600", office)
    with pytest.raises(OfficeByTwo):
        recorded(ended(office, "S-0600"), by)
    assert not OfficeGrant.objects.filter(person=NEW).exists()
    assert not OfficeEnd.objects.exists()


def test_other_offices_are_given_and_ended_by_one() -> None:
    recorded(granted("fiscal_chefe"))
    recorded(ended("fiscal_chefe", NEW))
    assert offices_at(NEW, clock.now()) == frozenset()


def test_a_house_of_one_person_gives_its_second_and_no_third() -> None:
    for one in (MANAGER, OTHER):
        recorded(ended(one.office, one.staff), replace(ADMIN, door="local"))
    with pytest.raises(OfficeByTwo):  # who oversees is no second person of the direction
        recorded(granted("auditor"), ADMIN)
    recorded(granted("chefia_da_sala"), ADMIN)
    recorded(StaffRegistered(staff="S-0501"), ADMIN)
    with pytest.raises(OfficeByTwo):
        recorded(granted("chefia_da_sala", "S-0501"), ADMIN)


# Two


@pytest.mark.parametrize("office", ["administrador", "chefia_da_sala"])
def test_another_approves_and_it_counts_from_then_on(office: str) -> None:
    request = asked(office)
    assert office not in offices_at(NEW, clock.now())
    word, done = decided(request, OTHER, granted(office))
    assert (done.stream, done.n) == (word.stream, word.n + 1)
    assert offices_at(NEW, clock.now()) == {office}
    request = asked(office)
    decided(request, ADMIN, ended(office, NEW))
    assert offices_at(NEW, clock.now() + timedelta(seconds=1)) == frozenset()


@pytest.mark.parametrize("number", ["S-0003", "s-0003"])
def test_nobody_decides_on_what_he_asked_for(number: str) -> None:
    request = asked()
    with pytest.raises(DecidedByOther, match="another person decides"):
        decided(request, replace(MANAGER, staff=number), granted("administrador"))
    assert offices_at(NEW, clock.now()) == frozenset()


def test_nor_on_his_own_office_but_he_may_ask_that_it_end() -> None:
    with pytest.raises(OwnOffice):
        asked("administrador", "S-0003")
    request = asked("administrador", "S-0004")
    with pytest.raises(DecidedByOther):
        decided(request, OTHER, decision="refused")
    own = asked("chefia_da_sala", "S-0003")
    decided(own, ADMIN, ended("chefia_da_sala", "S-0003"))


@pytest.mark.parametrize("office", ["inspetor", "auditor"])
def test_of_who_oversees_one_of_the_two_is_an_administrator(office: str) -> None:
    request = asked(office)
    with pytest.raises(DecidedByOther, match="administrator"):
        decided(request, OTHER, granted(office))
    decided(request, ADMIN, granted(office))
    request = asked(office, by=ADMIN)
    decided(request, OTHER, ended(office, NEW))


def test_what_was_refused_gives_nothing_and_may_be_asked_for_again() -> None:
    request = asked()
    with pytest.raises(AskedAlready, match="waits"):
        asked()
    decided(request, OTHER, decision="refused")
    with pytest.raises(NothingAsked):
        decided(request, ADMIN, granted("administrador"))
    assert offices_at(NEW, clock.now()) == frozenset()
    asked()


@pytest.mark.parametrize(
    "done",
    [
        (),
        (granted("chefia_da_sala"),),
        (granted("administrador", "S-0009"),),
        (replace(granted("administrador"), valid_until=clock.now() + timedelta(days=1)),),
        (ended("administrador", NEW),),
    ],
)
def test_approved_is_exactly_what_was_asked_for(done: tuple[Any, ...]) -> None:
    with pytest.raises(NothingAsked, match="not what it asks for"):
        decided(asked(), OTHER, *done)
    assert not BookEntry.objects.filter(kind="request-decided/1").exists()


def test_what_could_not_be_given_or_ended_is_not_asked_for() -> None:
    with pytest.raises(NumberOfNobody):
        asked(person="S-7777")
    with pytest.raises(UnknownNumber, match="S-0500"):
        asked(person="s-0500")
    with pytest.raises(LastAdministrator):
        asked("administrador", "S-0009")
    with pytest.raises(Malformed, match="valid_until"):
        OfficeAsked(staff=NEW, office="auditor", change="office_ended", valid_until=clock.now())
    assert not StaffRequest.objects.exists()


def test_two_administrators_are_not_ended_together() -> None:
    appoint("S-0010", "administrador")
    both = [(asked("administrador", one), one) for one in ("S-0009", "S-0010")]
    now = clock.now()
    batch: list[Any] = []
    for request, one in both:
        batch.append(RequestDecided(asked=ref(request), decision="approved", reason="checked"))
        batch.append(ended("administrador", one))
    with pytest.raises(LastAdministrator):
        record_many([Submission(one, uuid4(), OTHER, now) for one in batch])
    assert not OfficeEnd.objects.exists()


def test_a_correction_to_a_high_office_is_decided_by_the_direction() -> None:
    first = recorded(granted("fiscal_chefe"))
    pending = record(
        granted("administrador"),
        key=uuid4(),
        by=MANAGER,
        occurred_at=clock.now(),
        source=Source(),
        supersedes=Supersedes(first.n, first.leaf, "typing-error"),
    )
    word = second_word({}, pending, first, reason="checked")
    with pytest.raises(WitnessRefused, match="chefia da sala"):
        recorded(word, Actor("S-0021", "fiscal_chefe", "admin"))
    assert offices_at(NEW, clock.now()) == {"fiscal_chefe"}
    recorded(word, OTHER)
    assert offices_at(NEW, clock.now() + timedelta(seconds=1)) == {"administrador"}


# By the shell, where nobody is left


def test_an_office_is_ended_by_the_shell_in_the_name_of_another() -> None:
    for by in ("", "S-0004", NEW):
        with pytest.raises(CommandError, match="--by"):
            call_command("account", "S-0004", "--end-office", "chefia_da_sala", "--by", by)
    with pytest.raises(CommandError, match="does not hold"):
        call_command("account", "S-0004", "--end-office", "auditor", "--by", "S-0003")
    call_command("account", "S-0004", "--end-office", "chefia_da_sala", "--by", "S-0003")
    assert "chefia_da_sala" not in offices_at("S-0004", clock.now())


# In the admin


def test_asked_for_and_decided_in_the_admin() -> None:
    manager = somebody("chefia_da_sala", "S-0005")
    admin = somebody("administrador", "S-0006")
    sent = filled(OfficeAsked(staff=NEW, office="auditor", change="office_given"))
    answer = manager.post(f"{reverse('admin:casino_staffrequest_add')}?kind=office-asked", sent)
    request = StaffRequest.objects.get()
    page = reverse("admin:casino_staffrequest_change", args=[request.pk])
    assert answer["Location"] == page
    assert 'value="approved"' not in manager.get(page).content.decode()
    assert page in admin.get(reverse("admin:index")).content.decode()  # among what waits for him
    shown = admin.get(page)
    assert 'value="approved"' in shown.content.decode()
    form = shown.context["form"]
    sent = {"key": form.initial["key"], "decision": "approved"}
    assert "Reason" in admin.post(page, sent).content.decode()  # it is not optional
    for _ in range(2):  # sent twice it is once
        assert admin.post(page, sent | {"reason": "checked"})["Location"] == page
    assert list(OfficeGrant.objects.filter(person=NEW).values_list("held", "staff")) == [
        ("auditor", "S-0006")
    ]
    assert "Decided by S-0006" in manager.get(page).content.decode()
    assert page not in admin.get(reverse("admin:index")).content.decode()


def test_the_form_of_an_office_says_where_to_ask() -> None:
    manager = somebody("chefia_da_sala", "S-0005")
    now = clock.now()
    sent = filled(granted("auditor"), occurred_at=now.strftime("%Y-%m-%dT%H:%M:%S"))
    url = reverse("admin:casino_officegrant_add")
    assert "by two persons of the direction" in manager.post(url, sent).content.decode()
    answer = manager.post(url, sent, headers={"accept-language": "pt-pt"})
    assert "por duas pessoas da direção" in answer.content.decode()
    assert CAST["auditor"] not in offices_at(NEW, now)
