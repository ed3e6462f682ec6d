"""A signer's own house for a test: its folders, its keys, a book that grows, a forger's hand."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from django.db import connections

from casino import sequencer
from casino.local.local_places import CHECKOUT
from casino.recording import record_many
from casino.signer.__main__ import init
from casino.signer.last import Last, load
from casino.signer.signer_book import Book
from casino.signer.signer_places import Places, places
from casino.signer.signing import Signer
from casino.tlog.checkpoint import Checkpoint, parse_checkpoint
from casino.tlog.merkle import Frontier
from casino.tlog.note import parse_note, valid_signatures
from casino.tlog.policy import Policy
from tests.factories.records import burnt, submission
from tests.patience import PATIENCE, wait_until
from tests.servers import Databases
from tests.servers_django import connect_to

Connect = Callable[..., psycopg.Connection]


class SignerHouse:
    """One signer's folders below `folder`, and the book of the test's own database."""

    def __init__(self, folder: Path, addresses: Mapping[str, str], connect_as: Connect) -> None:
        self.recorded = {
            "SIGNER_DATABASE_URL": addresses["SIGNER_DATABASE_URL"],
            "SIGNER_HOME": str(folder / "signer"),
            "BOOK_PUBLIC": str(folder / "public"),
            "LOG_ORIGIN": "book.example/sala/1",
        }
        self.connect_as = connect_as
        self.at: Places = places(self.recorded)
        init(self.at)
        self.at.origin.touch()

    def signer(self, every: float = 0) -> Signer:
        """A signer with a connection of its own; it signs at every look."""
        return Signer(self.at, Book(self.connect_as("signer", autocommit=True)), every)

    def grow(self, entries: int = 1) -> int:
        """Record entries and give them their places; the tree's size."""
        record_many([submission(burnt(table=f"BJ-0{n % 3}")) for n in range(entries)])
        return self.integrate()

    def integrate(self) -> int:
        """Give what waits its place; the tree's size."""
        while sequencer.integrate():
            pass
        return int(self.rows("SELECT max(size) FROM book_tree")[0][0])

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a reader of the book finds."""
        with self.connect_as("reader", autocommit=True) as book:
            return book.execute(statement.encode(), values).fetchall()

    def last(self) -> Last:
        """What the signer's own file says."""
        return load(self.at.last, self.at.origin)

    def published(self) -> Checkpoint:
        """What everybody sees."""
        return parse_checkpoint(parse_note(self.at.checkpoint.read_text()).text)

    def refusal(self) -> dict[str, Any]:
        """What the public file of refusals says; {} where there is none."""
        own, public = self.at.refusals
        # One is written after the other: there is a moment between the two.
        wait_until(lambda: own.exists() == public.exists(), "both files of refusals")
        return json.loads(public.read_text()) if public.exists() else {}

    def forge(self, table: str, *statements: str) -> None:
        """Change the book as a superuser who switches its guards off for the while."""
        with self.connect_as("postgres") as superuser:
            superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL".encode())
            for statement in statements:
                superuser.execute(statement.encode())
            superuser.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL".encode())

    def command(self, *words: str, **values: str) -> subprocess.CompletedProcess[str]:
        """Run `python -m casino.signer`, told what a signer is recorded and nothing else."""
        return subprocess.run(
            [sys.executable, "-m", "casino.signer", *words],
            cwd=CHECKOUT,
            env={"PATH": os.environ["PATH"], **self.recorded, **values},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def must_agree(self) -> Last:
        """Own file, published file and database name one checkpoint, and all ever signed are roots
        of one tree that only grew; gives the newest.
        """
        own = self.last()
        assert self.at.checkpoint.read_text().startswith(own.note)
        rows = self.rows("SELECT size, root, note FROM book_checkpoint ORDER BY size")
        assert rows, "nothing was signed"
        assert rows[-1][2] == own.note
        policy = Policy.parse(self.at.policy.read_text())
        leaves = [
            bytes(leaf)
            for (leaf,) in self.rows(
                "SELECT e.leaf_hash FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id"
                " ORDER BY l.idx"
            )
        ]
        tree = Frontier()
        for size, root, text in rows:
            for leaf in leaves[tree.size : size]:
                tree.append(leaf)
            note = parse_note(text)
            found = parse_checkpoint(note.text)
            # Only an epoch, which the signer's folder remembers, may have had another name.
            assert found.origin == own.origin or (self.at.home / "epochs").exists()
            assert (found.size, found.root) == (size, bytes(root))
            assert tree.root() == bytes(root)
            assert valid_signatures(note, policy.logs)
        assert not list(self.at.public.glob("*.new")), "half a file"
        return own


class OlderBook:
    """A backup of the test's database, and the day on which it is put in its place."""

    def __init__(self, house: SignerHouse, databases: Databases) -> None:
        self.house = house
        self.databases = databases
        self.newer = databases.current
        self.older = ""

    def keep(self) -> None:
        """Back the book up. Nobody but Django may be connected to it."""
        connections.close_all()
        self.older = self.databases.copy(self.newer)

    def put_back(self) -> None:
        """From now on everybody is connected to the backup."""
        self._go_to(self.older)

    def forget(self) -> None:
        """Undo everything."""
        self._go_to(self.newer)
        if self.older:
            self.databases.drop(self.older)

    def _go_to(self, name: str) -> None:
        self.databases.current = name
        connect_to(dict.fromkeys(connections.settings, name))
        address = urlsplit(self.house.recorded["SIGNER_DATABASE_URL"])._replace(path=f"/{name}")
        self.house.recorded["SIGNER_DATABASE_URL"] = address.geturl()
        self.house.at = places(self.house.recorded)
