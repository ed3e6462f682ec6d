"""The door for what is done with a pool: second persons, wins recorded once, prizes paid once.

Law: PT art. 40, 50.
"""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from casino.events.witnessing import Witnessed
from casino.models import Attestation, PrivateValue
from casino.recording import (
    NeverCorrected,
    NotAllowed,
    Supersedes,
    WitnessRefused,
    record_many,
)
from casino.recording.projecting import locks_of
from jackpot.events import JackpotAdjusted, TermsConfirmed
from jackpot.models import (
    Contribution,
    JackpotPayment,
    JackpotTerms,
    JackpotTermsConfirmation,
    JackpotWin,
    JackpotWinnerRow,
)
from jackpot.pool_questions import NoSuchWin, PaidAlready, WonAlready
from jackpot.progressive.amounts import MICROCENTS
from jackpot.queries import pool_now, replayed
from jackpot.seal_meter import seal
from tests.factories.events.house import ROUND
from tests.factories.pools import (
    ACE_JACK,
    POOL,
    TOP,
    approve,
    increment,
    opened,
    paid,
    ref,
    staked,
    start,
    terms_of,
    won,
)
from tests.factories.records import HEAD, MANAGER, recorded, soon, submission
from tests.factories.usual_events import second_word

pytestmark = pytest.mark.django_db


def test_article_40_terms_are_recorded_and_wait_for_a_second_person() -> None:
    receipt = recorded(terms_of(), by=MANAGER)
    row = JackpotTerms.objects.get()
    assert (row.stream, row.n, row.rate_millionths) == ("jackpot/JP-1", 1, 25_000)
    assert row.lines[2] == [ACE_JACK, None, 5_000]
    recorded(TermsConfirmed(jackpot=POOL, confirms=ref(receipt)), by=HEAD)
    assert JackpotTermsConfirmation.objects.get().terms_n == 1


def test_article_40_nobody_confirms_his_own_terms_nor_the_same_terms_twice() -> None:
    receipt = recorded(terms_of(), by=MANAGER)
    word = TermsConfirmed(jackpot=POOL, confirms=ref(receipt))
    with pytest.raises(NotAllowed):
        recorded(word, by=MANAGER)
    for spelling in (MANAGER.staff, MANAGER.staff.lower()):
        himself = type(HEAD)(spelling, "fiscal_chefe", "admin")
        with pytest.raises(WitnessRefused, match="cannot witness his own act"):
            recorded(word, by=himself)
    recorded(word, by=HEAD)
    with pytest.raises(WitnessRefused, match="confirmed already"):
        recorded(word, by=HEAD)
    assert JackpotTermsConfirmation.objects.count() == 1


def test_article_40_what_is_confirmed_are_terms_there_are() -> None:
    started = start()
    with pytest.raises(WitnessRefused, match="another kind"):
        recorded(TermsConfirmed(jackpot=POOL, confirms=ref(started)), by=HEAD)
    receipt = approve()
    other = type(ref(receipt))(stream="jackpot/JP-1", n=receipt.n, leaf="0" * 64)
    with pytest.raises(WitnessRefused, match="not in the book"):
        recorded(TermsConfirmed(jackpot=POOL, confirms=other), by=HEAD)


def test_article_40_one_batch_does_not_confirm_the_same_terms_twice() -> None:
    word = TermsConfirmed(jackpot=POOL, confirms=ref(recorded(terms_of(), by=MANAGER)))
    with pytest.raises(WitnessRefused):
        record_many([submission(word, by=HEAD), submission(word, by=HEAD)])
    assert not JackpotTermsConfirmation.objects.exists()


def test_article_50_a_round_wins_once() -> None:
    opened()
    recorded(won(("J2", 2, TOP), ("J5", 5, ACE_JACK), round=ROUND))
    with pytest.raises(WonAlready):
        recorded(won(("J2", 2, TOP), round=ROUND))
    assert JackpotWin.objects.count() == 1
    assert set(JackpotWinnerRow.objects.values_list("owner", "box", "code")) == {
        ("J2", 2, TOP),
        ("J5", 5, ACE_JACK),
    }
    # Another round, another table, another pool: each is a win of its own.
    recorded(won(("J2", 2, TOP), shoe=1, number=7))
    with pytest.raises(WonAlready):
        recorded(won(("J3", 3, TOP), shoe=1, number=7))
    recorded(won(("J2", 2, TOP), round=ROUND, jackpot="JP-2"))
    recorded(won(("J2", 2, TOP), round=ROUND, table="BJ-07"))


BY_NAME: dict[str, Any] = {"round": ROUND}
BY_PLACE: dict[str, Any] = {"shoe": 1, "number": 7}
IN_FULL = BY_NAME | BY_PLACE


@pytest.mark.parametrize(
    ("first", "then"),
    [(BY_PLACE, IN_FULL), (BY_NAME, IN_FULL), (IN_FULL, BY_PLACE), (IN_FULL, BY_NAME)],
)
def test_article_50_a_round_wins_once_whichever_its_names(first: Any, then: Any) -> None:
    opened()
    recorded(won(("J2", 2, TOP), **first))
    with pytest.raises(WonAlready):
        recorded(won(("J2", 2, TOP), **then))
    assert JackpotWin.objects.count() == 1
    recorded(won(("J2", 2, TOP), shoe=1, number=8))  # the next


@pytest.mark.parametrize("joined", [True, False])
@pytest.mark.parametrize(("first", "then"), [(BY_PLACE, BY_NAME), (BY_NAME, BY_PLACE)])
def test_article_50_a_rounds_record_joins_its_names(first: Any, then: Any, joined: bool) -> None:
    opened()
    recorded(won(("J2", 2, TOP), **first))
    if not joined:
        recorded(won(("J2", 2, TOP), **then))  # nobody knows that it is the same
        return
    recorded(replace(staked((2, "J2", 1), place=7), round=ROUND))
    with pytest.raises(WonAlready):
        recorded(won(("J2", 2, TOP), **then))
    with pytest.raises(WonAlready):
        record_many(
            [
                submission(won(("J5", 5, TOP), shoe=2, number=1)),
                submission(
                    won(("J5", 5, TOP), shoe=2, number=1, round=str(UUID(int=5, version=4)))
                ),
            ]
        )


def test_article_50_a_rounds_corrected_place_is_no_longer_its_name() -> None:
    opened()
    wrong = replace(staked((2, "J2", 1), place=7), round=ROUND)
    receipt = recorded(wrong)
    pending = recorded(
        replace(wrong, number=8), supersedes=Supersedes(receipt.n, receipt.leaf, "typing-error")
    )
    word = second_word("BJ-06", pending, receipt)
    recorded(word, by=HEAD)
    recorded(won(("J2", 2, TOP), **BY_NAME))
    recorded(won(("J2", 2, TOP), shoe=1, number=7))  # which is another round's
    with pytest.raises(WonAlready):
        recorded(won(("J2", 2, TOP), shoe=1, number=8))


def test_article_50_a_win_withdrawn_may_be_told_anew() -> None:
    hit = recorded(won(("J2", 2, TOP), round=ROUND))
    recorded(
        JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit)),
        by=MANAGER,
    )
    assert recorded(won(("J2", 2, ACE_JACK), round=ROUND)).n == 3


def test_article_50_nobody_is_paid_the_same_prize_twice() -> None:
    hit = recorded(won(("J2", 2, TOP), ("J5", 5, ACE_JACK)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000, identification="CC 1"))
    with pytest.raises(PaidAlready) as refused:
        recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    assert "J5" in str(refused.value.reason)
    recorded(paid(hit, "J2", 2, TOP, 2_495_000))  # another winner
    second = recorded(won(("J5", 5, ACE_JACK)))
    recorded(paid(second, "J5", 5, ACE_JACK, 5_000))  # another win
    assert JackpotPayment.objects.count() == 3


def test_article_50_what_was_missing_of_a_prize_is_told_later() -> None:
    approve()
    start()
    opened()
    hit = recorded(won(("J2", 2, ACE_JACK), ("J5", 5, ACE_JACK)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 4_000))
    for cents in (0, 1_001, 5_000):  # of the rest no cent more, and nothing is no rest
        with pytest.raises(PaidAlready):
            recorded(paid(hit, "J5", 5, ACE_JACK, cents))
    seal(POOL)
    recorded(paid(hit, "J5", 5, ACE_JACK, 1_000))
    meter = pool_now(POOL).meter
    assert (meter.paid, meter.held) == (5_000 * MICROCENTS,) * 2
    assert replayed(POOL).meter.running == meter.running
    with pytest.raises(PaidAlready):
        recorded(paid(hit, "J5", 5, ACE_JACK, 1))


def test_article_50_of_a_withdrawn_win_nothing_is_missing() -> None:
    approve()
    start()
    opened()
    hit = recorded(won(("J5", 5, ACE_JACK)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 4_000))
    undone = JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(hit))
    recorded(undone, by=MANAGER)
    with pytest.raises(PaidAlready):
        recorded(paid(hit, "J5", 5, ACE_JACK, 1_000))


def test_article_50_money_handed_out_twice_is_told_as_such() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000, again=True))
    assert list(JackpotPayment.objects.order_by("n").values_list("again", flat=True)) == [
        None,
        True,
    ]


def test_article_50_one_batch_does_not_pay_twice() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)))
    event = paid(hit, "J5", 5, ACE_JACK, 5_000)
    with pytest.raises(PaidAlready) as refused:
        record_many([submission(event), submission(event)])
    assert refused.value.place == 1
    assert not JackpotPayment.objects.exists()


def test_a_payment_names_a_win_there_is() -> None:
    started = start()
    with pytest.raises(NoSuchWin):
        recorded(paid(started, "J5", 5, ACE_JACK, 5_000))
    none = JackpotAdjusted(jackpot=POOL, microcents=0, reason="win_withdrawn", hit=ref(started))
    with pytest.raises(NoSuchWin):
        recorded(none, by=MANAGER)
    with pytest.raises(NoSuchWin):
        start(reason="after_full_payout", hit=ref(started))


def test_who_won_is_kept_apart_and_never_on_a_shelf() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)))
    recorded(paid(hit, "J5", 5, ACE_JACK, 5_000, name="Inês Conceição", identification="CC 1"))
    assert set(PrivateValue.objects.values_list("field", flat=True)) == {"name", "identification"}
    assert JackpotPayment.objects.get().named


def test_what_the_meter_was_shown_by_is_never_corrected() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)))
    receipt = recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    correction = Supersedes(receipt.n, receipt.leaf, "typing-error")
    with pytest.raises(NeverCorrected):
        recorded(paid(hit, "J5", 5, ACE_JACK, 4_000), supersedes=correction)


def test_a_payment_is_witnessed_though_its_stream_is_the_pools() -> None:
    hit = recorded(won(("J5", 5, ACE_JACK)))
    receipt = recorded(paid(hit, "J5", 5, ACE_JACK, 5_000))
    known: dict[str, Any] = {"act": "jackpot-paid/1", "method": "pin", "office": "fiscal_chefe"}
    known |= {"nonce": ROUND, "expires_at": soon(), "text_sha256": "0" * 64}
    word = Witnessed(
        table="BJ-06",
        partida="BJ-06/2026-11-20/1",
        witnessed=ref(receipt),
        staff=HEAD.staff,
        **known,
    )
    recorded(word, by=HEAD)
    row = Attestation.objects.get()
    assert (row.stream, row.table_code, row.witnessed_n) == ("jackpot/JP-1", "BJ-06", receipt.n)
    of_no_table = Witnessed(witnessed=ref(receipt), staff=HEAD.staff, **known)
    with pytest.raises(WitnessRefused, match="another table"):
        recorded(of_no_table, by=HEAD)


def test_an_increment_of_chips_is_corrected_as_before() -> None:
    opened()
    receipt = recorded(increment((2, "J2", 2), chip_cents=250))
    correction = recorded(
        increment((2, "J2", 1), chip_cents=250),
        supersedes=Supersedes(receipt.n, receipt.leaf, "typing-error"),
    )
    assert Contribution.objects.count() == 3
    word = second_word("BJ-06", correction, receipt)
    recorded(word, by=HEAD)


def test_chips_beyond_number_are_one_row_more() -> None:
    recorded(increment((2, "J2", 1_000), chip_cents=100_000))
    rows = list(Contribution.objects.order_by("chip").values_list("chip", "chips", "stake_cents"))
    assert len(rows) == 50
    assert sum(chips for _, chips, _ in rows) == 1_000
    assert sum(cents for _, _, cents in rows) == 10**8


def test_what_changes_a_pool_waits_for_every_contribution() -> None:
    shared = {(lock.name, lock.shared) for lock in locks_of(increment((1, "J1", 1)))}
    alone = {(lock.name, lock.shared) for lock in locks_of(terms_of())}
    assert shared == {("jackpot/JP-1", True)}
    assert alone == {("what-counts", False), ("jackpot/JP-1", False)}
