"""Books with everything in them that a verification looks at, sealed by a key of the test's own."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import psycopg
from django.core.management import call_command
from django.db import connections

from casino import sequencer
from casino.machine.environment_values import database_from
from casino.recording import File, Receipt, Source, record
from casino.tlog.checkpoint import Checkpoint, cosign
from casino.tlog.note import SigningKey, signed
from tests.factories.erasures import erased as erased_by_two
from tests.factories.evenings import an_evening, correct, played
from tests.factories.records import EVENING, MANAGER, PIT, burnt, corrects, hired, loaded, recorded
from tests.factories.usual_events import ref

Connect = Callable[..., psycopg.Connection]

ORIGIN: Final = "livro.invalid/test"
KEY: Final = SigningKey(ORIGIN, bytes(range(32)))
WITNESS: Final = SigningKey("witness.invalid", bytes(range(1, 33)))
NOTE: Final = b"%PDF-1.7 what the player wrote"
SEEN: Final = b"%PDF-1.7 what was erased again"


def policy() -> str:
    """The keys of this book, in the form of a tlog-policy."""
    witness = WITNESS.verifier(4).text()
    return f"log {KEY.verifier().text()}\nwitness w1 {witness}\nquorum none\n"


def recorded_of_all() -> list[Receipt]:
    """A book with corrections, erasures, files, rounds of two tables and a projection made
    again.
    """
    burnt_at = recorded(burnt(2))
    recorded(burnt(1), supersedes=corrects(burnt_at))
    evening = an_evening("BJ-01", rounds=4)
    correct(evening[2], played("r2", place=2))
    an_evening("BJ-02", "2025-12-31", rounds=2)
    recorded(loaded())
    person = recorded(hired(), by=MANAGER)
    gone = recorded(hired("Rita Leal"), by=MANAGER)
    erased(gone, "name")
    with_file = with_a_file(NOTE)
    erased(with_a_file(SEEN), "attachments")
    call_command("rebuild", "casino_burn", stdout=StringIO())
    call_command("schema", "--record", stdout=StringIO())
    return [burnt_at, person, with_file]


def with_a_file(content: bytes) -> Receipt:
    """A record to which a file belongs."""
    return record(
        burnt(3), key=uuid4(), by=PIT, occurred_at=EVENING, source=Source(), files=(File(content),)
    )


def erased(receipt: Receipt, field: str) -> Receipt:
    """A value of an entry, or its files, are erased."""
    return erased_by_two(ref(receipt), field)


def placed() -> None:
    """Everything that waits gets its place, in small steps: the tree has many roots."""
    while sequencer.integrate(limit=3):
        pass


def sealed(
    connect_as: Connect,
    witnessed: bool = True,
    *,
    keys: Sequence[SigningKey] = (KEY,),
    origin: str = ORIGIN,
) -> str:
    """Sign the tree as it stands, as the signer does; the note."""
    signer = connect_as("signer", autocommit=True)
    newest = signer.execute(
        "SELECT size, root FROM book_tree ORDER BY size DESC LIMIT 1"
    ).fetchone()
    assert newest is not None
    size, root = newest
    text = Checkpoint(origin, size, bytes(root)).text()
    note = signed(text, keys)
    signer.execute(
        "INSERT INTO book_checkpoint (size, root, note) VALUES (%s, %s, %s)", [size, root, note]
    )
    if witnessed:
        moment = int(datetime.now(UTC).timestamp())
        signer.execute(
            "INSERT INTO book_cosignature (size, line, cosigned_at)"
            " VALUES (%s, %s, to_timestamp(%s))",
            [size, cosign(WITNESS, text, moment), moment],
        )
    signer.close()
    return note


def published(folder: Path, settings: Any, note: str) -> None:
    """What the signer publishes, in a folder everybody may read."""
    folder.mkdir(exist_ok=True)
    (folder / "checkpoint").write_text(note, "utf-8")
    (folder / "policy").write_text(policy(), "utf-8")
    settings.BOOK_PUBLIC = str(folder)


def a_whole_book(connect_as: Connect, folder: Path, settings: Any) -> str:
    """Such a book, sealed three times, some of it not in the tree yet; the first note."""
    recorded_of_all()
    sequencer.integrate(limit=7)
    first = sealed(connect_as)
    placed()
    sealed(connect_as, witnessed=False)
    recorded(burnt(1, "BJ-09"))
    placed()
    newest = sealed(connect_as)
    published(folder, settings, newest)
    recorded(burnt(1, "BJ-09"))
    recorded(hired("Nuno Reis"), by=MANAGER)
    return first


@contextmanager
def vandal(databases: Any) -> Iterator[str]:
    """A connection of Django's as the superuser, by its alias."""
    url = databases.server.superuser_url(databases.current)
    connections.settings["vandal"] = connections.settings["owner"] | database_from(url)
    try:
        yield "vandal"
    finally:
        connections["vandal"].close()
        del connections["vandal"]
        del connections.settings["vandal"]


def unguarded(*tables: str) -> str:
    """Statements after which nothing stops who alters these tables."""
    return "; ".join(f"ALTER TABLE {table} DISABLE TRIGGER ALL" for table in tables)


def guarded_again(cursor: Any, *tables: str) -> None:
    """All triggers as they were: nobody sees that they were ever off."""
    for table in tables:
        cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")
        cursor.execute(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal",
            [table],
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")
