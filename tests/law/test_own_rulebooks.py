"""A house brings rulebooks of its own, in a folder beside those of the program."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from audit.inspectorate.__main__ import main
from audit.inspectorate.supervised import begin
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import (
    DATA,
    folder_of,
    keep_also,
    keep_no_others,
    load_law,
    rulebook_ids,
)
from casino.law.text.number_bindings import bindings_of
from tests.factories.small_rulebook import BOOK
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A house's folder with one rulebook; whatever was kept of it is forgotten afterwards."""
    (tmp_path / "tiny.toml").write_text(BOOK, "utf-8")
    yield tmp_path
    keep_no_others()


def test_a_book_in_the_folder_is_one_of_the_house(folder: Path) -> None:
    before = rulebook_ids()
    keep_also(folder)
    assert rulebook_ids() == (*before, "tiny")
    assert load_law("tiny").title_en == "Small book"
    assert (folder_of("tiny"), folder_of("pt")) == (folder, DATA)


def test_what_else_is_said_of_it_lies_beside_it(folder: Path) -> None:
    (folder / "text").mkdir()
    (folder / "text" / "tiny.toml").write_text('[numbers]\nart_1 = ["1 burn.cards"]\n', "utf-8")
    assert bindings_of("tiny") == {}
    keep_also(folder)
    assert [one.parameter for one in bindings_of("tiny")["art_1"]] == ["burn.cards"]


def test_other_files_of_the_folder_are_no_rulebooks(folder: Path) -> None:
    (folder / "notes.txt").write_text("ours", "utf-8")
    (folder / "examples").mkdir()
    keep_also(folder)
    assert "notes" not in rulebook_ids()


def test_a_book_of_the_program_is_not_replaced(folder: Path) -> None:
    shutil.copy(DATA / "pt.toml", folder)
    with pytest.raises(LawError, match=r"pt\.toml: \(file\): found 'pt'; asked: an id no"):
        keep_also(folder)
    assert folder_of("pt") == DATA


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ('id = "tiny"', 'id = "other"', r"rulebook\.id: found 'other'; asked: the file's name"),
        ('unit = "ratio"', 'unit = "odds"', r"tiny\.toml:\d+: .*win\.pays.*found 'odds'"),
        ("is = 1,", "is = 1.5,", r"tiny\.toml:\d+: .*burn\.cards"),
    ],
)
def test_a_file_that_is_no_rulebook_is_refused_and_none_of_the_folder_is_kept(
    folder: Path, written: str, instead: str, said: str
) -> None:
    before = rulebook_ids()
    (folder / "tiny.toml").write_text(BOOK.replace(written, instead, 1), "utf-8")
    with pytest.raises(LawError, match=said):
        keep_also(folder)
    assert rulebook_ids() == before


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LawError, match="a folder that can be read"):
        keep_also(tmp_path / "none")


def run(*command: str, rulebooks: Path) -> subprocess.CompletedProcess[str]:
    """A command of the house with this folder."""
    kept = {name: value for name, value in os.environ.items() if name != "CODE_VERSION"}
    nowhere = {"DATABASE_URL": "postgres://nowhere.invalid/x", "RULEBOOKS": str(rulebooks)}
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env={**kept, **nowhere},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def test_the_program_does_not_start_with_a_file_that_is_no_rulebook(folder: Path) -> None:
    (folder / "tiny.toml").write_text("[rulebook]\n", "utf-8")
    refused = run("check", rulebooks=folder)
    assert refused.returncode != 0
    assert "RULEBOOKS: tiny.toml" in refused.stderr
    assert "encontrado" in refused.stderr  # in both languages, as every setting
    (folder / "tiny.toml").write_text(BOOK, "utf-8")
    assert run("check", rulebooks=folder).returncode == 0


def test_a_file_is_looked_at_before_it_is_brought(folder: Path) -> None:
    file, shown = folder / "tiny.toml", StringIO()
    call_command("law_coverage", rulebook=file, stdout=shown)
    assert "## `tiny`: Small book" in shown.getvalue()
    assert "tiny" not in rulebook_ids()
    file.write_text(BOOK.replace('waits_for = "floor"', "", 1), "utf-8")
    with pytest.raises(CommandError, match="tiny drawing/bank: no check upholds it"):
        call_command("law_coverage", rulebook=file, stdout=StringIO())


def test_the_inspectorate_judges_by_the_books_in_its_own_folder(folder: Path) -> None:
    begin(folder, "inspectorate.invalid/w1")
    (folder / "rulebooks").mkdir()
    shutil.move(folder / "tiny.toml", folder / "rulebooks")
    main(["--home", str(folder), "report"])
    assert "tiny" in rulebook_ids()
