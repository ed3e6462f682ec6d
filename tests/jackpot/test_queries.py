"""What a pool is worth, summed up on the projections and made again out of entries: the same.

Law: PT art. 40, 41, 44, 49, 50.
"""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from casino.queries import heads
from casino.rebuilding import compare, projection_models
from casino.recording import Supersedes
from jackpot import queries
from jackpot.events import JackpotAdjusted, JackpotRead, TermsConfirmed
from jackpot.models import Contribution, JackpotSeal
from jackpot.progressive.amounts import MICROCENTS
from jackpot.seal_meter import seal
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    SEVENS,
    SINCE,
    START_CENTS,
    TOP,
    approve,
    at_two_tables,
    increment,
    opened,
    paid,
    ref,
    staked,
    start,
    terms_of,
    won,
)
from tests.factories.records import EVENING, HEAD, MANAGER, recorded
from tests.factories.running_pools import CHIP, START, chips, running
from tests.factories.usual_events import second_word

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool() -> None:
    at_two_tables()


@pytest.mark.usefixtures("pool")
def test_article_41_the_display_shows_the_start_and_every_chip_since() -> None:
    assert running() == START
    chips((1, "J1", 1), (2, "J2", 1))
    chips((1, "J1", 1), table="BJ-07")
    assert running() == START + 3 * CHIP
    assert queries.displayed(POOL) == START_CENTS + 18


@pytest.mark.usefixtures("pool")
def test_article_41_the_source_the_terms_name_feeds_the_meter_alone() -> None:
    recorded(staked((1, "J1", 1), (2, "J2", 1)))  # evidence: marking is manual
    assert running() == START
    chips((1, "J1", 1), (2, "J2", 1))
    assert running() == START + 2 * CHIP


def test_article_41_with_automatic_marking_the_rounds_feed_it() -> None:
    approve(marking="automatic")
    start()
    opened()
    chips((1, "J1", 1))  # evidence
    recorded(staked((1, "J1", 1), (2, "J2", 2)))
    assert running() == START + 3 * CHIP


def test_article_41_a_round_feeds_the_pool_its_partida_named() -> None:
    for jackpot in (POOL, "JP-2"):
        approve(jackpot, marking="automatic")
        start(jackpot)
    opened("BJ-06", (POOL,))
    opened("BJ-07", ("JP-2",))
    opened("BJ-08", (POOL, "JP-2"))  # nobody can tell which
    for table in ("BJ-06", "BJ-07", "BJ-08", "BJ-09"):  # and of BJ-09 nobody opened anything
        recorded(staked((1, "J1", 1), table=table))
    assert running() == running("JP-2") == START + CHIP


def test_article_40_chips_without_terms_feed_nothing() -> None:
    start()
    opened()
    chips((1, "J1", 1))
    assert running() == START
    waiting = recorded(terms_of(), by=MANAGER)
    chips((1, "J1", 1))  # one person's word is none
    assert running() == START
    recorded(TermsConfirmed(jackpot=POOL, confirms=ref(waiting)), by=HEAD)
    assert running() == START  # and what is confirmed does not reach back
    chips((1, "J1", 1))
    assert running() == START + CHIP


@pytest.mark.usefixtures("pool")
def test_article_40_every_contribution_has_the_terms_of_its_moment() -> None:
    chips((1, "J1", 1))
    later = EVENING + timedelta(minutes=30)
    approve(terms="T-2", valid_from=later, stake_cents=500, rate_millionths=10_000)
    chips((1, "J1", 1))  # before they are in force
    assert running() == START + 2 * CHIP
    recorded(increment((1, "J1", 1)), occurred_at=later)  # a chip of the set amount
    assert running() == START + 2 * CHIP + 500 * 10_000
    assert queries.terms_at(POOL, EVENING).name == "T-1"  # type: ignore[union-attr]
    assert queries.terms_at(POOL, later).name == "T-2"  # type: ignore[union-attr]
    assert queries.terms_at(POOL, SINCE - timedelta(seconds=1)) is None


@pytest.mark.usefixtures("pool")
def test_article_40_terms_told_late_change_nothing_that_was_recorded() -> None:
    chips((1, "J1", 1))
    before = running()
    approve(terms="T-2", valid_from=SINCE, rate_millionths=1_000_000)
    assert running() == before
    chips((1, "J1", 1))
    assert running() == before + 250 * 1_000_000


def test_article_40_a_table_that_is_not_linked_feeds_nothing() -> None:
    approve(tables=("BJ-06",))
    start()
    chips((1, "J1", 1), table="BJ-07")
    assert running() == START
    chips((1, "J1", 1))
    assert running() == START + CHIP


@pytest.mark.usefixtures("pool")
def test_a_correction_counts_from_its_approval_by_what_it_changes() -> None:
    receipt = chips((1, "J1", 5))
    seal(POOL)
    correction = recorded(
        increment((1, "J1", 2), chip_cents=250),
        supersedes=Supersedes(receipt.n, receipt.leaf, "typing-error"),
    )
    assert running() == START + 5 * CHIP  # it waits for its second person
    word = second_word("BJ-06", correction, receipt)
    recorded(word, by=HEAD)
    assert running() == START + 2 * CHIP
    seal(POOL)
    assert running() == START + 2 * CHIP


@pytest.mark.usefixtures("pool")
def test_article_50_what_is_won_is_held_and_then_paid() -> None:
    chips((1, "J1", 1))
    hit = recorded(won(("J5", 5, ACE_JACK), ("J3", 3, SEVENS)))
    came_to = queries.payout_of(POOL, hit.n)
    assert came_to is not None
    assert [(step.winner.owner, step.paid_cents) for step in came_to.steps] == [
        ("J5", 5_000),
        ("J3", 250_000),
    ]
    assert running() == START + CHIP - 255_000 * MICROCENTS
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    recorded(paid(hit, "J3", 3, SEVENS, 250_000))
    assert running() == START + CHIP - 255_000 * MICROCENTS
    assert queries.pool_now(POOL).meter.held == 0


@pytest.mark.usefixtures("pool")
def test_article_50_two_hits_at_once_share_no_money() -> None:
    chips(*((box, f"J{box}", 1) for box in range(1, 7)))
    first = recorded(won(("J2", 2, TOP)))
    second = recorded(won(("J5", 5, TOP), table="BJ-07"))
    chips((1, "J1", 4))
    came_to, nothing = (queries.payout_of(POOL, hit.n) for hit in (first, second))
    assert came_to is not None
    assert nothing is not None
    assert came_to.paid_cents == START_CENTS + 37
    assert came_to.after_microcents == MICROCENTS // 2  # half a cent nobody can be handed
    assert nothing.paid_cents == 0
    start(reason="after_full_payout", hit=ref(first))
    third = recorded(won(("J5", 5, TOP), table="BJ-07"))
    full = queries.payout_of(POOL, third.n)
    assert full is not None
    assert full.paid_cents == START_CENTS + 25
    assert running() == MICROCENTS // 2


@pytest.mark.usefixtures("pool")
def test_article_50_the_amounts_of_a_win_do_not_change_with_what_comes_after() -> None:
    chips((1, "J1", 1))
    hit = recorded(won(("J3", 3, SEVENS)))
    before = queries.payout_of(POOL, hit.n)
    chips((1, "J1", 40))
    approve(terms="T-2", lines=terms_of().lines[:1])
    seal(POOL)
    assert queries.payout_of(POOL, hit.n) == before
    assert queries.payout_of(POOL, hit.n + 100) is None


@pytest.mark.usefixtures("pool")
def test_article_50_a_second_payment_does_not_lower_the_meter_twice() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    left = running()
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000, again=True))
    for again in (queries.pool_now(POOL).pool, queries.replayed(POOL)):
        assert again.meter.running == left
        assert [misfit.what for misfit in again.misfits] == ["paid_twice"]


@pytest.mark.usefixtures("pool")
def test_a_win_withdrawn_is_played_for_again() -> None:
    hit = recorded(won(("J2", 2, TOP)))
    assert running() == 0
    event = JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit))
    recorded(event, by=MANAGER)
    assert running() == START


@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize("sealed", [(), (1,), (2,), (3,), (4,), (5,), (1, 3, 5)])
def test_article_41_a_seal_changes_nothing_wherever_it_lies(sealed: tuple[int, ...]) -> None:
    def here(place: int) -> None:
        if place in sealed:
            assert seal(POOL) is not None

    chips((1, "J1", 1))
    here(1)
    hit = recorded(won(("J2", 2, TOP), ("J5", 5, ACE_JACK)))
    here(2)
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    here(3)
    chips((1, "J1", 7))
    start(reason="after_full_payout", hit=ref(hit))
    here(4)
    recorded(paid(hit, "J2", 2, TOP, START_CENTS + 6 - 5_000))
    down = JackpotAdjusted(jackpot=POOL, microcents=-MICROCENTS, reason="counting_error")
    recorded(down, by=MANAGER)
    here(5)
    chips((1, "J1", 1))
    recorded(JackpotRead(jackpot=POOL, display_cents=START_CENTS + 49))
    assert running() == START - 7 * MICROCENTS + 9 * CHIP
    assert JackpotSeal.objects.count() == len(sealed)


def test_a_pool_that_has_not_begun_is_not_sealed() -> None:
    approve()
    assert seal(POOL) is None
    assert queries.displayed(POOL) == 0


@pytest.mark.usefixtures("pool")
def test_the_same_cut_gives_the_same_meter_whatever_came_since() -> None:
    chips((1, "J1", 1))
    cut, then = heads(), running()
    chips((1, "J1", 9))
    recorded(won(("J2", 2, TOP)))
    seal(POOL)
    assert queries.pool_now(POOL, until=cut).meter.running == then
    assert queries.replayed(POOL, until=cut).meter.running == then


@pytest.mark.usefixtures("pool")
def test_a_display_asks_the_database_few_questions() -> None:
    for n in range(5):
        chips((1, f"J{n}", 1))
    with CaptureQueriesContext(connection) as asked:
        queries.displayed(POOL)
    assert len(asked) <= 10


@pytest.mark.usefixtures("pool")
def test_what_the_meter_was_said_to_be_is_compared() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK), running_microcents=START + 1))
    (misfit,) = queries.replayed(POOL).misfits
    assert (misfit.entry, misfit.what) == (str(hit.n), "meter_misread")
    assert (misfit.recorded, misfit.expected) == (START + 1, START)


def a_whole_story() -> None:
    """Something on every projection of pools."""
    approve()
    start()
    opened()
    recorded(staked((1, "J1", 2)))
    chips((1, "J1", 2), (2, "J2", 60))
    hit = recorded(won(("J2", 2, TOP), ("J5", 5, ACE_JACK)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000, name="Inês", identification="CC 1"))
    down = JackpotAdjusted(jackpot=POOL, microcents=-1, reason="counting_error", note="Uma nota.")
    recorded(down, by=MANAGER)
    recorded(JackpotRead(jackpot=POOL, display_cents=0))
    assert seal(POOL) is not None


@pytest.mark.parametrize("model", sorted(one for one in projection_models() if "jackpot" in one))
def test_the_shelves_of_pools_say_what_the_book_says(model: str) -> None:
    a_whole_story()
    projection = projection_models()[model]
    assert projection._default_manager.exists()
    assert list(compare(projection)) == []


def test_a_row_slipped_in_is_named_and_moves_the_display_but_not_the_story() -> None:
    a_whole_story()
    start("JP-2")
    approve("JP-2")
    recorded(increment((1, "J1", 1), jackpot="JP-2", chip_cents=250))
    row = Contribution.objects.get(jackpot="JP-2")
    row.pk, row.chip = uuid4(), 2
    row.save(force_insert=True)
    assert [one.what for one in compare(Contribution)] == ["not in the book"]
    now, again = queries.pool_now("JP-2"), queries.replayed("JP-2")
    assert now.meter.running - again.meter.running == CHIP


def test_a_chip_cannot_stand_twice_for_one_entry() -> None:
    approve()
    recorded(increment((1, "J1", 1), chip_cents=250))
    row = Contribution.objects.get()
    row.pk = uuid4()
    with pytest.raises(IntegrityError, match="contribution_once"):
        row.save(force_insert=True)
