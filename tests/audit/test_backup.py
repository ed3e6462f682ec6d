"""A backup is all of the book at one moment; private values lie in a file of their own."""

import json
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError
from django.db import connections

from casino import sealed
from casino.management.commands import backup
from casino.models import BookEntry, PrivateValue
from tests.audit.backed_up import a_book, back_up, checked
from tests.factories.sealed_book import Connect, Seal, seal_events

pytestmark = [pytest.mark.usefixtures("fresh_db", "english"), pytest.mark.share]


@pytest.fixture
def seal(connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    return Seal(connect_as, tmp_path / "public", settings)


def test_what_a_backup_holds_is_private_and_summed(seal: Seal, tmp_path: Path) -> None:
    a_book(seal)
    place = back_up(tmp_path / "backup")
    assert place.stat().st_mode & 0o077 == 0
    assert all(file.stat().st_mode & 0o077 == 0 for file in place.iterdir())
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=place, capture_output=True
    )
    assert done.returncode == 0, done.stdout
    assert {file.name for file in place.iterdir()} == {
        "SHA256SUMS",
        "backup.json",
        "book.dump",
        "checkpoint",
        "policy",
        "private.dump",
        "schema.txt",
    }
    newest = sealed.latest()
    assert newest is not None
    assert (place / "checkpoint").read_text() == newest.note
    value = json.loads((place / "backup.json").read_text())
    assert (value["size"], value["root"]) == (newest.size, newest.root.hex())
    assert value["entries"] == BookEntry.objects.count()


def restored_text(dump: Path) -> str:
    """The SQL a dump comes to."""
    program = backup.program_for("pg_restore", backup.server_of("owner")[0])
    done = subprocess.run([program, "--file=-", dump], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_private_values_lie_in_the_other_file_and_nowhere_else(seal: Seal, tmp_path: Path) -> None:
    a_book(seal)
    place = back_up(tmp_path / "backup")
    book, private = (restored_text(place / name) for name in (backup.BOOK, backup.PRIVATE))
    salt = bytes(PrivateValue.objects.order_by("id").first().salt).hex()
    file = b"A note.\n".hex()
    for secret in ("Ana Matos 1", salt, file):
        assert secret not in book
        assert secret in private
    assert "CREATE TABLE" not in private
    copied = {line.split()[1] for line in private.splitlines() if line.startswith("COPY ")}
    assert copied == {f"public.{table}" for table in backup.PRIVATE_TABLES}


def test_every_erasable_table_has_its_place_in_a_backup() -> None:
    erasable = {
        model._meta.db_table
        for model in apps.get_models()
        if getattr(model, "category", "") == "erasable"
    }
    # Of logins: personal codes, as hashes, without which nobody could come in after a restore; and
    # where people are sent mail.
    of_logins = {"casino_witness_secret", "casino_mail_address"}
    # Rounds of a file that waits name no player: they come back, and are written on.
    of_imports = {"casino_staged_piece"}
    files = {"audit_report_file", "audit_pack_piece"}  # letters show what can be erased
    assert (erasable - of_logins - of_imports) | files == {
        *backup.PRIVATE_TABLES,
        backup.PASSING[0],
    }


def test_a_backup_is_of_one_moment(
    seal: Seal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_book(seal)
    dump = backup._dump

    def slowly(file: Path, *options: str) -> None:
        writer = threading.Thread(target=_write, args=(seal,))
        writer.start()
        writer.join()
        dump(file, *options)

    monkeypatch.setattr(backup, "_dump", slowly)
    place = back_up(tmp_path / "backup")
    assert json.loads((place / "backup.json").read_text())["entries"] == 286
    assert BookEntry.objects.count() == 306
    code, said = checked(place)
    assert code == 0, said
    assert "286 entries" in said


def _write(seal: Seal) -> None:
    try:
        seal_events(5, people=5)
        seal.sign()
    finally:
        connections.close_all()


def test_a_backup_is_never_written_over_another(seal: Seal, tmp_path: Path) -> None:
    seal_events(1)
    place = back_up(tmp_path / "backup")
    with pytest.raises(CommandError, match="is there already"):
        back_up(place)
    with pytest.raises(CommandError, match="cannot be written"):
        back_up(Path("/proc/backup"))


def test_a_dump_that_fails_leaves_nothing_behind(
    seal: Seal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal_events(1)
    monkeypatch.setattr(backup, "PRIVATE_TABLES", ("no_such_table",))
    with pytest.raises(CommandError, match=r"pg_dump failed: .*no matching tables"):
        back_up(tmp_path / "backup")
    assert {each.name for each in tmp_path.iterdir()} == {"public"}


def test_without_programs_of_the_servers_version_it_says_so(
    seal: Seal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "_folders", lambda: iter([Path("/nowhere")]))
    with pytest.raises(CommandError, match="No pg_dump of PostgreSQL 18 or newer is there: PG_BIN"):
        backup.program_for("pg_dump", 18)
