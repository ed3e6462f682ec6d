"""The other reading of what becomes of an unlawful stake: it goes back, neither won nor lost.

PT art. 13-16, 26, 28-31, 33, 35 (reading unlawful-stake = returned).
"""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from casino.events.round.round_played import Box, RoundPlayed
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from tests.factories.altered_rounds import altered_rounds
from tests.factories.rounds import UNKNOWN, a_round, box, hand, insurance, main, special
from tests.law.asking import UNDECIDED, cited, judged, owed, said, verdict
from tests.law.round_properties import PROPERTIES, examples_of

RETURNED = {"unlawful-stake": "returned"}
BOOKS = [load_law(book).with_readings(RETURNED) for book in rulebook_ids()]


def due(played: RoundPlayed) -> list[int | None]:
    """What every wager was due, as they are listed."""
    return [one.due_cents for one in judged(played, readings=RETURNED).wagers]


# 1. Nothing is settled before it is known to be lawful


@pytest.mark.parametrize("unknown", ["limits", "times"])
def test_no_stake_is_settled_while_nobody_knows_whether_it_was_lawful(unknown: str) -> None:
    without: dict[str, Any] = {unknown: None}
    played = a_round(box(1, "TS 8D", main(1500, 0)), bank="TH 9C")
    assert owed(played, readings=RETURNED) == (1500, 1500, "player")
    in_time = a_round(box(1, "TS 8D", main(1000, 2000)))
    assert owed(in_time, readings=RETURNED) == (2000, 0, None)
    less = replace(in_time, **without)
    wager_verdict = verdict(less, readings=RETURNED)
    assert (wager_verdict.outcome, wager_verdict.due_cents, wager_verdict.why) == (
        UNDECIDED,
        None,
        "lawful_stake_untold",
    )
    assert wager_verdict.readings == ("unlawful-stake",)
    assert verdict(less).due_cents == 2000


def test_a_breach_told_leaves_the_other_stakes_as_unknown_as_they_were() -> None:
    """J1 raised his stake after the deal; what J2 had marked nobody recorded."""
    played = a_round(
        box(1, "TS 8D", main(2000, 4000, first=1000)),
        box(2, "TS 8C", main(1000, 2000, first=UNKNOWN)),
    )
    assert due(played) == [2000, None]


def test_an_insurance_is_settled_although_the_main_stake_is_not_known_to_be_lawful() -> None:
    played = a_round(
        box(1, "TS 8D", main(1000, 0), insurance(500, 1500, taken_at=4)), bank="AH KC", times=None
    )
    assert due(played) == [None, 1500]


def test_what_others_staked_leaves_the_holders_own_stake_alone() -> None:
    """Whether J5 completed the maximum hangs on who came first, and J1's stake does not."""
    stakes = main(29000, 58000), main(500, 1000, "J5"), main(1000, 2000, "J6")
    played = a_round(box(1, "TS 8D", *stakes), limits=(1000, 29500))
    assert said("complementary_stake_lawful", played) == UNDECIDED
    assert due(played) == [58000, None, None]


@examples_of(50, 150, 5_000)
@given(played=altered_rounds())
def test_every_property_holds_where_unlawful_stakes_go_back(played: RoundPlayed) -> None:
    for law in BOOKS:
        for holds in PROPERTIES:
            holds(played, law)


# 2. A double that was not open


def seventeen_doubled(follower: int, first: int = 1000) -> Box:
    stakes = main(2000, 2000, first=1000), main(follower, 0, "J2", first=first)
    return box(1, "TS 7D 3C", *stakes, does="double")


def test_article_30_who_stayed_when_the_holder_doubled_wrongly_plays_on() -> None:
    stayed = a_round(seventeen_doubled(1000), bank="TH KC")
    assert owed(stayed, owner="J2", readings=RETURNED) == (1000, 1000, "player")  # 20 ties with 20
    lost = a_round(box(1, "TS 7D 2C", *seventeen_doubled(1000).wagers, does="double"), bank="TH KC")
    assert owed(lost, owner="J2", readings=RETURNED) == (0, 0, None)
    assert owed(lost, owner="J1", readings=RETURNED) == (2000, 0, None)
    assert cited(lost, readings=RETURNED) == ["29 double_on_nine_to_eleven"]


def test_article_30_who_doubled_with_him_gets_his_stake_back_as_well() -> None:
    played = a_round(seventeen_doubled(2000), bank="TH KC")
    assert owed(played, owner="J2", readings=RETURNED) == (2000, 2000, "player")


def test_article_30_whether_he_doubled_may_be_unknown() -> None:
    played = a_round(seventeen_doubled(2000, first=UNKNOWN), bank="TH KC")
    assert owed(played, owner="J1", readings=RETURNED) == (2000, 0, None)
    assert verdict(played, owner="J2", readings=RETURNED).why == "lawful_stake_untold"


# 3 and 4. Splits


def test_article_26_of_an_unlawful_split_the_added_stake_goes_back() -> None:
    """Eight and nine are no pair: the stake marked before the deal plays on with the eight."""
    hands = hand("8S TC", "split stand"), hand("9D 2H 5C", "hit stand", out_of=1)
    played = a_round(box(1, hands, main(1000, 2000), main(1000, 1000, hand=2)), bank="TH 7C")
    assert due(played) == [2000, 1000]
    assert cited(played, readings=RETURNED) == ["26 split_equal_values"]
    again = [
        *(hand("8S TC", "split split stand"), hand("8D TH", "stand", out_of=1)),
        hand("9D KD", "stand", out_of=1),
    ]
    stakes = [main(1000, 0, hand=number) for number in (1, 2, 3)]
    assert due(a_round(box(1, again, *stakes), bank="TH 7C")) == [2000, 2000, 1000]


def test_article_14_a_stake_that_was_no_multiple_goes_back_from_both_hands() -> None:
    hands = hand("8S TC", "split stand"), hand("8D TH", "stand", out_of=1)
    played = a_round(box(1, hands, main(1500, 1500), main(1500, 1500, hand=2)), bank="TH 7C")
    assert due(played) == [1500, 1500]
    assert cited(played, readings=RETURNED) == ["14 stake_multiple_of_minimum"]


def test_article_15_what_passed_the_maximum_goes_back_from_both_hands() -> None:
    hands = hand("8S TC", "split stand"), hand("8D TH", "stand", out_of=1)
    stakes = [main(29000, 58000, hand=n) for n in (1, 2)]
    beside = [main(2000, 2000, "J5", hand=n) for n in (1, 2)]
    assert due(a_round(box(1, hands, *stakes, *beside), bank="TH 7C")) == [
        *(58000, 2000),
        *(58000, 2000),
    ]


# 5. The special prize


def test_article_35_a_stake_that_goes_back_earns_no_special_prize() -> None:
    played = a_round(box(1, "7S 7D 7C", main(1500, 1500), special(0, at_once=True)))
    assert due(played) == [1500, 0]
    unpaid = a_round(box(1, "7S 7D 7C", main(1500, 1500)))
    assert cited(unpaid, readings=RETURNED) == ["14 stake_multiple_of_minimum"]
    late = a_round(box(1, "7S 7D 7C", main(1500, 1500), special(4500, at_once=False)))
    assert said("special_prize_paid_at_once", late, readings=RETURNED) == "not_asked"
    assert owed(late, "special", readings=RETURNED) == (0, 4500, "house")


def test_article_35_whether_it_earned_one_may_be_unknown() -> None:
    played = a_round(box(1, "7S 7D 7C", main(1000, 2000), special(3000)), limits=None)
    assert due(played) == [None, None]
    assert said("special_prize_paid_at_once", played, readings=RETURNED) == UNDECIDED
    unpaid = a_round(box(1, "7S 7D 7C", main(1000, 2000)), limits=None)
    assert said("special_prize_paid", unpaid, readings=RETURNED) == UNDECIDED
