"""restore_check: a backup gives the book back, or is seen through; and takes its place."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError
from django.db import connections

from casino.management.commands import backup
from casino.models import BookEntry
from casino.tlog.checkpoint import Checkpoint
from casino.tlog.note import signed
from tests.audit.backed_up import a_book, back_up, checked
from tests.factories.sealed_book import Connect, Seal, seal_events

pytestmark = [pytest.mark.usefixtures("fresh_db", "english"), pytest.mark.share]


@pytest.fixture
def seal(connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    return Seal(connect_as, tmp_path / "public", settings)


@pytest.mark.both_servers
def test_a_backup_gives_the_book_back(seal: Seal, tmp_path: Path) -> None:
    a_book(seal)
    place = back_up(tmp_path / "backup")
    code, said = checked(place)
    assert code == 0, said
    assert said.count("NOT WELL") == 0
    assert "286 entries on 1 gaming days" in said
    assert "The checkpoint of 284 entries is contained." in said
    assert "Tables, guards and rights as when it was made." in said
    assert "286 entries verified: no problem." in said
    assert _scratch() == []


def _scratch() -> list[str]:
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE 'restore%'")
        return [name for (name,) in cursor.fetchall()]


@pytest.mark.check
def test_an_older_backup_says_by_how_much_it_is_short(seal: Seal, tmp_path: Path) -> None:
    a_book(seal)
    place = back_up(tmp_path / "backup")
    seal_events(10)
    seal.sign()
    code, said = checked(place)
    assert (code, "Short by 12 entries" in said) == (0, True), said
    code, said = checked(place, checkpoint=seal.public / "checkpoint")
    assert (code, "NOT WELL: Short by 12 entries" in said) == (1, True), said
    code, said = checked(place, checkpoint=place / "checkpoint")
    assert (code, "It contains the checkpoint of 284" in said) == (0, True), said


@pytest.mark.check
def test_another_history_is_no_continuation(seal: Seal, tmp_path: Path) -> None:
    seal_events(3)
    other = seal.sign()
    foreign = tmp_path / "foreign"
    wrong = other.root[::-1]
    foreign.write_text(signed(Checkpoint(other.origin, 3, wrong).text(), [seal.key]))
    place = back_up(tmp_path / "backup")
    code, said = checked(place, checkpoint=foreign)
    assert (code, "another history" in said) == (1, True), said


@pytest.mark.check
def test_a_book_without_a_checkpoint_is_backed_up_too(seal: Seal, tmp_path: Path) -> None:
    seal_events(3)
    place = back_up(tmp_path / "backup")
    code, said = checked(place)
    assert (code, "No checkpoint was signed" in said) == (0, True), said


@pytest.mark.check
@pytest.mark.parametrize("name", [backup.BOOK, backup.PRIVATE, backup.MANIFEST, "checkpoint"])
def test_a_file_that_was_changed_is_named_and_nothing_is_restored(
    seal: Seal, tmp_path: Path, name: str
) -> None:
    seal_events(3)
    seal.sign()
    place = back_up(tmp_path / "backup")
    content = bytearray((place / name).read_bytes())
    content[len(content) // 2] ^= 1
    (place / name).write_bytes(content)
    if name == backup.MANIFEST:
        other = (place / name).read_bytes()[: len(content) // 2] + b"0}"
        (place / name).write_bytes(other)
        with pytest.raises(CommandError, match="is no backup"):
            checked(place)
        return
    code, said = checked(place)
    assert (code, f"{name} is missing or not as it was written" in said) == (1, True), said
    assert "Restored" not in said


def test_a_file_that_is_missing_is_named(seal: Seal, tmp_path: Path) -> None:
    seal_events(3)
    place = back_up(tmp_path / "backup")
    (place / backup.PRIVATE).unlink()
    code, said = checked(place)
    assert (code, f"{backup.PRIVATE} is missing" in said) == (1, True), said


@pytest.fixture
def forged(seal: Seal, tmp_path: Path, connect_as: Connect) -> Callable[..., Path]:
    """A backup of a book a superuser had altered, with sums that fit."""

    def make(*statements: str) -> Path:
        a_book(seal)
        with connect_as("postgres") as superuser:
            for statement in statements:
                superuser.execute(statement)
        return back_up(tmp_path / "backup")

    return make


def test_a_backup_of_an_altered_entry_is_seen_through(forged: Callable[..., Path]) -> None:
    place = forged(
        "ALTER TABLE book_entry DISABLE TRIGGER ALL",
        "UPDATE book_entry SET entry = overlay(entry PLACING '9'::bytea FROM 21) WHERE n = 7"
        " AND table_code = 'BJ-06'",
        "ALTER TABLE book_entry ENABLE TRIGGER ALL",
        *(
            f"ALTER TABLE book_entry ENABLE ALWAYS TRIGGER book_entry_{each}"
            for each in ("stamp", "rows", "whole")
        ),
    )
    code, said = checked(place)
    assert (code, "table/BJ-06, n 7: " in said) == (1, True), said


def test_a_guard_that_is_gone_is_seen(forged: Callable[..., Path], tmp_path: Path) -> None:
    place = forged()
    looks = (place / backup.SCHEMA).read_text()
    assert "book_entry_rows" in looks
    without = "".join(line for line in looks.splitlines(True) if "book_entry_rows" not in line)
    (place / backup.SCHEMA).write_text(without)
    sums = (place / backup.SUMS).read_text().splitlines()
    texts = [
        f"{backup.sum_of(place / line.partition('  ')[2])}  {line.partition('  ')[2]}"
        for line in sums
    ]
    (place / backup.SUMS).write_text("\n".join(texts) + "\n")
    code, said = checked(place)
    assert (code, "NOT WELL: + trigger public.book_entry book_entry_rows" in said) == (1, True), (
        said
    )


@pytest.fixture
def kept(databases: Any) -> Iterator[str]:
    name = f"kept_{databases.current}"
    yield name
    databases.drop(name)


@pytest.mark.check
def test_a_kept_database_is_ready_to_take_the_place_of_a_lost_one(
    seal: Seal, tmp_path: Path, kept: str, databases: Any, connect_as: Connect
) -> None:
    a_book(seal)
    place = back_up(tmp_path / "backup")
    code, said = checked(place, keep=kept)
    assert code == 0, said
    before, databases.current = databases.current, kept
    try:
        app = connect_as("app", autocommit=True)
        assert app.execute("SELECT count(*) FROM book_entry").fetchone() == (286,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute("DELETE FROM book_entry")
        app.execute(
            "INSERT INTO casino_private_value (entry_id, field, salt, value)"
            " SELECT id, 'name', '\\x00', '1' FROM book_entry LIMIT 1"
        )  # the numbers of its rows go on
        assert connect_as("signer").execute("SELECT count(*) FROM book_leaf").fetchone() == (284,)
        with pytest.raises(psycopg.OperationalError, match="permission denied"):
            connect_as("broker")
    finally:
        databases.current = before
    with pytest.raises(CommandError, match="There is a database kept_"):
        checked(place, keep=kept)


def test_the_houses_own_database_is_never_restored_over(seal: Seal, tmp_path: Path) -> None:
    seal_events(1)
    place = back_up(tmp_path / "backup")
    own = connections["owner"].settings_dict["NAME"]
    with pytest.raises(CommandError, match="the house's own database"):
        checked(place, keep=own)
    assert BookEntry.objects.count() == 1


@pytest.fixture
def put_back_names(databases: Any) -> Iterator[None]:
    """Whatever a replacement left behind is dropped."""
    yield
    own = databases.current
    connections.close_all()
    with databases.server.connect() as superuser:
        asked = "SELECT datname FROM pg_database WHERE datname LIKE %s"
        for (name,) in superuser.execute(asked, [f"{own}\\_%"]).fetchall():
            databases.drop(name)


@pytest.mark.usefixtures("put_back_names")
def test_a_restored_book_takes_the_place_of_the_lost_one(seal: Seal, tmp_path: Path) -> None:
    a_book(seal)
    place = back_up(tmp_path / "backup")
    seal_events(5)
    assert BookEntry.objects.count() == 291
    connections.close_all()
    code, said = checked(place, replace=True)
    own = connections["owner"].settings_dict["NAME"]
    assert (code, f"{own} is the restored book now" in said) == (0, True), said
    assert BookEntry.objects.count() == 286
    before = re.search(r"is called (\S+)\.", said)
    assert before is not None
    owner = connections["owner"].get_connection_params()
    with psycopg.connect(**{**owner, "dbname": before[1]}) as lost:
        assert lost.execute("SELECT count(*) FROM book_entry").fetchone() == (291,)
    seal_events(1)


@pytest.mark.check
@pytest.mark.usefixtures("put_back_names")
def test_a_book_in_use_is_not_replaced(seal: Seal, tmp_path: Path, connect_as: Connect) -> None:
    seal_events(3)
    place = back_up(tmp_path / "backup")
    seal_events(1)
    connections.close_all()
    guest = connect_as("app")
    with pytest.raises(CommandError, match="is in use: stop every service"):
        checked(place, replace=True)
    guest.close()
    assert BookEntry.objects.count() == 4
    with pytest.raises(CommandError, match="already: --keep gives another name"):
        checked(place, replace=True)


@pytest.mark.check
@pytest.mark.usefixtures("put_back_names")
def test_what_is_not_well_replaces_nothing(forged: Callable[..., Path]) -> None:
    place = forged(
        "ALTER TABLE book_entry DISABLE TRIGGER book_entry_rows",
        "UPDATE book_entry SET table_code = 'BJ-01' WHERE n = 7 AND table_code = 'BJ-06'",
        "ALTER TABLE book_entry ENABLE ALWAYS TRIGGER book_entry_rows",
    )
    seal_events(1)
    connections.close_all()
    code, said = checked(place, replace=True)
    assert (code, "It was not put in the place" in said) == (1, True), said
    assert BookEntry.objects.count() == 287


@pytest.mark.both_servers
def test_newer_programs_serve_an_older_server(
    seal: Seal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the container there are those of the Python package alone, and its server is older."""
    package = next(folder for folder in backup._folders() if "embedded" in str(folder))
    monkeypatch.setattr(backup, "_folders", lambda: iter([package]))
    a_book(seal)
    code, said = checked(back_up(tmp_path / "backup"))
    assert code == 0, said
