"""A rulebook comes out as written, and hands out figures by date and by reading."""

import pickle
import sys
from datetime import date, datetime
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest

from casino.law.rulebook.law_text import LawError, spelled
from casino.law.rulebook.rulebook import DatedValue, Law, UnknownParameter
from casino.law.rulebook.rulebook_file import load_law
from tests.factories.small_rulebook import BOOK, Write

DAY = date(2026, 11, 20)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def book(text: str) -> Path:
        path = tmp_path / "tiny.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return book


@pytest.fixture
def tiny(write: Write) -> Law:
    return load_law(write(BOOK))


def test_a_book_comes_out_as_it_is_written(tiny: Law, tmp_path: Path) -> None:
    assert (tiny.id, tiny.title, tiny.title_en) == ("tiny", "Livro pequeno", "Small book")
    assert (tiny.source, tiny.cites) == ("made up", "n.º")
    assert tiny.digest == sha256((tmp_path / "tiny.toml").read_bytes()).hexdigest()
    assert list(tiny.articles) == ["1", "drawing/bank"]
    assert tiny.articles["drawing/bank"].waits_for == "floor"
    assert tiny.parameters["double.totals"].values == (
        DatedValue(date(2026, 6, 1), (16, 17), "law 1", date(2026, 11, 21)),
    )
    assert tiny.readings["no-peek"].articles == ("1", "drawing/bank")
    assert tiny.checks == {"shoe_is_burnt": "1", "burnt_cards_exact": "1"}


def test_values_have_the_form_their_unit_says(tiny: Law) -> None:
    rules = tiny.on(DAY)
    assert rules["burn.cards"] == 1
    assert rules["double.totals"] == (16, 17)
    assert rules["win.pays"] == Fraction(3, 2)
    assert rules["bank.peeks"] is False
    assert rules["bank.bust"] == "loses"
    assert rules.rulebook == "tiny"
    assert rules.article_of("shoe_is_burnt") == "1"
    assert rules.article_of("cards_thrown") is None


def test_a_figure_changes_on_its_day_and_not_the_day_before(tiny: Law) -> None:
    assert tiny.on(date(2026, 12, 31))["burn.cards"] == 1
    assert tiny.on(date(2027, 1, 1))["burn.cards"] == 5
    assert tiny.on(date(2099, 1, 1))["burn.cards"] == 5


def test_a_figure_is_not_stated_before_its_first_day(tiny: Law) -> None:
    eve = tiny.on(date(2026, 5, 31))
    assert not eve.states("double.totals")
    assert eve.states("burn.cards")
    with pytest.raises(UnknownParameter) as unknown:
        eve["double.totals"]
    assert str(unknown.value) == "rulebook 'tiny' does not state 'double.totals' before 2026-06-01"
    assert tiny.on(date(2026, 6, 1)).states("double.totals")
    assert not tiny.on(date(2000, 1, 1)).states("burn.cards")


def test_a_figure_that_is_nowhere_stated_is_an_error_with_both_names() -> None:
    rules = load_law("br").on(DAY)
    assert not rules.states("hit.until")
    with pytest.raises(UnknownParameter) as unknown:
        rules.values["hit.until"]
    assert str(unknown.value) == "rulebook 'br' does not state 'hit.until'"
    assert (unknown.value.rulebook, unknown.value.parameter) == ("br", "hit.until")
    assert rules.values.get("hit.until") is None


def test_days_between_two_changes_share_one_law_in_force(tiny: Law) -> None:
    assert tiny.on(date(2026, 7, 1)) is tiny.on(date(2026, 12, 31))
    assert tiny.on(date(2026, 12, 31)) is not tiny.on(date(2027, 1, 1))
    # Thirty thousand days pass through: the days remembered stay bounded, the law the same.
    for ordinal in range(DAY.toordinal(), DAY.toordinal() + 30_000):
        tiny.on(date.fromordinal(ordinal))
    assert len(tiny._days) <= 4096
    assert tiny.on(DAY)["burn.cards"] == 1


def test_asking_for_the_law_of_a_day_costs_next_to_nothing() -> None:
    """No function of ours is called but the one asked: what is in force is remembered."""
    law, called = load_law("pt"), list[str]()
    law.on(DAY)
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, _: called.append(event) if event == "call" else None)
    try:
        for _ in range(1_000):
            law.on(DAY)
    finally:
        sys.setprofile(before)
    assert 0 < len(called) <= 2 * 1_000


def test_a_moment_is_not_a_gaming_day(tiny: Law) -> None:
    with pytest.raises(TypeError):
        tiny.on(datetime(2026, 11, 20, 23, 0))  # noqa: DTZ001


def test_a_chosen_reading_holds_on_every_day_and_leaves_the_book_alone(tiny: Law) -> None:
    other = tiny.with_readings({"bank-bust": "nearer_wins", "no-peek": True})
    assert other.on(DAY)["bank.bust"] == "nearer_wins"
    assert other.on(DAY)["bank.peeks"] is True
    assert other.readings["bank-bust"].choice == "nearer_wins"
    assert other.switched == {"bank-bust": "nearer_wins", "no-peek": True}
    assert other.digest == tiny.digest
    assert tiny.on(DAY)["bank.bust"] == "loses"
    assert tiny.switched == {}


def test_a_choice_may_be_spelled_as_the_file_spells_it(tiny: Law) -> None:
    assert tiny.with_readings({"no-peek": "true"}).on(DAY)["bank.peeks"] is True


def test_what_the_book_adopts_on_every_day_is_no_switch(tiny: Law) -> None:
    assert tiny.with_readings({"no-peek": False}).switched == {}


def test_a_later_choice_takes_the_place_of_an_earlier(tiny: Law) -> None:
    back = tiny.with_readings({"no-peek": True}).with_readings({"no-peek": False})
    assert back.on(DAY)["bank.peeks"] is False
    assert back.switched == {"no-peek": False}


def test_a_chosen_reading_holds_before_and_after_the_day_the_figure_changed(write: Write) -> None:
    since, then = 'is = "loses", source', 'is = "nearer_wins", source'
    line = '{ from = 2026-03-01, is = "loses", source = "law 1", confirmed_on = 2026-11-21 }'
    later = line.replace("2026-03-01", "2027-01-01").replace(since, then)
    text = BOOK.replace(line, f"{line}, {later}")
    law = load_law(write(text.replace('choice = "loses"', 'choice = "nearer_wins"')))
    eve, day = date(2026, 12, 31), date(2027, 1, 1)
    assert [law.on(d)["bank.bust"] for d in (eve, day)] == ["loses", "nearer_wins"]
    chosen = law.with_readings({"bank-bust": "nearer_wins"})
    assert [chosen.on(d)["bank.bust"] for d in (eve, day)] == ["nearer_wins", "nearer_wins"]
    assert chosen.switched == {"bank-bust": "nearer_wins"}


def test_an_unknown_reading_or_choice_lists_those_there_are(tiny: Law) -> None:
    with pytest.raises(LawError, match=r"reading\.peek: found no such reading.*bank-bust, no-peek"):
        tiny.with_readings({"peek": True})
    with pytest.raises(LawError, match=r"reading\.no-peek: found 1; asked: one of false, true"):
        tiny.with_readings({"no-peek": 1})
    with pytest.raises(LawError, match="one of loses, nearer_wins"):
        tiny.with_readings({"bank-bust": "ties"})


def test_law_and_its_errors_travel_to_another_process(tiny: Law) -> None:
    tiny.on(DAY)
    there = pickle.loads(pickle.dumps(tiny.with_readings({"no-peek": True})))
    assert there.on(DAY)["bank.peeks"] is True
    rules = pickle.loads(pickle.dumps(tiny.on(DAY)))
    with pytest.raises(UnknownParameter, match=r"does not state 'a\.b'"):
        rules["a.b"]
    for error in (UnknownParameter("tiny", "a.b"), LawError("f", "k", "this", "that")):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_values_are_spelled_as_in_the_file() -> None:
    assert [spelled(v) for v in (True, 21, (9, 10), Fraction(0), "loses")] == [
        "true",
        "21",
        "[9, 10]",
        "0/1",
        "loses",
    ]
