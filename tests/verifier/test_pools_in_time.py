"""Pools and their moments: which terms held, what counted yet, a clock that steps back.

Law: PT art. 40, 44.
"""

from datetime import timedelta
from pathlib import Path

import pytest

from jackpot.progressive.amounts import MICROCENTS
from tests.verifier.maker import instant
from tests.verifier.pool_evenings import START_CENTS, Evening, begun, in_euros, named, verified
from tests.verifier.pools_noted import noted


def test_terms_that_come_later_change_nothing_that_was_recorded(tmp_path: Path) -> None:
    evening = begun()
    draft = evening.terms(1_000_000, confirmed=False, terms="T-2")
    # Whoever confirmed them says that it was in the morning.
    morning = "2026-11-20T09:00:00.000000Z"
    evening.event("terms-confirmed/1", {"confirms": draft}, occurred=morning)
    assert noted(evening, tmp_path) == []
    evening.rate = 1_000_000
    evening.chips(2)
    evening.terms(0, terms="T-3", valid_from="2030-01-01T00:00:00.000000Z")
    evening.rate = 1_000_000
    evening.chips(2)
    assert noted(evening, tmp_path / "later") == []


def test_terms_hold_from_their_second_persons_word(tmp_path: Path) -> None:
    evening = begun()
    draft = evening.terms(1_000_000, confirmed=False, terms="T-2")
    agreed = instant(evening.book.now)
    evening.event("terms-confirmed/1", {"confirms": draft}, occurred=agreed)
    evening.chips(2)  # which were laid three minutes before
    assert noted(evening, tmp_path) == []
    evening.book.now += timedelta(minutes=4)
    evening.rate = 1_000_000
    evening.chips(2)
    assert noted(evening, tmp_path / "later") == []


def test_a_correction_has_the_terms_of_what_it_corrects(tmp_path: Path) -> None:
    evening = begun()
    first = evening.chips(3, 2)
    before = evening.pool.meter.running
    evening.terms(1_000_000, terms="T-2")
    fixed = evening.chips(0, 3, 2, amends=first)  # who sat elsewhere
    evening.approve(fixed, first)
    assert evening.pool.meter.running == before
    evening.approve(evening.chips(3, 1, amends=fixed), fixed)
    assert evening.pool.meter.running == before - 250 * 25_000
    assert noted(evening, tmp_path) == []


def test_a_round_that_told_no_chip_is_corrected_by_the_terms_of_its_moment(tmp_path: Path) -> None:
    evening = Evening()
    evening.terms(marking="automatic")
    evening.start()
    evening.opened()
    bare = evening.round()
    evening.terms(1_000_000, terms="T-2", marking="automatic")
    evening.approve(evening.round(2, amends=bare), bare)
    assert evening.pool.meter.contributed + evening.pool.meter.adjusted == 2 * 250 * 25_000
    assert noted(evening, tmp_path) == []


def test_chips_of_before_the_start_count_for_nothing_when_corrected(tmp_path: Path) -> None:
    evening = Evening()
    evening.terms()
    first = evening.chips(5)
    evening.start()
    fixed = evening.chips(1, amends=first)
    evening.approve(fixed, first)
    evening.approve(evening.chips(60, amends=fixed), fixed)
    assert evening.pool.meter.running == START_CENTS * MICROCENTS
    assert noted(evening, tmp_path) == []


def test_what_is_withdrawn_lowers_the_meter_by_the_withdrawal_itself(tmp_path: Path) -> None:
    evening = begun()
    wrong, before = evening.chips(3, 2), evening.pool.meter.running
    evening.chips(1)
    evening.seal()
    evening.take_back(wrong)
    assert evening.pool.meter.running == before - 4 * 250 * 25_000
    evening.seal()
    assert noted(evening, tmp_path) == []
    evening.take_back(evening.read(1), "jackpot-read/1")  # a wrong reading is held against nobody
    low = evening.read(1)
    assert noted(evening, tmp_path / "read") == [("pool-read-differs", low["n"])]


@pytest.mark.parametrize("staff", ["S-0003", "s-0003"])
def test_article_40_one_person_by_two_spellings_is_one(tmp_path: Path, staff: str) -> None:
    evening = Evening()
    word = evening.event(
        "terms-confirmed/1", {"confirms": evening.terms(confirmed=False)}, staff=staff
    )
    found = verified(evening, tmp_path)
    assert named(found) == [("same-person", evening.stream, word["n"])]


def test_a_clock_that_stepped_back_is_told_of_one_seal(tmp_path: Path) -> None:
    """docs/operations.md, "The database's clock": the next one is right again."""
    evening = begun()
    evening.chips(2)
    evening.book.now -= timedelta(seconds=2)
    early = evening.seal()
    evening.book.now += timedelta(seconds=5)
    evening.chips(1)
    evening.seal()
    found = verified(evening, tmp_path)
    assert (found.code, named(found)) == (1, [("pool-seal-wrong", evening.stream, early["n"])])
    assert found.report.figures["pools"] == [in_euros(evening)]
