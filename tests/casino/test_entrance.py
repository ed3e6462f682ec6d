"""The entrance: ten wrong passwords in a quarter of an hour, whoever has an account or has none."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.models import Account, LoginTry
from casino.security import HouseArgon2
from casino.web.entrance import whose_try
from casino.web.login.throttle import TRIES, WINDOW
from tests.factories.people import PASSWORD
from tests.stages import recorded_once

pytestmark = pytest.mark.share

STAFF = "S-0600"


@recorded_once
def account() -> Account:
    return Account.objects.create_user(STAFF, PASSWORD, language="en")


def knock(
    password: str = "wrong", staff: str = STAFF, address: str = "192.0.2.7", language: str = "en"
) -> Any:
    client = Client(REMOTE_ADDR=address, headers={"accept-language": language})
    sent = {"username": staff, "password": password, "next": "/admin/"}
    return client.post(reverse("admin:login"), sent)


def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr(clock, "now", lambda: moment)


def test_the_tenth_wrong_password_is_tried_and_the_eleventh_is_not(account: Account) -> None:
    for _ in range(TRIES):
        answer = knock()
        assert answer.status_code == 200
        assert "not right" in answer.content.decode()
    answer = knock()
    assert answer.status_code == 429
    assert "try again in 15 minutes" in answer.content.decode()
    assert 14 * 60 < int(answer["Retry-After"]) <= 15 * 60 + 1
    assert knock(PASSWORD).status_code == 429  # not even the right one tells


def test_the_right_password_forgives_what_went_before(account: Account) -> None:
    for _ in range(2):
        for _ in range(TRIES - 1):
            assert knock().status_code == 200
        assert knock(PASSWORD).status_code == 302
    assert "9 tries are left" in knock().content.decode()


def test_whoever_has_no_account_is_told_the_same(account: Account) -> None:
    answers = {}
    for staff in (STAFF, "S-9999", "nobody at all"):
        answers[staff] = [knock(staff=staff) for _ in range(TRIES + 1)]
    for known, unknown in (("S-9999", STAFF), ("nobody at all", STAFF)):
        for one, other in zip(answers[known], answers[unknown], strict=True):
            assert one.status_code == other.status_code
            assert one.context["form"].non_field_errors() == (
                other.context["form"].non_field_errors()
            )
    assert answers["S-9999"][-1].status_code == 429


@pytest.mark.parametrize("staff", [STAFF, "S-9999"], ids=["known", "unknown"])
def test_whoever_has_no_account_takes_as_long(
    account: Account, monkeypatch: pytest.MonkeyPatch, staff: str
) -> None:
    """One hash is reckoned, which is nearly all of the time an answer takes."""
    reckoned: list[str] = []

    def counted(name: str) -> Callable[..., Any]:
        reckon = getattr(HouseArgon2, name)

        def one(*given: Any, **named: Any) -> Any:
            reckoned.append(name)
            return reckon(*given, **named)

        return one

    for name in ("encode", "verify"):
        monkeypatch.setattr(HouseArgon2, name, counted(name))
    assert knock(staff=staff).status_code == 200
    assert len(reckoned) == 1


SPELT = ["s-0600", " S-0600", "S-0600\t", "\uff33-0600", "S-\uff10600"]


def test_a_number_spelt_otherwise_has_no_further_tries(account: Account) -> None:
    answers = [knock(staff=(STAFF, *SPELT)[n % 6]).status_code for n in range(TRIES + 1)]
    assert answers == [200] * TRIES + [429]
    for spelt in (STAFF, *SPELT):
        assert knock(PASSWORD, staff=spelt).status_code == 429, spelt
    # What is no spelling of it is nobody's, and lets nobody in.
    for spelt in ("S-0600\u200b", "S-0600\0", "S\u20110600", "S-0600;"):
        assert knock(PASSWORD, staff=spelt).status_code == 200, spelt


def test_another_address_and_another_number_are_not_shut_out(account: Account) -> None:
    Account.objects.create_user("S-0601", PASSWORD)
    for _ in range(TRIES + 1):
        knock()
    assert knock(PASSWORD, address="192.0.2.8").status_code == 302
    assert knock(PASSWORD, staff="S-0601").status_code == 302
    assert knock(PASSWORD).status_code == 429


def test_of_ipv6_a_whole_network_is_one_place(account: Account) -> None:
    for n in range(TRIES):
        knock(address=f"2001:db8:1:2::{n + 1:x}")
    assert knock(PASSWORD, address="2001:db8:1:2:ffff::1").status_code == 429
    assert knock(PASSWORD, address="2001:db8:1:3::1").status_code == 302


def test_a_quarter_of_an_hour_later_it_is_tried_again(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = clock.now()
    for minute in range(TRIES):
        at(monkeypatch, begun + timedelta(minutes=minute))
        knock()
    for minute in range(10, 15):  # asking in between makes it no longer
        at(monkeypatch, begun + timedelta(minutes=minute))
        answer = knock(PASSWORD)
        assert answer.status_code == 429
        assert f"in {15 - minute} minute" in answer.content.decode()
    at(monkeypatch, begun + WINDOW - timedelta(seconds=1))
    assert knock(PASSWORD).status_code == 429
    at(monkeypatch, begun + WINDOW + timedelta(seconds=1))
    assert knock(PASSWORD).status_code == 302


def test_nothing_that_was_typed_is_kept(account: Account) -> None:
    knock(staff="my secret password in the wrong field")
    kept = list(LoginTry.objects.values_list("whose", flat=True))
    assert len(kept) == 4  # that number there, it anywhere, the address, the password
    assert not any("secret" in whose or "192.0.2" in whose or "wrong" in whose for whose in kept)
    tag = next(whose for whose in kept if whose.startswith("password "))
    assert len(tag) == len("password ") + 8  # too short to guess a password from
    assert whose_try("a", None) != whose_try("b", None)


def test_what_no_longer_counts_is_forgotten(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(5):
        knock(staff=f"S-{n}")
    assert LoginTry.objects.count() == 20
    at(monkeypatch, clock.now() + timedelta(days=1, seconds=1))
    knock()
    assert LoginTry.objects.count() == 4


def test_a_form_left_blank_counts_for_nothing(account: Account) -> None:
    for _ in range(TRIES + 1):
        assert knock("").status_code == 200
        assert knock(staff="").status_code == 200
    assert not LoginTry.objects.exists()


def test_many_at_once_count_as_many(fresh_db: str) -> None:
    Account.objects.create_user(STAFF, PASSWORD)
    answers: list[int] = []

    def one() -> None:
        try:
            answers.append(knock().status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=one) for _ in range(2 * TRIES)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(300)
    assert len(answers) == 2 * TRIES
    assert answers.count(200) <= TRIES
    assert answers.count(429) >= TRIES


def test_in_portuguese(account: Account) -> None:
    for _ in range(TRIES):
        knock()
    page = knock(language="pt-pt").content.decode()
    assert "Demasiadas tentativas erradas: tente de novo daqui a 15 minutos." in page


@pytest.mark.parametrize("staff", [STAFF, "S-9999"])
def test_how_many_tries_are_left_is_said_at_every_wrong_one(account: Account, staff: str) -> None:
    left = [knock(staff=staff).content.decode() for _ in range(TRIES)]
    assert "9 tries are left." in left[0]
    assert "1 try is left." in left[-2]
    assert "No try is left: wait 15 minutes." in left[-1]
    portuguese = knock(address="192.0.2.9", language="pt").content.decode()
    assert "Restam 9 tentativas." in portuguese


# Strangers, who know a number, an address or a password


def known_browser(address: str = "192.0.2.50") -> Client:
    """The browser on which the account's owner logged in before."""
    client = Client(REMOTE_ADDR=address, headers={"accept-language": "en"})
    sent = {"username": STAFF, "password": PASSWORD, "next": "/admin/"}
    assert client.post(reverse("admin:login"), sent).status_code == 302
    client.post(reverse("admin:logout"))
    return client


def test_one_number_from_many_addresses_has_to_wait_and_its_owner_does_not(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = known_browser()
    at(monkeypatch, clock.now())  # the wait is a second: a busy machine would let it pass
    answers = [knock(f"wrong {n}", address=f"198.51.100.{n}") for n in range(31)]
    assert [one.status_code for one in answers] == [200] * 30 + [429]
    assert int(answers[-1]["Retry-After"]) <= 2
    assert "try again in 1 second" in answers[-1].content.decode()
    # Even the right password waits where nobody knows the browser; at home it does not.
    assert knock(PASSWORD, address="198.51.100.99").status_code == 429
    sent = {"username": STAFF, "password": PASSWORD, "next": "/admin/"}
    assert own.post(reverse("admin:login"), sent).status_code == 302


def test_the_wait_grows_to_a_minute_and_no_further(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = clock.now()
    at(monkeypatch, moment)
    for n in range(30):
        knock(f"wrong {n}", address=f"198.51.100.{n}")
    waits = []
    for n in range(9):
        refused = knock(f"other {n}", address=f"203.0.113.{n}")
        assert refused.status_code == 429
        waits.append(int(refused["Retry-After"]) - 1)
        moment += timedelta(seconds=waits[-1])
        at(monkeypatch, moment)
        assert knock(f"other {n}", address=f"203.0.113.{n}").status_code == 200
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    moment += timedelta(minutes=1)
    at(monkeypatch, moment)
    assert knock(PASSWORD, address="203.0.113.200").status_code == 302


def test_one_password_at_many_numbers_has_to_wait(
    account: Account, caplog: pytest.LogCaptureFixture
) -> None:
    common = "gaivotas no telhado"
    for n in range(5):
        answer = knock(common, staff=f"S-07{n}", address=f"198.51.100.{n}")
        assert answer.status_code == 200
    with caplog.at_level("INFO", "casino.security_log"):
        assert knock(common, address="203.0.113.1").status_code == 429
    assert 'why="too many wrong passwords (password)"' in caplog.text
    assert common not in caplog.text
    assert knock("another one", address="203.0.113.1").status_code == 200
    assert knock(PASSWORD, address="203.0.113.1").status_code == 302


def test_one_number_with_the_same_wrong_password_is_no_spraying(account: Account) -> None:
    for n in range(TRIES):
        assert knock("the wrong one", address="198.51.100.1").status_code == 200, n
    kept = LoginTry.objects.filter(whose__startswith="password ")
    assert kept.count() == 1


def test_one_address_trying_many_numbers_has_to_wait(account: Account) -> None:
    own = known_browser("198.51.100.1")
    answers = [knock(f"wrong {n}", staff=f"S-08{n}", address="198.51.100.1") for n in range(41)]
    assert [one.status_code for one in answers] == [200] * 40 + [429]
    assert knock("wrong", staff="S-0899", address="198.51.100.2").status_code == 200
    sent = {"username": STAFF, "password": PASSWORD, "next": "/admin/"}
    assert own.post(reverse("admin:login"), sent).status_code == 302  # the same address


def test_right_passwords_count_for_nothing_anywhere(account: Account) -> None:
    for n in range(6):
        Account.objects.create_user(f"S-071{n}", PASSWORD)
        assert knock(PASSWORD, staff=f"S-071{n}").status_code == 302
    assert not LoginTry.objects.exists()
