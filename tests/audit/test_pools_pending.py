"""What of the pools waits for somebody is said where people look: alerts, overview, register."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.runs.house_days import REST, day_ends_at, first_day
from audit.watch.alerts import Alert, alerts, of_tables
from audit.watch.floor_deadlines import watch_deadlines
from casino import clock
from casino.events.witnessing import Witnessed
from casino.recording import Actor, Receipt
from jackpot.events import JackpotAdjusted, JackpotRead, TermsConfirmed
from jackpot.progressive.amounts import MICROCENTS
from jackpot.seal_meter import seal
from tests.factories.events.house import ROUND, A
from tests.factories.people import somebody
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    SEVENS,
    approve,
    opened,
    paid,
    ref,
    start,
    terms_of,
    won,
)
from tests.factories.pools_in_book import chips, replay
from tests.factories.records import EVENING, HEAD, MANAGER, recorded, soon

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]


@pytest.fixture
def pool() -> None:
    approve()
    start()
    opened()


def said(now: datetime | None = None) -> list[tuple[str, str, str]]:
    """What waits of the pools: table, words, place."""
    found: list[Alert] = alerts(now or clock.now())
    return [(one.table, one.words, one.place) for one in found if one.check.startswith("jackpot_")]


UNPAID = "A jackpot win waits to be paid; its cards stay open until then."


@pytest.mark.usefixtures("pool")
def test_article_49_a_win_is_due_until_everybody_was_paid() -> None:
    assert said() == []
    hit = recorded(won(("J5", 5, ACE_JACK), ("J3", 3, SEVENS)))
    assert said() == [("BJ-06", UNPAID, "jackpot JP-1")]
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    assert [one.words for one in alerts(clock.now(), ["BJ-06", "BJ-07"])] == [UNPAID]
    assert alerts(clock.now(), ["BJ-07"]) == []
    assert of_tables(["BJ-06"], clock.now())["BJ-06"] == ()  # the pool's own room says it there
    recorded(paid(hit, "J3", 3, SEVENS, 250_000))
    assert said() == []
    again = recorded(won(("J5", 5, ACE_JACK)))
    event = JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(again))
    recorded(event, by=MANAGER)
    assert said() == []


SHORT = "A jackpot prize was paid short; the rest is still owed."


@pytest.mark.usefixtures("pool")
def test_article_43_a_prize_paid_short_is_due_until_the_rest_was_paid() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 4_000))
    assert said() == [("BJ-06", SHORT, "jackpot JP-1")]
    assert alerts(clock.now(), ["BJ-07"]) == []
    recorded(paid(hit, "J5", 5, ACE_JACK, 999))
    assert [words for _, words, _ in said()] == [SHORT]
    recorded(paid(hit, "J5", 5, ACE_JACK, 1))
    assert said() == []


@pytest.mark.usefixtures("pool")
def test_article_40_terms_wait_for_their_second_person() -> None:
    waiting = recorded(terms_of(terms="T-2"), by=MANAGER)
    assert said() == [("", "Jackpot terms wait for a second person's word.", "jackpot JP-1")]
    recorded(TermsConfirmed(jackpot=POOL, confirms=ref(waiting)), by=HEAD)
    assert said() == []
    recorded(terms_of(terms="T-3"), by=MANAGER)
    approve(terms="T-4")  # which stands in its stead
    assert said() == []


@pytest.mark.usefixtures("pool")
def test_article_41_a_meter_that_was_not_sealed_tonight_is_said(live_at: Any) -> None:
    day = first_day()
    assert day is not None
    due = day_ends_at(day) + REST
    assert said(due - timedelta(seconds=1)) == []
    words = "The jackpot's meter was not sealed after the gaming day."
    assert said(due) == [("", words, "jackpot JP-1")]
    live_at(due)
    seal(POOL)
    assert said(due) == []


@pytest.mark.usefixtures("pool")
def test_a_finding_about_a_pool_is_said_and_led_to() -> None:
    recorded(JackpotRead(jackpot=POOL, display_cents=1), occurred_at=clock.now())
    replay()
    (one,) = alerts(clock.now())
    assert one.severity == "breach"
    assert one.cited.endswith("41")
    assert one.link.startswith("/")


# Two persons.


def confirmed(act: Receipt, by: Actor = HEAD) -> None:
    """A second person's word."""
    word = Witnessed(
        witnessed=ref(act),
        act="jackpot-adjusted/1",
        staff=by.staff,
        office="fiscal_chefe",
        method="pin",
        nonce=ROUND,
        expires_at=soon(),
        text_sha256=A,
    )
    recorded(word, by=by)


def alone(moment: datetime) -> list[Any]:
    watch_deadlines(moment)
    rows = standing().filter(check_name=house_checks.TWO_PERSONS).order_by("n")
    return [row.where for row in rows]


@pytest.mark.usefixtures("pool")
def test_a_meter_corrected_by_one_person_is_found_once_the_day_is_over() -> None:
    down = JackpotAdjusted(jackpot=POOL, microcents=-MICROCENTS, reason="counting_error")
    recorded(down, by=MANAGER)
    end = day_ends_at(EVENING.date())
    assert alone(end - timedelta(seconds=1)) == []
    assert alone(end) == [{"jackpot": POOL}]
    replay()
    assert alone(clock.now()) == [{"jackpot": POOL}]  # it is none of the replay's


@pytest.mark.usefixtures("pool")
def test_another_persons_word_settles_it_and_ones_own_does_not() -> None:
    up = JackpotAdjusted(jackpot=POOL, microcents=MICROCENTS, reason="device_fault")
    act = recorded(up, by=MANAGER)
    assert alone(clock.now()) == [{"jackpot": POOL}]
    confirmed(act)
    assert alone(clock.now()) == []


@pytest.mark.usefixtures("pool")
def test_a_prize_paid_by_one_person_is_found_too() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    assert alone(day_ends_at(EVENING.date())) == [{"jackpot": POOL}]


# The overview.


@pytest.mark.usefixtures("pool")
def test_the_overview_tells_each_pools_last_replay() -> None:
    client = somebody("auditor")
    page = client.get("/admin/").content.decode()
    assert "Never replayed" in page
    chips((1, "J1", 1))
    row = replay()
    page = client.get("/admin/").content.decode()
    assert "Replayed from the book: difference 0" in page
    assert f"/{row.pk}/" in page
    recorded(JackpotRead(jackpot=POOL, display_cents=1), occurred_at=clock.now())
    replay()
    assert "Replayed from the book: 1 problem" in client.get("/admin/").content.decode()
