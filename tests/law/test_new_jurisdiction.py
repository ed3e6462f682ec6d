"""A jurisdiction that is none of the five: the bank looks, and draws on a soft seventeen; any two
cards may be doubled, a hand given up late. One file of figures and its worked examples; no code.
"""

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override

from audit.runs.code_version import code_version
from casino.law.check_registry import ALL_CHECKS
from casino.law.round_judge import judge
from casino.law.rulebook.coverage import faults
from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import keep_also, keep_no_others, load_law, rulebook_ids
from casino.law.worked_examples import Example, differences, examples, of_folder
from casino.reading.round_reader import read_round
from casino.web.forms.finding_words import words
from casino.web.words import figure_words
from tests.factories.findings import client_of, people
from tests.law.casebook import upholds_case

FOLDER = Path(__file__).parent / "jurisdiction"
BOOK = "house-sheet"
CASEBOOK = tomllib.loads((FOLDER / "examples" / f"{BOOK}.toml").read_text("utf-8"))["round"]

# The figures, typed once more by hand.
STATED = {
    "bank.soft_seventeen": "draws",
    "bank.draws_to": 16,
    "bank.stands_at": 17,
    "bank.peeks": True,
    "bank.second_card": "face_down",
    "peek.surrender": "lost",
    "peek.late_stakes": "returned",
    "double.totals": tuple(range(2, 21)),
    "double.after_split": True,
    "surrender.loses": Fraction(1, 2),
    "surrender.against_ace": "allowed",
    "surrender.after_split": "forbidden",
    "blackjack.pays": Fraction(3, 2),
    "insurance.at_most": Fraction(1, 2),
    "insurance.pays": Fraction(2),
    "decks.allowed": (6, 8),
    "split.resplit_aces": "never",
}
NOT_STATED = ("even_money.pays", "special.pays", "stand.above", "limits.maximum_over_minimum")


@pytest.fixture
def law() -> Iterator[Law]:
    """The house keeps this book too; it is forgotten afterwards."""
    keep_also(FOLDER)
    yield load_law(BOOK)
    keep_no_others()


def test_the_engine_is_the_same_before_and_after(settings: Any) -> None:
    """What names the program that judged is the same, and so is every other rulebook."""
    settings.CODE_VERSION = ""
    before = code_version.__wrapped__(), {book: load_law(book).digest for book in rulebook_ids()}
    keep_also(FOLDER)
    try:
        there = {book: load_law(book).digest for book in rulebook_ids()}
        assert there.pop(BOOK)
        assert (code_version.__wrapped__(), there) == before
    finally:
        keep_no_others()


def test_it_is_nothing_but_data() -> None:
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".toml", ".jsonl"}
    assert BOOK not in rulebook_ids()


def test_it_is_covered_and_states_its_own_figures(law: Law) -> None:
    assert faults(law, ALL_CHECKS) == []
    rules = law.on(next(iter(law.parameters.values())).values[0].since)
    assert {name: rules[name] for name in STATED} == STATED
    assert [name for name in NOT_STATED if rules.states(name)] == []


@pytest.mark.parametrize("one", of_folder(FOLDER), ids=lambda one: one.round[-2:])
def test_every_round_comes_out_as_by_hand(law: Law, one: Example) -> None:
    played = read_round(one.record)
    for result in one.results:
        judgement = judge(played, load_law(result.rulebook).with_readings(result.readings))
        assert differences(result, judgement) == [], (one.title_en, result.rulebook)


@upholds_case("bank_draws_to_sixteen", "boundary")
@upholds_case("double_on_nine_to_eleven", "boundary")
@upholds_case("surrender_loses_half", "boundary")
@pytest.mark.parametrize(
    "section", ["bank-draws", "bank-looks", "doubling", "surrender", "insurance"]
)
def test_each_of_its_rules_is_kept_broken_and_met_on_the_line(section: str) -> None:
    own = [case for case in CASEBOOK if case["article"] == section]
    assert any(case["findings"] == [] for case in own)
    assert any(case["findings"] and case["findings"][0].startswith(section) for case in own)
    assert any(case.get("boundary") for case in own)


def test_the_same_round_parts_this_book_from_the_regulation() -> None:
    """Soft 17, a double on five, a surrender against an ace and one before a blackjack."""
    parted = [one for one in of_folder(FOLDER) if one.under("pt") not in (None, one.results[0])]
    assert [one.article for one in parted] == [
        *("bank-draws", "bank-draws", "doubling", "surrender", "surrender", "bank-looks"),
    ]


def test_rounds_of_other_books_are_judged_by_it_too(law: Law) -> None:
    """Nothing is due by a rule it does not have."""
    for one in examples():
        judgement = judge(read_round(one.record), law)
        for wager in judgement.wagers:
            assert (wager.due_cents is None) == (wager.outcome == "not_decidable")
            assert wager.article is None or wager.article in law.articles
        assert {finding.article for finding in judgement.findings} <= law.articles.keys()


SAID = {
    "The bank stands on ace and six": (
        "A banca ficou com 17, em 2 cartas, com um ás a valer 11; assim tinha de tirar mais",
        "The bank stood on 17, with 2 cards, an ace counting 11; so counted it had to draw",
    ),
    "Doubling after a card": (
        "Lugar 1, mão 1: duplicou-se com 5♠ 3♦ (decisões: pede, duplica); só se duplica como"
        " primeira decisão, com 2 a 20 nas duas primeiras cartas",
        "Box 1, hand 1: 5♠ 3♦ were doubled on (decisions: asks, doubles); doubling comes first, on"
        " 2 to 20 with the first two cards",
    ),
}


@pytest.mark.parametrize("title", SAID)
def test_what_is_found_is_said_by_its_own_figures(law: Law, title: str) -> None:
    one = next(each for each in of_folder(FOLDER) if each.title_en == title)
    (found,) = judge(read_round(one.record), law).findings
    there = (found.check, found.where, found.observed, found.expected, found.gaming_day)
    for language, said in zip(("pt-pt", "en"), SAID[title], strict=True):
        with override(language):
            assert words().heading(*there) == said


@pytest.mark.django_db
def test_it_stands_beside_the_others_on_the_page(law: Law) -> None:
    people()
    asked = {"book": ["pt", BOOK]}
    page = client_of("fiscal_de_banca").get("/rulebooks/", asked).content.decode()
    for said in ("tira outra carta", "2 a 20", law.title_pt, ">28<span"):
        assert said in page


def test_its_figures_are_said_in_words(law: Law) -> None:
    parameter = law.parameters["double.totals"]
    with override("pt-pt"):
        assert figure_words.said(law, parameter, parameter.values[0].value) == "2 a 20"
        soft = law.parameters["bank.soft_seventeen"]
        assert figure_words.said(law, soft, "draws") == "tira outra carta"
