"""What must hold of a book after any number of kills, looked at from outside.

The clients' own lists of receipts on disk are held against the book; chains, tree and checkpoints
are followed from their first to their last; a copy goes to the inspector's own program, which is
told every receipt and every checkpoint that was seen meanwhile.
"""

import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, Final

import psycopg
from django.core.management import call_command

from casino import sequencer
from casino.local import roles
from casino.local.cluster import Cluster
from casino.local.local_places import CHECKOUT
from casino.tlog.checkpoint import parse_checkpoint
from casino.tlog.merkle import Frontier
from casino.tlog.note import parse_note, valid_signatures
from casino.tlog.policy import Policy

ENTRIES: Final = """
SELECT s.name, e.n, e.id, e.key, e.entry, e.leaf_hash, s.head_n, s.head_hash
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id ORDER BY s.name, e.n
"""
PROMISED: Final = """
SELECT e.key, e.id, e.leaf_hash, s.name, e.n
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id WHERE e.key = ANY(%s::uuid[])
"""
LEAVES: Final = """
SELECT l.idx, e.stream_id, e.n, e.leaf_hash FROM book_leaf l JOIN book_entry e ON e.id = l.entry_id
ORDER BY l.idx
"""
NAMES: Final = ("entry", "leaf", "stream", "n")  # what a receipt promises
A_FILE: Final = 4_000  # receipts: the inspector's program takes a megabyte of them a file

Receipts = dict[str, dict[str, Any]]


def receipts(folder: Path, writers: Sequence[int]) -> list[Receipts]:
    """What each writer has on disk by now, by key. A line that is being written does not count."""
    lists: list[Receipts] = []
    for number in writers:
        file = folder / f"receipts-{number}.jsonl"
        whole = file.read_text("ascii").rpartition("\n")[0] if file.exists() else ""
        lines = [json.loads(line) for line in whole.splitlines()]
        lists.append({line["key"]: line for line in lines})
        assert len(lists[-1]) == len(lines), "a receipt that was had twice"
    return lists


def recorded_of(kept: list[Receipts]) -> str:
    """How many receipts there are, and how many of them took more than one try."""
    every = [receipt for each in kept for receipt in each.values()]
    again = [receipt for receipt in every if receipt["tries"] > 1 or receipt["repeated"]]
    there = sum(receipt["repeated"] for receipt in again)
    return f"{len(every)} receipts, {len(again)} sent again, {there} of those were in the book"


def must_all_stand(cluster: Cluster, kept: list[Receipts], seen: set[str] | None = None) -> None:
    """Every receipt names an entry that is there, under its key, in its place, with its leaf.

    Those in `seen` are left out, and the others added to it.
    """
    fresh = {key: one for each in kept for key, one in each.items() if key not in (seen or ())}
    with cluster.connect(roles.BOOK) as connection:
        there = {
            str(key): dict(zip(NAMES, (str(entry), bytes(leaf).hex(), stream, n), strict=True))
            for key, entry, leaf, stream, n in connection.execute(PROMISED, [list(fresh)])
        }
    for key, receipt in fresh.items():
        assert there.get(key) == {name: receipt[name] for name in NAMES}, key
    if seen is not None:
        seen.update(fresh)


def entries(cluster: Cluster) -> Iterator[tuple[Any, ...]]:
    """Every entry of the book, each stream in its order."""
    with cluster.connect(roles.BOOK) as connection:
        yield from connection.execute(ENTRIES).fetchall()


def chains_must_be_whole(cluster: Cluster, acknowledged: int) -> None:
    """As many entries as receipts, each event once; no gap in the numbers; each follows the last.

    The leaves are hashed here anew, from the bytes. Private values are committed anew each time:
    of such events the keys must differ, as of all.
    """
    reached: dict[str, tuple[int, str | None]] = {}
    heads: dict[str, tuple[int, str]] = {}
    counter: Counter[str] = Counter()
    for stream, n, _, key, entry, leaf, head_n, head_hash in entries(cluster):
        before, prev = reached.get(stream, (0, None))
        body = json.loads(entry)
        assert (body["stream"], body["n"], body["prev"]) == (stream, before + 1, prev)
        assert (n, body["key"]) == (before + 1, str(key))
        assert hashlib.sha256(b"\0" + entry).digest() == leaf
        reached[stream] = (n, leaf.hex())
        heads[stream] = (head_n, head_hash.hex())
        counter[json.dumps([body["kind"], body["payload"]], sort_keys=True)] += 1
    assert reached == heads
    assert counter.total() == acknowledged == len(counter)


def tree_must_be_whole(cluster: Cluster) -> None:
    """The sequencer takes in what still waits; then every entry has one place, every root fits."""
    while sequencer.integrate():
        pass
    expected = Frontier()
    reached: dict[int, int] = {}
    with cluster.connect(roles.BOOK) as connection:
        placed = connection.execute(LEAVES).fetchall()
        roots = dict(connection.execute("SELECT size, root FROM book_tree").fetchall())
        for place, (idx, stream, n, leaf) in enumerate(placed):
            assert (idx, n) == (place, reached.get(stream, 0) + 1)
            reached[stream] = n
            expected.append(bytes(leaf))
            if expected.size in roots:
                assert bytes(roots.pop(expected.size)) == expected.root()
        assert not roots, "roots of trees there never were"
        assert one(connection, "SELECT count(*) FROM book_entry") == (expected.size,)
        assert one(connection, "SELECT count(*) FROM book_pending") == (0,)
        last = one(connection, "SELECT size, root FROM book_tree ORDER BY size DESC LIMIT 1")
    assert last == (expected.size, expected.root())


def one(connection: psycopg.Connection, statement: str) -> tuple[Any, ...] | None:
    """The first row of an answer."""
    return connection.execute(statement.encode()).fetchone()


def projections_must_agree() -> None:
    """`rebuild --check` finds nothing; it ends the test where it does."""
    said = StringIO()
    call_command("rebuild", "--check", stdout=said)
    assert " 0 differences" in said.getvalue()


def checkpoints_must_be_prefixes(cluster: Cluster, public: Path, seen: Sequence[str]) -> int:
    """Every checkpoint, those of the book and those that were seen from outside, is signed and
    names the root that the tree had at that size; how many there are.
    """
    policy = Policy.parse((public / "policy").read_text("utf-8"))
    with cluster.connect(roles.BOOK) as connection:
        kept = [
            (size, bytes(root), note)
            for size, root, note in connection.execute(
                "SELECT size, root, note FROM book_checkpoint ORDER BY size"
            )
        ]
        leaves = [bytes(leaf) for *_, leaf in connection.execute(LEAVES)]
    notes = {note for *_, note in kept}
    assert {note for note in seen if note not in notes} == set(), "a checkpoint was forgotten"
    tree = Frontier()
    for size, root, text in kept:
        for leaf in leaves[tree.size : size]:
            tree.append(leaf)
        note = parse_note(text)
        checkpoint = parse_checkpoint(note.text)
        assert (checkpoint.size, checkpoint.root, tree.root()) == (size, root, root)
        assert valid_signatures(note, policy.logs)
    return len(kept)


def receipt_files(folder: Path, kept: list[Receipts]) -> list[Path]:
    """The clients' receipts as they are given out, a line each, in files."""
    lines = [
        json.dumps(
            {
                "format": "livro-da-sala-receipt/1",
                **{name: receipt[name] for name in ("leaf", "n", "recorded", "stream")},
            },
            sort_keys=True,
            separators=(",", ":"),
        )
        for each in kept
        for receipt in each.values()
    ]
    files = []
    for start in range(0, len(lines), A_FILE):
        files.append(folder / f"receipts-of-all-{start}.jsonl")
        files[-1].write_text("".join(f"{line}\n" for line in lines[start : start + A_FILE]))
    return files


def the_inspector_must_agree(
    folder: Path, public: Path, kept: list[Receipts], seen: Sequence[str], values: Mapping[str, str]
) -> dict[str, Any]:
    """A copy of the book is verified by the stand-alone program with the public keys, with every
    receipt and every checkpoint seen meanwhile; then the book verifies itself where it lies.

    Gives what the program says. `values` is the environment of the house's commands.
    """
    ran("manage.py", "schema", "--record", environment=values)  # it is verified too
    bundle = folder / "bundle"
    ran("manage.py", "export_bundle", str(bundle), environment=values)
    words = [f"--policy={public / 'policy'}", "--json", "--language=en"]
    words += [f"--receipt={file}" for file in receipt_files(folder, kept)]
    for number, note in enumerate(seen):
        older = folder / f"older-{number}"
        older.write_text(note, "utf-8")
        words.append(f"--older-checkpoint={older}")
    said: dict[str, Any] = json.loads(ran("-m", "audit.verifier", str(bundle), *words))
    assert said["counts"].get("receipt-kept") == sum(map(len, kept)), said["counts"]
    assert said["counts"].get("older-kept", 0) == len(seen), said["counts"]
    ran("manage.py", "verify_book", environment=values)
    return said


def ran(*words: str, environment: Mapping[str, str] | None = None) -> str:
    """What a program says that ends well, as it must."""
    done = subprocess.run(
        [sys.executable, *words], cwd=CHECKOUT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{words[:3]}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout
