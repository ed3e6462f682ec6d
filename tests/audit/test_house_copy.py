"""A whole copy of the house: what is in it, foreign readers, and the way back, byte for byte."""

import csv
import errno
import json
import os
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils.functional import Promise

from audit.exporting import house_reading
from audit.exporting.house_export import SUMS, export_house, sums_of
from audit.exporting.house_tables import LEFT_OUT, house_tables
from audit.models.verification_projections import Export
from audit.verifier.command import main as verifier
from audit.verifying.walking import verify
from casino import clock
from casino.events.event import EntryRef
from casino.events.staff import OfficeGranted
from casino.models import Account, Attachment, BookEntry, HeldRecord, PrivateLook, PrivateValue
from casino.recording import Actor, Submission, record_many
from casino.recording.attached_files import File
from casino.witnessing import set_pin
from tests.audit.recovering import (
    HOUSE,
    Past,
    book_as_it_is,
    guarded,
    must_be_whole,
    past,
    seal,
    up_to,
)
from tests.factories.erasures import erased
from tests.factories.records import EVENING, MANAGER, PIT, burnt, hired, recorded
from tests.factories.sealed_book import Seal, seal_events
from tests.factories.taken_over import VERSIONS, taken_over
from tests.servers import Databases

__all__ = ["past", "seal"]
pytestmark = [pytest.mark.usefixtures("fresh_db", "english")]
PIN = "246810"
TWO = ("S-0101", "S-0102")


def exported(place: Path, *private: str) -> Path:
    said = StringIO()
    more = {"private": list(private)} if private else {}
    call_command("export_house", place, language="en", stdout=said, **more)
    assert f"{place}: " in said.getvalue()
    assert sha256((place / SUMS).read_bytes()).hexdigest() in said.getvalue()
    return place


def read(place: Path) -> str:
    said = StringIO()
    call_command("read_house", place, language="en", stdout=said)
    return said.getvalue()


def refused(command: str, place: Path, **options: Any) -> str:
    with pytest.raises(CommandError) as error:
        call_command(command, place, language="en", stdout=StringIO(), **options)
    assert error.value.returncode == 2
    return str(error.value)


@pytest.fixture
def codes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is typed where a code is asked for; the right one where nothing is left."""
    typed: list[str] = []
    module = "audit.management.commands.export_house"
    monkeypatch.setattr(f"{module}.getpass", lambda _asked: typed.pop(0) if typed else PIN)
    return typed


def appointed(staff: str, office: str) -> None:
    now = clock.now()
    event = OfficeGranted(staff=staff, office=office, valid_from=now, granted_by="S-0001")
    recorded(event, by=Actor("S-0001", "administrador", "local"), occurred_at=now)
    set_pin(Account.objects.create_user(staff, "a password"), PIN)


def a_house(seal: Seal) -> None:
    """Records, names, files; a name and a file that were erased; accounts; all of it signed."""
    seal_events(8, people=2)
    appointed(TWO[0], "administrador")
    appointed(TWO[1], "chefia_da_sala")
    person = recorded(hired("Ana Matos"), by=MANAGER)
    paper, kept = record_many(
        [
            Submission(burnt(), uuid4(), PIT, EVENING, files=(File(text),))
            for text in (b"Seen, and gone.\n", b"=1+1, \xc3\xa0 mesa\n")
        ]
    )
    for receipt, field in ((person, "name"), (paper, "attachments")):
        erased(EntryRef(stream=receipt.stream, n=receipt.n, leaf=receipt.leaf), field)
    assert kept.n
    seal.sign()


def files_of(place: Path) -> dict[str, str]:
    return dict(sums_of(place))


@pytest.mark.usefixtures("codes")
def test_a_house_comes_back_as_it_left(seal: Seal, past: Past, tmp_path: Path) -> None:
    empty = past.keep()
    a_house(seal)
    place = exported(tmp_path / "copy", *TWO)
    must_be_read_by_others(place)
    left = book_as_it_is()
    size = json.loads((place / "house.json").read_text())["size"]
    past.back_to(empty)
    said = read(place)
    assert f"{size} entries, root " in said
    assert "passwords" in said
    assert guarded()
    assert up_to(size, book_as_it_is()) == up_to(size, left)
    assert sorted(PrivateValue.objects.values_list("value", flat=True), key=str) == [
        "Ana Matos 0", "Ana Matos 1", None,
    ]  # fmt: skip
    assert sorted(bytes(one.content or b"gone") for one in Attachment.objects.all()) == [
        b"=1+1, \xc3\xa0 mesa\n", b"gone",
    ]  # fmt: skip
    account = Account.objects.get(staff=TWO[0])
    assert not account.has_usable_password()
    assert account.password_is_temporary
    assert not account.check_password("a password")
    must_be_whole()
    appointed_again(TWO)
    again = exported(tmp_path / "again", *TWO)
    differ = {name for name, digest in files_of(place).items() if files_of(again)[name] != digest}
    looks = "tabelas/casino_private_look.csv"  # it grew by the look at the first copy
    assert differ == {"house.json", "datapackage.json", looks}
    assert (again / looks).read_bytes().startswith((place / looks).read_bytes())


def appointed_again(staff: tuple[str, ...]) -> None:
    for one in staff:
        set_pin(Account.objects.get(staff=one), PIN)


# -- Foreign readers -------------------------------------------------------------------------------

_CASTS: dict[str, Callable[[str], object]] = {
    "integer": int,
    "boolean": {"true": True, "false": False}.__getitem__,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "any": json.loads,
    "string": str,
}
_SQLITE = {"integer": "INTEGER", "boolean": "TEXT"}


def must_be_read_by_others(place: Path) -> None:
    """The verifier, csv and sqlite3: every file as listed, every cell of its type, every key."""
    assert verifier([str(place / "livro"), "--quiet"]) == 0
    listed = dict(reversed(line.split("  ", 1)) for line in (place / SUMS).read_text().splitlines())
    assert listed == files_of(place)
    package = json.loads((place / "datapackage.json").read_text())
    database = sqlite3.connect(":memory:")
    for table in package["resources"]:
        data = (place / table["path"]).read_bytes()
        assert (len(data), f"sha256:{sha256(data).hexdigest()}") == (table["bytes"], table["hash"])
        load(database, table, list(csv.reader(StringIO(data.decode(), newline=""))))
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    shown = {row[0]: row[1] for row in database.execute("SELECT idx, entry FROM book_entry")}
    assert list(shown) == list(range(len(shown)))
    described = list(csv.DictReader(StringIO((place / "dicionario.csv").read_text("utf-8"))))
    assert [(one["table"], one["column"]) for one in described] == [
        (table["name"], field["name"])
        for table in package["resources"]
        for field in table["schema"]["fields"]
    ]
    assert all(one["column_pt"] and one["column_en"] and one["table_pt"] for one in described)


def load(database: sqlite3.Connection, table: dict[str, Any], rows: list[list[str]]) -> None:
    fields = table["schema"]["fields"]
    names = [field["name"] for field in fields]
    assert rows[0] == names
    assert len(rows) - 1 == table["rows"]
    for row in rows[1:]:
        for cell, field in zip(row, fields, strict=True):
            if cell:
                _CASTS[field["type"]](cell)
                if field.get("format") == "uuid":
                    UUID(cell)
    parts = [f'"{one["name"]}" {_SQLITE.get(one["type"], "TEXT")}' for one in fields]
    if key := table["schema"].get("primaryKey"):
        parts.append(f"PRIMARY KEY ({', '.join(key)})")
    for foreign in table["schema"].get("foreignKeys", ()):
        (of,), to = foreign["fields"], foreign["reference"]
        parts.append(f"FOREIGN KEY ({of}) REFERENCES {to['resource']} ({to['fields'][0]})")
    database.execute(f"CREATE TABLE {table['name']} ({', '.join(parts)})")
    marks = ", ".join("?" * len(names))
    database.executemany(f"INSERT INTO {table['name']} VALUES ({marks})", rows[1:])


# -- What is in it, and for whom -------------------------------------------------------------------


def test_every_table_of_the_house_is_in_a_copy_or_left_out_for_a_reason() -> None:
    known = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    written = [table.name for table in house_tables()]
    assert len(written) == len(set(written))
    assert set(written) | LEFT_OUT.keys() == known
    assert set(written) & LEFT_OUT.keys() == set()
    secret = {"password", "secret", "pin_hash", "code_hash", "content", "salt", "value", "address"}
    labels = [one.label for table in house_tables() for one in (table, *table.columns)]
    assert all(isinstance(label, Promise) for label in labels)  # each has its Portuguese
    beside = [table for table in house_tables() if not table.follows]
    assert not secret & {one.name for table in beside for one in table.columns}


def test_what_is_private_is_in_it_for_two_persons_alone(
    seal: Seal, tmp_path: Path, codes: list[str]
) -> None:
    a_house(seal)
    appointed("S-0103", "administrador")
    recorded(hired("Rui Sá"), by=MANAGER)
    seal.sign()
    shut = exported(tmp_path / "shut")
    assert not (shut / "livro" / "private").exists()
    assert "Ana Matos" not in "".join(
        path.read_text(errors="replace") for path in shut.rglob("*") if path.is_file()
    )
    assert PrivateLook.objects.count() == 0
    place = tmp_path / "copy"
    for two, why in (
        ((TWO[0], TWO[0]), "by two persons"),
        ((TWO[0], "S-0404"), "by two persons"),
        ((TWO[0], "S-0103"), "of the direction"),
    ):
        assert why in refused("export_house", place, private=list(two))
    codes += [PIN, "111111"]
    assert f"The code of {TWO[1]} is not right" in refused("export_house", place, private=TWO)
    assert not place.exists()
    assert PrivateLook.objects.count() == 0
    exported(place, *TWO)
    assert "Ana Matos" in (place / "livro" / "private" / "openings.jsonl").read_text()
    assert set(PrivateLook.objects.values_list("staff", flat=True)) == set(TWO)
    assert Export.objects.filter(openings=True).get().asked_by == TWO[0]
    assert place.stat().st_mode & 0o077 == 0


@pytest.mark.share
def test_a_record_that_is_not_in_the_book_yet_is_waited_for(seal: Seal, tmp_path: Path) -> None:
    seal_events(1)
    assert "no signed checkpoint yet" in refused("export_house", tmp_path / "copy")
    seal.sign()
    now = clock.now()
    held = HeldRecord.objects.create(
        key=uuid4(), table_code="BJ-06", partida_id="", staff="S-0001", made_at=now, due_at=now,
        submissions=[],
    )  # fmt: skip
    assert "not in the book yet: 1." in refused("export_house", tmp_path / "copy")
    assert not Export.objects.exists()
    held.delete()
    exported(tmp_path / "copy")
    assert "is there already" in refused("export_house", tmp_path / "copy")


@pytest.mark.share
def test_a_full_disk_leaves_no_half_copy(
    seal: Seal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal_events(3)
    seal.sign()

    def full(*_: object) -> bytes:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("audit.exporting.house_export.dictionary", full)
    kept = tmp_path / "kept"
    kept.mkdir()
    assert "disk is full" in refused("export_house", kept / "copy")
    assert os.listdir(kept) == []


# -- Refused on the way back -----------------------------------------------------------------------


@pytest.fixture
def copy(seal: Seal, past: Past, tmp_path: Path) -> Path:
    """A copy of a small house; the database is an empty one again."""
    empty = past.keep()
    seal_events(5, people=1)
    seal.sign()
    place = exported(tmp_path / "copy")
    past.back_to(empty)
    return place


def listed_anew(place: Path) -> None:
    """A list of digests that fits what is there."""
    lines = (f"{digest}  {name}\n" for name, digest in sums_of(place))
    (place / SUMS).write_text("".join(lines))


def test_a_copy_that_is_not_whole_or_not_ours_is_refused(copy: Path, tmp_path: Path) -> None:
    assert "is no copy of a house" in refused("read_house", tmp_path)
    burn = copy / "tabelas" / "casino_burn.csv"
    kept = burn.read_bytes()
    burn.write_bytes(kept.replace(b"BJ-06", b"BJ-07", 1))
    assert "Not as written, by their digests: tabelas/casino_burn.csv" in refused(
        "read_house", copy
    )
    burn.unlink()
    assert "missing are tabelas/casino_burn.csv" in refused("read_house", copy)
    burn.write_bytes(kept)
    (copy / "x.txt").write_text("x")
    assert "not in the list of digests: x.txt" in refused("read_house", copy)
    (copy / "x.txt").unlink()
    (copy / "x.txt").symlink_to(burn)
    assert "x.txt is a link" in refused("read_house", copy)
    (copy / "x.txt").unlink()
    house = (copy / "house.json").read_bytes()
    manifest = json.loads(house)
    for newer in ({"format": "livro-da-sala-house/2"}, {"version": "99.0"}, {"version": "new"}):
        (copy / "house.json").write_text(json.dumps(manifest | newer))
        assert "made by a newer program" in refused("read_house", copy)
    (copy / "house.json").write_bytes(house)
    other = tmp_path / "other"
    other.write_text("nothing\n")
    assert "not signed with a key of the policy" in refused("read_house", copy, policy=other)
    (copy / SUMS).unlink()
    assert "no readable list of digests" in refused("read_house", copy)
    assert not BookEntry.objects.exists()


@pytest.mark.share
def test_a_row_the_book_does_not_make_is_refused_and_nothing_is_kept(copy: Path) -> None:
    burn = copy / "tabelas" / "casino_burn.csv"
    kept = burn.read_bytes()
    lines = kept.splitlines(keepends=True)
    for wrong, row in ((kept.replace(b",BJ-06,", b",BJ-07,", 1), 1), (kept + lines[-1], 6)):
        burn.write_bytes(wrong)
        listed_anew(copy)
        said = refused("read_house", copy)
        assert f"casino_burn is not what was exported; nothing was kept. Row {row}:" in said
        assert not BookEntry.objects.exists()
        assert guarded()


@pytest.mark.share
def test_a_database_that_fails_half_way_or_is_not_empty_is_left_as_it_was(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(model: type) -> None:
        if model.__name__ == "Staff":  # after many others
            raise OperationalError("could not extend file: No space left on device\nHINT: ...")
        made.append(model)

    made: list[type] = []
    with monkeypatch.context() as patched:
        patched.setattr(house_reading, "rebuild", full)
        said = refused("read_house", copy)
    assert made
    assert said == "Nothing was kept: could not extend file: No space left on device."
    assert not BookEntry.objects.exists()
    assert guarded()
    read(copy)
    assert "not empty: book_entry has rows" in refused("read_house", copy)


@pytest.mark.share
def test_a_table_of_a_program_that_had_more_is_read_and_said(copy: Path) -> None:
    (copy / "tabelas" / "casino_long_gone.csv").write_text("a\n1\n")
    burn = copy / "tabelas" / "casino_burn.csv"
    head, _line, rest = burn.read_bytes().partition(b"\n")
    burn.write_bytes(head + b",gone\n" + rest)
    listed_anew(copy)
    said = read(copy)
    assert "no such table or column: casino_long_gone." in said
    assert "no such table or column: casino_burn (gone)." in said


# -- The demo's house ------------------------------------------------------------------------------


@pytest.mark.check
@pytest.mark.parametrize("version", VERSIONS[-2:])
def test_the_demos_house_of_every_version_comes_back(
    version: str, databases: Databases, fresh_db: str, past: Past, tmp_path: Path, settings: Any
) -> None:
    empty = past.keep()
    with taken_over(version, databases, f"leaving_{fresh_db}") as kept:
        settings.BOOK_PUBLIC = str(kept)
        first = export_house(tmp_path / "copy", HOUSE, private=TWO)
        must_be_read_by_others(tmp_path / "copy")
    past.back_to(empty)
    assert f"{first.made.size} entries, root {first.made.root.hex()}" in read(tmp_path / "copy")
    report = verify("owner", projections=True, looks=False, policy=(kept / "policy").read_text())
    assert [each.code for each in report.report.of("problem")] == []
    again = export_house(tmp_path / "again", HOUSE, private=TWO)
    assert again.made == replace(first.made, place=again.made.place)
    # Documents stay in the copy they left in, machines are registered anew; who looked grew by the
    # first copy.
    machines = "tabelas/casino_api_client.csv"
    stays = ("documentos/", "tabelas/audit_report_request.csv")
    grew = {machines, "house.json", "datapackage.json", "tabelas/casino_private_look.csv"}
    before, after = files_of(tmp_path / "copy"), files_of(tmp_path / "again")
    assert {name for name in before if not name.startswith(stays)} <= after.keys()
    assert {name for name in after if after[name] != before.get(name)} <= {*grew, stays[1]}
    assert len((tmp_path / "again" / machines).read_text().splitlines()) == 1  # its head
    assert sum(name.startswith("livro/private/") for name in before) > 1
