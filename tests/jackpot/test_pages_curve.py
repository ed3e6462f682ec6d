"""How a pool went: points in true order, values as the book has them, readings beside them.

Law: PT art. 40, 41, 44, 50.
"""

import csv
import io
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.recording import Supersedes
from casino.web.display.csv_answer import BOM
from casino.web.display.money_and_time import moment
from casino.web.entries.entry_page import url_of
from jackpot import queries
from jackpot.events import JackpotAdjusted, JackpotRead
from jackpot.models import JackpotPayment, JackpotSeal
from jackpot.pages.curve import HEAD as COLUMNS
from jackpot.pages.curve import compared, figure, grouped
from jackpot.progressive.amounts import MICROCENTS
from jackpot.queries.course import Course, course
from jackpot.seal_meter import seal
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    START_CENTS,
    TOP,
    approve,
    at_two_tables,
    increment,
    opened,
    paid,
    start,
    won,
)
from tests.factories.records import HEAD, MANAGER, recorded
from tests.factories.usual_events import second_word
from tests.jackpot.looking import looks

pytestmark = [pytest.mark.django_db, pytest.mark.share]
START = START_CENTS * MICROCENTS
CHIP = 250 * 25_000
PAGE = f"/jackpots/{POOL}/"


@pytest.fixture
def pool() -> None:
    at_two_tables()


def chips(n: int, table: str = "BJ-06") -> Any:
    """So many chips collected."""
    return recorded(increment((1, "J1", n), table=table, chip_cents=250))


def today(**known: Any) -> Course:
    """The last hour, as the tests' events are recorded now."""
    now = clock.now()
    return course(POOL, now - timedelta(hours=1), now + timedelta(seconds=1), **known)


def recorded_of(seen: Course) -> list[tuple[str, int, int]]:
    """Kind, change and value of every point, the chips between two events as one."""
    return [(one.kind, one.change, one.after) for one in grouped(seen.points)]


@pytest.mark.usefixtures("pool")
def test_every_event_has_the_value_before_and_after_it() -> None:
    chips(2)
    chips(3, "BJ-07")
    hit = recorded(won(("J5", 5, ACE_JACK)))
    chips(1)
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    recorded(JackpotAdjusted(jackpot=POOL, microcents=-7, reason="device_fault"), by=MANAGER)
    seal(POOL)
    assert recorded_of(today()) == [
        ("start", START, START),
        ("chips", 5 * CHIP, START + 5 * CHIP),
        ("win", -5_000 * MICROCENTS, START + 5 * CHIP - 5_000 * MICROCENTS),
        ("chips", CHIP, START + 6 * CHIP - 5_000 * MICROCENTS),
        ("payment", 0, START + 6 * CHIP - 5_000 * MICROCENTS),
        ("adjustment", -7, START + 6 * CHIP - 5_000 * MICROCENTS - 7),
        ("seal", 0, START + 6 * CHIP - 5_000 * MICROCENTS - 7),
    ]
    assert today().points[-1].after == queries.pool_now(POOL).meter.running
    assert [one.misfit for one in today().points] == [None] * len(today().points)


@pytest.mark.usefixtures("pool")
def test_it_may_begin_at_a_seal_and_comes_to_the_same() -> None:
    chips(7)
    recorded(won(("J5", 5, ACE_JACK)))
    seal(POOL)
    since = clock.now()
    hit = recorded(won(("J2", 2, ACE_JACK)))
    chips(4)
    recorded(paid(hit, "J2", 2, ACE_JACK, 5_000))
    whole = today()
    part = course(POOL, since, clock.now() + timedelta(seconds=1))
    assert part.opening == JackpotSeal.objects.get().microcents
    assert recorded_of(part) == recorded_of(whole)[-len(recorded_of(part)) :]
    assert part.points[-1].after == queries.replayed(POOL).meter.running


@pytest.mark.usefixtures("pool")
def test_it_may_end_before_now() -> None:
    chips(7)
    until = clock.now()
    chips(100)
    seal(POOL)
    for parts in (1, 7, 240):
        early = course(POOL, until - timedelta(hours=1), until, parts=parts)
        assert recorded_of(early) == [
            ("start", START, START),
            ("chips", 7 * CHIP, START + 7 * CHIP),
        ]


@pytest.mark.usefixtures("pool")
def test_a_correction_stands_where_it_was_approved() -> None:
    receipt = chips(5)
    chips(1)
    correction = recorded(
        increment((1, "J1", 2), chip_cents=250),
        supersedes=Supersedes(receipt.n, receipt.leaf, "typing-error"),
    )
    word = second_word("BJ-06", correction, receipt)
    approved = recorded(word, by=HEAD)
    chips(1)
    seen = today(parts=1)
    assert sorted(recorded_of(seen), key=lambda one: one[0])[-2:] == [
        ("correction", -3 * CHIP, START + 3 * CHIP),
        ("start", START, START),
    ]
    assert [p.entry_id for p in seen.points if p.kind == "correction"] == [str(approved.entry_id)]


@pytest.mark.usefixtures("pool")
def test_article_41_a_reading_is_compared_with_the_book() -> None:
    chips(4)
    read = JackpotRead(jackpot=POOL, display_cents=START_CENTS + 25)
    recorded(read)
    chips(4)
    recorded(JackpotRead(jackpot=POOL, display_cents=START_CENTS))
    right, wrong = [compared(one) for one in today().points if one.kind == "reading"]
    assert right is not None
    assert wrong is not None
    assert (right.difference, wrong.difference) == (0, -50 * MICROCENTS)


@pytest.mark.usefixtures("pool")
def test_a_reading_told_late_is_seen_to_have_been_right_when_it_was_read() -> None:
    chips(4)
    looked = clock.now()
    chips(4)
    recorded(JackpotRead(jackpot=POOL, display_cents=START_CENTS + 25), occurred_at=looked)
    (reading,) = [one for one in today().points if one.kind == "reading"]
    assert reading.seen == START_CENTS + 25
    assert compared(reading).difference == -25 * MICROCENTS  # type: ignore[union-attr]


def test_what_comes_before_the_start_counts_for_nothing_and_is_said() -> None:
    approve()
    opened()
    chips(1)
    start()
    kinds = [(one.kind, one.change, one.misfit is not None) for one in today(parts=1).points]
    assert kinds == [("chips", 0, True), ("start", START, False)]


# The page


@pytest.mark.usefixtures("pool", "english")
def test_the_figure_begins_where_the_pool_does() -> None:
    chips(400)
    drawn = figure(today())
    assert "€25,000.00 to €25,025.00" in drawn
    assert "€25,000.00</text>" in drawn  # the scale's foot, not nought
    assert ">€0.00<" not in drawn
    assert drawn.count('class="note up"') == 1


@pytest.mark.usefixtures("pool", "english")
def test_the_page_shows_the_curve_the_events_and_links_to_their_entries() -> None:
    chips(4)
    hit = recorded(won(("J5", 5, TOP)))
    recorded(JackpotRead(jackpot=POOL, display_cents=12_345))
    answer = looks("inspetor").get(PAGE)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert '<svg class="curve"' in page
    assert url_of("jackpot-won/1", hit.entry_id) in page
    assert reverse("jackpot-payout", args=[hit.entry_id]) in page
    assert "four aces of one suit" in page
    assert "+€123.45" in page
    assert "style=" not in page[page.index("<main") :]


@pytest.mark.parametrize(
    ("office", "opens", "takes"),
    [
        ("fiscal_de_banca", False, False),
        ("fiscal_chefe", True, False),
        ("chefia_da_sala", True, False),
        ("inspetor", True, True),
        ("auditor", True, True),
        ("administrador", False, False),
    ],
)
@pytest.mark.usefixtures("pool")
def test_who_opens_it_and_who_takes_it_out(office: str, opens: bool, takes: bool) -> None:
    client = looks(office)
    answer = client.get(PAGE)
    assert answer.status_code == (200 if opens else 403)
    assert client.get(f"{PAGE}csv/").status_code == (200 if takes else 403)
    assert not opens or (f"{PAGE}csv/" in answer.content.decode()) == takes


def test_a_pool_nobody_knows_is_not_found() -> None:
    assert looks("auditor").get("/jackpots/JP-9/").status_code == 404
    assert looks("auditor").get("/jackpots/JP-9/csv/").status_code == 404
    assert Client().get(PAGE).status_code == 302


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("", 200),
        ("?from=2026-11-01&to=2026-11-20", 200),
        ("?from=2026-11-20", 200),
        ("?from=2026-11-21&to=2026-11-20", 400),
        ("?from=yesterday", 400),
        ("?from=0001-01-01", 400),
        ("?to=9999-12-31", 200),
        ("?from=2020-01-01&to=2026-11-20", 400),
        ("?from=%00&to=%ff", 400),
    ],
)
@pytest.mark.usefixtures("pool")
def test_days_are_asked_for_in_words_that_make_sense(asked: str, status: int) -> None:
    client = looks("auditor")
    answer = client.get(PAGE + asked)
    assert answer.status_code == status
    assert "<svg" in answer.content.decode()
    # A file is evidence: it holds the days that were asked for, or there is none.
    file = client.get(f"{PAGE}csv/{asked}")
    assert file.status_code == status
    if status == 400:
        assert file["Content-Type"] == "text/plain; charset=utf-8"
        assert "Content-Disposition" not in file
        assert file.content.decode().strip() in answer.content.decode()


@pytest.mark.usefixtures("pool")
def test_the_file_holds_every_event_to_the_microcent() -> None:
    chips(4)
    recorded(won(("J5", 5, ACE_JACK), running_microcents=START))
    answer = looks("auditor").get(f"{PAGE}csv/")
    body = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    assert body.startswith(BOM)
    rows = list(csv.DictReader(io.StringIO(body.removeprefix(BOM))))
    assert tuple(rows[0]) == COLUMNS
    assert [row["event"] for row in rows] == ["start", "chips", "win"]
    assert [int(row["meter_microcents"]) for row in rows] == [
        START,
        START + 4 * CHIP,
        START + 4 * CHIP - 5_000 * MICROCENTS,
    ]
    assert rows[2]["difference_microcents"] == str(-4 * CHIP)
    assert rows[2]["misfit"] == "meter_misread"
    assert re.fullmatch(r"2\d{3}-.*\+00:00", rows[0]["recorded_at"])


@pytest.mark.usefixtures("pool", "english")
def test_an_event_stands_at_the_moment_it_happened_and_says_when_it_was_recorded() -> None:
    """One payment has one time, whichever page tells it."""
    hit = recorded(won(("J5", 5, ACE_JACK)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    shown = [row for row in looks("inspetor").get(PAGE).context["rows"] if row["kind"] == "payment"]
    row = JackpotPayment.objects.get()
    assert [one["at"] for one in shown] == [moment(row.occurred_at)]
    assert moment(row.occurred_at) != moment(row.recorded_at)
    assert [one["recorded"] for one in shown] == [f"recorded {moment(row.recorded_at)}"]


@pytest.mark.usefixtures("pool", "english")
def test_chips_stand_until_when_they_were_laid() -> None:
    chips(2)
    shown = [row for row in looks("inspetor").get(PAGE).context["rows"] if row["kind"] == "chips"]
    assert [one["at"].startswith("until ") for one in shown] == [True]
