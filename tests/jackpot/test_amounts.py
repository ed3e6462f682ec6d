"""Percentages and microcents: whole numbers, and nothing rounded. Article 40."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.facts import Malformed
from jackpot.progressive.amounts import (
    MICROCENTS,
    WHOLE,
    contribution_microcents,
    displayed_cents,
    percentage,
    read_percentage,
)


@pytest.mark.parametrize(
    ("text", "millionths"),
    [("0", 0), ("2.5", 25_000), ("2,5", 25_000), ("0.0001", 1), ("99.9999", 999_999),
     ("100", WHOLE), ("100.0000", WHOLE), ("12.3456", 123_456)],
)  # fmt: skip
def test_article_40_a_percentage_is_read_exactly(text: str, millionths: int) -> None:
    assert read_percentage(text) == millionths


@pytest.mark.parametrize(
    "text",
    ["-1", "-0.0001", "100.0001", "101", "999", "1.00001", "2.50000", "", ".5", "5.", "1e1", "01",
     "1 ", "2.5 %", "1_0", "٢", "1.2.3"],
)  # fmt: skip
def test_article_40_below_0_over_100_or_finer_than_four_decimals_is_refused(text: str) -> None:
    with pytest.raises(Malformed, match=r"^\$\.rate: .*asked is 0\.0000 - 100\.0000$"):
        read_percentage(text, "$.rate")


@given(st.integers(0, WHOLE))
def test_a_percentage_is_written_as_it_is_read(millionths: int) -> None:
    assert read_percentage(percentage(millionths)) == millionths


@pytest.mark.parametrize(
    ("millionths", "written"), [(0, "0"), (25_000, "2.5"), (1, "0.0001"), (100_000, "10")]
)
def test_a_percentage_is_written_without_idle_noughts(millionths: int, written: str) -> None:
    assert percentage(millionths) == written


def test_article_40_a_chip_of_two_euros_fifty_at_two_and_a_half_per_cent() -> None:
    # 250 cents x 2.5 / 100 = 6.25 cents
    assert contribution_microcents(250, read_percentage("2.5")) == 6_250_000
    assert contribution_microcents(250, read_percentage("2.5"), chips=5) == 31_250_000
    # The finest there is: a millionth of a cent, and it is not lost.
    assert contribution_microcents(1, read_percentage("0.0001")) == 1


@given(st.integers(1, 10**9), st.integers(0, WHOLE), st.integers(0, 7))
def test_article_40_a_contribution_is_the_exact_fraction(stake: int, rate: int, chips: int) -> None:
    exact = Fraction(stake) * Fraction(rate, WHOLE) * chips
    assert Fraction(contribution_microcents(stake, rate, chips), MICROCENTS) == exact


def test_article_41_the_display_shows_whole_cents() -> None:
    assert displayed_cents(6_250_000) == 6
    assert displayed_cents(5_999_999) == 5
    assert displayed_cents(0) == 0
