"""Books and bundles written by another hand than the house's exporter, from docs/bundle.md.

A book lives in memory: entries, keys, checkpoints. Everything is derived from a seed, so a bundle
is the same at every run. What a test wants wrong it changes in the book before it is written, or in
the files afterwards.
"""

import hmac
import json
import random
import uuid
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from casino.tlog.checkpoint import Checkpoint, cosign
from casino.tlog.merkle import Frontier, leaf_hash
from casino.tlog.note import COSIGNATURE, SigningKey, signed, with_signatures
from casino.tlog.tiles import full_tiles_between, pack_entries, partial_tiles, tile_path, tile_root

ORIGIN = "livro.example/sala"
BEGINNING = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)


_written = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def canonical(value: Any) -> bytes:
    """What a value is written as."""
    return _written(value).encode()


def instant(moment: datetime) -> str:
    """What a moment is written as."""
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def key(name: str, seed: int = 1) -> SigningKey:
    """A key that is the same at every run."""
    return SigningKey(name, sha256(f"{name} {seed}".encode()).digest())


@dataclass
class Book:
    """A casino's book, as far as it goes."""

    origin: str = ORIGIN
    seed: int = 1
    step: timedelta = timedelta(seconds=1)
    keys: list[SigningKey] = field(default_factory=list)
    witness: SigningKey = field(default_factory=lambda: key("testemunha.example"))
    now: datetime = BEGINNING
    entries: list[bytes] = field(default_factory=list)
    heads: dict[str, tuple[int, str | None]] = field(default_factory=dict)
    openings: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)  # by size
    quorum: str = "none"
    known_keys: list[SigningKey] = field(default_factory=list)
    skew: timedelta = timedelta(0)  # of the witness's clock

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.tree = Frontier()
        if not self.keys:
            self.keys = [key(self.origin)]
        self.known_keys = [*self.keys]

    # Writing

    def add(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        stream: str = "table/BJ-06",
        staff: str = "S-0187",
        private: Mapping[str, Any] | None = None,
        files: Sequence[bytes] = (),
        supersedes: Mapping[str, Any] | None = None,
        **envelope: Any,
    ) -> dict[str, Any]:
        """One more entry, which gets its place at once; a reference to it."""
        values = dict(payload)
        index = len(self.entries)
        for name, value in (private or {}).items():
            salt = self.random.randbytes(32)
            digest = hmac.digest(salt, canonical(value), "sha256").hex()
            values[name] = {"hmac_sha256": digest}
            self.openings.append(
                {"field": name, "index": index, "salt": salt.hex(), "value": value}
            )
        if files:
            values["attachments"] = [sha256(each).hexdigest() for each in files]
            self.files |= {sha256(each).hexdigest(): each for each in files}
        if supersedes:
            values["correction_reason"] = "typing_error"
        n, prev = self.heads.get(stream, (0, None))
        self.now += self.step
        body = {
            "at": instant(self.now),
            "cp": self.newest(),
            "day": self.now.date().isoformat(),
            "key": str(uuid.UUID(bytes=self.random.randbytes(16), version=4)),
            "kind": kind,
            "n": n + 1,
            "occurred": instant(self.now - timedelta(minutes=3)),
            "payload": values,
            "prev": prev,
            "stream": stream,
            "supersedes": supersedes,
            "v": 1,
            "who": {"door": "sala", "office": "fiscal_de_banca", "staff": staff},
        } | envelope
        return self.append(canonical(body), body["stream"], body["n"])

    def append(self, entry: bytes, stream: str, n: int) -> dict[str, Any]:
        """An entry as it is."""
        leaf = leaf_hash(entry)
        self.entries.append(entry)
        self.tree.append(leaf)
        self.heads[stream] = n, leaf.hex()
        return {"leaf": leaf.hex(), "n": n, "stream": stream}

    def newest(self) -> dict[str, Any] | None:
        """The newest checkpoint, as an entry names it."""
        if not self.notes:
            return None
        size = max(self.notes)
        return {"root": b64decode(self.notes[size].split("\n")[2]).hex(), "size": size}

    def sign(self, *, keys: Sequence[SigningKey] = (), seen: bool = False) -> str:
        """A checkpoint of everything so far, with or without a witness."""
        text = Checkpoint(self.origin, self.tree.size, self.tree.root()).text()
        note = signed(text, keys or self.keys)
        if seen:
            moment = int((self.now + self.skew).timestamp())
            note = with_signatures(note, [cosign(self.witness, text, moment)])
        self.notes[self.tree.size] = note
        return note

    def policy(self, logs: Iterable[SigningKey] | None = None, quorum: str | None = None) -> str:
        """A policy with these keys of the log."""
        lines = [f"log {each.verifier().text()}" for each in logs or self.known_keys]
        lines.append(f"witness srij {self.witness.verifier(COSIGNATURE).text()}")
        return "\n".join([*lines, f"quorum {quorum or self.quorum}", ""])

    def receipt(self, index: int, origin: bool = True) -> str:
        """What the author of an entry keeps."""
        body = json.loads(self.entries[index])
        values = {
            "format": "livro-da-sala-receipt/1",
            "leaf": leaf_hash(self.entries[index]).hex(),
            "n": body["n"],
            "recorded": body["at"],
            "stream": body["stream"],
        }
        return canonical(values | ({"origin": self.origin} if origin else {})).decode()

    def copy(self) -> "Book":
        """The same book, to go on differently."""
        return deepcopy(self)

    def rewritten(self, change: Callable[[int, dict[str, Any]], dict[str, Any] | None]) -> "Book":
        """History written anew by whoever holds the keys: what `change` gives for each entry
        (None: it is left out), numbered, chained, referred to and signed as if it had been so.
        """
        new = Book(self.origin, self.seed, witness=self.witness, keys=self.keys)
        new.known_keys, new.openings, new.files = self.known_keys, self.openings, self.files
        named: dict[str, dict[str, Any]] = {}  # by the old leaf
        for index, entry in enumerate(self.entries):
            body = change(index, orjson.loads(entry))
            if body is not None:
                stream = body["stream"]
                n, prev = new.heads.get(stream, (0, None))
                body |= {"n": n + 1, "prev": prev, "cp": body["cp"] and new.newest()}
                body["supersedes"] = _renamed(body["supersedes"], named)
                body["payload"] = _renamed(body["payload"], named)
                named[leaf_hash(entry).hex()] = new.append(canonical(body), stream, n + 1)
            if index + 1 in self.notes and new.entries:
                new.sign()
        new.sign()  # whoever holds the log's keys does not hold the witness's
        return new

    # Handing out

    def tiles(self) -> dict[str, bytes]:
        """Every tile of the tree, by its path."""
        size, rows = len(self.entries), [[leaf_hash(entry) for entry in self.entries]]
        while len(rows[-1]) >= 256:
            whole = len(rows[-1]) // 256
            rows.append(
                [tile_root(b"".join(rows[-1][n * 256 : n * 256 + 256])) for n in range(whole)]
            )
        found = {}
        for level, n in full_tiles_between(0, size):
            found[tile_path(level, n)] = b"".join(rows[level][n * 256 : n * 256 + 256])
        for level, n, width in partial_tiles(size):
            found[tile_path(level, n, width)] = b"".join(rows[level][n * 256 : n * 256 + width])
        return found

    def files_of(
        self, scope: Mapping[str, Any] | None = None, *, openings: bool = True
    ) -> dict[str, bytes]:
        """A bundle's files, by their paths. The newest checkpoint is of all entries."""
        scope = scope or {"kind": "full"}
        size = len(self.entries)
        assert max(self.notes) == size, "sign first"
        shown = [index for index in range(size) if self._is_shown(index, scope)]
        notes, tiles, files = dict(self.notes), self.tiles(), dict[str, bytes]()
        if scope["kind"] == "full":
            for n in range(-(-size // 256)):
                some = self.entries[n * 256 : n * 256 + 256]
                files[tile_path("entries", n, len(some))] = pack_entries(some)
        else:
            named = {(json.loads(self.entries[i])["cp"] or {"size": size})["size"] for i in shown}
            notes = {each: self.notes[each] for each in sorted({*named, size} & notes.keys())}
            needed = {index // 256 for index in shown} | {size // 256}
            needed |= {each // 256 for each in notes if each % 256}
            tiles = {
                path: tile
                for path, tile in tiles.items()
                if not path.startswith("tile/0/") or _number(path) in needed
            }
            for k in range(-(-len(shown) // 4096)):
                files[f"shown/{k:06d}"] = b"".join(
                    index.to_bytes(8, "big") + pack_entries([self.entries[index]])
                    for index in shown[k * 4096 : k * 4096 + 4096]
                )
        files |= tiles
        files["checkpoints.jsonl"] = b"".join(
            canonical(notes[each]) + b"\n" for each in sorted(notes)
        )
        files["checkpoint"] = self.notes[size].encode()
        files["policy"] = self.policy().encode()
        files["ids"] = b"".join(sha256(b"row %d" % index).digest()[:16] for index in shown)
        if openings:
            files |= self._private_files(shown)
        digested = ("checkpoints.jsonl", "ids", "policy", "private/openings.jsonl")
        files["bundle.json"] = canonical(
            {
                "digests": {n: sha256(files[n]).hexdigest() for n in digested if n in files},
                "entries": len(shown),
                "format": "livro-da-sala-bundle/1",
                "origin": self.notes[size].split("\n")[0],
                "root": self.tree.root().hex(),
                "scope": scope,
                "size": size,
            }
        )
        return files

    def _private_files(self, shown: Sequence[int]) -> dict[str, bytes]:
        """What opens the commitments of some entries, and the files they name."""
        seen = set(shown)
        listed = [each for each in self.openings if each["index"] in seen]
        listed.sort(key=lambda each: (each["index"], each["field"]))
        lines = b"".join(canonical(each) + b"\n" for each in listed)
        everything = b"".join(self.entries[index] for index in shown)
        return {"private/openings.jsonl": lines} | {
            f"private/attachments/{digest}": content
            for digest, content in self.files.items()
            if digest.encode() in everything
        }

    def _is_shown(self, index: int, scope: Mapping[str, Any]) -> bool:
        if scope["kind"] == "range":
            return bool(scope["from"] <= index < scope["to"])
        stream = orjson.loads(self.entries[index])["stream"] if scope["kind"] == "table" else ""
        return scope["kind"] == "full" or stream == f"table/{scope['table']}"

    def write(
        self, place: Path, scope: Mapping[str, Any] | None = None, *, openings: bool = True
    ) -> Path:
        """A bundle in a folder."""
        return put(place, self.files_of(scope, openings=openings))


def _renamed(value: Any, named: Mapping[str, dict[str, Any]]) -> Any:
    """A value with every reference to an entry brought up to date."""
    if isinstance(value, dict):
        if value.keys() == {"leaf", "n", "stream"}:
            return named.get(value["leaf"], value)
        return {name: _renamed(each, named) for name, each in value.items()}
    return [_renamed(each, named) for each in value] if isinstance(value, list) else value


def _number(path: str) -> int:
    digits = path.partition(".p/")[0].split("/")[2:]
    return int("".join(each.removeprefix("x") for each in digits))


def put(place: Path, files: Mapping[str, bytes]) -> Path:
    """Files in a folder."""
    for name, content in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content)
    return place


def play(book: Book, entries: int, *, every: int = 40, seen: int = 3, tables: int = 4) -> Book:
    """An evening of so many more entries: rounds, loads with witnesses, corrections, erasures.

    A checkpoint every so many entries, every `seen`-th of them before a witness.
    """
    end, count, waiting = len(book.entries) + entries, 0, list[tuple[dict[str, Any], Any]]()
    while len(book.entries) < end:
        table = f"BJ-{book.random.randrange(tables) + 1:02d}"
        _something(book, table, waiting)
        if book.random.randrange(every) == 0:
            count += 1
            book.sign(seen=count % seen == 0)
    book.sign(seen=True)
    return book


def _something(book: Book, table: str, waiting: list[tuple[dict[str, Any], Any]]) -> None:
    """One of the things that happen at a table."""
    stream, die = f"table/{table}", book.random.random()
    at = {"table": table, "partida": f"{table}/2026-11-20/1"}
    if die < 0.05:
        act = book.add("shuffler-loaded/1", at | {"packets": 3, "decks": ["D-1"]}, stream=stream)
        book.add(
            "witnessed/1",
            at | {"witnessed": act, "act": "shuffler-loaded/1", "staff": "S-0200"},
            stream=stream,
            staff="S-0200",
        )
    elif die < 0.10:
        _incident(book, at, erased=die < 0.07)
    elif die < 0.15:
        act = book.add("card-burned/1", at | {"cards": 1, "shoe": 1}, stream=stream)
        values = at | {"cards": 2, "shoe": 1}
        fixed = book.add("card-burned/1", values, stream=stream, supersedes=act)
        waiting.append((fixed, act))
    elif die < 0.19 and waiting:
        fixed, act = waiting.pop(0)
        refused = die < 0.16
        book.add(
            "corrected/1",
            {"pending": fixed, "original": act, "reason": "seen",
             "decision": "refused" if refused else "approved"},
            stream=fixed["stream"],
            staff="S-0300",
        )  # fmt: skip
        if refused:  # then it may be corrected again
            again = book.add(
                "card-burned/1", at | {"table": fixed["stream"][6:], "cards": 3, "shoe": 1},
                stream=fixed["stream"], supersedes=act,
            )  # fmt: skip
            waiting.append((again, act))
    elif die < 0.21:
        values = {"table": table, "place": "Sala Norte, 1.º «piso»"}
        book.add("table-registered/1", values, stream=stream, files=[book.random.randbytes(50)])
    elif die < 0.24:
        book.add("staff-registered/1", {"staff": "S-1"}, stream="house", private={"name": "José"})
    elif die < 0.26:
        _finding(book, stream)
    elif die < 0.265:
        _run(book)
    elif die < 0.27:
        _verified(book)
    else:
        n = book.random.randrange(10**9)
        book.add("round-played/1", at | {"number": n, "seats": [1, 2], "shoe": 1}, stream=stream)


WATCH = "1a8a96a3-58ef-57d8-8a7f-68ac78a4ad89"  # the book watch's run


def _finding(book: Book, stream: str) -> None:
    """The reconciler's, of the last entry of a table and of the first of the house."""
    named = [
        {"leaf": leaf, "n": n, "stream": of}
        for of, (n, leaf) in book.heads.items()
        if of in (stream, "house")
    ]
    evidence = sorted(named, key=lambda each: str(each["stream"]))
    # Of a watch, which has no result that would have to tell of it.
    values = {"article": "21", "evidence": evidence, "key": "f" * 64, "run": WATCH}
    book.add("finding-raised/2", values, stream="reconciler", staff="reconciler")


def changes(raised: Iterable[str], superseded: Iterable[str] = ()) -> dict[str, Any]:
    """What a run's result tells of what it raised and superseded."""
    values = {"raised": sorted(raised), "superseded": sorted(superseded)}
    counts: dict[str, Any] = {name: len(keys) for name, keys in values.items()}
    return counts | {"digest": sha256(canonical(values)).hexdigest()}


def _run(book: Book) -> None:
    """A run of the reconciler's that raises a finding, supersedes one and tells so."""
    run = str(uuid.UUID(bytes=book.random.randbytes(16)))
    keys = [book.random.randbytes(32).hex() for _ in range(2)]
    book.add("reconciliation-started/1", {"run": run}, stream="reconciler", staff="reconciler")
    for kind, values in (
        ("finding-raised/2", {"key": keys[0], "evidence": [], "run": run}),
        ("finding-superseded/2", {"finding": keys[1], "reason": "cured", "run": run}),
        ("reconciliation-finished/1", {"changes": changes(keys[:1], keys[1:]), "run": run}),
    ):
        book.add(kind, values, stream="reconciler", staff="reconciler")


def ids_of(first: int, last: int) -> bytes:
    """The ids of the rows of these entries."""
    return b"".join(sha256(b"row %d" % index).digest()[:16] for index in range(first, last))


def _verified(book: Book) -> None:
    """A verification, which tells of the ids of all rows that there are."""
    size = len(book.entries)
    run = str(uuid.UUID(bytes=book.random.randbytes(16)))
    values = {"changes": changes(()), "ids": sha256(ids_of(0, size)).hexdigest(), "run": run}
    book.add("book-verified/1", values | {"size": size}, stream="house", staff="reconciler")


def _incident(book: Book, at: dict[str, Any], *, erased: bool) -> None:
    """One with a private text, which may be erased again."""
    stream = f"table/{at['table']}"
    values = at | {"incident": "jam", "people": []}
    private = {"text": "Inês viu a carta — «às de copas» \n", "detail": {"a": [1, "ç"]}}
    act = book.add("incident-reported/1", values, stream=stream, private=private)
    if not erased:
        return
    gone = (len(book.entries) - 1, "text")
    how = {"table": at["table"], "entry": act, "field": "text", "legal_basis": "request"}
    book.add("erased/1", how, stream=stream, staff="S-0001")
    book.openings = [each for each in book.openings if (each["index"], each["field"]) != gone]
