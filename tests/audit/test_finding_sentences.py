"""Every sentence a finding can say stands on one page, made of what the program really says."""

import gettext
from collections.abc import Iterator
from io import StringIO
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command

from audit.pages.law.sentence_samples import sample_of
from audit.pages.law.sentences import AllWords, sentences_page
from audit.runs.house_checks import STATEMENTS
from casino.law.check_registry import ALL_CHECKS
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from tests.gate import ROOT

PAGE = ROOT / "docs" / "findings.md"


@pytest.fixture(scope="module")
def page() -> str:
    catalogue = gettext.translation("django", ROOT / "locale", ["pt_PT"])
    return sentences_page([load_law(book) for book in rulebook_ids()], catalogue.gettext)


def test_the_page_is_up_to_date(page: str) -> None:
    assert PAGE.read_text("utf-8") == page, "run `manage.py finding_sentences --write`"


def test_every_check_and_every_line_of_it_stands_there_once(page: str) -> None:
    for check in {*ALL_CHECKS, *STATEMENTS}:
        assert page.count(f"| `{check}`") >= 1, check
    lines = sum(len(lines) for lines in AllWords.lines.values())
    assert page.count("\n| heading |") == lines


def test_no_gap_is_left_open_and_no_cell_is_empty(page: str) -> None:
    """Problems of the book are shown with their gaps, whose figures are the verifier's."""
    headings = [row for row in page.splitlines() if row.startswith("| heading |")]
    for row in headings:
        assert not {"{", "}", "[", "]"} & set(row), row
        assert all(cell.strip() for cell in row.strip("|").split(" | ")), row
        assert "  " not in row, row


# Where a figure is unlawful, by the name of its bound: beyond it, or short of it.
BEYOND: Final = frozenset({
    "at_most", "at_most_cents", "maximum_cents", "meter_at_most_cents", "not_after",
})  # fmt: skip
SHORT: Final = frozenset({"at_least", "at_least_cents", "minimum_cents", "not_before"})
BESIDE: Final = frozenset({"times", "total"})  # said beside the figure that is held to the bound
NO_BOUND: Final = frozenset({
    "no_card_after_bust",  # the card came after the bound was passed
    "opened_with_the_limits_set", "rounds_tell_the_tables_limits",  # other limits than those set
})  # fmt: skip


def samples() -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """Every line of every check with its invented figures."""
    for check, lines in AllWords.lines.items():
        for line in lines:
            _where, observed, expected = sample_of(line, check)
            yield check, line.en, observed, expected


def test_no_sentence_observes_what_it_expects() -> None:
    shared = 0
    for check, line, observed, expected in samples():
        for name in observed.keys() & expected.keys():
            shared += 1
            assert observed[name] != expected[name], (check, line, name)
    assert shared > 60


def _held_to(bound: str, observed: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The observed figures that a bound is about."""
    for name, found in observed.items():
        cents, moment = name.endswith("_cents"), str(found)[10:11] == "T"
        alike = {"_cents": cents, "not_": moment}
        kind = next((it for part, it in alike.items() if part in bound), not cents and not moment)
        if kind and name not in BESIDE and name != bound and isinstance(found, int | str):
            yield name, found


def test_every_figure_lies_on_the_unlawful_side_of_its_bound() -> None:
    seen = set()
    for check, line, observed, expected in samples():
        for bound in (BEYOND | SHORT) & expected.keys() if check not in NO_BOUND else ():
            for name, found in _held_to(bound, observed):
                if type(found) is type(expected[bound]):
                    seen.add(bound)
                    beyond = found > expected[bound] if bound in BEYOND else found < expected[bound]
                    assert beyond, (check, line, name, found, bound)
        if "multiple_of_cents" in expected and "stake_cents" in observed:
            assert observed["stake_cents"] % expected["multiple_of_cents"], (check, line)
    assert seen == BEYOND | SHORT


def test_the_command_prints_the_page_and_finds_it_up_to_date(page: str) -> None:
    printed = StringIO()
    call_command("finding_sentences", stdout=printed)
    assert printed.getvalue() == page
    call_command("finding_sentences", "--check", stdout=StringIO())


def test_a_page_of_yesterday_is_refused(
    page: str, tmp_path_factory: pytest.TempPathFactory, settings: object
) -> None:
    base = tmp_path_factory.mktemp("base")
    (base / "docs").mkdir()
    (base / "docs" / "findings.md").write_text(page + "x", "utf-8")
    (base / "locale").symlink_to(ROOT / "locale")
    settings.BASE_DIR = base  # type: ignore[attr-defined]  # of pytest-django
    with pytest.raises(CommandError):
        call_command("finding_sentences", "--check", stdout=StringIO())
    call_command("finding_sentences", "--write", stdout=StringIO())
    assert (base / "docs" / "findings.md").read_text("utf-8") == page
