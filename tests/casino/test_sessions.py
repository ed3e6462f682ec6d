"""Sessions: how long one lasts by office, and that each is listed and ended by its owner."""

import re
import time
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client

from casino.models import Account
from casino.web.login.open_sessions import sessions_of
from tests.factories.people import PASSWORD, appoint
from tests.stages import recorded_once

pytestmark = pytest.mark.django_db
ADMIN, MANAGER, BOTH, NOBODY = "S-0003", "S-0040", "S-0041", "S-0099"
URL = "/admin/sessions/"
HOUR = 3600


@recorded_once
def house() -> None:
    for staff, *offices in (
        (ADMIN, "administrador"),
        (MANAGER, "chefia_da_sala"),
        (BOTH, "chefia_da_sala", "administrador"),
        (NOBODY,),
    ):
        for office in offices:
            appoint(staff, office)
        Account.objects.create_user(staff, PASSWORD, language="en")


@pytest.fixture(autouse=True)
def no_tablet(house: None, settings: Any) -> None:
    settings.HOUSE_TABLET_LOCKS = timedelta(0)


def entered(staff: str, browser: str = "Firefox", address: str = "192.0.2.7") -> Client:
    headers = {"accept-language": "en", "user-agent": browser}
    client = Client(REMOTE_ADDR=address, headers=headers)
    sent = {"username": staff, "password": PASSWORD, "next": "/admin/"}
    assert client.post("/admin/login/", sent).status_code == 302
    return client


def stopped(monkeypatch: pytest.MonkeyPatch) -> int:
    """The server's clock stands still from now on, however long a log-in takes."""
    begun = int(time.time())
    later(monkeypatch, 0, begun)
    return begun


def later(monkeypatch: pytest.MonkeyPatch, seconds: float, begun: float) -> None:
    monkeypatch.setattr(time, "time", lambda: begun + seconds)


@pytest.mark.parametrize(
    ("staff", "idle"), [(MANAGER, HOUR), (ADMIN, HOUR // 2), (BOTH, HOUR // 2), (NOBODY, HOUR // 2)]
)
def test_an_idle_session_ends_by_the_shortest_of_its_offices(
    staff: str, idle: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = stopped(monkeypatch)
    client = entered(staff)
    for seconds, status in ((idle - 5, 200), (2 * idle - 15, 200), (3 * idle, 302)):
        later(monkeypatch, seconds, begun)
        path = "/admin/" if seconds < idle else URL
        assert client.get(path).status_code == status, seconds


def test_who_goes_on_using_it_is_out_at_the_end_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = stopped(monkeypatch)
    client = entered(ADMIN)
    for quarter in range(1, 4 * 8):
        later(monkeypatch, quarter * 900, begun)
        assert client.get("/admin/" if quarter % 2 else URL).status_code == 200, quarter
    later(monkeypatch, 8 * HOUR, begun)
    assert client.get("/admin/")["Location"].startswith("/admin/login/")


def test_a_page_that_looks_again_at_itself_is_no_use_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = stopped(monkeypatch)
    client = entered(ADMIN)
    for minutes in range(2, 30, 2):
        later(monkeypatch, minutes * 60, begun)
        assert client.get("/admin/").status_code == 200
    later(monkeypatch, 33 * 60, begun)
    assert client.get("/admin/")["Location"].startswith("/admin/login/")


def test_the_form_of_an_idle_session_waits_at_the_entrance(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun = stopped(monkeypatch)
    client = entered(MANAGER)
    later(monkeypatch, HOUR + 1, begun)
    with caplog.at_level("INFO", "casino.security_log"):
        answer = client.post("/admin/casino/incident/add/", {"what": "a line that waits"})
    assert answer.status_code == 403
    assert "a line that waits" in answer.content.decode()
    assert f'session-ended who="{MANAGER}"' in caplog.text


def test_it_is_not_written_at_every_page(django_assert_num_queries: Any) -> None:
    client = entered(NOBODY)
    client.get("/admin/password_change/")
    with django_assert_num_queries(2):  # the session and the account
        client.get("/admin/jsi18n/")


# The list


def test_one_sees_where_one_is_logged_in_and_ends_what_is_not_oneself() -> None:
    here, there = entered(MANAGER), entered(MANAGER, "Tablet <7>", "192.0.2.99")
    entered(ADMIN, "Another's")
    page = here.get(URL).content.decode()
    assert "this one" in page
    assert "192.0.2.99" in page
    assert "Tablet &lt;7&gt;" in page
    assert "Another" not in page
    names = re.findall(r'name="session" value="(\w+)"', page)
    assert len(names) == 1
    assert not Session.objects.filter(session_key__startswith=names[0]).exists()
    assert here.post(URL, {"session": names[0]}).status_code == 302
    assert there.get("/admin/").status_code == 302
    assert here.get("/admin/").status_code == 200
    assert (
        "had ended already" in here.post(URL, {"session": names[0]}, follow=True).content.decode()
    )


@pytest.mark.parametrize(
    ("browser", "device"),
    [
        (
            "Mozilla/5.0 (Linux; Android 14) Chrome/125.0 Safari/537.36",
            "Chrome, Android",
        ),
        ("Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) Version/17.5 Safari/604.1", "Safari, iPad"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/125.0 Safari/537.36 Edg/125.0", "Edge, Windows"),
        ("curl/8.5", "curl/8.5"),
    ],
)
def test_a_browser_is_named_as_people_do(browser: str, device: str) -> None:
    entered(MANAGER, browser)
    assert [one.device for one in sessions_of(MANAGER)] == [device]


def test_nobody_sees_or_ends_anothers_but_the_administrator(
    caplog: pytest.LogCaptureFixture,
) -> None:
    manager, admin = entered(MANAGER), entered(ADMIN)
    name = sessions_of(ADMIN)[0].name
    assert manager.get(URL, {"of": ADMIN}).status_code == 403
    assert manager.post(URL, {"of": ADMIN, "session": name}).status_code == 403
    manager.post(URL, {"session": name})  # another's, as if it were his own
    assert admin.get("/admin/").status_code == 200
    its_name = sessions_of(MANAGER)[0].name
    assert "192.0.2.7" in admin.get(URL, {"of": MANAGER}).content.decode()
    with caplog.at_level("INFO", "casino.security_log"):
        admin.post(URL, {"of": MANAGER, "session": its_name})
    assert manager.get("/admin/").status_code == 302
    assert f'session-taken-away who="{ADMIN}"' in caplog.text
    assert f'of="{MANAGER}"' in caplog.text


@pytest.mark.parametrize("typed", ["S-4444", "a\0b", "x" * 300, "<b>"])
def test_whoever_has_no_account_is_named_and_nothing_more(typed: str) -> None:
    answer = entered(ADMIN).get(URL, {"of": typed})
    assert answer.status_code == 200
    assert "There is no account" in answer.content.decode()
    assert "<b>" not in answer.content.decode()


# Whose session it is


def holding(key: str) -> Client:
    """A browser that shows this session's id."""
    client = Client(headers={"accept-language": "en"})
    client.cookies[settings.SESSION_COOKIE_NAME] = key
    return client


def key_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def test_an_id_that_was_planted_before_the_log_in_is_worth_nothing() -> None:
    store = SessionStore()
    store["theirs"] = "1"
    store.save()
    for key in (str(store.session_key), "a" * 32, "made up"):
        victim = holding(key)
        sent = {"username": MANAGER, "password": PASSWORD, "next": "/admin/"}
        assert victim.post("/admin/login/", sent).status_code == 302
        assert victim.get(URL).status_code == 200
        assert key_of(victim) != key
        assert holding(key).get(URL).status_code == 302


def test_an_id_is_dead_after_the_log_out_which_no_link_does() -> None:
    client = entered(MANAGER)
    key = key_of(client)
    for url in ("/admin/logout/", "/sala/leave/"):
        assert client.get(url).status_code == 405
    assert holding(key).get(URL).status_code == 200
    client.post("/admin/logout/")
    assert holding(key).get(URL).status_code == 302


def test_a_new_password_and_a_closed_account_end_the_others() -> None:
    here, there = entered(MANAGER), entered(MANAGER)
    new = "quatro gaivotas no telhado"
    sent = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert here.post("/admin/password_change/", sent).status_code == 302
    assert here.get(URL).status_code == 200
    assert there.get(URL).status_code == 302
    call_command("account", MANAGER, "--close", stdout=StringIO())
    assert here.get(URL).status_code == 302
