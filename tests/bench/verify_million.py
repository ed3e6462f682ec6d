"""A million entries verified, beside what one core can hash at all.

Run: python -m tests.bench.verify_million [--entries N] [--repeat R] [--processes P] [--chips]

The limit: 640 bytes an entry (a leaf of 8 blocks of SHA-256, a node of 2) at the speed at which
one core of this machine hashes one long text.
Held against it, taking turns, each begun anew: hashing every entry up to the root; the whole
verification; the same without orjson; and all three with P processes that read, beside the first,
which follows. Of one process the time is its own processor time, so that others on the machine
count for little. Of several it is the clock's, which counts everybody else on the machine; beside
it stands the processor time of all of them. Both are held against the limit of ONE core. With
`--chips` every entry is a round in which somebody laid a jackpot chip: all of them are kept until
the pool is made again (the goals are those of entries half as long, and no goals of it). Memory is
the most that the first process held, and P times the most any reader held: what they share is
counted in each.
"""

import argparse
import hashlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any, Final

# Whoever verifies imports nothing of the house, so that its memory is the verifier's own.
ROOT: Final = Path(__file__).parents[2]
BLOCKS: Final = 640  # bytes an entry costs at the least, leaf and node
STREAMS: Final = 100
EVERY: Final = 1000  # entries a checkpoint
MOMENT: Final = 1_795_201_200
HASH, WHOLE, PLAIN = "hash + root", "all", "all, without orjson"
GOALS: Final = {HASH: 35, WHOLE: 15, PLAIN: 5}  # hundredths of the limit

Run = tuple[str, int]  # what, and how many processes read


def main() -> None:
    """Write the bundle, verify it, print what it took."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--entries", type=int, default=1_000_000)
    asked.add_argument("--repeat", type=int, default=3)
    asked.add_argument("--processes", type=int, default=min(len(os.sched_getaffinity(0)), 4))
    asked.add_argument("--chips", action="store_true")
    asked.add_argument("--child", nargs=3)
    namespace = asked.parse_args()
    if namespace.child:
        name, count, where = namespace.child
        _say(json.dumps(_measured(name, where, int(count))))
        return
    counts = {1, namespace.processes}
    runs = [(name, count) for count in sorted(counts) for name in GOALS]
    place = Path(tempfile.mkdtemp(prefix="livro-million-"))
    try:
        began = time.monotonic()
        size = write(place, namespace.entries, namespace.chips)
        _say(f"{namespace.entries} entries of {size // namespace.entries} bytes,"
             f" written in {time.monotonic() - began:.0f} s")  # fmt: skip
        found: dict[Run, list[dict[str, Any]]] = {run: [] for run in runs}
        rates = []
        for _ in range(namespace.repeat):
            rates.append(bulk_rate())
            for (name, count), taken in found.items():
                module = [sys.executable, "-m", "tests.bench.verify_million"]
                command = [*module, "--child", name, str(count), str(place)]
                done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
                taken.append(json.loads(done.stdout))
        _record(namespace.entries, rates, found)
    finally:
        shutil.rmtree(place)


def bulk_rate() -> float:
    """Bytes a second of one long text."""
    text, began = bytes(1 << 26), time.process_time()
    hashlib.sha256(text).digest()
    return len(text) / (time.process_time() - began)


def _record(entries: int, rates: list[float], found: dict[Run, list[dict[str, Any]]]) -> None:
    limit = statistics.median(rates) / BLOCKS
    _say(
        f"SHA-256 {statistics.median(rates) / 1e6:.0f} MB/s on one core:"
        f" at most {limit:,.0f} entries a second; load {os.getloadavg()[0]:.1f}"
    )
    for (name, count), runs in found.items():
        shares = [
            entries / statistics.median(run[which] for run in runs) / limit
            for which in ("clock", "seconds")
        ]
        many = f"1 process, {shares[1]:.3f} of the limit"
        if count > 1:
            many = (
                f"{count} processes and the first, {shares[0]:.3f} of the limit of one core"
                f" by the clock, {shares[1]:.3f} by the processor time of all"
            )
        rate = shares[count == 1] * limit
        most = max(run["kilobytes"] for run in runs) // 1024
        _say(f"{name}: {many}, {rate:,.0f}/s (goal {GOALS[name] / 100}), {most} MB,"
             f" {runs[0]['told']}")  # fmt: skip


def _measured(name: str, place: str, processes: int) -> dict[str, Any]:
    if name == PLAIN:
        sys.modules["orjson"] = None  # type: ignore[assignment]
    from audit.verifier.report import Report
    from audit.verifier.verify import verify

    started, began = time.monotonic(), _processor_time()
    if name == HASH:
        verdict = _hashed(Path(place), processes)
    else:
        report = Report()
        verify(place, report, processes=processes)
        assert report.verdict() == 0, report.lines[:5]
        verdict = (
            f"{report.figures['checkpoints']} checkpoints, {report.figures['streams']} streams"
        )
        verdict = ", ".join([verdict, *report.figures["pools"]])
    readers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if processes > 1 else 0
    return {
        "clock": time.monotonic() - started,
        "kilobytes": _most_held() + readers * processes,
        "seconds": _processor_time() - began,
        "told": verdict,
    }


def _hashed(place: Path, processes: int) -> str:
    """Every entry and the root, and nothing else."""
    from audit.verifier.tree import CompactRange

    value, tree = json.loads((place / "bundle.json").read_bytes()), CompactRange()
    tiles = range(-(-value["size"] // 256))
    hashed = partial(_leaves_or_root, str(place), value["size"])
    with Pool(processes) if processes > 1 else nullcontext() as pool:
        for found in pool.imap(hashed, tiles, 8) if pool else map(hashed, tiles):
            if isinstance(found, bytes):
                tree.push(found, 8)
            else:
                tree.extend(found)
    assert tree.root().hex() == value["root"]
    return "root right"


def _leaves_or_root(place: str, size: int, n: int) -> list[bytes] | bytes:
    """The hashes of a tile's entries, or the one above them all where it is full."""
    from audit.verifier.files import Folder
    from audit.verifier.report import Report
    from audit.verifier.tiles import MAX_PACKED, tile_path, unpack
    from audit.verifier.tree import leaves_of, rows_of

    width = min(256, size - 256 * n)
    packed = Folder(place, Report()).read(tile_path("entries", n, width), MAX_PACKED)
    leaves = leaves_of(unpack(packed or b"")[0])
    return rows_of(leaves)[-1][0] if width == 256 else leaves


def _most_held() -> int:
    """By this process, in kilobytes; rusage would count what the one that began it held."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def _processor_time() -> float:
    """Of this process and of those it began that have ended, in seconds."""
    return sum(os.times()[:4])


def write(place: Path, entries: int, chips: bool = False) -> int:
    """A bundle of so many entries; how many bytes these are. The maker's way is for small ones."""
    from casino.tlog.checkpoint import Checkpoint
    from casino.tlog.merkle import Frontier
    from casino.tlog.note import signed
    from casino.tlog.tiles import pack_entries, tile_path
    from tests.verifier.maker import ORIGIN, canonical, key, put

    _heads.clear()
    signer, tree, notes = key(ORIGIN), Frontier(), list[str]()
    rows: list[list[bytes]] = [[]]
    packed, size = list[bytes](), 0
    newest = [b"null"]  # as an entry names it
    for index, (stream, entry) in enumerate((_chips if chips else _entries)(entries, newest)):
        leaf = hashlib.sha256(b"\x00" + entry).digest()
        _heads[stream] = leaf.hex()
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


_heads: dict[str, str] = {}


def _entries(count: int, newest: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """One after the other at a hundred tables, about 450 bytes each."""
    for index in range(count):
        table, at = index % STREAMS, MOMENT + index // 14
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)).encode()
        mark = hashlib.md5(b"%d" % index).hexdigest()
        name, head = b"BJ-%02d" % table, _heads.get(f"table/BJ-{table:02d}")
        yield f"table/BJ-{table:02d}", (
            b'{"at":"%b.%06dZ","cp":%b,"day":"%b","key":"%b","kind":"card-burned/1","n":%d,'
            b'"occurred":"%b.000000Z","payload":{"cards":%d,"shoe":2,"table":"%b"},'
            b'"prev":%b,"stream":"table/%b","supersedes":null,"v":1,'
            b'"who":{"door":"sala","office":"pit","staff":"S-%d"}}'
        ) % (
            when, index % 14 * 70_000, newest[0], when[:10],
            f"{mark[:8]}-{mark[8:12]}-{mark[12:16]}-{mark[16:20]}-{mark[20:]}".encode(),
            index // STREAMS + 1, when, index % 3, name,
            b'"%b"' % head.encode() if head else b"null", name, 100 + table,
        )  # fmt: skip


def _chips(count: int, newest: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """Terms, a start, a hundred partidas; then rounds at all tables, with a chip in each."""
    from tests.verifier.maker import canonical

    numbers: dict[str, int] = {}

    def entry(
        index: int, kind: str, value: Any, stream: str, who: str = "S-1"
    ) -> tuple[str, bytes]:
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(MOMENT + index // 14))
        mark, numbers[stream] = hashlib.md5(b"%d" % index).hexdigest(), numbers.get(stream, 0) + 1
        return stream, canonical(
            {
                "at": f"{moment}.{index % 14 * 70_000:06d}Z", "cp": json.loads(newest[0]),
                "day": moment[:10], "kind": kind, "n": numbers[stream],
                "key": f"{mark[:8]}-{mark[8:12]}-{mark[12:16]}-{mark[16:20]}-{mark[20:]}",
                "occurred": f"{moment}.000000Z", "payload": value, "prev": _heads.get(stream),
                "stream": stream, "supersedes": None, "v": 1,
                "who": {"door": "sala", "office": "pit", "staff": who},
            }
        )  # fmt: skip

    pool, own = {"jackpot": "JP-1"}, "jackpot/JP-1"
    lines = [{"code": "four_aces_same_suit", "share_millionths": 1_000_000}]
    terms = {
        "valid_from": "2000-01-01T00:00:00.000000Z", "stake_cents": 250, "rate_millionths": 25_000,
        "lines": lines, "marking": "automatic", **pool,
    }  # fmt: skip
    yield entry(0, "terms-approved/1", terms, own)
    confirmed = pool | {"confirms": {"leaf": _heads[own], "n": 1, "stream": own}}
    yield entry(1, "terms-confirmed/1", confirmed, own, "S-2")
    yield entry(2, "jackpot-started/1", pool | {"start_cents": 2_500_000}, own)
    for index in range(3, count):
        name = f"BJ-{index % STREAMS:02d}"
        at = {"table": name, "partida": f"{name}/2026-11-20/1"}
        if index < STREAMS + 3:
            values = at | {"jackpots": ["JP-1"]}
            yield entry(index, "partida-opened/1", values, f"table/{name}")
            continue
        wagers = [
            {"kind": "main", "owner": "J1", "returned_cents": 2000, "stake_cents": 1000},
            {"chip": 1, "kind": "jackpot", "owner": "J1", "returned_cents": 0, "stake_cents": 250},
        ]
        hands = [{"actions": ["stand"], "cards": ["TS", "8D"]}]
        values = at | {
            "bank": ["TH", "7C"],
            "boxes": [{"box": 1, "hands": hands, "wagers": wagers}],
        }
        yield entry(index, "round-played/1", values, f"table/{name}")


def _write_tree(place: Path, rows: list[list[bytes]], size: int) -> None:
    from casino.tlog.tiles import full_tiles_between, partial_tiles, tile_path, tile_root
    from tests.verifier.maker import put

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
