"""PT art. 39, 41, 45, 47, 48: the side stakes of a round."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict
from jackpot.progressive.stakes import (
    Chips,
    chip_has_a_main_stake,
    chip_is_of_the_set_amount,
    closing_is_called,
    each_stake_has_its_marker,
    feeds_the_meter,
    side_stakes_precede_the_deal,
)

CLOSED = datetime(2026, 11, 20, 22, 14, 5, tzinfo=UTC)
A_MOMENT = timedelta(microseconds=1)


def chips(*texts: str) -> Chips:
    """``chips("J1 1", "J2 2 2")``: owner, box, and how many where more than one."""
    found: Chips = Counter()
    for one in texts:
        owner, box, *many = one.split()
        found[owner, int(box)] += int(many[0]) if many else 1
    return found


def breaches(result: Verdict) -> list[Breach]:
    """What a check found, where it found something."""
    assert isinstance(result, list), result
    return result


# Article 39: a place of its own, and nobody has to use it (seed 002 n.º 39).


def test_article_39_who_lays_no_chip_stakes_nothing_on_the_prize() -> None:
    none = feeds_the_meter("manual", chips(), chips())
    assert (none.chips.total(), none.agreement) == (0, LAWFUL)


def test_article_39_a_chip_entered_for_one_who_laid_none_is_found() -> None:
    # J2 has a main stake, and the dealer raised the display for him too.
    fed = feeds_the_meter("manual", automatic=chips("J1 1"), manual=chips("J1 1", "J2 2"))
    (found,) = breaches(fed.agreement)
    assert (found.where, found.observed, found.expected) == (
        {"owner": "J2", "box": 2},
        {"chips": 1},
        {"chips": 0},
    )


# Article 41: one way of marking, and what it tells (seed 002 n.º 41).


@pytest.mark.parametrize("marking", ["automatic", "manual"])
def test_article_41_two_sources_that_agree_feed_the_meter_once(marking: str) -> None:
    fed = feeds_the_meter(marking, chips("J1 1", "J2 2"), chips("J1 1", "J2 2"))  # type: ignore[arg-type]
    assert (fed.chips, fed.agreement) == (chips("J1 1", "J2 2"), LAWFUL)


def test_article_41_the_approved_source_counts_and_the_other_is_evidence() -> None:
    device, dealer = chips("J1 1", "J2 2"), chips("J1 1")
    by_device = feeds_the_meter("automatic", device, dealer)
    by_dealer = feeds_the_meter("manual", device, dealer)
    assert (by_device.chips, by_dealer.chips) == (device, dealer)
    (more,), (less,) = breaches(by_device.agreement), breaches(by_dealer.agreement)
    assert more.where == less.where == {"owner": "J2", "box": 2}
    assert (more.observed, more.expected) == ({"chips": 1}, {"chips": 0})
    assert (less.observed, less.expected) == ({"chips": 0}, {"chips": 1})


def test_article_41_chips_nobody_entered_do_not_raise_the_display() -> None:
    forgotten = feeds_the_meter("manual", automatic=chips("J1 1"), manual=None)
    (found,) = breaches(forgotten.agreement)
    assert (forgotten.chips.total(), found.observed, found.expected) == (
        0,
        {"chips": 0},
        {"chips": 1},
    )
    assert feeds_the_meter("manual", automatic=chips(), manual=None).agreement == LAWFUL


def test_article_41_a_source_alone_is_not_compared() -> None:
    assert feeds_the_meter("manual", None, chips("J1 1")).agreement == UNDECIDED
    assert feeds_the_meter("manual", None, None).agreement == UNDECIDED


def test_article_41_a_second_chip_is_counted_as_it_lay() -> None:
    # It is unlawful (47), and it went into the slot.
    fed = feeds_the_meter("automatic", chips("J1 1 2"), None)
    assert fed.chips.total() == 2


def test_article_41_every_collected_chip_is_replaced_by_a_marker() -> None:
    assert each_stake_has_its_marker("manual", [("J1", 1, True), ("J2", 2, True)]) == LAWFUL
    (found,) = breaches(each_stake_has_its_marker("manual", [("J1", 1, True), ("J2", 2, False)]))
    assert found.where == {"owner": "J2", "box": 2}
    assert each_stake_has_its_marker("manual", [("J1", 1, None)]) == UNDECIDED
    (sure,) = breaches(each_stake_has_its_marker("manual", [("J1", 1, None), ("J2", 2, False)]))
    assert sure.where["owner"] == "J2"


def test_article_41_automatic_marking_needs_no_marker() -> None:
    assert each_stake_has_its_marker("automatic", [("J1", 1, False)]) is None
    assert each_stake_has_its_marker("manual", []) is None


# Article 45: only beside a main stake (seed 002 n.º 45).


def test_article_45_a_chip_beside_a_main_stake_is_lawful() -> None:
    assert chip_has_a_main_stake(chips("J1 1", "J2 2"), {("J1", 1), ("J2", 2)}) == LAWFUL
    assert chip_has_a_main_stake(chips(), set()) == LAWFUL


def test_article_45_a_chip_without_a_main_stake_is_found() -> None:
    (found,) = breaches(chip_has_a_main_stake(chips("J1 1", "J2 2"), {("J1", 1)}))
    assert (found.where, found.readings) == ({"owner": "J2", "box": 2}, ())
    assert (found.observed, found.expected) == ({"main_stakes": 0}, {"at_least": 1})


def test_article_45_a_stake_on_another_box_is_enough_or_not_by_the_reading() -> None:
    elsewhere = chips("J1 4"), {("J1", 1)}
    (found,) = breaches(chip_has_a_main_stake(*elsewhere, "box"))
    assert found.readings == ("jackpot-main-stake",)
    assert chip_has_a_main_stake(*elsewhere, "player") == LAWFUL


def test_article_45_a_complementary_stake_is_a_main_stake_too() -> None:
    assert chip_has_a_main_stake(chips("J5 2"), {("J2", 2), ("J5", 2)}) == LAWFUL


# Article 47: of the amount that was set (seed 002 n.º 47); the number of chips is
# `one_chip_per_player`, in tests/law.


def test_article_47_a_chip_of_the_set_amount_is_lawful() -> None:
    assert chip_is_of_the_set_amount(250, 250) == LAWFUL


@pytest.mark.parametrize("amount", [249, 251, 500, 0])
def test_article_47_a_chip_of_another_amount_is_found(amount: int) -> None:
    found = chip_is_of_the_set_amount(amount, 250)
    assert isinstance(found, Breach)
    assert (found.observed, found.expected) == ({"chip_cents": amount}, {"chip_cents": 250})


def test_article_47_an_untold_amount_is_not_decidable() -> None:
    assert chip_is_of_the_set_amount(None, 250) == UNDECIDED


# Article 48: before the deal (seed 002 n.º 48).


def test_article_48_stakes_closed_before_the_first_card_are_lawful() -> None:
    assert side_stakes_precede_the_deal(CLOSED, CLOSED + A_MOMENT) == LAWFUL
    assert side_stakes_precede_the_deal(None, None, before_deal=True) == LAWFUL


def test_article_48_stakes_closed_after_the_first_card_are_found() -> None:
    found = side_stakes_precede_the_deal(CLOSED + A_MOMENT, CLOSED, before_deal=True)
    assert isinstance(found, Breach)  # what was timed goes before what was attested
    attested = side_stakes_precede_the_deal(None, CLOSED, before_deal=False)
    assert isinstance(attested, Breach)
    assert (attested.observed, attested.expected) == ({"before_deal": 0}, {"before_deal": 1})


def test_article_48_at_the_same_moment_is_before_and_untold_is_undecided() -> None:
    assert side_stakes_precede_the_deal(CLOSED, CLOSED) == LAWFUL
    assert side_stakes_precede_the_deal(CLOSED, None) == UNDECIDED


def test_article_48_the_closing_is_called() -> None:
    assert closing_is_called(True) == LAWFUL
    assert isinstance(closing_is_called(False), Breach)
    assert closing_is_called(None) == UNDECIDED
