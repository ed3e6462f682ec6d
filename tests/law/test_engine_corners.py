"""Corners that only planted bugs asked for: where two owners lie on one hand, whose money is meant.

See tests/faults: without these a mistake in the engine went by unnoticed.
"""

from tests.builders import a_round, box, even_money, main, special
from tests.law.asking import judged, owed

SEVENS = "7S 7C 7H"


def test_a_stake_changed_after_the_deal_goes_back_to_its_owner() -> None:
    played = a_round(box(1, "TS 9D", main(1000, 0), main(3000, 0, "S-1", first=2000)), bank="TH 7C")
    due = {
        verdict.owner: verdict.due_cents
        for verdict in judged(played, readings={"unlawful-stake": "returned"}).wagers
    }
    assert due == {"J1": 2000, "S-1": 3000}


def test_the_special_prize_is_reckoned_on_its_owners_stake() -> None:
    played = a_round(box(1, SEVENS, main(2000, 4000, "S-1"), main(1000, 2000), special(3000)))
    assert owed(played, kind="special") == (3000, 0, None)


def test_a_special_prize_written_down_and_not_paid_is_owed() -> None:
    played = a_round(box(1, SEVENS, main(1000, 2000), special(0)))
    assert owed(played, kind="special") == (3000, 3000, "player")


def test_article_34_even_money_not_paid_is_no_matter_of_the_banks_other_21() -> None:
    """Taken before the bank's hand was known, it is owed by 34 although the bank made a 21."""
    played = a_round(box(1, "AS KD", even_money(1000, 1000)), bank="AH 4C 6D")
    (found,) = [one for one in judged(played).findings if one.owed_cents]
    assert (found.article, found.check) == ("34", "even_money_pays_one_to_one")
    assert (found.owed_cents, found.owed_to) == (1000, "player")


def test_article_36_a_surrender_that_could_change_nothing_is_settled() -> None:
    """Given up too late or against an ace, where no card could have helped any more."""
    gone = a_round(box(1, "TH 6C KD", main(1000, 500), does="hit surrender"), bank="TS 8D")
    assert owed(gone) == (0, 500, "house")
    lost = a_round(box(1, "TH 6C", main(1000, 500), does="surrender"), bank="AS KD")
    assert owed(lost) == (0, 500, "house")
    open_still = a_round(box(1, "TH 6C", main(1000, 500), does="surrender"), bank="AS 8D")
    assert owed(open_still)[0] is None
