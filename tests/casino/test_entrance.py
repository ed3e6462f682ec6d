"""The entrance: ten wrong passwords in a quarter of an hour, whoever has an account or has none."""

import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.models import Account, LoginTry
from casino.web.entrance import TRIES, WINDOW, whose_try
from tests.factories.people import PASSWORD
from tests.stages import recorded_once

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
    assert not LoginTry.objects.exists()


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
    kept = LoginTry.objects.get()
    assert "secret" not in kept.whose
    assert len(kept.whose) == 64
    assert whose_try("a", None) != whose_try("b", None)


def test_what_no_longer_counts_is_forgotten(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(5):
        knock(staff=f"S-{n}")
    at(monkeypatch, clock.now() + WINDOW + timedelta(seconds=1))
    knock()
    assert LoginTry.objects.count() == 1


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
    assert "Demasiadas palavras-passe erradas: tente de novo daqui a 15 minutos." in page


@pytest.mark.parametrize("staff", [STAFF, "S-9999"])
def test_how_many_tries_are_left_is_said_at_every_wrong_one(account: Account, staff: str) -> None:
    left = [knock(staff=staff).content.decode() for _ in range(TRIES)]
    assert "9 tries are left." in left[0]
    assert "1 try is left." in left[-2]
    assert "No try is left: wait 15 minutes." in left[-1]
    portuguese = knock(address="192.0.2.9", language="pt").content.decode()
    assert "Restam 9 tentativas." in portuguese
