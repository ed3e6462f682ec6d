"""Every night each pool is sealed, and replayed from its entries alone: difference 0, or a finding.

Law: PT art. 41, 43, 44, 50.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from audit.models import Finding, FindingSupersession, PoolReplay, PoolReplayRun
from audit.pools import replaying
from audit.pools.replaying import POOL_REPLAY, REPLAY
from audit.pools.replays_due import ask_for_replay
from audit.pools.report_replay import pool_findings
from audit.runs import house_checks
from casino.queries import heads
from casino.recording import Supersedes
from jackpot import queries
from jackpot.events import JackpotAdjusted
from jackpot.models import Contribution
from jackpot.progressive.amounts import MICROCENTS
from jackpot.rules.display_checks import Readings
from jackpot.rules.law_readings import NO_GRACE
from jackpot.seal_meter import event_of, seal
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    START_CENTS,
    SYSTEM,
    TOP,
    approve,
    increment,
    opened,
    paid,
    ref,
    start,
    won,
)
from tests.factories.pools_in_book import (
    a_whole_evening,
    at,
    chips,
    false_seal,
    looked,
    place_of,
    raised,
    replay,
)
from tests.factories.records import HEAD, MANAGER, recorded
from tests.factories.usual_events import second_word
from tests.jobs_inline import do_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.share]

START = START_CENTS * MICROCENTS
CHIP = 250 * 25_000


@pytest.fixture
def minutes_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let the clock run on: what is under way has to be recorded by then."""
    file = tmp_path / "moved"
    monkeypatch.setenv("CLOCK_FILE", str(file))

    def go_on(minutes: int) -> None:
        file.write_text(str(int(timedelta(minutes=minutes).total_seconds())), "ascii")

    return go_on


@pytest.fixture
def started_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing but chips had moved the meter for a while."""
    monkeypatch.setattr(Readings, "moved", lambda *_: None)


# The replay.


@pytest.mark.usefixtures("pool")
def test_article_41_a_pool_in_order_replays_to_a_difference_of_nothing() -> None:
    a_whole_evening()
    row = replay()
    assert (row.difference_microcents, row.misfits, row.problems) == (0, 0, 0)
    assert row.microcents == row.kept_microcents == queries.pool_now(POOL).meter.running
    assert raised() == []
    assert {read["stream"] for read in row.read_up_to} == {
        "jackpot/JP-1",
        "table/BJ-06",
        "table/BJ-07",
    }


@pytest.mark.usefixtures("pool")
def test_a_replay_done_in_many_parts_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    a_whole_evening()
    false_seal(-7)
    chips((1, "J1", 1))
    whole = replay()
    monkeypatch.setattr(replaying, "LOOKED", 1)
    monkeypatch.setattr(time, "monotonic", iter(range(0, 100_000, 60)).__next__)
    parts = replay()
    run = PoolReplayRun.objects.get(run=parts.run)
    assert run.part > 15
    for column in ("microcents", "kept_microcents", "entries", "misfits", "problems"):
        assert getattr(parts, column) == getattr(whole, column)
    assert len(raised()) == 1
    assert Finding.objects.count() == 1


@pytest.mark.usefixtures("pool")
def test_what_is_told_while_a_replay_is_under_way_is_the_next_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chips((1, "J1", 1))
    number = ask_for_replay(POOL)
    run = PoolReplayRun.objects.get(run=number)
    monkeypatch.setattr(replaying, "LOOKED", 1)
    assert POOL_REPLAY.do_part(run.run, 0, seconds=-1)
    assert not POOL_REPLAY.do_part(run.run, 0, seconds=-1)  # done before
    chips((1, "J1", 1))
    do_jobs(topic=REPLAY)
    row = PoolReplay.objects.get(run=run.run)
    assert (row.microcents, row.difference_microcents) == (START + CHIP, 0)
    assert replay().microcents == START + 2 * CHIP


# Misdeeds: the finding names the first entry that explains them.


@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize("off", [-1, -CHIP, 1_000 * MICROCENTS])
def test_article_41_a_silent_decrease_by_a_seal_is_found_at_the_seal(off: int) -> None:
    chips(*((1, f"J{n}", 50) for n in range(1, 5)))
    wrong = false_seal(off)
    chips((1, "J1", 1))
    seal(POOL)  # goes on from the wrong one
    looked(display_cents=queries.displayed(POOL))
    row = replay()
    assert raised() == [("41", at(wrong))]
    assert row.difference_microcents == off
    assert replay().difference_microcents == off
    assert Finding.objects.count() == 1  # never doubled


@pytest.mark.usefixtures("pool")
def test_article_41_a_display_that_shows_less_is_found_at_the_reading(
    minutes_pass: Callable[[int], None],
) -> None:
    chips((1, "J1", 40))
    looked(display_cents=START_CENTS + 250)
    low = looked(table="BJ-07", display_cents=START_CENTS + 249)
    replay()
    assert raised() == []  # 39 of the forty may be recorded next, and shown before them
    minutes_pass(6)
    replay()
    assert raised() == [("41", at(low))]


@pytest.mark.usefixtures("pool", "started_long_ago")
def test_article_41_what_an_increment_says_of_the_display_is_compared_like_a_reading() -> None:
    chips((1, "J1", 4), shows=START_CENTS + 25)
    assert replay().problems == 0
    low = chips((1, "J1", 4), table="BJ-07", shows=START_CENTS - 1)
    assert replay().problems == 1
    assert raised() == [("41", at(low))]


@pytest.mark.usefixtures("pool", "started_long_ago")
def test_article_41_a_display_told_wrongly_and_corrected_is_no_finding_any_more() -> None:
    wrong = chips((1, "J1", 4), shows=START_CENTS - 1)
    replay()
    assert raised() == [("41", at(wrong))]
    correction = recorded(
        increment((1, "J1", 4), chip_cents=250, display_cents=START_CENTS + 25),
        supersedes=Supersedes(wrong.n, wrong.leaf, "typing-error"),
    )
    replay()
    assert raised() == [("41", at(wrong))]  # nobody has confirmed it yet
    word = second_word("BJ-06", correction, wrong)
    recorded(word, by=HEAD)
    replay()
    assert raised() == []


@pytest.mark.usefixtures("pool")
def test_a_reading_waits_for_the_replay_that_knows_what_was_under_way(
    minutes_pass: Callable[[int], None],
) -> None:
    looked(display_cents=START_CENTS + 25)
    assert replay().problems == 0
    chips((1, "J1", 4), table="BJ-07")
    minutes_pass(6)
    assert replay().problems == 0
    assert not Finding.objects.exists()


@pytest.mark.usefixtures("pool")
def test_article_41_a_display_of_millions_is_one_finding(
    minutes_pass: Callable[[int], None],
) -> None:
    wrong = looked(display_cents=430_000_000)
    minutes_pass(6)
    replay()
    assert sorted(raised()) == [("41", at(wrong))]


@pytest.mark.usefixtures("pool")
def test_a_payment_beyond_all_that_was_put_in_is_found_by_43_and_by_the_house() -> None:
    chips((1, "J1", 1))
    hit = recorded(won(("J5", 5, ACE_JACK)))
    wrong = recorded(paid(hit, "J5", 5, ACE_JACK, START_CENTS + 7))
    row = replay()
    assert sorted(raised()) == [("43", at(wrong)), ("house.jackpot", at(wrong))]
    assert row.misfits == 1


@pytest.mark.usefixtures("pool")
def test_article_43_a_payment_of_more_than_was_won_is_found() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)))
    wrong = recorded(paid(hit, "J5", 5, ACE_JACK, 5_001))
    replay()
    assert raised() == [("43", at(wrong))]
    assert Finding.objects.get().owed_cents == 1


@pytest.mark.parametrize("grace", [False, True])
def test_article_44_chips_before_any_start_and_after_a_full_payout_are_found(
    grace: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not grace:  # as if each took longer than the law lets a round under way take
        monkeypatch.setattr(replaying, "_allowed", lambda day: NO_GRACE)
    approve()
    opened()
    early = chips((1, "J1", 1))
    chips((1, "J1", 1))
    start()
    hit = recorded(won(("J2", 2, TOP)))
    recorded(paid(hit, "J2", 2, TOP, START_CENTS))
    late = chips((1, "J1", 1))
    start(reason="after_full_payout", hit=ref(hit))
    replay()
    assert sorted(raised()) == sorted([("44", at(early))] + ([] if grace else [("44", at(late))]))


@pytest.mark.usefixtures("pool")
def test_article_50_wins_in_another_order_than_decided_are_a_note() -> None:
    recorded(won(("J5", 5, ACE_JACK), order=2))
    recorded(won(("J4", 4, ACE_JACK), table="BJ-07", order=1))
    replay()
    (row,) = pool_findings(POOL)
    assert (row.article, row.severity) == ("house.jackpot", "note")
    assert (row.observed, row.expected) == ({"place_in_book": 1}, {"place_decided": 2})


@pytest.mark.usefixtures("pool")
def test_a_row_that_does_not_say_what_its_entry_says_is_found_at_the_entry() -> None:
    chips((1, "J1", 1))
    wrong = chips((1, "J2", 1))
    chips((1, "J3", 1))
    row = Contribution.objects.get(owner="J2")
    row.pk, row.chip = uuid4(), 2
    row.save(force_insert=True)
    came_to = replay()
    assert came_to.difference_microcents == CHIP
    (found,) = pool_findings(POOL)
    assert (found.article, found.check_name) == ("house.book", house_checks.POOL_KEPT)
    assert place_of(found) == at(wrong)
    assert (found.observed, found.expected) == (
        {"change_microcents": 2 * CHIP},
        {"change_microcents": CHIP},
    )


@pytest.mark.usefixtures("pool")
def test_what_is_not_met_any_more_is_superseded_and_can_come_back() -> None:
    hit = recorded(won(("J2", 2, ACE_JACK), ("J3", 3, ACE_JACK)))
    recorded(paid(hit, "J2", 2, ACE_JACK, 4_999))
    replay()
    assert raised() == []  # the other one waits
    last = recorded(paid(hit, "J3", 3, ACE_JACK, 5_000))
    replay()
    assert raised() == [("43", at(last))]
    withdrawn = JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit))
    recorded(withdrawn, by=MANAGER)
    replay()
    assert raised() == []
    assert FindingSupersession.objects.get().reason == "cured"


@pytest.mark.usefixtures("pool")
def test_a_replay_that_read_less_leaves_alone_what_another_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    then = heads()
    wrong = looked(display_cents=1)
    replay()
    monkeypatch.setattr(replaying, "heads", lambda: then)
    replay()
    assert raised() == [("41", at(wrong))]
    monkeypatch.undo()
    replay()
    assert raised() == [("41", at(wrong))]


@pytest.mark.usefixtures("pool")
def test_a_seal_whose_sum_is_right_and_whose_parts_are_not_is_found_at_the_seal() -> None:
    recorded(won(("J5", 5, ACE_JACK)))
    right = event_of(queries.pool_now(POOL))
    assert seal(POOL) is not None
    replay()
    assert raised() == []
    wrong = recorded(replace(right, held=(), paid_cents=right.paid_cents + 5_000), by=SYSTEM)
    seal(POOL)
    replay()
    assert raised() == [("house.book", at(wrong))]
