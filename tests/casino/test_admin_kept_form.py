"""A record's form whose session had ended: it waits at the entrance, and comes back filled in."""

import re
from html import unescape
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from casino.models import Account
from tests.casino.admin_forms import filled, warned_in
from tests.factories.events.every import FULL
from tests.factories.people import PASSWORD, somebody, write
from tests.factories.recorded import entries, events_of
from tests.factories.records import EVENING, PIT, loaded

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
LOAD = "/admin/casino/shufflerload/add/"
OURS = {"origin": "http://testserver"}


@pytest.fixture
def desk() -> Client:
    """The fiscal de banca at a desk; his table with a shuffler is open."""
    write(FULL["partida-opened/1"], by=PIT, at=EVENING)
    return somebody("fiscal_de_banca", with_password=True)


def load_form() -> dict[str, Any]:
    return filled(loaded(1), occurred_at="2026-11-20T21:20:00")


def hidden_in(answer: Any) -> dict[str, str]:
    """The fields that wait in the entrance."""
    page = answer.content.decode()
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page)
    return {name: unescape(value) for name, value in found}


def entered(client: Client, asked: Any, password: str = PASSWORD, **headers: Any) -> Any:
    values = {"enter-username": "s-0187", "enter-password": password}
    return client.post(LOAD, hidden_in(asked) | values, **headers)


def test_it_waits_and_is_shown_again_as_it_was_filled_in(desk: Client) -> None:
    form, before = load_form(), entries()
    desk.cookies.pop(settings.SESSION_COOKIE_NAME)
    asked = desk.post(LOAD, form)
    assert asked.status_code == 403
    assert "nothing is lost" in asked.content.decode()
    wrong = entered(desk, asked, "wrong")
    assert wrong.status_code == 403
    assert "not right" in wrong.content.decode()
    assert "wrong" not in hidden_in(wrong).values()
    shown = entered(desk, wrong)
    assert shown.status_code == 200
    assert entries() == before  # it is shown, and nobody is warned yet
    assert warned_in(shown) == []
    page = shown.content.decode()
    assert f'name="key" value="{form["key"]}"' in page
    assert 'value="CSM-04"' in page
    assert Client(headers={"accept-language": "en"}).get(LOAD).status_code == 302


def test_it_is_recorded_once_it_is_sent_again(desk: Client) -> None:
    form = load_form()
    desk.cookies.pop(settings.SESSION_COOKIE_NAME)
    entered(desk, desk.post(LOAD, form))
    checks = warned_in(desk.post(LOAD, form))
    assert checks
    over = form | {f"despite-{check}": "equipment" for check in checks}
    assert desk.post(LOAD, over).status_code == 302
    assert len(events_of("shuffler-loaded/1")) == 1


def test_without_any_cookie_it_waits_too_and_another_sites_form_does_not(desk: Client) -> None:
    bare = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    sent = load_form() | {"csrfmiddlewaretoken": "x" * 64}
    assert bare.post(LOAD, sent).status_code == 403
    foreign = bare.post(LOAD, sent, headers={"origin": "https://example.com"})
    assert "CSM-04" not in foreign.content.decode()
    asked = bare.post(LOAD, sent, headers=OURS)
    assert hidden_in(asked)["shuffler"] == "CSM-04"
    shown = entered(bare, asked, headers=OURS)
    assert 'value="CSM-04"' in shown.content.decode()
    assert events_of("shuffler-loaded/1") == []


def test_whoever_may_not_record_it_sees_nothing_of_it(desk: Client) -> None:
    somebody("inspetor", with_password=True)
    stranger = Client(headers={"accept-language": "en"})
    asked = stranger.post(LOAD, load_form())
    values = hidden_in(asked) | {"enter-username": "I-0001", "enter-password": PASSWORD}
    assert stranger.post(LOAD, values).status_code == 403
    assert Account.objects.filter(staff="I-0001").exists()


def test_a_word_on_somebody_elses_record_never_waits(desk: Client) -> None:
    """A witness's code, a decision: they are asked anew."""
    for url in ("/admin/casino/supersession/", "/admin/password_change/", "/admin/no/such/add/"):
        answer = Client().post(url, {"secret": "482915", "key": "x"})
        assert answer.status_code in (302, 404)
