"""Where the text leaves a choice, each choice gives another result: in every book that has it."""

from datetime import date
from itertools import combinations
from typing import Any

import pytest

from casino.law.rulebook.inspectorate import inspectorate
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from tests.factories.game_readings import PARTINGS as OF_THE_FLOOR
from tests.factories.round_readings import (
    OF_OTHER_BOOKS,
    PARTINGS,
    Result,
    one_box,
    result_of,
)
from tests.factories.rounds import main

# What the readings do that change no finding: they choose the words in which something is shown.
NAMED = {
    "inspectorate-name": {
        "both": "Inspeção-Geral de Jogos (Serviço de Regulação e Inspeção de Jogos)",
        "as_written": "Inspeção-Geral de Jogos",
    },
}


# What a whole pool tells, over games: tests/law/test_pt_41_44_under_way.py shows its choices.
OF_THE_POOL = {"started-again"}


def at_work(law: Law) -> list[str]:
    """The readings whose effect on a round is built."""
    built = [reading.id for reading in law.readings.values() if reading.waits_for is None]
    elsewhere = {*OF_THE_FLOOR, *NAMED, *OF_THE_POOL}
    return [reading for reading in built if reading not in elsewhere]


def choices(law: Law, reading: str) -> list[Any]:
    return [choice.value for choice in law.readings[reading].choices]


@pytest.mark.parametrize(
    ("reading", "choice", "result"),
    [
        pytest.param(reading, choice, result, id=f"{reading}-{choice}")
        for reading, parting in PARTINGS.items()
        for choice, result in parting.results.items()
    ],
)
def test_a_reading_gives_what_was_worked_out(reading: str, choice: Any, result: Result) -> None:
    assert result_of(PARTINGS[reading].played, "pt", {reading: choice}) == result


@pytest.mark.parametrize("reading", PARTINGS)
def test_the_adopted_choice_is_what_the_book_does_by_itself(reading: str) -> None:
    adopted = load_law("pt").readings[reading].choice
    assert result_of(PARTINGS[reading].played) == PARTINGS[reading].results[adopted]


@pytest.mark.parametrize("reading", PARTINGS)
def test_the_choices_worked_out_are_all_different(reading: str) -> None:
    results = PARTINGS[reading].results
    assert set(results) == set(choices(load_law("pt"), reading))
    assert all(one != other for one, other in combinations(results.values(), 2))


@pytest.mark.parametrize(
    ("book", "reading"),
    [(book, reading) for book in rulebook_ids() for reading in at_work(load_law(book))],
)
def test_in_every_book_the_choices_of_a_reading_part(book: str, reading: str) -> None:
    played = OF_OTHER_BOOKS.get(reading) or PARTINGS[reading].played
    results = {
        choice: result_of(played, book, {reading: choice})
        for choice in choices(load_law(book), reading)
    }
    alike = [pair for pair in combinations(results, 2) if results[pair[0]] == results[pair[1]]]
    assert alike == []


def test_who_doubles_by_himself_is_bound_to_the_totals_of_article_29() -> None:
    """Reading follow-the-double, its other choice: free to double, but not on twelve."""
    free = {"follow-the-double": "free"}
    alone = main(1000, 2000), main(2000, 4000, "J5", first=1000)
    for cards, cited in (("6S 4D 9C", []), ("TS 2D 9C", ["30 complementary_double"])):
        assert result_of(one_box(cards, *alone), "pt", free).cited == cited


def test_no_reading_is_missing() -> None:
    assert sorted(PARTINGS) == sorted(at_work(load_law("pt")))
    for book in rulebook_ids():
        assert set(at_work(load_law(book))) <= {*PARTINGS, *OF_OTHER_BOOKS}, book


def test_no_reading_waits() -> None:
    books = [load_law(book) for book in rulebook_ids()]
    assert [one.id for law in books for one in law.readings.values() if one.waits_for] == []


@pytest.mark.parametrize("choice", NAMED["inspectorate-name"])
def test_the_inspectorate_is_named_as_the_reading_says(choice: str) -> None:
    law = load_law("pt").with_readings({"inspectorate-name": choice})
    assert inspectorate(law.on(date(2026, 11, 20))) == NAMED["inspectorate-name"][choice]
    assert set(choices(law, "inspectorate-name")) == NAMED["inspectorate-name"].keys()
