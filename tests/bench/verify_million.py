"""A million entries verified, beside what one core can hash at all.

Run: python -m tests.bench.verify_million [--entries N] [--repeat R]

The limit: 640 bytes an entry (a leaf of 8 blocks of SHA-256, a node of 2) at the speed at which
this machine hashes one long text.
Three things are held against it, each in a process of its own, taking
turns: hashing every entry up to the root; the whole verification; the same without orjson. Time is
the process's own processor time, so that others on the machine count for little.
"""

import argparse
import hashlib
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from casino.tlog.checkpoint import Checkpoint
from casino.tlog.merkle import Frontier
from casino.tlog.note import signed
from casino.tlog.tiles import full_tiles_between, pack_entries, partial_tiles, tile_path, tile_root
from tests.conftest import ROOT
from tests.verifier.maker import ORIGIN, canonical, key, put

BLOCKS: Final = 640  # bytes an entry costs at the least, leaf and node
STREAMS: Final = 100
EVERY: Final = 1000  # entries a checkpoint
MOMENT: Final = 1_795_201_200
GOALS: Final = {"hash + root": 35, "all": 15, "all, without orjson": 5}  # hundredths of the limit


def main() -> None:
    """Write the bundle, verify it, print what it took."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--entries", type=int, default=1_000_000)
    asked.add_argument("--repeat", type=int, default=3)
    asked.add_argument("--child", nargs=2)
    told = asked.parse_args()
    if told.child:
        _say(json.dumps(_measured(*told.child)))
        return
    place = Path(tempfile.mkdtemp(prefix="livro-million-"))
    try:
        began = time.monotonic()
        size = write(place, told.entries)
        _say(f"{told.entries} entries of {size // told.entries} bytes,"
             f" written in {time.monotonic() - began:.0f} s")  # fmt: skip
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in GOALS}
        rates = []
        for _ in range(told.repeat):
            rates.append(bulk_rate())
            for name in GOALS:
                command = [
                    sys.executable,
                    "-m",
                    "tests.bench.verify_million",
                    "--child",
                    name,
                    place,
                ]
                done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
                found[name].append(json.loads(done.stdout))
        _tell(told.entries, rates, found)
    finally:
        shutil.rmtree(place)


def bulk_rate() -> float:
    """Bytes a second of one long text."""
    text, began = bytes(1 << 26), time.process_time()
    hashlib.sha256(text).digest()
    return len(text) / (time.process_time() - began)


def _tell(entries: int, rates: list[float], found: dict[str, list[dict[str, Any]]]) -> None:
    limit = statistics.median(rates) / BLOCKS
    _say(
        f"SHA-256 {statistics.median(rates) / 1e6:.0f} MB/s: at most {limit:,.0f} entries a second"
    )
    for name, runs in found.items():
        rate = entries / statistics.median(run["seconds"] for run in runs)
        most = max(run["kilobytes"] for run in runs) // 1024
        _say(f"{name}: {rate:,.0f}/s, {rate / limit:.3f} of the limit"
             f" (goal {GOALS[name] / 100}), {most} MB, {runs[0]['told']}")  # fmt: skip


def _measured(name: str, place: str) -> dict[str, Any]:
    if name == "all, without orjson":
        sys.modules["orjson"] = None  # type: ignore[assignment]
    from audit.verifier.files import Folder
    from audit.verifier.following import MAX_PACKED, unpack
    from audit.verifier.report import Report
    from audit.verifier.tree import CompactRange, leaves_of
    from audit.verifier.verify import verify

    began = time.process_time()
    if name == "hash + root":
        told = json.loads((Path(place) / "bundle.json").read_bytes())
        tree, folder = CompactRange(), Folder(place, Report())
        for n in range(-(-told["size"] // 256)):
            name = tile_path("entries", n, min(256, told["size"] - 256 * n))
            tree.extend(leaves_of(unpack(folder.read(name, MAX_PACKED) or b"")[0]))
        assert tree.root().hex() == told["root"]
        verdict = "root right"
    else:
        report = Report()
        verify(place, report)
        assert report.verdict() == 0, report.lines[:5]
        verdict = f"{report.facts['checkpoints']} checkpoints, {report.facts['streams']} streams"
    seconds = time.process_time() - began
    return {
        "kilobytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        "seconds": seconds,
        "told": verdict,
    }


def write(place: Path, entries: int) -> int:
    """A bundle of so many entries; how many bytes these are. The maker's way is for small ones."""
    _heads.clear()
    signer, tree, notes = key(ORIGIN), Frontier(), list[str]()
    rows: list[list[bytes]] = [[]]
    packed, size = list[bytes](), 0
    newest = [b"null"]  # as an entry names it
    for index, entry in enumerate(_entries(entries, newest)):
        leaf = hashlib.sha256(b"\x00" + entry).digest()
        _heads[index % STREAMS] = b'"' + leaf.hex().encode() + b'"'
        tree.append(leaf)
        rows[0].append(leaf)
        packed.append(entry)
        size += len(entry)
        if tree.size % EVERY == 0 or tree.size == entries:
            text = Checkpoint(ORIGIN, tree.size, tree.root()).text()
            notes.append(signed(text, [signer]))
            newest[0] = b'{"root":"%b","size":%d}' % (tree.root().hex().encode(), tree.size)
        if len(packed) == 256 or tree.size == entries:
            put(place, {tile_path("entries", index // 256, len(packed)): pack_entries(packed)})
            packed.clear()
    _write_tree(place, rows, entries)
    files = {
        "checkpoint": notes[-1].encode(),
        "checkpoints.jsonl": b"".join(canonical(note) + b"\n" for note in notes),
        "ids": bytes(16 * entries),
        "policy": f"log {signer.verifier().text()}\nquorum none\n".encode(),
    }
    names = ("checkpoints.jsonl", "ids", "policy")
    files["bundle.json"] = canonical(
        {
            "digests": {name: hashlib.sha256(files[name]).hexdigest() for name in names},
            "entries": entries,
            "format": "livro-da-sala-bundle/1",
            "origin": ORIGIN,
            "root": tree.root().hex(),
            "scope": {"kind": "full"},
            "size": entries,
        }
    )
    put(place, files)
    return size


_heads: dict[int, bytes] = {}


def _entries(count: int, newest: list[bytes]) -> Iterator[bytes]:
    """One after the other at a hundred tables, about 450 bytes each."""
    for index in range(count):
        table, at = index % STREAMS, MOMENT + index // 14
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)).encode()
        mark = hashlib.md5(b"%d" % index).hexdigest()
        name = b"BJ-%02d" % table
        yield (
            b'{"at":"%b.%06dZ","cp":%b,"day":"%b","key":"%b","kind":"card-burned/1","n":%d,'
            b'"occurred":"%b.000000Z","payload":{"cards":%d,"shoe":2,"table":"%b"},'
            b'"prev":%b,"stream":"table/%b","supersedes":null,"v":1,'
            b'"who":{"door":"sala","office":"pit","staff":"S-%d"}}'
        ) % (
            when, index % 14 * 70_000, newest[0], when[:10],
            f"{mark[:8]}-{mark[8:12]}-{mark[12:16]}-{mark[16:20]}-{mark[20:]}".encode(),
            index // STREAMS + 1, when, index % 3, name,
            _heads.get(table, b"null"), name, 100 + table,
        )  # fmt: skip


def _write_tree(place: Path, rows: list[list[bytes]], size: int) -> None:
    while len(rows[-1]) >= 256:
        row = rows[-1]
        whole = range(0, len(row) // 256 * 256, 256)
        rows.append([tile_root(b"".join(row[at : at + 256])) for at in whole])
    for level, n in full_tiles_between(0, size):
        put(place, {tile_path(level, n): b"".join(rows[level][n * 256 : n * 256 + 256])})
    for level, n, width in partial_tiles(size):
        put(place, {tile_path(level, n, width): b"".join(rows[level][n * 256 : n * 256 + width])})


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main()
