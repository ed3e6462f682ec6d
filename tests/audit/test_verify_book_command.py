"""`manage.py verify_book`, as it is typed."""

import json
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection

from audit.verifying.walking import Verification
from tests.factories.records import burnt, recorded
from tests.factories.verified_books import a_whole_book, placed, policy, sealed, unguarded

Connect = Callable[..., psycopg.Connection]
pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.share]


def verified(*arguments: str) -> tuple[int, str]:
    """What the command ends with, and what it says."""
    said = StringIO()
    try:
        call_command("verify_book", *arguments, stdout=said)
    except SystemExit as end:
        return int(end.code or 0), said.getvalue()
    return 0, said.getvalue()


@pytest.fixture
def book(connect_as: Connect, tmp_path: Path, settings: Any, fresh_db: str) -> Path:
    """A whole book; the file in which somebody kept its first checkpoint."""
    kept = tmp_path / "kept"
    kept.write_text(a_whole_book(connect_as, tmp_path / "public", settings), "utf-8")
    return kept


def mischief(connect_as: Connect) -> None:
    superuser = connect_as("postgres", autocommit=True)
    superuser.execute(unguarded("book_stream"))
    superuser.execute("UPDATE book_stream SET head_n = head_n - 1 WHERE name = 'table/BJ-01'")


def test_it_ends_with_0_where_nothing_was_altered(book: Path) -> None:
    code, said = verified("--older-checkpoint", str(book), "--language", "en")
    assert code == 0, said
    assert "28 entries read, 26 of them in the tree" in said
    last = said.splitlines()[-1]
    assert last.startswith("INTACT in its first ")
    assert "which are those of the checkpoint that you kept" in last


def test_it_claims_no_more_than_was_brought(book: Path, tmp_path: Path) -> None:
    """Whoever holds the keys could have written it anew: without a kept checkpoint it says so."""
    assert verified("--language", "en")[1].splitlines()[-1].startswith("AGREES WITH ITSELF")
    keys = tmp_path / "policy"
    keys.write_text(policy().replace("\n", "\r\n"), "utf-8", newline="")
    said = verified("--language", "en", "--policy", str(keys))[1]
    assert said.splitlines()[-1].startswith("SIGNED AND WHOLE")
    said = verified("--policy", str(keys), "--older-checkpoint", str(book))[1]
    assert said.splitlines()[-1].startswith("INTACTO nos primeiros ")


@pytest.mark.parametrize("language", ["pt", "en"])
def test_it_ends_with_3_where_it_fails_itself(
    language: str, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failure of the command accuses nobody, as Python's own 1 would."""
    for trouble in (OperationalError("the server\nis gone"), RuntimeError("x"), MemoryError()):

        def broken(*_: Any, _recorded: BaseException = trouble, **__: Any) -> None:
            raise _recorded

        monkeypatch.setattr(Verification, "go", broken)
        with pytest.raises(CommandError) as refusal:
            call_command("verify_book", "--language", language)
        assert refusal.value.returncode == 3
        assert type(trouble).__name__ in str(refusal.value)
        assert "\n" not in str(refusal.value)


def test_a_search_path_that_leads_elsewhere_is_a_failure_and_no_alteration(book: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET search_path TO nowhere")
    try:
        with pytest.raises(CommandError) as refusal:
            call_command("verify_book")
        assert refusal.value.returncode == 3
        assert "não se pode dizer nada" in str(refusal.value).lower()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET search_path")


def test_it_ends_with_1_and_says_where_something_was_altered(
    book: Path, connect_as: Connect
) -> None:
    mischief(connect_as)
    code, said = verified("--language", "en")
    assert code == 1
    assert "PROBLEM table/BJ-01 8: The stream's head names entry 7" in said
    assert "The trigger book_stream_rows of book_stream is not always on" in said
    assert "ALTERED: " in said


def test_it_ends_with_2_where_not_everything_could_be_looked_at(
    connect_as: Connect, tmp_path: Path, settings: Any
) -> None:
    settings.BOOK_PUBLIC = str(tmp_path / "nothing")
    recorded(burnt())
    placed()
    sealed(connect_as)
    call_command("schema", "--record", stdout=StringIO())
    code, said = verified("--language", "en")
    assert code == 2
    assert "NOT SEEN There is no policy (list of keys): signatures were not looked at." in said
    keys = tmp_path / "policy"
    keys.write_text(policy(), "utf-8")
    assert verified("--policy", str(keys))[0] == 0


@pytest.mark.parametrize("option", ["--policy", "--older-checkpoint"])
def test_a_file_that_is_not_there_is_bad_input(book: Path, option: str) -> None:
    with pytest.raises(CommandError) as refusal:
        call_command("verify_book", option, "nowhere")
    assert refusal.value.returncode == 3


@pytest.mark.check
def test_what_is_no_policy_and_what_is_no_checkpoint_are_said(book: Path, tmp_path: Path) -> None:
    junk = tmp_path / "junk"
    junk.write_text("log \n", "utf-8")
    for option in ("--policy", "--older-checkpoint"):
        with pytest.raises(CommandError) as refusal:
            call_command("verify_book", option, str(junk))
        assert refusal.value.returncode == 3
        assert str(junk) in str(refusal.value)


@pytest.mark.check
def test_programs_get_one_json_object(book: Path, connect_as: Connect) -> None:
    recorded_of = json.loads(verified("--json")[1])
    assert (recorded_of["verdict"], recorded_of["problems"], recorded_of["size"]) == (0, [], 26)
    assert recorded_of["format"] == "livro-da-sala-verification/1"
    assert recorded_of["phases"][0] == "entries"
    mischief(connect_as)
    code, said = verified("--json", "--no-shelves", "--language", "en")
    recorded_of = json.loads(said)
    assert (code, recorded_of["verdict"]) == (1, 1)
    assert "shelves" not in recorded_of["phases"]
    first = recorded_of["problems"][0]
    assert (first["code"], first["stream"], first["n"]) == ("stream-head", "table/BJ-01", 8)
    assert first["sentence"].startswith("The stream's head names")


def test_it_speaks_portuguese_unless_told_otherwise(book: Path, connect_as: Connect) -> None:
    superuser = connect_as("postgres", autocommit=True)
    superuser.execute(unguarded("book_entry"))
    superuser.execute(
        "UPDATE book_entry SET entry = replace(convert_from(entry, 'UTF8'), '\"v\":1', '\"v\":2')"
        "::bytea WHERE kind = 'card-burned/1' AND n = 1"
    )
    code, said = verified()
    assert code == 1
    assert "Os bytes não estão na única forma" in said


class Terminal(StringIO):
    """What somebody watches."""

    def isatty(self) -> bool:
        return True


@pytest.mark.check
def test_progress_is_drawn_on_a_terminal_and_nowhere_else(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.rounds_file.progress.EVERY", -1.0)
    terminal, file = Terminal(), StringIO()
    monkeypatch.setattr(sys, "stderr", terminal)
    on_terminal = verified()
    monkeypatch.setattr(sys, "stderr", file)
    assert verified() == on_terminal
    assert file.getvalue() == ""
    assert "100 %" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r")  # the line is taken away again
