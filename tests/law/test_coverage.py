"""Every article has its checks or a room it waits for; every check has its tests."""

import importlib
import pkgutil
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from casino.law.rulebook.rulebook import Law
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from tests import law as law_tests
from tests.law.casebook import CASES, upholds_case, without_cases

pytest.importorskip("casino.law.check_registry")
from casino.law.check_registry import ALL_CHECKS
from casino.law.rulebook.coverage import coverage_page, faults, uncited, waiting

PAGE = Path(__file__).resolve().parents[2] / "docs" / "coverage.md"
NUMBERS = [str(number) for number in range(1, 62)]


@pytest.fixture
def pt() -> Law:
    return load_law("pt")


@pytest.mark.parametrize("book", rulebook_ids())
def test_no_rulebook_has_a_fault(book: str) -> None:
    assert faults(load_law(book), ALL_CHECKS) == []


def test_the_portuguese_book_has_its_sixty_one_articles_in_order(pt: Law) -> None:
    assert list(pt.articles) == NUMBERS


@pytest.mark.parametrize("book", rulebook_ids())
def test_every_article_is_summed_up_in_both_languages(book: str) -> None:
    for article in load_law(book).articles.values():
        assert article.summary_pt != article.summary_en, article.number
        assert article.summary_pt.endswith("."), article.number
        assert article.summary_en.endswith("."), article.number


def covered(law: Law) -> list[str]:
    """The articles that are upheld whole, by checks each of which has both kinds of cases."""
    return [
        article.number
        for article in law.articles.values()
        if article.upheld_by
        and article.waits_for is None
        and without_cases(list(article.upheld_by), CASES) == []
    ]


def test_sixty_one_of_sixty_one(pt: Law, capsys: pytest.CaptureFixture[str]) -> None:
    """Every article of the regulation is upheld, by a lawful and by an unlawful test."""
    all_cases()
    spared = [a.number for a in pt.articles.values() if a.duty == "dispensation"]
    assert spared == ["56"]  # it spares the dealer an announcement and asks for nothing
    assert sorted([*covered(pt), *spared], key=int) == NUMBERS
    with capsys.disabled():
        checks = sum(len(article.upheld_by) for article in pt.articles.values())
        print(f"\n{len(covered(pt))} of {len(pt.articles)} articles, by {checks} checks")  # noqa: T201


@pytest.mark.parametrize("book", rulebook_ids())
@pytest.mark.parametrize("room", ["floor", "jackpot"])
def test_nothing_waits(book: str, room: str) -> None:
    assert waiting(load_law(book), room) == ([], [])


def test_an_article_is_not_covered_by_one_kind_of_cases(pt: Law) -> None:
    all_cases()
    forty_nine = pt.articles["49"]
    for otherwise in ({"upheld_by": ()}, {"waits_for": "jackpot"}, {"upheld_by": ("never_asked",)}):
        broken = replace(pt, articles={**pt.articles, "49": replace(forty_nine, **otherwise)})
        assert "49" not in covered(broken)


def test_every_check_is_asked_by_a_book() -> None:
    assert uncited([load_law(book) for book in rulebook_ids()], ALL_CHECKS) == []


def test_every_reading_of_a_book_has_another_choice() -> None:
    for book in rulebook_ids():
        law = load_law(book)
        for reading in law.readings.values():
            for choice in reading.choices:
                switched = law.with_readings({reading.id: choice.value})
                day = next(iter(switched.parameters[reading.parameter].values)).since
                assert switched.on(day)[reading.parameter] == choice.value


def all_cases() -> None:
    """Read every test of the law: it writes itself into the casebook."""
    for module in pkgutil.iter_modules(law_tests.__path__, "tests.law."):
        importlib.import_module(module.name)


def test_every_check_has_a_lawful_and_an_unlawful_case() -> None:
    all_cases()
    assert without_cases(list(ALL_CHECKS), CASES) == []
    assert sorted(CASES.keys() - ALL_CHECKS.keys()) == [], "cases of checks that do not exist"


def test_the_coverage_page_is_up_to_date() -> None:
    page = coverage_page([load_law(book) for book in rulebook_ids()], ALL_CHECKS)
    assert PAGE.read_text(encoding="utf-8") == page, "run `manage.py law_coverage --write`"


def test_the_command_prints_the_page_and_finds_it_up_to_date() -> None:
    from django.core.management import call_command

    printed = StringIO()
    call_command("law_coverage", stdout=printed)
    assert printed.getvalue() == PAGE.read_text(encoding="utf-8")
    call_command("law_coverage", "--check", stdout=StringIO())


# Planted faults: the rules above fail where they should.


def test_an_article_without_check_and_without_room_is_a_fault(pt: Law) -> None:
    bare = replace(pt.articles["12"], upheld_by=())
    broken = replace(pt, articles={**pt.articles, "12": bare})
    assert faults(broken, ALL_CHECKS) == ["pt 12: no check upholds it and it waits for no room"]


def test_a_missing_article_and_one_too_many_are_faults(pt: Law) -> None:
    articles = {**pt.articles, "62": replace(pt.articles["61"], number="62")}
    del articles["4"]
    assert faults(replace(pt, articles=articles), ALL_CHECKS) == [
        "pt: no article 4",
        "pt: unknown article 62",
    ]


def test_a_check_that_cites_an_unknown_article_is_a_fault(pt: Law) -> None:
    # The loader cannot make such a book; a copy whose article lies under another key can.
    articles = {**pt.articles, "10": replace(pt.articles["11"], number="99")}
    assert "pt: no_round_after_the_last upholds article 99, which does not exist" in faults(
        replace(pt, articles=dict(articles, **{"11": pt.articles["12"]})), ALL_CHECKS
    )


def test_an_unobservable_article_is_a_fault(pt: Law) -> None:
    waved = replace(pt.articles["12"], duty="unobservable")  # type: ignore[arg-type]
    broken = replace(pt, articles={**pt.articles, "12": waved})
    assert faults(broken, ALL_CHECKS) == ["pt 12: unobservable is no duty of an article"]


def test_a_check_nobody_wrote_and_a_figure_nobody_stated_are_faults(pt: Law) -> None:
    article = replace(pt.articles["7"], upheld_by=("cards_shown",), waits_for=None)
    parameters = {name: p for name, p in pt.parameters.items() if name != "stand.above"}
    broken = replace(pt, articles={**pt.articles, "7": article}, parameters=parameters)
    assert faults(broken, ALL_CHECKS) == [
        "pt 7: no check is called cards_shown",
        "pt 18: stand_above_eleven needs stand.above, which this book does not state",
    ]


def test_a_check_no_book_asks_is_named(pt: Law) -> None:
    article = replace(pt.articles["36"], upheld_by=())
    broken = replace(pt, articles={**pt.articles, "36": article})
    assert "surrender_loses_half" in uncited([broken], ALL_CHECKS)


def test_a_check_with_one_side_only_is_named() -> None:
    cases = {"a": {"lawful": {"t"}, "unlawful": {"t"}}, "b": {"lawful": {"t"}, "boundary": {"t"}}}
    assert without_cases(["a", "b", "c"], cases) == [
        "b: no unlawful case",
        "c: no lawful case",
        "c: no unlawful case",
    ]


def test_the_casebook_takes_tests_and_known_sides_only() -> None:
    with pytest.raises(ValueError, match="'legal' is no side"):
        upholds_case("box_exists", "legal")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is not a test"):
        upholds_case("box_exists", "lawful")(test_no_rulebook_has_a_fault.__class__)
