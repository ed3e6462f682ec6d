"""PT art. 11: the round in which the warning card comes out is the last of its shoe."""

from datetime import date

import pytest

from casino.law.check_registry import ALL_CHECKS
from casino.law.rulebook.rulebook_file import load_law
from casino.law.shoe_rounds import ShoeKey, ShoeWatch, Turn, judge_shoe
from tests.law.asking import BREACH, LAWFUL, UNDECIDED
from tests.law.casebook import upholds_case

LAST = "no_round_after_the_last"
SHOE = ShoeKey("pt", "BJ-01/2026-11-20/1", 3)
OTHER = ShoeKey("pt", "BJ-01/2026-11-20/1", 4)


def turns(text: str) -> list[Turn]:
    """``"1 2 3! 4"``: four rounds of a shoe, the warning card came out in the third."""
    return [
        Turn(int(entry.rstrip("!")), bytes([place]) * 16, entry.endswith("!"), place)
        for place, entry in enumerate(text.split(), 1)
    ]


def outcomes(text: str) -> dict[int, str]:
    """What is said of each round of the shoe, by its number."""
    return {one.turn.number: one.outcome for one in judge_shoe(SHOE, turns(text))}


@upholds_case(LAST, "lawful")
def test_article_11_rounds_before_the_last_are_lawful() -> None:
    assert outcomes("1 2 3 4!") == dict.fromkeys((1, 2, 3, 4), LAWFUL)


@upholds_case(LAST, "unlawful")
@pytest.mark.parametrize(
    ("recorded", "breaches"),
    [
        ("1 2! 3", [3]),
        ("1! 2 3 4", [2, 3, 4]),
        ("5! 7", [7]),  # the sixth is missing from the file
        ("4 2! 1 3", [4, 3]),  # told in another order
        ("1 2! 3! 4", [3, 4]),  # a second record names the card: the first round counts
    ],
)
def test_article_11_no_round_is_played_after_the_last(recorded: str, breaches: list[int]) -> None:
    assert [number for number, said in outcomes(recorded).items() if said == BREACH] == breaches


@upholds_case(LAST, "boundary")
@pytest.mark.parametrize("recorded", ["1!", "1 2!", "1 3!", "3! 2 1"])
def test_article_11_the_round_with_the_warning_card_is_still_played(recorded: str) -> None:
    assert set(outcomes(recorded).values()) == {LAWFUL}


def test_article_11_without_a_warning_card_nothing_is_decided() -> None:
    assert outcomes("1 2 3") == dict.fromkeys((1, 2, 3), UNDECIDED)


def test_article_11_the_verdict_names_the_round_that_was_to_be_the_last() -> None:
    said = judge_shoe(SHOE, turns("1 2! 3"))
    assert [one.last.number for one in said if one.last] == [2, 2, 2]
    assert [one.turn.mark for one in said] == [1, 2, 3]


def test_article_11_a_last_round_known_before_binds_later_rounds() -> None:
    last = Turn(2, bytes(16), True)
    assert [one.outcome for one in judge_shoe(SHOE, turns("2 3"), last)] == [LAWFUL, BREACH]


def test_article_11_each_shoe_has_its_own_last_round() -> None:
    watch = ShoeWatch()
    for here, there in zip(turns("1 2! 3"), turns("1 2 3!"), strict=True):
        assert watch.add(SHOE, here) == []
        assert watch.add(OTHER, there) == []
    said = [(one.key.shoe, one.turn.number) for one in watch.finish() if one.outcome == BREACH]
    assert said == [(3, 3)]


def test_article_11_a_shoe_judged_early_is_remembered() -> None:
    watch = ShoeWatch(shoes=1)
    assert watch.add(SHOE, turns("1!")[0]) == []
    early = watch.add(OTHER, turns("1")[0])
    assert [(one.key, one.outcome) for one in early] == [(SHOE, LAWFUL)]
    late = watch.add(SHOE, turns("2")[0])
    assert [(one.key, one.outcome) for one in late] == [(OTHER, UNDECIDED)]
    assert [(one.key, one.outcome) for one in watch.finish()] == [(SHOE, BREACH)]


@pytest.mark.parametrize(
    ("book", "section"),
    [
        ("pt", "11"),
        ("es", "desarrollo/separador"),
        ("br", "desenvolvimento/separador"),
        ("fr", "the-setting/last-hand"),
        ("pt-summary", None),
    ],
)
def test_article_11_is_cited_as_each_book_has_it(book: str, section: str | None) -> None:
    rules = load_law(book).on(date(2026, 11, 20))
    assert rules.article_of(LAST) == section
    assert ALL_CHECKS[LAST].scope == "shoe"
