"""Every sentence a finding can say stands on one page, made of what the program really says."""

import gettext
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from audit.pages.sentences import AllWords, sentences_page
from audit.reconcile.house_checks import STATEMENTS
from casino.regulation.checks import ALL_CHECKS
from casino.regulation.law import load_law, rulebook_ids
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
