"""Corners that only planted bugs asked for: where two owners lie on one hand, whose money is meant.

See tests/faults: without these a mistake in the engine went by unnoticed.
"""

from dataclasses import replace
from datetime import timedelta

from casino.law.rulebook.rulebook_file import load_law
from tests.factories.rounds import ON_TIME, a_round, box, even_money, insurance, main, special
from tests.law.asking import Readings, cited, judged, owed, verdict

SEVENS = "7S 7C 7H"


def test_a_stake_changed_after_the_deal_goes_back_to_its_owner() -> None:
    played = a_round(box(1, "TS 9D", main(1000, 0), main(3000, 0, "S-1", first=2000)), bank="TH 7C")
    due = {
        verdict.owner: verdict.due_cents
        for verdict in judged(played, readings={"unlawful-stake": "returned"}).wagers
    }
    assert due == {"J1": 2000, "S-1": 3000}


RETURNED = {"unlawful-stake": "returned"}


def test_an_unlawful_stake_goes_back_by_the_article_that_forbids_it() -> None:
    """Whole, with cards or without; what was handed back otherwise is owed under that article."""
    low = a_round(box(1, "TS 8D", main(500, 1000)))
    wager_verdict = verdict(low, readings=RETURNED)
    assert (wager_verdict.due_cents, wager_verdict.article, wager_verdict.check) == (
        500,
        "14",
        "stake_at_least_minimum",
    )
    assert cited(low, readings=RETURNED) == ["14 stake_at_least_minimum"] * 2
    late = ON_TIME.first_card + timedelta(seconds=1) if ON_TIME.first_card else None
    times = replace(ON_TIME, stakes_closed=late)
    undealt = a_round(
        box(1, "TS 8D", main(1000, 1000)), box(2, "", main(1000, 0), insurance(500, 0)), times=times
    )
    assert owed(undealt, owner="J2", readings=RETURNED) == (1000, 1000, "player")
    assert verdict(undealt, owner="J2").why == "no_cards_dealt"
    lawful = judged(low, readings=RETURNED).outcomes
    assert ("stake_at_least_minimum", "lawful") not in lawful


def test_what_becomes_of_unlawful_stakes_is_asked_of_no_book_while_there_is_none() -> None:
    pt = load_law("pt")
    silent = {name: one for name, one in pt.parameters.items() if name != "stake.unlawful"}
    lawful = a_round(box(1, "TS 8D", main(1000, 2000)))
    assert owed(lawful, book=replace(pt, parameters=silent)) == (2000, 0, None)


def test_where_one_of_several_stakes_was_unlawful_none_of_them_goes_back_unasked() -> None:
    """Beyond the maximum: the holder's own came first; of two others nobody knows whose it was."""
    one = a_round(box(1, "TS 8D", main(29000, 58000), main(2000, 2000, "J5")))
    assert owed(one, owner="J5", readings=RETURNED) == (2000, 0, None)
    assert owed(one, owner="J1", readings=RETURNED) == (58000, 0, None)
    assert verdict(one, owner="J5", readings=RETURNED).article == "15"
    two = a_round(
        box(1, "TS 8D", main(29000, 58000), main(1000, 2000, "J5"), main(1000, 2000, "J6"))
    )
    for owner, due in (("J1", 58000), ("J5", None), ("J6", None)):
        wager_verdict = verdict(two, owner=owner, readings=RETURNED)
        assert (wager_verdict.due_cents, wager_verdict.why) == (
            due,
            None if due else "unlawful_stake_of_one",
        )
    vacant = a_round(box(1, "TS 8D", main(29000, 58000, "J4"), main(2000, 4000, "J5"), vacant=True))
    assert verdict(vacant, owner="J4", readings=RETURNED).due_cents is None


def test_a_peeking_bank_that_lost_a_card_does_not_settle_a_surrender() -> None:
    """It looked for a blackjack among cards that are not those it should have had."""
    dealt = "1 TS, bank TH, 1 6D, bank 5C, bank AC"
    given_up = box(1, "TS 6D", main(1000, 500), does="surrender")
    played = a_round(given_up, bank="TH AC", voided="5C extra", dealt=dealt)
    assert owed(played) == (500, 0, None)
    peeks: Readings = {"no-peek": True}
    unrecorded = verdict(played, readings=peeks | {"unknown-outcome": "not_decidable"})
    assert unrecorded.why == "bank_card_taken_out"
    assert owed(played, readings=peeks) == (500, 0, None)  # by the law it had five, no blackjack


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
