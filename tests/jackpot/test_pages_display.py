"""The public display: for everybody, of nobody, cheap, and never lower without a reason.

Law: PT art. 41, 44, 49.
"""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino import clock
from casino.recording import Supersedes
from jackpot.events import JackpotAdjusted
from jackpot.pages import shown
from jackpot.queries import displayed
from jackpot.seal_meter import seal
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    TOP,
    approve,
    at_two_tables,
    increment,
    opened,
    paid,
    ref,
    start,
    terms_of,
    won,
)
from tests.factories.records import EVENING, HEAD, MANAGER, burnt, recorded
from tests.factories.usual_events import second_word

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_nothing_kept"), pytest.mark.share]
PAGE = f"/acumulado/{POOL}/"
VALUE = f"/acumulado/{POOL}/value/"


@pytest.fixture
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has a book of its own, and does not wait for a second to go by."""
    shown.forget()
    monkeypatch.setattr(shown, "HOLD", 0.0)


@pytest.fixture
def pool() -> None:
    at_two_tables()


def chips(n: int, table: str = "BJ-06") -> None:
    """So many chips collected."""
    recorded(increment((1, "J1", n), table=table, chip_cents=250))


def asked(client: Client | None = None, tag: str = "") -> Any:
    """The answer to the page's script."""
    headers = {"if-none-match": tag} if tag else {}
    return (client or Client()).get(VALUE, headers=headers)


def first(answer: Any) -> dict[str, Any]:
    """What it says of the pool."""
    found: dict[str, Any] = json.loads(answer.content)["pools"][0]
    return found


@pytest.mark.usefixtures("pool")
def test_article_41_the_display_shows_the_book_in_euros() -> None:
    chips(3)
    page = Client().get(PAGE).content.decode()
    assert displayed(POOL) == 2_500_018
    assert "25\xa0000,18\xa0€" in page
    assert first(asked())["value"] == "25\xa0000,18\xa0€"
    assert "2,50\xa0€" in page  # the stake
    assert "25\xa0000,00\xa0€" in page  # the starting value


@pytest.mark.usefixtures("pool")
def test_it_is_for_everybody_and_knows_nobody() -> None:
    for address in (PAGE, VALUE, "/acumulado/"):
        answer = Client().get(address)
        assert answer.status_code == 200
        assert not answer.cookies
        assert "cookie" not in answer.get("Vary", "").lower()
        assert "<form" not in answer.content.decode()
        assert "<button" not in answer.content.decode()
        assert Client().post(address).status_code == 405


def test_nothing_of_a_person_is_shown() -> None:
    approve()
    start()
    opened()
    hit = recorded(won(("J5", 5, TOP)))
    recorded(paid(hit, "J5", 5, TOP, 100, name="Rui Costa", identification="11223344"))
    for address in (PAGE, VALUE):
        body = Client().get(address).content.decode()
        for word in ("J5", "Rui", "11223344", "BJ-06", "S-0187", "S-0021", "S-0003"):
            assert word not in body


@pytest.mark.usefixtures("pool")
def test_it_is_portuguese_whatever_the_machine_speaks_and_english_where_asked() -> None:
    german = Client(headers={"accept-language": "de,en;q=0.5"})
    assert 'lang="pt' in german.get(PAGE).content.decode()
    page = german.get(f"{PAGE}?lang=en").content.decode()
    assert 'lang="en"' in page
    assert "€25,000.00" in page
    assert "/value/?lang=en" in page
    assert 'lang="pt' in german.get(f"{PAGE}?lang=%22x").content.decode()


@pytest.mark.usefixtures("pool")
def test_nothing_changed_is_a_304_with_the_servers_clock() -> None:
    answer = asked()
    again = asked(tag=answer["ETag"])
    assert (answer.status_code, again.status_code) == (200, 304)
    assert again.content == b""
    assert again["ETag"] == answer["ETag"]
    assert len(again["X-House-Clock"]) == len("21:04:11")
    chips(1)
    recorded(burnt())
    assert asked(tag=answer["ETag"]).status_code == 200


@pytest.mark.usefixtures("pool")
def test_a_browser_that_unpacks_the_answer_gets_its_304_all_the_same() -> None:
    client = Client(headers={"accept-encoding": "gzip"})
    tag = asked(client)["ETag"]
    assert asked(client, tag).status_code == 304


@pytest.mark.parametrize(
    "codes",
    ["JP-9", "jp-1", "JP-1,JP-9", ",", "%00", "a" * 41, ",".join(f"P{n}" for n in range(7))],
)
@pytest.mark.usefixtures("pool")
def test_a_code_nobody_knows_is_said_in_plain_words(codes: str) -> None:
    answer = Client().get(f"/acumulado/{codes}/")
    assert answer.status_code == 404
    assert Client().get(f"/acumulado/{codes}/value/").status_code == 404
    assert "/acumulado/" in answer.content.decode()


@pytest.mark.usefixtures("english")
def test_terms_nobody_confirmed_are_no_pool_yet() -> None:
    recorded(terms_of(), by=MANAGER)
    assert Client().get(PAGE).status_code == 404
    recorded_now = Client().get("/acumulado/?lang=en")
    assert "There is no jackpot yet" in recorded_now.content.decode()


def test_article_44_before_the_first_start_nothing_is_shown_as_a_value() -> None:
    approve()
    one = first(asked())
    assert (one["state"], one["value"]) == ("waiting", "")
    start()
    assert first(asked())["state"] == "running"


@pytest.mark.usefixtures("pool")
def test_article_49_a_prize_is_pending_until_it_is_paid_and_play_goes_on() -> None:
    chips(2)
    hit = recorded(won(("J5", 5, ACE_JACK)))
    one = first(asked())
    assert one["pending"] == "50,00\xa0€"
    assert (one["state"], one["cents"]) == ("running", 2_500_012 - 5_000)
    chips(10)
    assert first(asked())["cents"] == 2_500_075 - 5_000
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    one = first(asked())
    assert (one["pending"], one["cents"]) == ("", 2_500_075 - 5_000)


@pytest.mark.usefixtures("pool")
def test_article_44_an_emptied_meter_says_so_until_it_is_started_again() -> None:
    hit = recorded(won(("J5", 5, TOP)))
    one = first(asked())
    assert (one["state"], one["cents"]) == ("emptied", 0)
    start(reason="after_full_payout", hit=ref(hit))
    assert (first(asked())["state"], first(asked())["cents"]) == ("running", 2_500_000)


@pytest.mark.usefixtures("pool")
def test_article_41_it_is_never_lower_than_before_without_an_event() -> None:
    """Every change that lowers it moves `event`; chips, seals, readings and terms do not."""
    chips(100)
    seen = first(asked())

    def now() -> dict[str, Any]:
        nonlocal seen
        before, seen = seen, first(asked())
        assert seen["cut"] >= before["cut"]
        if seen["cents"] < before["cents"]:
            assert int(seen["event"]) > int(before["event"])
        return {
            "fell": seen["cents"] < before["cents"],
            "event": int(seen["event"]) > int(before["event"]),
        }

    chips(4)
    assert now() == {"fell": False, "event": False}
    seal(POOL)
    assert now() == {"fell": False, "event": False}
    approve(terms="T-2", valid_from=EVENING + timedelta(days=1))
    assert now() == {"fell": False, "event": False}
    recorded(won(("J5", 5, ACE_JACK)))
    assert now() == {"fell": True, "event": True}
    recorded(
        JackpotAdjusted(jackpot=POOL, microcents=-10 * 10**6, reason="device_fault"), by=MANAGER
    )
    assert now() == {"fell": True, "event": True}
    receipt = recorded(increment((1, "J1", 50), chip_cents=250))
    now()
    correction = recorded(
        increment((1, "J1", 2), chip_cents=250),
        supersedes=Supersedes(receipt.n, receipt.leaf, "typing-error"),
    )
    assert now() == {"fell": False, "event": False}  # it waits for its second person
    word = second_word("BJ-06", correction, receipt)
    recorded(word, by=HEAD)
    assert now() == {"fell": True, "event": True}


# What it costs


def questions(tag: str = "") -> int:
    """How many questions one look costs."""
    with CaptureQueriesContext(connection) as asked_of_it:
        asked(tag=tag)
    return len(asked_of_it)


@pytest.mark.usefixtures("pool")
def test_while_the_book_rests_a_look_is_one_question() -> None:
    tag = asked()["ETag"]
    assert questions() == questions(tag) == 1
    chips(1)
    assert 1 < questions(tag) <= 18
    assert questions(tag) == 1


@pytest.mark.usefixtures("pool")
def test_within_a_second_a_look_is_no_question_and_afterwards_the_book_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shown, "HOLD", 1.0)
    clock = [100.0]
    monkeypatch.setattr(shown.time, "monotonic", lambda: clock[0])
    before = first(asked())["cents"]
    chips(100)
    clock[0] += 0.99
    assert questions() == 0
    assert first(asked())["cents"] == before
    clock[0] += 0.01
    assert first(asked())["cents"] == displayed(POOL) > before


@pytest.mark.usefixtures("pool")
def test_another_tables_entry_changes_no_value() -> None:
    """The heads moved, so it was reckoned anew; and came to the same."""
    before = first(asked())
    recorded(burnt())
    after = first(asked())
    assert after["cents"] == before["cents"]
    assert after["cut"] == before["cut"] + 1


@pytest.mark.usefixtures("pool")
def test_whoever_waits_too_long_is_told_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "PATIENCE", 0.01)
    with shown._ONE_AT_A_TIME:
        answer = asked()
    assert answer.status_code == 503
    assert asked().status_code == 200


# Several


def test_several_pools_are_shown_on_one_screen() -> None:
    for code in (POOL, "JP-2"):
        approve(code)
        start(code, cents=3_000_000 if code == "JP-2" else 2_500_000)
    answer = Client().get(f"/acumulado/{POOL},JP-2/value/")
    assert [one["code"] for one in json.loads(answer.content)["pools"]] == [POOL, "JP-2"]
    page = Client().get(f"/acumulado/{POOL},JP-2/").content.decode()
    assert page.count('class="pool"') == 2
    listed = Client().get("/acumulado/").content.decode()
    assert reverse("jackpot-display", args=[f"{POOL},JP-2"]) in listed
    assert "30\xa0000,00\xa0€" in listed


@pytest.mark.usefixtures("pool")
def test_without_script_the_browser_asks_again() -> None:
    page = Client().get(PAGE).content.decode()
    assert '<noscript><meta http-equiv="refresh" content="10"></noscript>' in page


@pytest.mark.usefixtures("pool")
def test_whoever_tries_codes_costs_no_question_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "HOLD", 60.0)
    client = Client()
    assert client.get("/acumulado/JP-2/").status_code == 404
    shown._ONE_AT_A_TIME.acquire()  # and keeps no display waiting
    try:
        with CaptureQueriesContext(connection) as asked_of_the_book:
            for n in range(3, 30):
                assert client.get(f"/acumulado/JP-{n}/value/").status_code == 404
    finally:
        shown._ONE_AT_A_TIME.release()
    assert len(asked_of_the_book) == 0
    assert client.get(PAGE).status_code == 200
    approve("JP-2")
    assert client.get("/acumulado/JP-2/").status_code == 404
    monkeypatch.setattr(shown, "HOLD", 0.0)  # a second later it is there
    assert client.get("/acumulado/JP-2/").status_code == 200


def later(monkeypatch: pytest.MonkeyPatch, minutes: float) -> None:
    moment = clock.now() + timedelta(minutes=minutes)
    monkeypatch.setattr(clock, "now", lambda: moment)


@pytest.mark.usefixtures("pool")
def test_a_prize_has_a_name_and_not_a_code_alone() -> None:
    assert first(asked())["name"] == "Quatro ases do mesmo naipe"
    assert "Quatro ases do mesmo naipe" in Client().get(PAGE).content.decode()
    assert "Four aces of one suit" in Client().get(f"{PAGE}?lang=en").content.decode()
    assert "Quatro ases do mesmo naipe" in Client().get("/acumulado/").content.decode()


@pytest.mark.usefixtures("pool")
def test_article_44_the_wall_shows_what_was_won_for_five_minutes_and_then_the_new_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chips(3)
    hit = recorded(won(("J5", 5, TOP)))
    assert first(asked())["value"] == "25\xa0000,18\xa0€"
    assert len(first(asked())["won"]) == len("22:31")
    recorded(paid(hit, "J5", 5, TOP, 2_500_018))
    assert first(asked())["value"] == "25\xa0000,18\xa0€"  # paid, and still what was won
    later(monkeypatch, 5)
    found = first(asked())
    assert (found["value"], found["won"], found["state"]) == ("A reiniciar", "", "emptied")
    assert "0,00\xa0€" not in Client().get(PAGE).content.decode().replace("00,00", "")
    start(reason="after_full_payout", hit=ref(hit))
    assert first(asked())["value"] == "25\xa0000,00\xa0€"


@pytest.mark.usefixtures("pool")
def test_a_part_that_was_won_stands_beside_what_is_played_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorded(won(("J5", 5, ACE_JACK)))
    found = first(asked())
    assert found["value"] == "24\xa0950,00\xa0€"
    assert found["won"].startswith("50,00\xa0€ · ")
    later(monkeypatch, 5)
    assert first(asked())["won"] == ""


@pytest.mark.usefixtures("pool")
def test_a_win_that_was_withdrawn_is_shown_no_more() -> None:
    hit = recorded(won(("J5", 5, TOP)))
    recorded(
        JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit)),
        by=MANAGER,
    )
    found = first(asked())
    assert (found["won"], found["value"]) == ("", "25\xa0000,00\xa0€")
