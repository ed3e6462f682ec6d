"""PT art. 41, 50: displays that were read a while before it was recorded, or among many chips."""

import json

from audit.pools.carrying import left, taken_up
from tests.factories.meter_stories import (
    DISPLAY,
    START,
    TOP,
    At,
    chips,
    found_in,
    paid,
    read,
    start,
    timed,
    won,
)
from tests.law.casebook import upholds_case

LOOKED = 150
# Three chips before somebody looked (18.75 cents), three long after, two just before he told it.
EVENING: tuple[At, ...] = (
    *((0, start()), (60, chips(3))),
    *((LOOKED + 301, chips(3)), (LOOKED + 840, chips(2))),
)


def recorded(cents: int, later: float = 850) -> tuple[At, ...]:
    """What was read at LOOKED, told so many seconds later."""
    return (*EVENING, (LOOKED + later, read(START + cents), LOOKED))


@upholds_case(DISPLAY, "lawful")
def test_article_41_a_display_read_rightly_and_told_later_is_lawful() -> None:
    assert found_in(*recorded(18)) == []
    assert DISPLAY in timed(*recorded(18)).asked


@upholds_case(DISPLAY, "unlawful")
def test_article_41_a_display_read_wrongly_and_told_later_is_found() -> None:
    assert found_in(*recorded(17)) == [(DISPLAY, "e5")]
    (said,) = timed(*recorded(17)).said
    assert said.breach.expected == {"display_cents": START + 18}
    # What the meter was when it was recorded is another matter.
    assert found_in(*recorded(50)) == [(DISPLAY, "e5")]


@upholds_case(DISPLAY, "boundary")
def test_article_41_chips_under_way_when_he_looked_explain_it() -> None:
    assert found_in(*recorded(37)) == [(DISPLAY, "e5")]
    near: tuple[At, ...] = ((0, start()), (60, chips(3)), (LOOKED + 300, chips(3)))
    assert found_in(*near, (1_000, read(START + 37), LOOKED)) == []
    just: tuple[At, ...] = ((0, start()), (LOOKED - 60, chips(3)))
    assert found_in(*just, (1_000, read(START), LOOKED)) == []
    assert found_in(*just, (1_000, read(START), LOOKED + 1)) == [(DISPLAY, "e3")]


@upholds_case(DISPLAY, "boundary")
def test_article_41_after_an_hour_nobody_judges_what_was_read_but_a_claim() -> None:
    assert found_in(*recorded(17, 3_600)) == [(DISPLAY, "e5")]
    assert found_in(*recorded(17, 3_601)) == []
    assert found_in(*recorded(1_000_000, 3_601)) == [(DISPLAY, "e5")]


def test_article_41_across_a_prize_nobody_judges_what_was_read_before_it() -> None:
    prize: tuple[At, ...] = ((0, start()), (200, won(TOP)), (260, paid("e2", "J5/5", START)))
    assert found_in(*prize, (270, start()), (900, read(START - 7), LOOKED)) == []
    assert found_in(*prize, (270, start()), (900, read(START - 7), 400)) == [(DISPLAY, "e5")]


@upholds_case(DISPLAY, "unlawful")
def test_article_41_of_an_evening_written_down_the_day_after_its_readings_are_judged_in_place() -> (
    None
):
    day = 86_400
    evening: tuple[At, ...] = ((day, start(), 0), (day + 1, chips(3), 100))
    assert found_in(*evening, (day + 2, read(START + 18), 400)) == []
    assert found_in(*evening, (day + 2, read(START + 17), 400)) == [(DISPLAY, "e3")]
    assert found_in(*evening, (day + 2, read(START - 1), 120)) == [(DISPLAY, "e3")]


def test_chips_are_remembered_for_the_next_who_goes_through_the_story() -> None:
    pool = timed(*EVENING)
    assert len(left(pool)["chips"]) == 3
    assert len(taken_up("JP-1", json.loads(json.dumps(left(pool)))).readings.recorded) == 3


# Twelve collections within a minute, each twice the one before: more sums than are kept.
MANY: tuple[At, ...] = (
    (0, start()),
    *((900 + 5 * n, chips(2**n)) for n in range(12)),
)
MOST = 25_593  # 4,095 chips of 6.25 cents


@upholds_case(DISPLAY, "unlawful")
def test_article_41_many_chips_at_once_explain_nothing_beyond_them() -> None:
    assert found_in(*MANY, (956, read(START + MOST + 1))) == [(DISPLAY, "e14")]
    assert found_in(*MANY, (956, read(999_999_999))) == [(DISPLAY, "e14")]


@upholds_case(DISPLAY, "boundary")
def test_article_41_among_many_chips_a_display_between_none_and_all_of_them_is_lawful() -> None:
    assert found_in(*MANY, (956, read(START + MOST))) == []
    assert found_in(*MANY, (956, read(START))) == []
    assert found_in(*MANY, (956, read(START - 1))) == [(DISPLAY, "e14")]
