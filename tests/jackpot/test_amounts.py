"""Percentages and microcents: whole numbers, and nothing rounded. Article 40."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.progressive.amounts import (
    MICROCENTS,
    WHOLE,
    contribution_microcents,
    displayed_cents,
    percentage,
)


@pytest.mark.parametrize(
    ("millionths", "written"), [(0, "0"), (25_000, "2.5"), (1, "0.0001"), (100_000, "10")]
)
def test_a_percentage_is_written_without_idle_noughts(millionths: int, written: str) -> None:
    assert percentage(millionths) == written


def test_article_40_a_chip_of_two_euros_fifty_at_two_and_a_half_per_cent() -> None:
    # 250 cents x 2.5 / 100 = 6.25 cents
    assert contribution_microcents(250, 25_000) == 6_250_000
    assert contribution_microcents(250, 25_000, chips=5) == 31_250_000
    # The finest there is: a millionth of a cent, and it is not lost.
    assert contribution_microcents(1, 1) == 1


@given(st.integers(1, 10**9), st.integers(0, WHOLE), st.integers(0, 7))
def test_article_40_a_contribution_is_the_exact_fraction(stake: int, rate: int, chips: int) -> None:
    exact = Fraction(stake) * Fraction(rate, WHOLE) * chips
    assert Fraction(contribution_microcents(stake, rate, chips), MICROCENTS) == exact


def test_article_41_the_display_shows_whole_cents() -> None:
    assert displayed_cents(6_250_000) == 6
    assert displayed_cents(5_999_999) == 5
    assert displayed_cents(0) == 0
