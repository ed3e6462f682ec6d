"""What the recovery's tests share: going back to an older database, and the book as it is."""

from collections.abc import Iterator
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from audit.exporting import Scope, export_bundle
from casino import sequencer
from casino.guards import missing_guards
from casino.local import roles
from casino.recording import Actor
from tests.factories.records import MANAGER, burnt, hired, recorded
from tests.factories.sealed_book import Connect, Seal
from tests.servers_django import connections_at

HOUSE = Actor("export", "sistema", "local")
BOOK = {
    "book_stream": "name, head_n, head_hash",
    "book_entry": "id, n, key, kind, gaming_day, table_code, partida_id, occurred_at, recorded_at,"
    " entry, leaf_hash",
    "book_leaf": "idx, entry_id",
    "book_tile": "level, n, hashes",
    "book_checkpoint": "size, root, note",
    "book_cosignature": "size, line, cosigned_at",
}


@pytest.fixture
def seal(connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    return Seal(connect_as, tmp_path / "public", settings)


class Past:
    """Copies of the database, to which a test goes back as an operator restores a backup."""

    def __init__(self, databases: Any, stack: ExitStack) -> None:
        self.databases = databases
        self.stack = stack

    def keep(self) -> str:
        """A copy of the database as it is."""
        connections.close_all()
        name: str = self.databases.copy(self.databases.current)
        self.stack.callback(self.databases.drop, name)
        return name

    def back_to(self, name: str) -> None:
        """Everybody works in that copy from now on."""
        self.stack.callback(setattr, self.databases, "current", self.databases.current)
        self.databases.current = name
        addresses = roles.addresses(self.databases.server, name)
        self.stack.enter_context(connections_at(addresses))


@pytest.fixture
def past(databases: Any, fresh_db: str) -> Iterator[Past]:
    with ExitStack() as stack:
        yield Past(databases, stack)


def bundle_of(place: Path, *, openings: bool = True) -> Path:
    return export_bundle(place, Scope(), HOUSE, openings=openings).place


def recovered(bundle: Path, **options: Any) -> str:
    said = StringIO()
    call_command("recover_entries", bundle=bundle, language="en", stdout=said, **options)
    return said.getvalue()


def refused(bundle: Path, **options: Any) -> str:
    """What it says when it refuses; and then nothing has changed."""
    before = book_as_it_is()
    with pytest.raises(CommandError) as error:
        recovered(bundle, **options)
    assert error.value.returncode == 2
    assert book_as_it_is() == before
    assert guarded()
    return str(error.value)


def book_as_it_is() -> dict[str, list[tuple[Any, ...]]]:
    """Everything the book's tables hold, but for when the rows were written."""
    with connections["reader"].cursor() as cursor:
        found = {}
        for table, columns in BOOK.items():
            cursor.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2")
            found[table] = [
                tuple(bytes(each) if isinstance(each, memoryview) else each for each in row)
                for row in cursor.fetchall()
            ]
    return found


def guarded() -> bool:
    return missing_guards(connections["owner"]) == []


def must_be_whole() -> None:
    """Projections as the book tells, the next records find their places."""
    said = StringIO()
    call_command("rebuild", check=True, stdout=said)
    assert "0 differences" in said.getvalue()
    recorded(burnt())
    recorded(hired("Rui Sá"), by=MANAGER)
    while sequencer.integrate():
        pass
    assert pending() == 0


def pending() -> int:
    with connections["reader"].cursor() as cursor:
        cursor.execute("SELECT count(*) FROM book_pending")
        count: int = cursor.fetchone()[0]
    return count


def up_to(size: int, book: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    """Of a book, what belongs to the first `size` entries of its tree."""
    kept = {row[1] for row in book["book_leaf"] if row[0] < size}
    return {
        "book_entry": [row for row in book["book_entry"] if row[0] in kept],
        "book_leaf": [row for row in book["book_leaf"] if row[0] < size],
        "book_tile": [
            row for row in book["book_tile"] if (row[1] + 1) * 256 ** (row[0] + 1) <= size
        ],
        "book_checkpoint": [row for row in book["book_checkpoint"] if row[0] <= size],
        "book_cosignature": [row for row in book["book_cosignature"] if row[0] <= size],
    }
