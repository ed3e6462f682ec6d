"""A whole copy of a house read back into an empty database: all of it, or nothing.

Done as `owner` in one transaction: entries in their old places, private values and files, every
projection made again and held against the exported table row by row, then what stands beside.
"""

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.db import connections, transaction
from django.db.backends.utils import CursorWrapper
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from psycopg import sql

from audit.exporting.bundle_reader import Bundle
from audit.exporting.export_refusals import ExportRefused
from audit.exporting.house_export import BOOK, FORMAT, OWNER, SUMS, TABLES, manifest_of, sums_of
from audit.exporting.house_tables import HouseTable, csv_of, house_tables
from audit.exporting.private_files import FILES
from audit.exporting.putting_back import put_back
from casino import __version__
from casino.rebuilding import projection_models, rebuild

PIECE: Final = 1 << 20
NAMED: Final = 5  # files or tables of one kind that are named
SHOWN: Final = 200  # characters of a row

NO_COPY: Final = _("{place} is no copy of a house: asked is a folder made by `export_house`.")
NEWER: Final = _(
    "{place} was made by a newer program (format {format}, version {version}); this is version"
    " {own}. Read it with that version or a later one."
)
NO_SUMS: Final = _("{place} has no readable list of digests (SHA256SUMS): the copy is not whole.")
MISSING: Final = _("The copy is not whole: missing are {names}. Take it from where it was made.")
CHANGED: Final = _("Not as written, by their digests: {names}. Take the copy from elsewhere.")
STRANGE: Final = _(
    "Files that are not in the list of digests: {names}. Take them away: nothing of them is read."
)
NOT_EMPTY: Final = _(
    "The database is not empty: {table} has rows. A house is read into a new one: make it, run"
    " `manage.py migrate --database=owner`, and start nothing before (docs/house-copy.md)."
)
OTHER_ROWS: Final = _(
    "Made again from the book, {table} is not what was exported; nothing was kept. Row {row}:\n"
    "  exported: {exported}\n"
    "  from the book: {made}"
)
NO_END: Final = _("(nothing)")

# What comes back beside the book, out of texts in `read_back`. Nobody can log in before he is given
# a new password.
_BACK: Final = {
    "casino_account": """
INSERT INTO casino_account (staff, is_active, language, created_at, password, is_superuser,
                            password_is_temporary, asks_second)
SELECT staff, is_active::boolean, language, created_at::timestamptz, '!', false, true, false
FROM read_back
""",
    "casino_private_value": """
INSERT INTO casino_private_value (entry_id, field)
SELECT entry_id::uuid, field FROM read_back WHERE erased::boolean
ON CONFLICT (entry_id, field) DO UPDATE SET salt = NULL, value = NULL
""",
    "casino_private_look": """
INSERT INTO casino_private_look (at, staff, entry, kind, field, page)
SELECT at::timestamptz, staff, entry::uuid, kind, field, page FROM read_back ORDER BY ctid
""",
}
_FILE: Final = """
INSERT INTO casino_attachment (sha256, media_type, size, content, stored_at)
VALUES (%s, %s, %s, %s, %s)
"""
EMPTY: Final = ("book_entry", *_BACK, "casino_attachment")


@dataclass(slots=True)
class HouseRead:
    """What was read back: entries, rows held against the exported tables, private values, files.

    `unknown` names tables and columns this version no longer has; they were not compared.
    """

    bundle: Bundle
    rows: int
    private: int
    files: int
    unknown: list[str]


def read_house(place: Path, policy: str | None) -> HouseRead:
    """Read a copy back. `policy`: the keys its book must be signed with, None for its own.

    Raises: ExportRefused, where nothing was done.
    """
    must_be_a_copy(place)
    bundle = Bundle(place / BOOK)
    bundle.must_be_signed(policy or (place / BOOK / "policy").read_text("utf-8"))
    tables = {table.name: table for table in house_tables()}
    with transaction.atomic(using=OWNER), connections[OWNER].cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # else each row waits in memory
        for name in EMPTY:
            _must_be_empty(cursor, name)
        files = _put_files(cursor, place)
        done = put_back(bundle, lambda _at, _size: None)
        for model in projection_models().values():
            rebuild(model)
        for name, statement in _BACK.items():
            _load(cursor, place / TABLES / f"{name}.csv")
            cursor.execute(statement)
            cursor.execute("DROP TABLE read_back")
        read = HouseRead(bundle, 0, done.private, files, [])
        for path in sorted((place / TABLES).glob("*.csv")):
            table = tables.get(path.stem)
            if table is None:
                read.unknown.append(path.stem)
            elif table.follows:
                _compare(cursor, table, path, read)
        cursor.execute("SELECT count(*) FROM book_entry")
        if cursor.fetchone() != (bundle.size,):  # somebody recorded while this began
            raise ExportRefused(NOT_EMPTY, table="book_entry")
    return read


def must_be_a_copy(place: Path) -> None:
    """Whether every file is there as it was written, and this version reads it.

    Raises: ExportRefused.
    """
    said = manifest_of(place)
    form, version = str(said.get("format", "")), str(said.get("version", ""))
    family, _slash, number = FORMAT.rpartition("/")
    if not form.startswith(f"{family}/"):
        raise ExportRefused(NO_COPY, place=place)
    if form != f"{family}/{number}" or _order(version) > _order(__version__):
        values = {"format": form, "version": version, "own": __version__}
        raise ExportRefused(NEWER, place=place, **values)
    try:
        lines = (place / SUMS).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ExportRefused(NO_SUMS, place=place) from error
    listed = {name: digest for digest, _gap, name in (line.partition("  ") for line in lines)}
    there = dict(sums_of(place))
    _none_of(MISSING, listed.keys() - there.keys())
    _none_of(STRANGE, there.keys() - listed.keys())
    _none_of(CHANGED, {name for name in there if there[name] != listed[name]})


def _none_of(refusal: Promise | str, names: set[str]) -> None:
    if names:
        first = ", ".join(sorted(names)[:NAMED])
        more = f" (+ {len(names) - NAMED})" if len(names) > NAMED else ""
        raise ExportRefused(refusal, names=first + more)


def _order(version: str) -> list[int]:
    """A version's numbers; of what is none, a number no version has."""
    parts = version.split(".")
    return [int(part) for part in parts] if all(map(str.isdecimal, parts)) else [1 << 30]


# -- In the transaction ----------------------------------------------------------------------------


def _must_be_empty(cursor: CursorWrapper, name: str) -> None:
    cursor.execute(sql.SQL("SELECT EXISTS (SELECT FROM {})").format(sql.Identifier(name)))
    if cursor.fetchone() != (False,):
        raise ExportRefused(NOT_EMPTY, table=name)


def _put_files(cursor: CursorWrapper, place: Path) -> int:
    """The files of records, each from when it was stored first; how many have their content.

    One that was erased is erased; one the copy does not bring is not there.
    """
    count = 0
    with (place / TABLES / "casino_attachment.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            file = place / BOOK / FILES / row["sha256"]
            content = file.read_bytes() if file.is_file() and row["erased"] != "true" else None
            if content is not None or row["erased"] == "true":
                values = [row["sha256"], row["media_type"], row["size"], content, row["stored_at"]]
                cursor.execute(_FILE, values)
                count += content is not None
    return count


def _load(cursor: CursorWrapper, path: Path) -> None:
    """An exported table as texts, in a table `read_back` of this transaction."""
    with path.open("rb") as file:
        names = file.readline().decode().strip().split(",")
        columns = (sql.SQL("{} text").format(sql.Identifier(name)) for name in names)
        made = sql.SQL("CREATE TEMP TABLE read_back ({}) ON COMMIT DROP")
        cursor.execute(made.format(sql.SQL(", ").join(columns)))
        with cursor.copy("COPY read_back FROM STDIN (FORMAT csv)") as copy:
            while piece := file.read(PIECE):
                copy.write(piece)


def _compare(cursor: CursorWrapper, table: HouseTable, path: Path, house: HouseRead) -> None:
    """Hold a table made again against the exported one. Raises: ExportRefused, for another row."""
    with path.open("rb") as file:
        names = file.readline().decode().strip().split(",")
        if gone := set(names) - {column.name for column in table.columns}:
            house.unknown.append(f"{table.name} ({', '.join(sorted(gone))})")
            return
        file.seek(0)
        number = -1
        for number, made in enumerate(csv_of(cursor, table, house.bundle.size, names)):
            exported = file.read(len(made))
            if exported != made:
                raise _other(table, number, exported + file.readline(), made)
        if rest := file.readline():
            raise _other(table, number + 1, rest, b"")
        house.rows += number


def _other(table: HouseTable, number: int, exported: bytes, made: bytes) -> ExportRefused:
    shown = [_line(exported), _line(made)]
    return ExportRefused(OTHER_ROWS, table=table.name, row=number, exported=shown[0], made=shown[1])


def _line(text: bytes) -> str:
    """The first line of a row, as far as it is shown."""
    return text.partition(b"\n")[0].decode(errors="replace")[:SHOWN] or str(NO_END)
