"""Who is at the tablet: a session that ran out loses nothing, another person is told who he is."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from casino import clock
from casino.events.staff import DutyBegun
from casino.models import Account, BookEntry
from casino.recording import Actor
from tests.casino.sala_forms import form_on, hidden
from tests.factories.floor import PIT, SHOE_TABLE, house, opened, prepared
from tests.factories.people import CAST, PASSWORD, somebody, write
from tests.factories.recorded import entries, the_event
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
CUT = f"/sala/{SHOE_TABLE}/cut/"
SEATED = f"{CUT}?seats=1+2+5"
ENTER = "/sala/enter/"
MINUTE = timedelta(minutes=1)


@recorded_once
def pit() -> Client:
    """The fiscal de banca, at his open table."""
    house()
    opened()
    return somebody("fiscal_de_banca")


def cut_form(client: Client, address: str = SEATED) -> dict[str, Any]:
    """The screen's form as it stands: shuffle, and cut by the seat whose turn it is."""
    return form_on(client.get(address))


def at_clock(monkeypatch: pytest.MonkeyPatch, moment: Any) -> None:
    """The house's clock shows that moment, for everything that asks it."""
    monkeypatch.setattr(clock, "now", lambda: moment)


def ran_out() -> None:
    """Nobody is logged in any longer; the fiscal de banca knows his password."""
    _knows_his_password()
    Session.objects.all().delete()


def _knows_his_password() -> None:
    account = Account.objects.get(staff=PIT.staff)
    account.set_password(PASSWORD)
    account.save()


def entered(client: Client, page: Any, staff: str, secret: str = PASSWORD) -> Any:
    """The entrance's form, filled in."""
    typed = {"enter-number": staff, "enter-secret": secret}
    return client.post(ENTER, hidden(page) | {"enter-onward": CUT} | typed)


def test_a_session_that_ran_out_carries_every_field_over_the_entrance(pit: Client) -> None:
    form = cut_form(pit)
    ran_out()
    before = entries()
    asked = pit.post(CUT, form)
    assert asked.status_code == 403
    assert entries() == before
    carried = hidden(asked)
    assert {name: carried[name] for name in form} == {name: str(form[name]) for name in form}
    assert "Nothing was lost" in asked.content.decode()


def test_after_the_login_it_is_recorded_with_the_moment_of_the_tap(
    pit: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = cut_form(pit)
    ran_out()
    tapped = clock.now().replace(microsecond=0)
    at_clock(monkeypatch, tapped)
    asked = pit.post(CUT, form)
    at_clock(monkeypatch, tapped + MINUTE)
    answer = entered(pit, asked, PIT.staff)
    assert answer.status_code == 303
    entry = BookEntry.objects.get(kind="cut-made/1")
    assert entry.occurred_at == tapped
    assert the_event("cut-made/1").seats_occupied == (1, 2, 5)
    again = pit.post(CUT, form)  # the tablet sends what it had sent before
    assert again["Location"].endswith("again=1")


def test_a_wrong_password_loses_nothing(pit: Client) -> None:
    form = cut_form(pit)
    ran_out()
    wrong = entered(pit, pit.post(CUT, form), PIT.staff, "not the password")
    assert wrong.status_code == 403
    carried = hidden(wrong)
    assert {name: carried[name] for name in form} == {name: str(form[name]) for name in form}
    assert "not the password" not in wrong.content.decode()
    assert entered(pit, wrong, PIT.staff).status_code == 303
    assert the_event("cut-made/1").seat == 1


def test_another_person_is_told_who_records_now_and_records_as_himself(pit: Client) -> None:
    form = cut_form(pit)
    somebody("fiscal_chefe", with_password=True)
    ran_out()
    before = entries()
    asked = entered(pit, pit.post(CUT, form), CAST["fiscal_chefe"])
    page = asked.content.decode()
    assert asked.status_code == 200
    assert f"You are recording now: {CAST['fiscal_chefe']}" in page
    assert f"filled in by {PIT.staff}" in page
    assert entries() == before
    assert pit.post(CUT, form_on(asked)).status_code == 303
    entry = BookEntry.objects.get(kind="cut-made/1")
    assert bytes(entry.entry).decode().count(CAST["fiscal_chefe"]) == 1
    assert entries() == before + 2


def test_somebody_who_may_not_record_it_is_told_so_and_nothing_is(pit: Client) -> None:
    form = cut_form(pit)
    somebody("inspetor", with_password=True)
    ran_out()
    before = entries()
    asked = entered(pit, pit.post(CUT, form), CAST["inspetor"])
    assert asked.status_code == 403
    assert "Nothing was recorded." in asked.content.decode()
    assert entries() == before


@pytest.mark.parametrize("onward", ["https://elsewhere.example/sala/", "//x/sala/", "/admin/", ""])
def test_the_entrance_leads_to_the_floor_and_nowhere_else(pit: Client, onward: str) -> None:
    _knows_his_password()
    typed = {"enter-number": PIT.staff, "enter-secret": PASSWORD, "enter-onward": onward}
    answer = Client().post(ENTER, typed)
    assert (answer.status_code, answer["Location"]) == (302, "/sala/")


def test_a_page_asked_for_before_the_login_is_shown_after_it(pit: Client) -> None:
    other = Client()
    asked = other.get(SEATED)
    assert asked.status_code == 200
    assert not hidden(asked).get("key")
    _knows_his_password()
    typed = {"enter-number": PIT.staff, "enter-secret": PASSWORD, "enter-onward": SEATED}
    assert other.post(ENTER, typed)["Location"] == SEATED


# Who may


def test_another_ones_table_is_closed_to_a_fiscal_de_banca(pit: Client) -> None:
    stranger = somebody("fiscal_de_banca", "S-0191")
    begun = DutyBegun(staff="S-0191", office="fiscal_de_banca", tables=("BJ-02",))
    write(begun, by=Actor(CAST["chefia_da_sala"], "chefia_da_sala", "admin"))
    before = entries()
    for answer in (stranger.get(SEATED), stranger.post(CUT, cut_form(pit))):
        assert answer.status_code == 403
        page = answer.content.decode()
        assert "BJ-01 is not one of your tables." in page
        assert 'href="/sala/duty/"' in page  # where he goes on duty there
    assert entries() == before
    floor = stranger.get("/sala/").content.decode()  # how every table stands is seen by all
    assert "BJ-01" in floor
    assert f'href="/sala/{SHOE_TABLE}/"' not in floor


def test_who_has_no_office_for_a_page_is_not_sent_to_go_on_duty(pit: Client) -> None:
    page = somebody("inspetor").get(CUT)
    assert page.status_code == 403
    assert 'href="/sala/duty/"' not in page.content.decode()


@pytest.mark.parametrize("office", ["inspetor", "auditor"])
def test_who_only_looks_sees_the_table_and_no_button(pit: Client, office: str) -> None:
    client = somebody(office)
    assert f'href="/sala/{SHOE_TABLE}/"' in client.get("/sala/").content.decode()
    answer = client.get(f"/sala/{SHOE_TABLE}/")
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "Shuffle and cut" not in page
    assert "act-form" not in page
    assert 'class="primary"' not in page
    assert client.get(SEATED).status_code == 403


def test_an_administrator_has_nothing_to_do_on_the_floor(pit: Client) -> None:
    client = somebody("administrador", "S-0999")
    assert client.get("/sala/").status_code == 403


def test_the_head_acts_at_every_table(pit: Client) -> None:
    head = somebody("fiscal_chefe")
    assert head.post(CUT, cut_form(head)).status_code == 303


def test_a_page_says_who_one_is_and_what_time_the_server_has(pit: Client) -> None:
    page = pit.get(SEATED).content.decode()
    assert PIT.staff in page
    assert re.search(
        r'<time id="clock" data-now="\d+" datetime="[^"]+">\d\d:\d\d:\d\d</time>', page
    )


def test_a_prepared_shoe_asks_for_no_second_cut(pit: Client) -> None:
    prepared()
    page = pit.get(f"/sala/{SHOE_TABLE}/").content.decode()
    assert "last round announced aloud" in page


# Without cookies

OURS = {"origin": "http://testserver"}


def strict(pit: Client) -> Client:
    """The same browser, asked for its token as a real one is; its cookies are gone."""
    _knows_his_password()
    return Client(enforce_csrf_checks=True, headers={"accept-language": "en"})


def token(page: Any) -> dict[str, str]:
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())
    assert found is not None
    return {"csrfmiddlewaretoken": found[1]}


def test_without_cookies_a_form_is_kept_and_sent_on_after_the_login(pit: Client) -> None:
    form, before = cut_form(pit), entries()
    bare = strict(pit)
    asked = bare.post(CUT, form | {"csrfmiddlewaretoken": "x" * 64}, headers=OURS)
    assert asked.status_code == 403
    assert "Nothing was lost" in asked.content.decode()
    typed = {"enter-number": PIT.staff, "enter-secret": PASSWORD, "enter-onward": CUT}
    answer = bare.post(ENTER, hidden(asked) | token(asked) | typed, headers=OURS)
    assert answer.status_code == 303
    assert entries() == before + 2


def test_the_entrance_itself_without_cookies_keeps_all_but_the_password(pit: Client) -> None:
    form = cut_form(pit)
    bare = strict(pit)
    typed = {"enter-number": PIT.staff, "enter-secret": PASSWORD, "enter-onward": CUT}
    asked = bare.post(ENTER, form | typed, headers=OURS)
    assert asked.status_code == 403
    page = asked.content.decode()
    assert PASSWORD not in page
    assert "type the password once more" in page
    assert {name: hidden(asked)[name] for name in form} == {
        name: str(value) for name, value in form.items()
    }
    answer = bare.post(ENTER, hidden(asked) | token(asked) | typed, headers=OURS)
    assert answer.status_code == 303


@pytest.mark.parametrize("origin", [None, "null", "https://elsewhere.example"])
def test_another_sites_form_is_kept_for_nobody(pit: Client, origin: str | None) -> None:
    form, before = cut_form(pit), entries()
    headers = {} if origin is None else {"origin": origin}
    refused = strict(pit).post(CUT, form, headers=headers)
    assert refused.status_code == 403
    assert form["key"] not in refused.content.decode()
    assert entries() == before


def test_whoever_wants_to_leave_without_cookies_is_at_the_entrance(pit: Client) -> None:
    answer = strict(pit).post("/sala/leave/", headers=OURS)
    assert answer.status_code == 403
    assert "enter-secret" in answer.content.decode()
