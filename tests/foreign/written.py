"""Exports as the format has them, written here with nothing but casino.tlog."""

import hashlib
import json
from base64 import b64decode
from collections.abc import Iterable, Sequence
from pathlib import Path

from casino.tlog.checkpoint import Checkpoint
from casino.tlog.merkle import leaf_hash
from casino.tlog.note import SigningKey, parse_note, signed
from casino.tlog.proof import TileTree
from casino.tlog.tiles import full_tiles_between, pack_entries, partial_tiles, tile_path
from tests.tlog.trees import Tiles

LOG = SigningKey("demo.invalid/0123456789ab", bytes(range(32)))
VKEY = LOG.verifier().text()


def entries(count: int) -> list[bytes]:
    """Entries of different lengths, an empty one among them."""
    return [b'{"n":%d}' % n * (n % 5) for n in range(count)]


def tiles_of(listed: Iterable[bytes]) -> Tiles:
    return Tiles([leaf_hash(entry) for entry in listed])


def note_at(tree: TileTree, size: int, key: SigningKey = LOG) -> str:
    """The signed checkpoint of a tree as it was at a size."""
    return signed(Checkpoint(key.name, size, tree.root_at(size)).text(), [key])


def tiles_for(size: int) -> list[tuple[int, int, int]]:
    return [*((level, n, 256) for level, n in full_tiles_between(0, size)), *partial_tiles(size)]


def write(path: Path, name: str, data: bytes) -> None:
    (path / name).parent.mkdir(parents=True, exist_ok=True)
    (path / name).write_bytes(data)


def write_bundle(
    path: Path, listed: Sequence[bytes], sizes: Sequence[int], key: SigningKey = LOG
) -> Path:
    """A full export with checkpoints at these sizes, the last of which is of the whole."""
    tiles = tiles_of(listed)
    notes = [note_at(tiles.tree(), size, key) for size in sizes]
    for level, n, width in tiles_for(len(listed)):
        write(path, tile_path(level, n, width), tiles.read(level, n, width))
    for n in range(0, len(listed), 256):
        some = listed[n : n + 256]
        write(path, tile_path("entries", n // 256, len(some)), pack_entries(some))
    write_head(path, notes, {"kind": "full"}, len(listed))
    return path


def write_scoped(path: Path, listed: Sequence[bytes], shown: range, sizes: Sequence[int]) -> Path:
    """An export of some entries: all tiles above the lowest, and of the lowest those needed."""
    tiles = tiles_of(listed)
    notes = [note_at(tiles.tree(), size) for size in sizes]
    needed = {index // 256 for index in shown} | {size // 256 for size in sizes if size % 256}
    for level, n, width in tiles_for(len(listed)):
        if level or n in needed:
            write(path, tile_path(level, n, width), tiles.read(level, n, width))
    records = (
        index.to_bytes(8, "big") + len(listed[index]).to_bytes(2, "big") + listed[index]
        for index in shown
    )
    write(path, "shown/000000", b"".join(records))
    scope = {"from": shown.start, "kind": "range", "to": shown.stop}
    write_head(path, notes, scope, len(shown))
    return path


def write_head(path: Path, notes: list[str], scope: dict[str, object], count: int) -> None:
    """`checkpoint`, `checkpoints.jsonl` and the `bundle.json` that fits them."""
    lines = "".join(json.dumps(note, ensure_ascii=False) + "\n" for note in notes).encode()
    write(path, "checkpoint", notes[-1].encode())
    write(path, "checkpoints.jsonl", lines)
    origin, size, root, _ = parse_note(notes[-1]).text.split("\n")
    head = {
        "digests": {"checkpoints.jsonl": hashlib.sha256(lines).hexdigest()},
        "entries": count,
        "format": "livro-da-sala-bundle/1",
        "origin": origin,
        "root": b64decode(root).hex(),
        "scope": scope,
        "size": int(size),
    }
    write(path, "bundle.json", json.dumps(head, sort_keys=True, separators=(",", ":")).encode())
