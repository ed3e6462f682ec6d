"""From which sum on the winner of a prize is identified, day by day; no database."""

from datetime import date

import pytest

from jackpot.progressive.identified import identified_from

FIGURES = {"2026-01-01": 100_000, "2017-09-17": 200_000}  # in no order


@pytest.mark.parametrize(
    ("day", "asked"),
    [
        (date(2017, 9, 16), None),
        (date(2017, 9, 17), 200_000),
        (date(2025, 12, 31), 200_000),
        (date(2026, 1, 1), 100_000),
        (date(2036, 1, 1), 100_000),
    ],
)
def test_the_sum_is_the_one_that_holds_on_the_day(day: date, asked: int | None) -> None:
    assert identified_from(FIGURES, day) == asked


def test_a_house_that_names_no_sum_asks_of_nobody() -> None:
    assert identified_from({}, date(2026, 11, 21)) is None
