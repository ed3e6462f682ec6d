"""PT art. 43, 49, 50: what was really paid, when, and whether it can be true.

The table is the one on aces (tables.py), the meter shows 61 284.61 unless said otherwise.
"""

from datetime import UTC, datetime, timedelta

from casino.law.finding import LAWFUL, UNDECIDED, Breach
from jackpot.progressive.amounts import MICROCENTS
from jackpot.progressive.paid import (
    PaidOut,
    claim_is_within_the_money,
    open_until_paid,
    prizes_as_approved,
    remainder_to_the_top,
    smallest_prize_first,
)
from jackpot.progressive.payout import payout
from tests.factories.prize_tables import ACES, SHOWN, winners

TOP = "four_aces_same_suit"
PAID = datetime(2026, 11, 20, 22, 30, tzinfo=UTC)
A_MOMENT = timedelta(microseconds=1)

# Articles 43 and 50: amounts and order.


def test_article_43_prizes_as_approved_are_lawful_whatever_the_main_stake_came_to() -> None:
    paid = payout(SHOWN, ACES, winners(f"1 four_aces, 2 two_aces, 3 {TOP}"))
    given_out = {(step.winner.owner, step.winner.box): step.paid_cents for step in paid.steps}
    assert prizes_as_approved(paid, given_out) == LAWFUL
    assert remainder_to_the_top(paid, given_out) == LAWFUL


def test_article_43_a_prize_a_cent_short_or_not_won_is_found() -> None:
    paid = payout(SHOWN, ACES, winners("1 four_aces, 2 two_aces"))
    found = prizes_as_approved(paid, {("J1", 1): 612_845, ("J2", 2): 2_500, ("J7", 7): 100})
    assert isinstance(found, list)
    short, unwon = found
    assert (short.where, short.owed_cents, short.owed_to) == (
        {"owner": "J1", "box": 1},
        1,
        "player",
    )
    assert (unwon.where, unwon.owed_cents, unwon.owed_to) == (
        {"owner": "J7", "box": 7},
        100,
        "house",
    )
    assert remainder_to_the_top(paid, {}) is None


def test_article_50_a_remainder_kept_back_or_given_to_another_is_found() -> None:
    paid = payout(SHOWN, ACES, winners(f"1 {TOP}, 2 {TOP}"))
    found = remainder_to_the_top(paid, {("J1", 1): 6_128_461})
    assert isinstance(found, list)
    assert [(one.owed_cents, one.owed_to) for one in found] == [
        (3_064_230, "house"),
        (3_064_230, "player"),
    ]
    assert all(one.readings == ("odd-cent",) for one in found)


def test_article_50_payments_from_the_smallest_to_the_largest_are_lawful() -> None:
    paid = payout(SHOWN, ACES, winners(f"1 {TOP}, 2 two_aces, 3 two_aces, 4 four_aces, 5 {TOP}"))
    made = [PaidOut(s.winner.owner, s.winner.box, s.paid_cents) for s in paid.steps]
    assert smallest_prize_first(made, paid) == LAWFUL
    alike = [made[1], made[0], made[2], made[4], made[3]]  # equal prizes and shares in any order
    assert smallest_prize_first(alike, paid) == LAWFUL
    assert smallest_prize_first(made[:1], paid) is None


def test_article_50_a_larger_prize_paid_before_a_smaller_one_is_found() -> None:
    paid = payout(SHOWN, ACES, winners(f"1 {TOP}, 2 two_aces, 4 four_aces"))
    made = [PaidOut(s.winner.owner, s.winner.box, s.paid_cents) for s in paid.steps]
    found = smallest_prize_first([made[1], made[0], made[2]], paid)
    assert isinstance(found, Breach)
    assert found.where == {"owner": "J2", "box": 2}
    assert found.observed == {"paid_cents": 2_500, "after_cents": 612_846}
    # The remainder comes last even where the smaller prizes left less than they were.
    poor = payout(700_000 * MICROCENTS, ACES, winners(f"1 {TOP}, 2 three_aces_same_suit, 3 {TOP}"))
    order = [PaidOut(s.winner.owner, s.winner.box, s.paid_cents) for s in poor.steps]
    assert order[0].cents > order[1].cents
    assert smallest_prize_first(order, poor) == LAWFUL
    assert isinstance(smallest_prize_first([order[1], order[0], order[2]], poor), Breach)


def test_article_50_a_claim_that_contributions_explain_is_lawful() -> None:
    # 25 000.00 to start with and 10 000 chips of 2.50 at 2.5 %: 625.00
    contributed = 10_000 * 6_250_000
    assert claim_is_within_the_money(2_562_500, 2_500_000, contributed) == LAWFUL
    assert claim_is_within_the_money(0, 0, 0) == LAWFUL


def test_article_50_a_claim_beyond_all_contributions_is_found() -> None:
    # The display of millions of 2009: 20.00 to start with, 2.00 staked (field study, J20).
    found = claim_is_within_the_money(430_000_000, 2_000, 200 * MICROCENTS)
    assert isinstance(found, Breach)
    assert (found.observed, found.expected) == (
        {"claimed_cents": 430_000_000},
        {"at_most_cents": 2_200},
    )


def test_article_50_a_claim_a_cent_beyond_is_found() -> None:
    contributed = 10_000 * 6_250_000
    assert isinstance(claim_is_within_the_money(2_562_501, 2_500_000, contributed), Breach)
    assert isinstance(claim_is_within_the_money(2_562_500, 2_500_000, contributed, 1), Breach)
    assert isinstance(claim_is_within_the_money(2_562_500, 2_500_000, contributed - 1), Breach)


# Article 49: winning cards lie open until they are paid (seed 002 n.º 49).


def test_article_49_cards_collected_after_the_payment_are_lawful() -> None:
    assert open_until_paid(PAID, PAID + A_MOMENT) == LAWFUL
    assert open_until_paid(PAID, None) == UNDECIDED


def test_article_49_cards_collected_before_the_payment_are_found() -> None:
    found = open_until_paid(PAID, PAID - A_MOMENT)
    assert isinstance(found, Breach)
    assert found.expected == {"not_after": (PAID - A_MOMENT).isoformat()}
    assert found.observed == {"paid_at": PAID.isoformat()}
    unpaid = open_until_paid(None, PAID)
    assert isinstance(unpaid, Breach)
    assert unpaid.observed == {"paid_at": ""}


def test_article_49_at_the_same_moment_is_lawful_and_untold_is_undecided() -> None:
    assert open_until_paid(PAID, PAID) == LAWFUL
    assert open_until_paid(None, None) == UNDECIDED


def test_article_49_a_blackjack_paid_at_once_waits_or_not_by_the_reading() -> None:
    early = PAID, PAID - A_MOMENT
    found = open_until_paid(*early, blackjack_paid_at_once=True)
    assert isinstance(found, Breach)
    assert found.readings == ("jackpot-before-collect",)
    assert (
        open_until_paid(*early, blackjack_paid_at_once=True, reading="collected_at_once") == LAWFUL
    )
    assert isinstance(open_until_paid(*early, reading="collected_at_once"), Breach)
