"""PT art. 13 to 16 and 37: when stakes are marked, how much, by whom, and who decides for them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from casino.events.round.round_played import Box, Limits, RoundPlayed
from tests.factories.rounds import ON_TIME, UNKNOWN, a_round, box, hand, main
from tests.law.asking import (
    BREACH,
    LAWFUL,
    NOT_ASKED,
    UNDECIDED,
    cited,
    findings,
    owed,
    said,
    the_finding,
)
from tests.law.casebook import upholds_case

IN_TIME = "stakes_before_the_deal"
LEAST, MULTIPLE, MOST = (
    "stake_at_least_minimum",
    "stake_multiple_of_minimum",
    "stake_at_most_maximum",
)
SUM, OTHERS, HOLDER = "sum_on_box_within_maximum", "complementary_stake_lawful", "holder_decides"
VACANT_STAKE, VACANT_SUM = "vacant_stake_multiple_of_minimum", "vacant_box_within_maximum"
VACANT, RATIO = "largest_stake_decides_vacant_box", "maximum_within_thirty_minimums"
assert ON_TIME.first_card is not None


def staking(*cents: int) -> RoundPlayed:
    """J1 holds the box with the first stake, J5, J6 ... lay the others; all win."""
    others = [main(stake, 2 * stake, f"J{place}") for place, stake in enumerate(cents[1:], 5)]
    return a_round(box(1, "TS 8D", main(cents[0], 2 * cents[0]), *others))


# 13: in time


@upholds_case(IN_TIME, "lawful")
def test_article_13_stakes_closed_before_the_first_card() -> None:
    assert said(IN_TIME, staking(1000)) == LAWFUL


@upholds_case(IN_TIME, "boundary")
def test_article_13_stakes_closed_in_the_moment_of_the_first_card() -> None:
    times = replace(ON_TIME, stakes_closed=ON_TIME.first_card)
    assert said(IN_TIME, replace(staking(1000), times=times)) == LAWFUL


@upholds_case(IN_TIME, "boundary")
@pytest.mark.parametrize("stake", [1000, 2000])
def test_article_13_a_doubled_hand_may_hold_another_stake(stake: int) -> None:
    played = a_round(box(1, "6S 5D 9C", main(stake, 2 * stake, first=1000), does="double"))
    assert said(IN_TIME, played) == LAWFUL


@upholds_case(IN_TIME, "unlawful")
@pytest.mark.parametrize("late", [timedelta(microseconds=1), timedelta(seconds=3)])
def test_article_13_stakes_closed_after_the_first_card(late: timedelta) -> None:
    times = replace(ON_TIME, stakes_closed=ON_TIME.first_card + late)
    found = the_finding(IN_TIME, replace(staking(1000), times=times))
    assert (found.article, found.readings) == ("13", ("unlawful-stake",))
    assert found.expected == {"not_after": "2026-11-20T22:14:09+00:00"}


@upholds_case(IN_TIME, "unlawful")
@pytest.mark.parametrize(("marked", "lay"), [(1000, 3000), (2000, 1000), (1000, 0)])
def test_article_13_a_stake_changed_after_the_deal(marked: int, lay: int) -> None:
    found = the_finding(IN_TIME, a_round(box(1, "TS 8D", main(lay, 2 * lay, first=marked))))
    assert found.where == {"box": 1, "hand": 1, "owner": "J1", "kind": "main"}
    assert (found.observed, found.expected) == ({"stake_cents": lay}, {"stake_cents": marked})


def test_article_13_a_late_stake_is_settled_as_it_lay() -> None:
    played = a_round(box(1, "TS 8D", main(3000, 6000, first=1000)))
    assert owed(played) == (6000, 0, None)
    assert cited(played) == [f"13 {IN_TIME}"]


@pytest.mark.parametrize("drop", ["stakes_closed", "first_card", "times", "marked"])
def test_article_13_is_not_decidable_without_the_moments_or_the_stake_marked(drop: str) -> None:
    played = a_round(box(1, "TS 8D", main(1000, 2000, first=UNKNOWN))) if drop == "marked" else None
    times = None if drop == "times" else replace(ON_TIME, **{drop: None}) if not played else None
    assert said(IN_TIME, played or replace(staking(1000), times=times)) == UNDECIDED


# 14: the minimum, its multiples, the maximum


@upholds_case(LEAST, "lawful")
@upholds_case(MULTIPLE, "lawful")
@upholds_case(MOST, "lawful")
@pytest.mark.parametrize("stake", [2000, 5000, 29000])
def test_article_14_a_multiple_between_the_limits(stake: int) -> None:
    assert [said(check, staking(stake)) for check in (LEAST, MULTIPLE, MOST)] == [LAWFUL] * 3
    assert cited(staking(stake)) == []


@upholds_case(LEAST, "boundary")
@upholds_case(MULTIPLE, "boundary")
@upholds_case(MOST, "boundary")
@pytest.mark.parametrize("stake", [1000, 30000])
def test_article_14_the_minimum_and_the_maximum_themselves(stake: int) -> None:
    assert [said(check, staking(stake)) for check in (LEAST, MULTIPLE, MOST)] == [LAWFUL] * 3


@upholds_case(LEAST, "unlawful")
@pytest.mark.parametrize("stake", [999, 500, 1, 0])
def test_article_14_no_stake_is_below_the_minimum(stake: int) -> None:
    found = the_finding(LEAST, staking(stake))
    assert (found.article, found.observed) == ("14", {"stake_cents": stake})
    assert found.expected == {"minimum_cents": 1000}
    assert said(MULTIPLE, staking(stake)) == LAWFUL  # it is found once


@upholds_case(MULTIPLE, "unlawful")
@pytest.mark.parametrize("stake", [1001, 1500, 29999])
def test_article_14_a_stake_is_a_multiple_of_the_minimum(stake: int) -> None:
    found = the_finding(MULTIPLE, staking(stake))
    assert (found.article, found.observed) == ("14", {"stake_cents": stake})
    assert found.expected == {"multiple_of_cents": 1000}
    assert cited(staking(stake)) == [f"14 {MULTIPLE}"]


@upholds_case(MULTIPLE, "boundary")
def test_article_14_a_maximum_that_is_no_multiple_cannot_be_staked() -> None:
    played = replace(a_round(box(1, "TS 8D", main(20000, 40000)), limits=(3000, 20000)))
    assert cited(played) == [f"14 {MULTIPLE}"]


@upholds_case(MOST, "unlawful")
@pytest.mark.parametrize("stake", [31000, 60000])
def test_article_14_no_stake_passes_the_maximum(stake: int) -> None:
    found = the_finding(MOST, staking(stake))
    assert (found.article, found.readings) == ("14", ("max-before-deal",))
    assert (found.observed, found.expected) == ({"stake_cents": stake}, {"maximum_cents": 30000})


@upholds_case(MOST, "boundary")
def test_article_14_the_maximum_may_be_doubled_and_split() -> None:
    doubled = a_round(box(1, "6S 5D 9C", main(60000, 120000, first=30000), does="double"))
    hands = [hand("8S TD", "split stand"), hand("8D TH", out_of=1)]
    split = a_round(box(1, hands, main(30000, 60000), main(30000, 60000, hand=2)))
    assert [cited(doubled), cited(split)] == [[], []]


def test_article_14_a_stake_raised_after_the_deal_counts_as_it_lay() -> None:
    """13 is broken by the raise; 14 asks the stake that lay, so that no field can hide it."""
    raised = a_round(box(1, "TS 8D", main(31000, 62000, first=30000)))
    assert cited(raised) == [f"13 {IN_TIME}", f"14 {MOST}"]
    unrecorded = a_round(box(1, "TS 8D", main(31000, 62000, first=UNKNOWN)))
    assert cited(unrecorded) == [f"14 {MOST}"]
    too_low = a_round(box(1, "TS 8D", main(1000, 2000, first=500)))
    assert cited(too_low) == [f"13 {IN_TIME}"]


def test_article_14_is_not_decidable_without_limits_or_first_stake() -> None:
    unknown = a_round(box(1, "TS 8D", main(1000, 2000)), limits=None)
    doubled = a_round(box(1, "6S 5D 9C", main(2000, 4000, first=UNKNOWN), does="double"))
    for check in (LEAST, MULTIPLE, MOST):
        assert [said(check, unknown), said(check, doubled)] == [UNDECIDED, UNDECIDED]


# 15: stakes on another player's box


@upholds_case(SUM, "lawful")
@upholds_case(OTHERS, "lawful")
@pytest.mark.parametrize("cents", [(1000, 1000), (5000, 2000), (1000, 2000, 3000)])
def test_article_15_others_stake_multiples_of_the_minimum(cents: tuple[int, ...]) -> None:
    assert [said(SUM, staking(*cents)), said(OTHERS, staking(*cents))] == [LAWFUL, LAWFUL]


@upholds_case(SUM, "boundary")
@pytest.mark.parametrize("cents", [(29000, 1000), (10000, 10000, 10000)])
def test_article_15_the_box_may_be_filled_to_the_maximum(cents: tuple[int, ...]) -> None:
    assert said(SUM, staking(*cents)) == LAWFUL


@upholds_case(SUM, "unlawful")
@pytest.mark.parametrize("cents", [(30000, 1000), (20000, 11000), (10000, 10000, 10001)])
def test_article_15_the_box_holds_no_more_than_the_maximum(cents: tuple[int, ...]) -> None:
    found = the_finding(SUM, staking(*cents))
    assert (found.article, found.where) == ("15", {"box": 1})
    assert found.observed == {"stakes_cents": sum(cents)}
    assert found.expected == {"maximum_cents": 30000}


def test_article_15_the_sum_counts_first_stakes_and_not_doubles() -> None:
    wagers = main(40000, 80000, first=20000), main(20000, 40000, "J5", first=10000)
    assert cited(a_round(box(1, "6S 5D 9C", *wagers, does="double"), bank="TH 7C")) == []


@upholds_case(OTHERS, "boundary")
@pytest.mark.parametrize("cents", [(29500, 500), (27500, 2000, 500), (29999, 1)])
def test_article_15_or_exactly_what_is_missing_to_the_maximum(cents: tuple[int, ...]) -> None:
    assert [said(OTHERS, staking(*cents)), said(SUM, staking(*cents))] == [LAWFUL, LAWFUL]


@upholds_case(OTHERS, "unlawful")
@pytest.mark.parametrize("cents", [(1000, 500), (1000, 1500), (29000, 999), (29000, 1001)])
def test_article_15_nothing_else_may_be_added(cents: tuple[int, ...]) -> None:
    found = the_finding(OTHERS, staking(*cents))
    assert (found.article, found.where["owner"]) == ("15", "J5")
    assert found.observed == {"stake_cents": cents[1]}
    assert found.expected == {"multiple_of_cents": 1000, "or_completes_cents": 30000}
    assert found.readings == ("unlawful-stake",)


@upholds_case(OTHERS, "unlawful")
@pytest.mark.parametrize(
    ("cents", "odd"),
    [
        ((29000, 500, 500), [500, 500]),
        ((27000, 1500, 1500), [1500, 1500]),
        ((28000, 700, 300, 1000), [300, 700]),
    ],
)
def test_article_15_where_several_may_have_completed_it_the_box_is_found_and_no_owner(
    cents: tuple[int, ...], odd: list[int]
) -> None:
    """One of them was what was missing when it was laid; no record tells whose came last."""
    played = staking(*cents)
    found = the_finding(OTHERS, played)
    assert (found.article, found.where) == ("15", {"box": 1})
    assert found.observed == {"stakes_cents": odd}
    assert found.expected == {"multiple_of_cents": 1000, "or_completes_cents": 30000}
    for owner, stake in zip(("J1", "J5", "J6"), cents, strict=False):
        assert owed(played, owner=owner) == (2 * stake, 0, None)


@upholds_case(OTHERS, "boundary")
def test_article_15_beyond_the_maximum_one_may_still_have_completed_it() -> None:
    """29 500 and 500 are the maximum; the 1 000 beyond it are the box's own finding."""
    assert said(OTHERS, staking(29500, 500, 1000)) == UNDECIDED
    assert cited(staking(29000, 500, 1000)) == [f"15 {OTHERS}", f"15 {SUM}"]  # 500 fits nowhere
    found = findings(OTHERS, staking(29000, 999, 500, 500))
    assert [one.observed for one in found] == [{"stake_cents": 999}, {"stakes_cents": [500, 500]}]


def test_article_15_of_a_crowd_nobody_could_tell() -> None:
    crowd = staking(1000, *(501 + 7 * (at * at % 91) for at in range(40)))
    assert the_finding(OTHERS, crowd).where == {"box": 1}
    below = replace(
        staking(1000, 500, *(1000 * 2**at for at in range(13))), limits=Limits(1000, 10_000_000)
    )
    assert the_finding(OTHERS, below).observed == {"stake_cents": 500}  # all together fill no box


def test_article_15_is_not_decidable_without_limits() -> None:
    played = replace(staking(1000, 1000), limits=None)
    assert [said(SUM, played), said(OTHERS, played)] == [UNDECIDED, UNDECIDED]


def test_article_15_is_not_asked_of_a_box_with_one_owner() -> None:
    assert {said(check, staking(1000)) for check in (SUM, OTHERS, HOLDER)} == {NOT_ASKED}


OWN = "others_stake_beside_their_own"
NEEDED = {"others-own-stake": "needed"}


def with_a_neighbour(stake: int | None, box_of: int = 5) -> RoundPlayed:
    """J5 stakes on J1's box, and on a box of his own where a stake is given."""
    boxes = [box(1, "TS 8D", main(1000, 2000), main(1000, 2000, "J5"))]
    if stake is not None:
        boxes.append(box(box_of, "TC 8H", main(stake, 2 * stake)))
    return a_round(*boxes)


@upholds_case(OWN, "lawful")
@pytest.mark.parametrize("stake", [1000, 5000])
def test_article_15_beside_a_stake_of_ones_own(stake: int) -> None:
    assert said(OWN, with_a_neighbour(stake), readings=NEEDED) == LAWFUL


@upholds_case(OWN, "unlawful")
@pytest.mark.parametrize(("stake", "box_of"), [(None, 5), (1000, 6)])
def test_article_15_where_one_of_ones_own_is_needed(stake: int | None, box_of: int) -> None:
    """Reading others-own-stake, its other choice."""
    found = the_finding(OWN, with_a_neighbour(stake, box_of), readings=NEEDED)
    assert (found.article, found.where["owner"]) == ("15", "J5")
    assert (found.observed, found.expected) == ({"own_stakes": 0}, {"at_least": 1})


@upholds_case(OWN, "boundary")
def test_article_15_by_the_reading_adopted_none_is_needed() -> None:
    assert said(OWN, with_a_neighbour(None)) == NOT_ASKED
    alone = a_round(box(1, "TS 8D", main(1000, 2000)))
    assert said(OWN, alone, readings=NEEDED) == NOT_ASKED


def shared(decided_by: str | None) -> RoundPlayed:
    wagers = main(1000, 2000), main(2000, 4000, "J5")
    return a_round(box(1, "TS 8D", *wagers, decided_by=decided_by))


@upholds_case(HOLDER, "lawful")
def test_article_15_the_holder_decides() -> None:
    assert said(HOLDER, shared("J1")) == LAWFUL


@upholds_case(HOLDER, "unlawful")
@pytest.mark.parametrize("other", ["J5", "P-104"])
def test_article_15_nobody_else_decides(other: str) -> None:
    found = the_finding(HOLDER, shared(other))
    assert (found.article, found.where) == ("15", {"box": 1})
    assert (found.observed, found.expected) == ({"decided_by": other}, {"decided_by": "J1"})


@upholds_case(HOLDER, "boundary")
def test_article_15_who_decided_may_be_unknown() -> None:
    assert said(HOLDER, shared(None)) == UNDECIDED


@upholds_case(HOLDER, "boundary")
def test_article_15_is_broken_by_a_stranger_on_a_box_with_one_stake_too() -> None:
    assert said(HOLDER, a_round(box(1, "TS 8D", main(1000, 2000), decided_by="J5"))) == BREACH


# 16: vacant boxes


def vacant(decided_by: str | None, *stakes: tuple[str, int, int | None]) -> RoundPlayed:
    """Owners, what each staked, and the seat of each."""
    wagers = [main(cents, 2 * cents, owner, seat=seat) for owner, cents, seat in stakes]
    return a_round(box(4, "TS 8D", *wagers, vacant=True, decided_by=decided_by))


@upholds_case(VACANT, "lawful")
@pytest.mark.parametrize(
    "stakes",
    [
        [("J2", 3000, 2), ("J5", 2000, 5)],
        [("J5", 1000, 5), ("J2", 3000, 6)],  # the larger stake, whatever the seat
        [("J2", 3000, None), ("J5", 2000, None)],  # no tie: no seat is asked
        [("J2", 1000, None)],
    ],
)
def test_article_16_the_largest_stake_decides(stakes: list[tuple[str, int, int | None]]) -> None:
    assert said(VACANT, vacant("J2", *stakes)) == LAWFUL


@upholds_case(VACANT, "boundary")
@pytest.mark.parametrize("seats", [(2, 5), (1, 7), (4, 5)])
def test_article_16_among_equals_the_lowest_seat_decides(seats: tuple[int, int]) -> None:
    stakes = ("J9", 2000, seats[1]), ("J2", 2000, seats[0]), ("J3", 1000, 1)
    assert said(VACANT, vacant("J2", *stakes)) == LAWFUL


@upholds_case(VACANT, "unlawful")
@pytest.mark.parametrize(
    ("decided_by", "rightful", "stakes"),
    [
        ("J5", "J2", [("J2", 3000, 5), ("J5", 2000, 1)]),  # the smaller stake
        ("J5", "J2", [("J2", 2000, 2), ("J5", 2000, 3)]),  # the higher seat
        ("J8", "J2", [("J2", 1000, 2)]),  # somebody without a stake
    ],
)
def test_article_16_nobody_else_decides(
    decided_by: str, rightful: str, stakes: list[tuple[str, int, int | None]]
) -> None:
    found = the_finding(VACANT, vacant(decided_by, *stakes))
    assert (found.article, found.where) == ("16", {"box": 4})
    assert found.observed == {"decided_by": decided_by}
    assert found.expected == {"decided_by": rightful}


@pytest.mark.parametrize(
    ("decided_by", "stakes"),
    [
        (None, [("J2", 3000, 2), ("J5", 2000, 5)]),
        ("J2", [("J2", 2000, None), ("J5", 2000, 5)]),
    ],
)
def test_article_16_is_not_decidable_without_decider_or_seats(
    decided_by: str | None, stakes: list[tuple[str, int, int | None]]
) -> None:
    assert said(VACANT, vacant(decided_by, *stakes)) == UNDECIDED


def test_article_16_first_stakes_are_compared_and_not_doubled_ones() -> None:
    wagers = main(4000, 8000, "J2", first=2000, seat=2), main(3000, 6000, "J5", seat=5)
    cards: Box = box(4, "6S 5D 9C", *wagers, vacant=True, decided_by="J2", does="double")
    assert the_finding(VACANT, a_round(cards)).expected == {"decided_by": "J5"}


def seated(*cents: int) -> RoundPlayed:
    """A vacant box with these stakes of J2, J3, ...; the largest decides."""
    stakes = [(f"J{place}", stake, place) for place, stake in enumerate(cents, 2)]
    return vacant(f"J{2 + cents.index(max(cents))}", *stakes)


@upholds_case(VACANT_STAKE, "lawful")
@upholds_case(VACANT_SUM, "lawful")
@pytest.mark.parametrize("cents", [(2000,), (3000, 1000), (10000, 9000, 8000)])
def test_article_16_multiples_within_the_maximum(cents: tuple[int, ...]) -> None:
    assert [said(VACANT_STAKE, seated(*cents)), said(VACANT_SUM, seated(*cents))] == [LAWFUL] * 2
    assert cited(seated(*cents)) == []


@upholds_case(VACANT_STAKE, "boundary")
@upholds_case(VACANT_SUM, "boundary")
@pytest.mark.parametrize("cents", [(1000,), (30000,), (29000, 1000)])
def test_article_16_the_minimum_alone_and_the_maximum_filled(cents: tuple[int, ...]) -> None:
    assert cited(seated(*cents)) == []


@upholds_case(VACANT_STAKE, "unlawful")
@pytest.mark.parametrize("cents", [(1500,), (500,), (0,), (3000, 1001)])
def test_article_16_no_other_stake_on_a_vacant_box(cents: tuple[int, ...]) -> None:
    """Not 14, which speaks of the stake on one's own place."""
    found = the_finding(VACANT_STAKE, seated(*cents))
    assert (found.article, found.observed) == ("16", {"stake_cents": cents[-1]})
    assert found.expected == {"multiple_of_cents": 1000}
    assert cited(seated(*cents)) == [f"16 {VACANT_STAKE}"]


@upholds_case(VACANT_SUM, "unlawful")
@pytest.mark.parametrize("cents", [(31000,), (30000, 1000), (20000, 11000)])
def test_article_16_a_vacant_box_holds_no_more_than_the_maximum(cents: tuple[int, ...]) -> None:
    """Not 15, which speaks of the places others hold."""
    found = the_finding(VACANT_SUM, seated(*cents))
    assert (found.article, found.where) == ("16", {"box": 4})
    assert found.observed == {"stakes_cents": sum(cents)}
    assert found.expected == {"maximum_cents": 30000}
    assert cited(seated(*cents)) == [f"16 {VACANT_SUM}"]


def test_article_16_is_not_decidable_without_limits_or_first_stakes() -> None:
    for unknown in (
        replace(seated(1000, 1000), limits=None),
        a_round(
            box(
                4,
                "6S 5D 9C",
                main(2000, 4000, "J2", first=UNKNOWN, seat=2),
                vacant=True,
                decided_by="J2",
                does="double",
            )
        ),
    ):
        assert [said(VACANT_STAKE, unknown), said(VACANT_SUM, unknown)] == [UNDECIDED] * 2


def test_article_16_with_limits_to_the_end_a_double_on_a_vacant_box_counts() -> None:
    """Reading max-before-deal, its other choice."""
    wagers = main(40000, 80000, "J2", first=20000, seat=2)
    doubled = a_round(box(4, "6S 5D 9C", wagers, vacant=True, decided_by="J2", does="double"))
    final = {"max-before-deal": "final"}
    assert (cited(doubled), cited(doubled, readings=final)) == ([], [f"16 {VACANT_SUM}"])


@pytest.mark.parametrize("book", ["es", "br"])
def test_where_no_book_speaks_of_vacant_boxes_its_sum_is_any_boxs(book: str) -> None:
    (found,) = findings(SUM, seated(30000, 1000), book)
    assert found.where == {"box": 4}


# 37: the limits themselves


@upholds_case(RATIO, "lawful")
@pytest.mark.parametrize("limits", [(1000, 1000), (1000, 20000), (500, 5000)])
def test_article_37_a_maximum_below_thirty_minimums(limits: tuple[int, int]) -> None:
    assert said(RATIO, replace(a_round(box(1, "TS 8D"), limits=limits))) == LAWFUL


@upholds_case(RATIO, "boundary")
@pytest.mark.parametrize("limits", [(1000, 30000), (1, 30)])
def test_article_37_a_maximum_of_exactly_thirty_minimums(limits: tuple[int, int]) -> None:
    assert said(RATIO, a_round(box(1, "TS 8D"), limits=limits)) == LAWFUL


@upholds_case(RATIO, "unlawful")
@pytest.mark.parametrize("limits", [(1000, 30001), (1000, 31000), (500, 20000)])
def test_article_37_a_maximum_over_thirty_minimums(limits: tuple[int, int]) -> None:
    found = the_finding(RATIO, a_round(box(1, "TS 8D"), limits=limits))
    assert (found.article, found.observed) == ("37", {"maximum_cents": limits[1]})
    assert found.expected == {"at_most_cents": 30 * limits[0]}


def test_article_37_is_not_decidable_without_limits() -> None:
    assert said(RATIO, a_round(box(1, "TS 8D"), limits=None)) == UNDECIDED
