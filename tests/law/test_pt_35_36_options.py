"""PT art. 35 and 36: the special prize and surrender."""

from typing import Any

import pytest

from casino.events.round.round_played import RoundPlayed, Wager
from tests.factories.rounds import (
    a_round,
    box,
    hand,
    main,
    special,
)
from tests.law.asking import (
    BREACH,
    HOUSE,
    LAWFUL,
    NOT_ASKED,
    PLAYER,
    UNDECIDED,
    cited,
    owed,
    said,
    the_finding,
    verdict,
)
from tests.law.casebook import upholds_case

PRIZE, NO_PRIZE = "special_prize_paid", "special_prize_only_when_due"
AT_ONCE = "special_prize_paid_at_once"
NOT_ACE, EARLY, GIVES_HALF = (
    "surrender_not_against_ace",
    "surrender_after_two_cards",
    "surrender_loses_half",
)

# 35: the special prize

DUE = [
    "6S 7S 8S",
    "8D 6D 7D",  # in any order
    "7S 7D 7H",  # whatever the suits
    "7S 7S 7S",
    "7? 7? 7?",
]


def prized(cards: str, *wagers: Wager, bank: str = "TH 7C") -> RoundPlayed:
    total = 2000
    return a_round(box(1, cards, main(1000, total), *wagers), bank=bank)


@upholds_case(PRIZE, "lawful")
@pytest.mark.parametrize("cards", DUE)
def test_article_35_six_seven_eight_of_a_suit_and_three_sevens(cards: str) -> None:
    played = prized(cards, special(3000))
    assert owed(played, "special") == (3000, 0, None)
    assert cited(played) == []


@upholds_case(PRIZE, "unlawful")
@pytest.mark.parametrize("cards", DUE)
def test_article_35_the_prize_is_not_forgotten(cards: str) -> None:
    found = the_finding(PRIZE, prized(cards))
    assert (found.article, found.owed_cents, found.owed_to) == ("35", 3000, PLAYER)
    assert found.where == {"box": 1, "hand": 1, "owner": "J1", "kind": "special"}
    assert found.readings == ("special-prize",)


@upholds_case(PRIZE, "unlawful")
@pytest.mark.parametrize(("paid", "to"), [(2000, PLAYER), (1000, PLAYER), (4000, HOUSE)])
def test_article_35_and_is_three_times_the_stake(paid: int, to: str) -> None:
    played = prized("7S 7D 7H", special(paid))
    assert owed(played, "special") == (3000, abs(3000 - paid), to)
    assert cited(played) == [f"35 {PRIZE}"]


@upholds_case(PRIZE, "boundary")
@pytest.mark.parametrize("cards", ["6S 7D 8S", "7S 7D 6H", "6S 7S 9S", "5S 6S 8S"])
def test_article_35_another_suit_or_card_has_no_prize(cards: str) -> None:
    assert said(PRIZE, prized(cards)) == NOT_ASKED


@upholds_case(PRIZE, "boundary")
def test_article_35_the_first_three_cards_decide() -> None:
    later = a_round(box(1, "2S 6D 7D 8D", main(1000, 0)), bank="TH 7C")
    assert said(PRIZE, later) == NOT_ASKED


def test_article_35_the_prize_stands_whatever_the_hand_did() -> None:
    """21 taken for granted, then lost to a blackjack: the prize stays."""
    played = a_round(box(1, "7S 7D 7H", main(1000, 0), special(3000)), bank="AH KC")
    assert cited(played) == []


def test_article_35_a_hand_of_a_split_counts_for_itself() -> None:
    hands = [hand("7S 7D 7H", "split hit"), hand("7C TH", out_of=1)]
    stakes = main(1000, 2000), main(1000, 1000, hand=2), special(3000)
    assert cited(a_round(box(1, hands, *stakes), bank="TH 7C")) == []
    assert said(PRIZE, a_round(box(1, hands, *stakes[:2]), bank="TH 7C")) == BREACH


@pytest.mark.parametrize("paid", [0, 1000, 3000, 9000])
def test_article_35_of_complementary_stakes_nothing_is_found_either_way(paid: int) -> None:
    others = main(1000, 2000, "J5"), special(paid, "J5")
    played = prized("7S 7D 7H", special(3000), *others)
    assert cited(played) == []
    wager_verdict = verdict(played, "special", "J5")
    assert (wager_verdict.due_cents, wager_verdict.why) == (None, "special_prize_of_others")
    assert wager_verdict.readings == ("special-prize",)


# 35: at once


@upholds_case(AT_ONCE, "lawful")
@pytest.mark.parametrize("cards", DUE)
def test_article_35_the_prize_does_not_wait_for_the_bank(cards: str) -> None:
    assert said(AT_ONCE, prized(cards, special(3000, at_once=True))) == (
        UNDECIDED if "?" in cards and "7? 7?" not in cards else LAWFUL
    )


@upholds_case(AT_ONCE, "unlawful")
@pytest.mark.parametrize("cards", DUE)
def test_article_35_a_prize_paid_when_the_bank_had_played(cards: str) -> None:
    played = prized(cards, special(3000, at_once=False))
    found = the_finding(AT_ONCE, played)
    assert (found.article, found.readings) == ("35", ())
    assert found.where == {"box": 1, "hand": 1, "owner": "J1", "kind": "special"}
    assert (found.observed, found.expected) == ({"at_once": "no"}, {"at_once": "yes"})
    assert (cited(played), found.owed_cents) == ([f"35 {AT_ONCE}"], 0)


@upholds_case(AT_ONCE, "boundary")
def test_article_35_when_it_was_paid_may_be_unknown_and_only_a_prize_that_was_due_is_asked() -> (
    None
):
    assert said(AT_ONCE, prized("7S 7D 7H", special(3000))) == UNDECIDED
    assert said(AT_ONCE, prized("6S 7? 8S", special(3000, at_once=False))) == UNDECIDED
    not_due = prized("6S 7D 8S", special(3000, at_once=False))
    assert (said(AT_ONCE, not_due), cited(not_due)) == (NOT_ASKED, [f"35 {NO_PRIZE}"])
    unpaid = prized("7S 7D 7H", special(0, at_once=False))
    assert (said(AT_ONCE, unpaid), cited(unpaid)) == (NOT_ASKED, [f"35 {PRIZE}"])
    others = main(1000, 2000, "J5"), special(3000, "J5", at_once=False)
    assert said(AT_ONCE, prized("7S 7D 7H", *others)) == NOT_ASKED


def test_article_35_unknown_suits_are_not_decidable() -> None:
    assert said(PRIZE, prized("6? 7? 8?")) == UNDECIDED
    assert verdict(prized("6S 7? 8S", special(3000)), "special").due_cents is None
    assert said(PRIZE, prized("6S 7? 8D")) == NOT_ASKED  # two suits are known already


@upholds_case(NO_PRIZE, "lawful")
def test_article_35_a_prize_listed_as_not_paid_is_none() -> None:
    assert said(NO_PRIZE, prized("6S 7D 8S", special(0))) == LAWFUL


@upholds_case(NO_PRIZE, "unlawful")
@pytest.mark.parametrize("cards", ["6S 7D 8S", "7S 7D 6H", "TS TD", "6S 7S 7H"])
def test_article_35_no_prize_for_another_hand(cards: str) -> None:
    played = prized(cards, special(3000))
    found = the_finding(NO_PRIZE, played)
    assert (found.article, found.owed_cents, found.owed_to) == ("35", 3000, HOUSE)
    assert found.readings == ("special-prize",)


@upholds_case(NO_PRIZE, "boundary")
def test_article_35_the_holder_of_the_cards_without_a_stake_has_none_either() -> None:
    stranger = special(3000, "J9")
    assert the_finding(NO_PRIZE, prized("6S 7D 8S", stranger)).where["owner"] == "J9"
    assert said(NO_PRIZE, prized("7S 7D 7H", special(3000))) == NOT_ASKED


# 36: surrender


def given_up(
    bank: str, returned: int = 500, cards: str = "TS 6D", does: str = "surrender"
) -> RoundPlayed:
    return a_round(box(1, cards, main(1000, returned), does=does), bank=bank)


@upholds_case(NOT_ACE, "lawful")
@upholds_case(EARLY, "lawful")
@upholds_case(GIVES_HALF, "lawful")
@pytest.mark.parametrize("bank", ["9H 8C", "2H 7C", "KH 7C"])
def test_article_36_a_hand_is_given_up_for_half(bank: str) -> None:
    played = given_up(bank)
    assert [said(check, played) for check in (NOT_ACE, EARLY, GIVES_HALF)] == [LAWFUL] * 3
    assert (owed(played), cited(played)) == ((500, 0, None), [])


@upholds_case(NOT_ACE, "boundary")
def test_article_36_against_a_ten_it_stays_at_half_whatever_lies_below() -> None:
    played = given_up("TH AC")
    assert (owed(played), cited(played)) == ((500, 0, None), [])
    assert verdict(played).readings == ("no-peek",)


@upholds_case(NOT_ACE, "unlawful")
@pytest.mark.parametrize(
    ("bank", "due", "why"),
    # Against the bank's blackjack no card could have helped: that stake is lost whole.
    [("AH 7C", None, "unlawful_surrender"), ("AH KC", 0, None)],
)
def test_article_36_never_against_an_ace(bank: str, due: int | None, why: str | None) -> None:
    played = given_up(bank)
    found = the_finding(NOT_ACE, played)
    assert (found.article, found.observed) == ("36", {"bank_shows": "AH"})
    assert found.readings == ("unknown-outcome",)
    assert (verdict(played).due_cents, verdict(played).why) == (due, why)


@upholds_case(EARLY, "unlawful")
@pytest.mark.parametrize(
    ("cards", "does"), [("TS 2D 4H", "hit surrender"), ("TS 6D", "stand surrender")]
)
def test_article_36_not_after_a_card_and_not_after_standing(cards: str, does: str) -> None:
    played = given_up("9H 8C", cards=cards, does=does)
    found = the_finding(EARLY, played)
    assert (found.article, found.observed["actions"]) == ("36", does.split())
    assert found.readings == ("surrender-moment",)
    assert verdict(played).outcome == UNDECIDED


@upholds_case(EARLY, "unlawful")
def test_article_36_not_after_a_split() -> None:
    hands = [hand("8S TD", "split stand"), hand("8D 7H", "surrender", out_of=1)]
    played = a_round(box(1, hands, main(1000, 2000), main(1000, 500, hand=2)), bank="TH 7C")
    assert the_finding(EARLY, played).observed["split"] == "yes"
    assert [verdict(played, hand=at).due_cents for at in (1, 2)] == [2000, None]
    assert verdict(played, hand=2).readings == ("unknown-outcome", "surrender-moment")
    allowed = {"surrender-moment": "allowed"}
    assert verdict(played, hand=2, readings=allowed).readings == ("surrender-moment",)
    late = [hand("8S TD", "split stand"), hand("8D 7H", "stand surrender", out_of=1)]
    played = a_round(box(1, late, main(1000, 2000), main(1000, 500, hand=2)), bank="TH 7C")
    assert verdict(played, hand=2, readings=allowed).why == "unlawful_surrender"


@upholds_case(EARLY, "boundary")
def test_article_36_twelve_to_twenty_may_all_be_given_up() -> None:
    for cards in ("TS 2D", "TS TD", "AS AD"):
        assert cited(given_up("9H 8C", cards=cards)) == []


@upholds_case(GIVES_HALF, "unlawful")
@pytest.mark.parametrize(("paid", "to"), [(0, PLAYER), (1000, HOUSE), (499, PLAYER)])
def test_article_36_half_and_nothing_else(paid: int, to: str) -> None:
    played = given_up("9H 8C", paid)
    assert owed(played) == (500, abs(500 - paid), to)
    assert cited(played) == [f"36 {GIVES_HALF}"]


@upholds_case(GIVES_HALF, "boundary")
@pytest.mark.parametrize(("stake", "due"), [(1001, 501), (1, 1)])
def test_article_36_the_odd_cent_is_the_players(stake: int, due: int) -> None:
    played = a_round(box(1, "TS 6D", main(stake, due), does="surrender"), bank="9H 8C")
    assert owed(played) == (due, 0, None)
    assert verdict(played).readings == ("odd-cent",)


def test_article_36_it_binds_the_complementary_stakes() -> None:
    stakes = main(1000, 500), main(2000, 2000, "J5")
    played = a_round(box(1, "TS 6D", *stakes, does="surrender"), bank="9H 8C")
    assert owed(played, owner="J5") == (1000, 1000, HOUSE)
    assert [verdict(played, owner=who).readings for who in ("J1", "J5")] == [
        (),
        ("surrender-moment",),
    ]


def test_article_36_given_up_twice_is_given_up_once() -> None:
    assert cited(given_up("9H 8C", does="surrender surrender")) == []


def test_article_36_what_the_bank_showed_may_be_unknown() -> None:
    assert said(NOT_ACE, given_up("")) == UNDECIDED
    assert verdict(given_up("")).why == "open_card_unknown"
    late = given_up("", cards="TS 2D 4H", does="hit surrender")
    assert verdict(late).why == "unlawful_surrender"


# 36: right after the first two cards, whoever got a card since


def second_gives_up(first: str, at: int | None, **known: Any) -> RoundPlayed:
    """J1 plays box 1, J2 gives up box 2 when so many cards were out; the deal takes six."""
    boxes = (
        box(1, first, main(1000, 0)),
        box(2, [hand("TC 6D", "surrender", at=at)], main(1000, 500)),
    )
    return a_round(*boxes, bank="TH 9C", **known)


@upholds_case(EARLY, "lawful")
@pytest.mark.parametrize("at", [5, 6])
def test_article_36_before_any_additional_card(at: int) -> None:
    assert said(EARLY, second_gives_up("TS 2D 9C TD", at)) == LAWFUL


@upholds_case(EARLY, "unlawful")
@pytest.mark.parametrize("at", [7, 8])
def test_article_36_not_once_another_hand_has_one(at: int) -> None:
    played = second_gives_up("TS 2D 3C TD", at)
    found = the_finding(EARLY, played)
    assert (found.article, found.where) == ("36", {"box": 2, "hand": 1})
    assert (found.observed, found.expected) == ({"cards_dealt": at}, {"at_most": 6})
    assert found.readings == ("surrender-before-any-card",)
    assert verdict(played, owner="J2").due_cents == 500  # found, and settled as it was done
    assert cited(played, readings={"surrender-before-any-card": "own_card"}) == []


@upholds_case(EARLY, "boundary")
def test_article_36_when_it_was_said_only_the_record_tells() -> None:
    """Who is asked before all that drew was in time; after somebody who drew nobody knows."""
    assert said(EARLY, second_gives_up("TS 2D 9C", None)) == UNDECIDED
    assert said(EARLY, second_gives_up("TS 9D", None)) == LAWFUL
    first = a_round(
        box(1, "TC 6D", main(1000, 500), does="surrender"), box(2, "TS 2D 9C", main(1000, 2000))
    )
    assert said(EARLY, first) == LAWFUL
    last = second_gives_up("TS 9D", 6)  # nobody drew: the bank's cards come after
    assert said(EARLY, last) == LAWFUL


def test_article_36_a_second_bank_card_that_was_replaced_belongs_to_the_deal() -> None:
    text = "1 TS, 2 TC, bank TH, 1 2D, 2 6D, bank 5C, bank 9C, 1 8C"
    for at, outcome in ((7, LAWFUL), (8, BREACH)):
        played = second_gives_up("TS 2D 8C", at, voided="5C turned", dealt=text)
        assert said(EARLY, played) == outcome
    unrecorded = second_gives_up("TS 2D 8C", 7, voided="5C turned")
    assert said(EARLY, unrecorded) == UNDECIDED
