"""How a large prize is paid is told, never taken for granted, and to whom. Law: Lei 83/2017."""

from typing import Any

import pytest
from django.test import Client

from jackpot.events import TermsLine
from tests.casino.sala_forms import errors_on, form_on
from tests.factories.people import somebody
from tests.factories.pools import ACE_JACK, TOP
from tests.factories.recorded import the_event
from tests.jackpot.sala_pools import a_pool, a_win, hit_at, payments, tap
from tests.stages import recorded_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
WARNED = "The winner is not identified, as whoever is paid €2,000.00 or more has to be"
WHO = {"identification": "CC 12345678"}


@recorded_once
def pit() -> Client:
    return somebody("fiscal_de_banca")


def a_fixed_prize(cents: int) -> str:
    """A pool with a fixed prize of so much, won at seat 2: the address where it is paid."""
    lines = (
        TermsLine(code=TOP, share_millionths=1_000_000),
        TermsLine(code=ACE_JACK, fixed_cents=cents),
    )
    a_pool(lines=lines)
    return hit_at(a_win((2, ACE_JACK)).n)


def test_below_the_sum_cash_is_still_one_tap(pit: Client) -> None:
    url = a_fixed_prize(199_999)
    assert form_on(pit.get(url))["means"] == "cash"
    assert tap(pit, url).status_code == 303
    assert (the_event("jackpot-paid/1").means, the_event("jackpot-paid/1").name) == ("cash", None)


def test_from_the_sum_on_no_means_is_tapped_beforehand(pit: Client) -> None:
    url = a_fixed_prize(200_000)
    assert "means" not in form_on(pit.get(url))
    answer = tap(pit, url, **WHO)
    assert errors_on(answer) == {"means": "Tap how it is paid."}
    assert 'href="#id_means"' in answer.content.decode()
    assert payments() == []


def test_it_is_read_again_with_a_warning_and_paid_all_the_same(pit: Client) -> None:
    url = a_fixed_prize(200_000)
    answer = tap(pit, url, means="cash")
    text = answer.content.decode()
    assert "Check before paying" in text
    assert f'<p class="said warning">{icon(text)}<span>{WARNED}' in text
    assert payments() == []
    assert pit.post(url, form_on(answer)).status_code == 303
    assert (the_event("jackpot-paid/1").means, payments()[0].named) == ("cash", False)


def icon(text: str) -> str:
    """What stands before the words of a warning."""
    before = text[: text.index("<span>The winner is not identified")]
    return before.rpartition('<p class="said warning">')[2]


def test_an_identified_winner_is_not_warned_of(pit: Client) -> None:
    url = a_fixed_prize(200_000)
    answer = tap(pit, url, means="cheque", **WHO)
    assert "Check before paying" in answer.content.decode()
    assert "not identified" not in answer.content.decode()
    assert pit.post(url, form_on(answer)).status_code == 303
    assert (the_event("jackpot-paid/1").means, payments()[0].named) == ("cheque", True)


def test_of_a_small_prize_that_is_read_again_it_stays_a_note(pit: Client) -> None:
    url = a_fixed_prize(199_999)
    text = tap(pit, url, document="REC-1").content.decode()
    assert "The winner is not identified." in text
    assert WARNED not in text


def test_the_sum_is_the_one_of_its_day(pit: Client, settings: Any) -> None:
    settings.HOUSE_IDENTIFIES_FROM = {"2017-09-17": 200_000, "2026-01-01": 100_000}
    assert "means" not in form_on(pit.get(a_fixed_prize(150_000)))


def test_a_house_that_names_no_sum_asks_of_nobody(pit: Client, settings: Any) -> None:
    settings.HOUSE_IDENTIFIES_FROM = {}
    assert form_on(pit.get(a_fixed_prize(900_000)))["means"] == "cash"
