"""A log-in made anew without a shell: asked for, approved by another, set with a code, once."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.requests import LoginResetAsked, OfficeAsked, RequestDecided
from casino.events.staff import OfficeGranted
from casino.models import Account, BookEntry, LoginReset, SecurityEvent, StaffRequest
from casino.recording import Actor, Receipt, Source, Submission, record, record_many
from casino.recording.refusals import (
    AskedAlready,
    DecidedByOther,
    NothingAsked,
    NumberOfNobody,
    OfficeByTwo,
    OwnLogin,
)
from casino.web.login.factor_given import GIVEN
from casino.witnessing import ask_second, new_reset
from tests.casino.admin_forms import filled
from tests.factories.people import PASSWORD, appoint, somebody
from tests.factories.usual_events import ref

pytestmark = pytest.mark.django_db
MANAGER = Actor("S-0003", "chefia_da_sala", "admin")
OTHER = Actor("S-0004", "chefia_da_sala", "admin")
ADMIN = Actor("S-0009", "administrador", "admin")
LOST = "S-0187"
NEW = "fourteen umbrellas dance"
DAY = timedelta(hours=24)


def asked(person: str = LOST, by: Actor = MANAGER) -> Receipt:
    event = LoginResetAsked(staff=person)
    return record(event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source())


def decided(request: Receipt, by: Actor, *done: Any, decision: Any = "approved") -> None:
    word = RequestDecided(asked=ref(request), decision=decision, reason="confirmed-by-person")
    now = clock.now()
    record_many([Submission(one, uuid4(), by, now) for one in (word, *done)])


@pytest.fixture(autouse=True)
def house() -> None:
    for number, office in (
        (LOST, "fiscal_de_banca"),
        (MANAGER.staff, MANAGER.office),
        (OTHER.staff, OTHER.office),
        (ADMIN.staff, ADMIN.office),
        ("I-0001", "inspetor"),
    ):
        appoint(number, office)


@pytest.fixture
def lost() -> Account:
    account = Account.objects.create_user(LOST, PASSWORD, language="en")
    ask_second(account)
    return account


def test_two_persons_and_neither_is_he() -> None:
    with pytest.raises(OwnLogin, match="another person"):
        asked(MANAGER.staff)
    with pytest.raises(NumberOfNobody):
        asked("S-7777")
    request = asked()
    with pytest.raises(AskedAlready):
        asked(by=OTHER)
    with pytest.raises(DecidedByOther):
        decided(request, MANAGER)
    of_other = asked(OTHER.staff)
    with pytest.raises(DecidedByOther):
        decided(of_other, OTHER)
    decided(of_other, ADMIN, decision="refused")
    decided(request, OTHER)
    with pytest.raises(NothingAsked):
        decided(request, ADMIN)


def test_of_who_oversees_one_of_the_two_is_an_administrator() -> None:
    request = asked("I-0001")
    with pytest.raises(DecidedByOther, match="administrator"):
        decided(request, OTHER)
    decided(request, ADMIN)


def test_a_new_log_in_gives_no_office() -> None:
    now = clock.now()
    done = OfficeGranted(staff=LOST, office="auditor", valid_from=now, granted_by="S-0004")
    with pytest.raises(OfficeByTwo):
        decided(asked(), ADMIN, done)
    other = OfficeAsked(staff=LOST, office="administrador", change="office_given")
    record(other, key=uuid4(), by=MANAGER, occurred_at=now, source=Source())
    assert not BookEntry.objects.filter(kind="request-decided/1").exists()


def test_from_the_request_to_the_new_password(lost: Account) -> None:
    manager = somebody("chefia_da_sala", "S-0005")
    admin = somebody("administrador", "S-0006")
    add = f"{reverse('admin:casino_staffrequest_add')}?kind=login-reset-asked"
    page = manager.post(add, filled(LoginResetAsked(staff=LOST)))["Location"]
    shown = admin.get(page)
    assert "Have the person before you" in shown.content.decode()
    sent = {"key": shown.context["form"].initial["key"], "decision": "approved"}
    answer = admin.post(page, sent | {"reason": "confirmed-by-person"})
    code = answer.context["code"]
    assert code in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert admin.post(page, sent | {"reason": "confirmed-by-person"})["Location"] == page
    assert code not in admin.get(page).content.decode()
    assert not BookEntry.objects.filter(entry__contains=code.encode()).exists()
    assert not LoginReset.objects.filter(code_hash__contains=code[:5]).exists()

    open_session = Client()
    open_session.login(username=LOST, password=PASSWORD)
    browser = Client(headers={"accept-language": "en"})
    form = {"number": LOST.lower(), "code": code.upper().replace("-", " ")}
    both = {"new_password1": NEW, "new_password2": NEW}
    assert "given a code" in browser.get("/admin/login/").content.decode()
    assert browser.post("/admin/login/new/", form | both)["Location"] == "/admin/login/"
    lost.refresh_from_db()
    assert lost.check_password(NEW)
    assert not lost.asks_second  # he sets it up anew at the log-in
    assert open_session.get("/admin/").status_code == 302  # what was open is over
    assert browser.post("/admin/login/new/", form | both).status_code == 200  # used once
    told = browser.post("/admin/login/", {"username": LOST, "password": NEW, "next": "/admin/"})
    text = browser.get(told["Location"]).content.decode()
    assert "asked for by S-0005, approved by S-0006" in text
    events = SecurityEvent.objects.order_by("pk").values_list("event", "staff")
    assert ("login-renewal-approved", "S-0006") in events
    assert ("login-renewed", LOST) in events
    assert ("login-renewal-failed", LOST) in events


def test_who_asks_and_who_approves_give_their_second_factor_anew() -> None:
    add = f"{reverse('admin:casino_staffrequest_add')}?kind=login-reset-asked"
    manager = stale(somebody("chefia_da_sala", "S-0005"), "S-0005")
    assert manager.post(add, filled(LoginResetAsked(staff=LOST))).status_code == 403
    assert not StaffRequest.objects.exists()
    asked()
    admin = stale(somebody("administrador", "S-0006"), "S-0006")
    page = reverse("admin:casino_staffrequest_change", args=[StaffRequest.objects.get().pk])
    sent = {"key": str(uuid4()), "decision": "approved", "reason": "confirmed-by-person"}
    assert admin.post(page, sent).status_code == 403
    assert not BookEntry.objects.filter(kind="request-decided/1").exists()


def stale(client: Client, number: str) -> Client:
    """He gave his second factor eleven minutes ago."""
    ask_second(Account.objects.get(staff=number))
    session = client.session
    session[GIVEN] = {"how": "app", "at": int((clock.now() - timedelta(minutes=11)).timestamp())}
    session.save()
    return client


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"code": "aaaaa-aaaaa-aaaaa-aaaaa"}, "The number or the code is not right"),
        ({"number": "S-0188"}, "The number or the code is not right"),
        ({"number": "S-0188\0"}, "Null characters are not allowed"),
        ({"new_password2": "another one entirely"}, "not the same"),
        ({"new_password1": "short", "new_password2": "short"}, "too short"),
        ({"code": ""}, "This field is required"),
    ],
)
def test_what_is_not_right_changes_nothing(lost: Account, change: dict[str, str], why: str) -> None:
    code = new_reset(lost, 1, DAY)
    good = {"number": LOST, "code": code, "new_password1": NEW, "new_password2": NEW}
    browser = Client(headers={"accept-language": "en"})
    assert why in browser.post("/admin/login/new/", good | change).content.decode()
    lost.refresh_from_db()
    assert lost.check_password(PASSWORD)
    assert lost.asks_second
    portuguese = browser.get("/admin/login/new/", headers={"accept-language": "pt-pt"})
    assert "O código que lhe deram" in portuguese.content.decode()
    assert browser.post("/admin/login/new/", good).status_code == 302


def test_a_code_is_good_for_its_time_and_tried_a_few_times(lost: Account) -> None:
    late = new_reset(lost, 1, timedelta(seconds=-1))
    browser = Client(headers={"accept-language": "en"})
    good = {"number": LOST, "new_password1": NEW, "new_password2": NEW}
    assert browser.post("/admin/login/new/", good | {"code": late}).status_code == 200
    code = new_reset(lost, 2, DAY)
    answers = [
        browser.post("/admin/login/new/", good | {"code": f"wrong-{n}"}).status_code
        for n in range(10)
    ]
    assert answers[-1] == 429
    assert browser.post("/admin/login/new/", good | {"code": code}).status_code == 429
    assert LoginReset.objects.filter(account=lost).exists()


def test_who_has_no_log_in_yet_is_given_one_and_who_was_shut_out_is_not(lost: Account) -> None:
    Account.objects.filter(pk=lost.pk).update(is_active=False)
    code = new_reset(lost, 1, DAY)
    form = {"number": LOST, "code": code, "new_password1": NEW, "new_password2": NEW}
    assert Client().post("/admin/login/new/", form).status_code == 200
    admin = somebody("administrador", "S-0006")
    asked("I-0001", ADMIN)
    page = reverse("admin:casino_staffrequest_change", args=[StaffRequest.objects.get().pk])
    sent = {"key": str(uuid4()), "decision": "approved", "reason": "confirmed-by-person"}
    code = admin.post(page, sent).context["code"]
    form = {"number": "I-0001", "code": code, "new_password1": NEW, "new_password2": NEW}
    assert Client().post("/admin/login/new/", form).status_code == 302
    assert Account.objects.get(staff="I-0001").check_password(NEW)
