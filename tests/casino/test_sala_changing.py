"""One tablet, several people: changed to by a code, locked where nobody touches it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from casino import clock
from casino.events.staff import StaffRegistered
from casino.floor.persons import quick_change
from casino.models import Account, BookEntry, QuickCode
from casino.recording import Actor
from casino.witnessing import set_pin, set_quick_code
from tests.casino.sala_forms import form_on
from tests.factories.floor import SHOE_TABLE, house, opened
from tests.factories.people import CAST, PASSWORD, somebody, write
from tests.factories.recorded import events_of
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
PIT, HEAD = CAST["fiscal_de_banca"], CAST["fiscal_chefe"]
TABLE, ADMIN = f"/sala/{SHOE_TABLE}/", "/admin/"
CODE = {PIT: "2468", HEAD: "135791"}


@recorded_once
def people() -> None:
    house()
    opened()
    for office in ("fiscal_de_banca", "fiscal_chefe"):
        somebody(office, with_password=True)
    for number, code in CODE.items():
        set_quick_code(Account.objects.get(staff=number), code)


@pytest.fixture
def tablet(people: None) -> Client:
    """Both logged in here, the fiscal de banca last."""
    client = Client(headers={"accept-language": "en"})
    for number in (HEAD, PIT):
        log_in(client, number)
    return client


def log_in(client: Client, number: str) -> None:
    sent = {"enter-number": number, "enter-secret": PASSWORD, "enter-onward": "/sala/"}
    assert client.post("/sala/enter/", sent).status_code == 302


def change(client: Client, who: str, code: str, **more: str) -> Any:
    sent = {"change-who": who, "change-code": code, "enter-onward": TABLE, **more}
    return client.post("/sala/change/", sent)


def entries_of_the_table() -> list[str]:
    rows = BookEntry.objects.filter(table_code=SHOE_TABLE).order_by("n")
    return [str(pk) for pk in rows.values_list("pk", flat=True)]


def who(client: Client) -> str:
    page = client.get("/sala/")
    return page.context["me"].staff if page.context["me"] else ""


def here(client: Client) -> list[str]:
    return list(client.get("/sala/change/").context["here"])


def test_a_code_changes_to_whoever_logged_in_here_and_back(tablet: Client) -> None:
    assert sorted(here(tablet)) == sorted([HEAD, PIT])
    before = tablet.session.session_key
    answer = change(tablet, HEAD, CODE[HEAD])
    assert (answer.status_code, answer["Location"]) == (302, TABLE)
    assert who(tablet) == HEAD
    assert tablet.session.session_key != before  # another session for another person
    assert change(tablet, PIT, CODE[PIT]).status_code == 302
    assert who(tablet) == PIT


def test_who_is_logged_in_is_said_and_one_can_stay_who_one_is(tablet: Client) -> None:
    said = f"Logged in here: {PIT}."
    page = tablet.get("/sala/change/", {"onward": TABLE}).content.decode()
    assert said in page
    assert f'<a class="small" href="{TABLE}">Cancel</a>' in page
    assert said in change(tablet, HEAD, "0000").content.decode()  # nothing changed
    sent = {"enter-onward": TABLE}
    assert "Logged in here" not in tablet.post("/sala/lock/", sent).content.decode()


def test_who_is_here_is_named_to_whoever_is_logged_in_alone(people: None, tablet: Client) -> None:
    for number, name in ((HEAD, "Ana Exemplo"), (PIT, "Rui Exemplo")):
        registered = StaffRegistered(staff=number, name=name)
        write(registered, by=Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin"))
    page = tablet.get("/sala/change/").content.decode()
    assert "Ana Exemplo" in page
    locked = tablet.post("/sala/lock/", {"enter-onward": TABLE}).content.decode()
    assert HEAD in locked
    assert "Ana Exemplo" not in locked


def test_it_opens_the_floor_and_nothing_else(tablet: Client) -> None:
    assert tablet.get(ADMIN).status_code == 200
    change(tablet, HEAD, CODE[HEAD])
    assert tablet.get(ADMIN).status_code == 302
    assert tablet.get(TABLE).status_code == 200
    receipt = f"/admin/casino/bookentry/{entries_of_the_table()[0]}/receipt/"
    assert tablet.get(receipt).status_code == 200  # what the floor prints
    assert tablet.post(receipt).status_code == 302
    log_in(tablet, HEAD)
    assert tablet.get(ADMIN).status_code == 200  # with his password


def test_who_did_not_log_in_on_this_tablet_has_no_code_here(people: None) -> None:
    client = Client(headers={"accept-language": "en"})
    assert "has not logged in" in change(client, HEAD, CODE[HEAD]).content.decode()
    log_in(client, PIT)
    assert here(client) == [PIT]
    assert change(client, HEAD, CODE[HEAD]).status_code == 403
    assert who(client) == PIT


def test_the_witnesss_code_is_not_the_quick_one(tablet: Client) -> None:
    set_pin(Account.objects.get(staff=HEAD), "864209")
    assert change(tablet, HEAD, "864209").status_code == 403
    assert change(tablet, HEAD, CODE[HEAD]).status_code == 302


def test_the_tries_left_are_said_and_after_five_he_is_struck_off(tablet: Client) -> None:
    for left in ("4 tries are", "3 tries are", "2 tries are", "1 try is"):
        assert f"{left} left" in change(tablet, HEAD, "0000").content.decode()
    assert "Too many wrong codes" in change(tablet, HEAD, "0000").content.decode()
    assert here(tablet) == [PIT]
    assert change(tablet, HEAD, CODE[HEAD]).status_code == 403
    log_in(tablet, HEAD)  # and with his password he is back
    assert who(tablet) == HEAD


def test_whoever_never_set_a_code_is_told_so_and_uses_no_try_up(tablet: Client) -> None:
    QuickCode.objects.filter(account__staff=HEAD).delete()
    for _ in range(6):
        said = change(tablet, HEAD, "0000").content.decode()
        assert f"{HEAD} has set no quick code yet. Use the password." in said
    assert HEAD in here(tablet)


def test_a_new_password_ends_it(tablet: Client) -> None:
    account = Account.objects.get(staff=HEAD)
    account.set_password("quite another password")
    account.save()
    assert here(tablet) == [PIT]
    assert change(tablet, HEAD, CODE[HEAD]).status_code == 403


def test_the_end_of_the_gaming_day_ends_it(tablet: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    change(tablet, HEAD, CODE[HEAD])
    later = clock.now() + timedelta(days=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    page = tablet.get("/sala/")
    assert (page.context["me"], page.context["here"]) == (None, [])
    assert "The gaming day is over" in page.content.decode()


def test_who_logs_out_is_told_and_the_others_stay(tablet: Client) -> None:
    tablet.post("/sala/leave/")
    page = tablet.get("/sala/")
    assert f"{PIT} is logged out." in page.content.decode()
    assert page.context["here"] == [HEAD]
    assert f"{PIT} is logged out." not in tablet.get("/sala/").content.decode()


# Idle


def idle(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    now = quick_change.time.time()
    monkeypatch.setattr(quick_change.time, "time", lambda: now + seconds)


@pytest.mark.parametrize(("seconds", "locked"), [(595, False), (606, True)])
def test_a_tablet_nobody_touches_is_locked(
    tablet: Client, monkeypatch: pytest.MonkeyPatch, seconds: int, locked: bool
) -> None:
    tablet.get(TABLE)
    idle(monkeypatch, seconds)
    page = tablet.get(TABLE)  # which looks again by itself
    assert (page.context.get("state") is None) == locked
    assert (SHOE_TABLE in page.content.decode().replace(f'value="{TABLE}"', "")) != locked
    if locked:
        assert "Locked: nobody touched" in page.content.decode()
        assert who(tablet) == ""
        assert tablet.get(ADMIN).status_code == 302
        assert change(tablet, PIT, CODE[PIT]).status_code == 302
        assert who(tablet) == PIT


def test_looking_again_is_no_touch_and_another_page_is(
    tablet: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tablet.get(TABLE)
    idle(monkeypatch, 400)
    tablet.get(TABLE)
    idle(monkeypatch, 300)
    assert tablet.get("/sala/").context["me"] is None  # 700 seconds since the first


def test_work_in_the_admin_is_no_idleness_and_none_of_it_lifts_a_lock(
    tablet: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tablet.get(TABLE)
    idle(monkeypatch, 400)
    tablet.get(ADMIN)
    idle(monkeypatch, 400)
    assert who(tablet) == PIT  # 800 seconds since the floor was looked at
    idle(monkeypatch, 700)
    tablet.get(ADMIN)  # too late
    assert who(tablet) == ""


def test_what_was_filled_in_is_kept_behind_the_lock(
    tablet: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"{TABLE}interrupt/"
    form = form_on(tablet.get(url)) | {"reason": "no_players", "do": "interrupt"}
    idle(monkeypatch, 700)
    locked = tablet.post(url, form)
    assert locked.status_code == 403
    assert events_of("play-interrupted/1") == []
    sent = dict(locked.context["sent"]) | {"change-who": PIT, "change-code": CODE[PIT]}
    sent["enter-onward"] = locked.context["onward"]
    assert tablet.post("/sala/change/", sent).status_code == 303
    assert [one.reason for one in events_of("play-interrupted/1")] == ["no_players"]


def test_the_tablets_own_clock_locks_it_too(tablet: Client) -> None:
    page = tablet.post("/sala/lock/", {"enter-onward": TABLE})
    assert sorted(page.context["here"]) == sorted([HEAD, PIT])
    assert who(tablet) == ""
    assert tablet.get(ADMIN).status_code == 302


# The account's page


def test_one_sets_his_own_code_with_his_password_and_not_the_witnesss(tablet: Client) -> None:
    url = "/admin/casino/shufflerload/quick-code/"
    account = Account.objects.get(staff=PIT)
    set_pin(account, "864209")
    wrong = tablet.post(url, {"password": "no", "code": "1357"})
    assert "This is not your password." in wrong.content.decode()
    same = tablet.post(url, {"password": PASSWORD, "code": "864209"})
    assert "asked is another one" in same.content.decode()
    assert tablet.post(url, {"password": PASSWORD, "code": "13"}).status_code == 200
    before = QuickCode.objects.get(account=account).pin_hash
    assert tablet.post(url, {"password": PASSWORD, "code": "1357"}).status_code == 302
    kept = QuickCode.objects.get(account=account).pin_hash
    assert kept != before
    assert kept.startswith("argon2")
    own = tablet.post(
        "/admin/casino/shufflerload/personal-code/", {"password": PASSWORD, "code": "13571357"}
    )
    assert own.status_code == 302
