"""PT art. 43, 50: who is paid what, in which order, out of which money.

The table is the one on aces (tables.py), the meter shows 61 284.61 unless said otherwise. Worked by
hand from seed 002 n.º 50 a), b).
"""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.events import Malformed
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.payout import (
    PayoutReadings,
    Winner,
    payout,
)
from tests.factories.prize_tables import ACES, SHOWN, steps, winner, winners

FRACTION = 789_123  # of a cent, in microcents
TOP = "four_aces_same_suit"


# Article 50: the order and the amounts.


def test_article_50_one_winner_of_the_top_combination_takes_the_meter() -> None:
    paid = payout(SHOWN + FRACTION, ACES, winners(f"3 {TOP}"))
    assert steps(paid) == [("J3", "remainder", 6_128_461)]
    assert paid.full
    assert paid.after_microcents == FRACTION  # the fraction of a cent stays on the meter
    assert (paid.readings, paid.breaches, paid.repeated) == ((), (), ())


def test_article_50_a_smaller_prize_leaves_the_rest_on_the_meter() -> None:
    paid = payout(SHOWN, ACES, winners("3 four_aces"))
    assert steps(paid) == [("J3", "share", 612_846)]  # 10 % of 6 128 461 is 612 846.1
    assert not paid.full
    assert paid.after_microcents == (6_128_461 - 612_846) * MICROCENTS
    (step,) = paid.steps
    assert (step.of_microcents, step.share_millionths) == (SHOWN, 100_000)
    assert (step.before_microcents, step.after_microcents) == (SHOWN, paid.after_microcents)


def test_article_50_smaller_prizes_first_and_the_remainder_to_the_top() -> None:
    text = f"2 {TOP}, 5 two_aces, 1 four_aces, 4 three_aces"
    paid = payout(SHOWN, ACES, winners(text))
    assert steps(paid) == [
        ("J5", "fixed", 2_500),
        ("J4", "fixed", 25_000),
        ("J1", "share", 612_846),
        ("J2", "remainder", 6_128_461 - 2_500 - 25_000 - 612_846),
    ]
    assert [step.order for step in paid.steps] == [1, 2, 3, 4]
    assert paid.after_microcents == 0
    for order in permutations(winners(text)):  # whoever is named first
        assert payout(SHOWN, ACES, order) == paid


def test_article_50_prizes_alike_are_paid_from_the_lowest_seat() -> None:
    paid = payout(SHOWN, ACES, winners("6 two_aces, 2 two_aces, 0 two_aces, 4 two_aces"))
    assert [step.winner.owner for step in paid.steps] == ["J2", "J4", "J6", "J0"]
    assert paid.paid_cents == 10_000  # each gets a whole prize: only the top one is shared


def test_article_50_several_top_combinations_share_equally() -> None:
    # 6 128 461 among 3 is 2 042 820 and one cent over.
    paid = payout(SHOWN + FRACTION, ACES, winners(f"7 {TOP}, 2 {TOP}, 5 {TOP}"))
    assert steps(paid) == [
        ("J2", "remainder", 2_042_821),
        ("J5", "remainder", 2_042_820),
        ("J7", "remainder", 2_042_820),
    ]
    assert [(step.among, step.odd_cents) for step in paid.steps] == [(3, 1), (3, 0), (3, 0)]
    assert paid.readings == ("odd-cent",)
    assert paid.after_microcents == FRACTION


def test_article_50_top_combinations_share_what_the_smaller_prizes_left() -> None:
    paid = payout(SHOWN, ACES, winners(f"7 {TOP}, 2 {TOP}, 1 three_aces_same_suit"))
    # 6 128 461 - 250 000 = 5 878 461, two shares of 2 939 230 and one cent
    assert steps(paid) == [
        ("J1", "fixed", 250_000),
        ("J2", "remainder", 2_939_231),
        ("J7", "remainder", 2_939_230),
    ]


@pytest.mark.parametrize(
    ("odd_cent", "shares", "left"),
    [
        ("player", [2_042_821, 2_042_820, 2_042_820], 0),
        ("house", [2_042_820, 2_042_820, 2_042_820], 1),
    ],
)
def test_article_50_each_reading_of_the_odd_cent_pays_otherwise(
    odd_cent: Any, shares: list[int], left: int
) -> None:
    readings = PayoutReadings(odd_cent=odd_cent)
    paid = payout(SHOWN, ACES, winners(f"1 {TOP}, 2 {TOP}, 3 {TOP}"), readings)
    assert [step.paid_cents for step in paid.steps] == shares
    assert paid.after_microcents == left * MICROCENTS
    assert paid.readings == ("odd-cent",)


def test_article_50_an_odd_cent_goes_to_who_stands_after_all_seats() -> None:
    # 6 128 462 among 3: 2 042 820 and two cents over; box 1 is his who stands.
    listed = [winner(0, TOP, "J9", box=1), winner(6, TOP), winner(4, TOP)]
    paid = payout(SHOWN + MICROCENTS, ACES, listed)
    assert steps(paid) == [
        ("J4", "remainder", 2_042_821),
        ("J6", "remainder", 2_042_821),
        ("J9", "remainder", 2_042_820),
    ]


def test_article_50_each_reading_of_the_remainder_pays_otherwise() -> None:
    listed = winners("1 four_aces, 2 two_aces")
    stays = payout(SHOWN, ACES, listed)
    goes = payout(SHOWN, ACES, listed, PayoutReadings(remainder="highest_winner"))
    assert steps(stays) == [("J2", "fixed", 2_500), ("J1", "share", 612_846)]
    assert steps(goes) == [("J2", "fixed", 2_500), ("J1", "remainder", 6_125_961)]
    assert (stays.full, goes.full) == (False, True)
    assert stays.readings == ("jackpot-share-of", "jackpot-remainder")
    assert goes.readings == ("jackpot-remainder",)
    # One winner alone: n.º 50 speaks of several, and both readings pay the same.
    alone = winners("1 four_aces")
    assert payout(SHOWN, ACES, alone) == payout(
        SHOWN, ACES, alone, PayoutReadings(remainder="highest_winner")
    )


def test_article_50_each_reading_of_a_share_pays_otherwise() -> None:
    listed = winners("1 four_aces, 2 three_aces_same_suit")
    when_won = payout(SHOWN, ACES, listed)
    of_rest = payout(SHOWN, ACES, listed, PayoutReadings(share_of="what_is_left"))
    assert steps(when_won) == [("J2", "fixed", 250_000), ("J1", "share", 612_846)]
    assert steps(of_rest) == [("J2", "fixed", 250_000), ("J1", "share", 587_846)]
    for paid in (when_won, of_rest):
        assert "jackpot-share-of" in paid.readings


def test_article_50_a_meter_too_small_pays_in_order_until_it_is_empty() -> None:
    # 300.00 on the meter, 275.00 and 50.00 to pay besides the top combination.
    listed = winners(f"1 {TOP}, 2 three_aces, 3 two_aces_same_suit, 4 two_aces")
    paid = payout(30_000 * MICROCENTS + FRACTION, ACES, listed)
    assert steps(paid) == [
        ("J4", "fixed", 2_500),
        ("J3", "fixed", 5_000),
        ("J2", "fixed", 22_500),
        ("J1", "remainder", 0),
    ]
    (short,) = paid.breaches
    assert short.where == {"owner": "J2", "box": 2}
    assert (short.observed, short.expected) == ({"meter_cents": 22_500}, {"prize_cents": 25_000})
    assert short.readings == ("jackpot-remainder",)
    assert paid.steps[2].due_cents == 25_000
    assert paid.after_microcents == FRACTION


def test_article_50_a_meter_that_just_suffices_is_no_breach() -> None:
    listed = winners("2 three_aces, 4 two_aces")
    assert payout(27_500 * MICROCENTS, ACES, listed).breaches == ()
    assert payout(27_500 * MICROCENTS - 1, ACES, listed).breaches[0].observed == {
        "meter_cents": 24_999
    }


def test_article_47_a_player_named_twice_on_a_box_wins_once() -> None:
    first, again = winner(3, TOP), Winner("J3", 3, TOP, 4)
    paid = payout(SHOWN, ACES, [first, again, winner(5, TOP)])
    assert [step.winner.owner for step in paid.steps] == ["J3", "J5"]
    assert paid.repeated == (again,)
    assert paid.paid_cents == 6_128_461
    # Two owners on one box are two players; one owner on two boxes has two chips, see 47.
    assert len(payout(SHOWN, ACES, [first, winner(3, TOP, "J8")]).steps) == 2
    assert len(payout(SHOWN, ACES, [first, winner(4, TOP, "J3")]).steps) == 2


def test_a_winner_of_a_combination_the_table_does_not_have_is_refused() -> None:
    with pytest.raises(Malformed, match=r"winners\[1\]\.code"):
        payout(SHOWN, ACES, [winner(1, TOP), winner(2, "pair")])


def test_a_round_without_winners_pays_nothing() -> None:
    paid = payout(SHOWN, ACES, [])
    assert (paid.steps, paid.full, paid.after_microcents) == ((), False, SHOWN)


# The top combination as often as all others together: sharing it is what matters.
codes = st.just(TOP) | st.sampled_from([line.code for line in ACES.lines])
# Poor meters and rich ones alike: left alone, the search stays with a few cents.
meters = st.builds(
    lambda cents, fraction: cents * MICROCENTS + fraction,
    st.sampled_from((0, 3, 30_000, 700_000, 2_500_000, 6_128_461)) | st.integers(0, 10**8),
    st.integers(0, MICROCENTS - 1),
)
some_winners = st.lists(
    st.builds(winner, st.integers(0, 7), codes, st.just(""), st.integers(1, 7)), max_size=9
)
some_readings = st.builds(
    PayoutReadings,
    st.sampled_from(["player", "house"]),
    st.sampled_from(["top_combination", "highest_winner"]),
    st.sampled_from(["value_when_won", "what_is_left"]),
)


@settings(report_multiple_bugs=False)
@given(meters, some_winners, some_readings)
def test_article_50_what_was_there_is_paid_or_stays_whoever_wins(
    meter: int, recorded: list[Winner], readings: PayoutReadings
) -> None:
    paid = payout(meter, ACES, recorded, readings)
    assert meter == sum(step.paid_cents for step in paid.steps) * MICROCENTS + paid.after_microcents
    assert paid.after_microcents >= 0
    value = meter
    for step in paid.steps:
        assert step.before_microcents == value
        assert 0 <= step.paid_cents <= step.due_cents
        value = step.after_microcents
    chips = [(step.winner.owner, step.winner.box) for step in paid.steps]
    assert len(chips) == len(set(chips))
    shares = [step.paid_cents for step in paid.steps if step.by == "remainder"]
    assert max(shares, default=0) - min(shares, default=0) <= 1
    assert shares == sorted(shares, reverse=True)
    if paid.full:
        odd = len(shares) if readings.odd_cent == "house" else 1
        assert paid.after_microcents < odd * MICROCENTS
    smaller = [step.by for step in paid.steps][: len(paid.steps) - len(shares)]
    assert "remainder" not in smaller  # the remainder comes last
