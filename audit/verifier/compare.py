"""Two copies of one book compared entry by entry: from which entry on the newer is another one.

Beside the verification: each copy is verified by itself. What only follows from an earlier change
(hashes, numbers, checkpoints named) is no change of an entry; entries are known again by the key
under which they were sent.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

from .bundle import read_manifest
from .canonical import dumps, loads
from .envelope import place_of
from .files import Folder
from .report import BadInput, Report
from .tiles import MAX_PACKED, tile_path, unpack
from .tree import TILE

FOLLOWS: Final = {"cp", "n", "prev"}  # of an envelope: what an earlier entry decides
Said = dict[str, bytes]  # the digest of each field


class Copy:
    """The entries of a copy, whole or a part of it. Raises: BadInput."""

    def __init__(self, path: str, report: Report) -> None:
        self.folder = Folder(path, report)
        self.manifest = read_manifest(self.folder)
        self.size: int = self.manifest["size"]

    def entries(self) -> Iterator[tuple[int, bytes]]:
        """Index and entry, ascending. Raises: BadInput, where a file is missing or cut."""
        if self.manifest["scope"]["kind"] == "full":
            for n in range(-(-self.size // TILE)):
                name = tile_path("entries", n, min(TILE, self.size - n * TILE))
                entries, whole = unpack(self._read(name, MAX_PACKED))
                if not whole or n * TILE + len(entries) > self.size:
                    raise BadInput("file-form", name)
                yield from enumerate(entries, n * TILE)
            return
        number = shown = 0
        while shown < self.manifest["entries"]:
            name, at = f"shown/{number:06d}", 0
            data = self._read(name, 1 << 30)
            while at < len(data):
                end = at + 10 + int.from_bytes(data[at + 8 : at + 10], "big")
                yield int.from_bytes(data[at : at + 8], "big"), data[at + 10 : end]
                at, shown = end, shown + 1
            number += 1

    def _read(self, name: str, most: int) -> bytes:
        data = self.folder.read(name, most)
        if not data:
            raise BadInput("file-missing", name)
        return data


def compare(older: str, newer: str, report: Report) -> None:
    """Report every entry of the older copy that is not as it was in the newer. Raises: BadInput."""
    before, now = Copy(older, report), Copy(newer, report)
    report.figures |= {"compared": True, "origin": now.manifest["origin"], "size": now.size}
    if before.manifest["origin"] != now.manifest["origin"]:
        report("copy-other-book", origin=before.manifest["origin"], now=now.manifest["origin"])
    theirs = dict(now.entries())
    ours = {index: entry for index, entry in before.entries() if index < now.size}
    both = [index for index in ours if index in theirs]
    if not both:
        report("copy-apart")
        return
    first = next((index for index in both if ours[index] != theirs[index]), None)
    if first is not None:
        stream, n = place_of(ours[first])
        report("copy-rewritten", index=first, stream=stream, n=n)
        _name(ours, theirs, first, report, _is_whole(before) and _is_whole(now))
    if before.size > now.size:
        report("copy-shorter", short=before.size - now.size)
    if first is None:
        report("copy-same", count=len(both))


def _is_whole(copy: Copy) -> bool:
    return bool(copy.manifest["scope"]["kind"] == "full")


def _name(
    ours: dict[int, bytes], theirs: dict[int, bytes], first: int, report: Report, whole: bool
) -> None:
    """From the first that differs on: what says something else, what is gone, what came between."""
    left = {_key(entry, index): index for index, entry in ours.items() if index >= first}
    met = {_key(entry, index): index for index, entry in theirs.items() if index >= first}
    end = max((index for key, index in met.items() if key in left), default=first)
    for key, index in left.items():
        stream, n = place_of(ours[index])
        if key not in met:
            if whole or index in theirs:
                report("copy-dropped", index=index, stream=stream, n=n)
            continue
        mine, other = _fields(ours[index]), _fields(theirs[met[key]])
        fields = sorted(name for name in mine | other if mine.get(name) != other.get(name))
        if fields:
            values: dict[str, Any] = {"fields": ", ".join(fields), "now": met[key]}
            report("copy-changed", index=index, stream=stream, n=n, **values)
    for key, index in met.items():
        if key not in left and index <= end:
            stream, n = place_of(theirs[index])
            report("copy-added", index=index, stream=stream, n=n)


def _key(entry: bytes, index: int) -> str:
    """The sender's key of an entry; of one that cannot be read, its place."""
    try:
        return str(loads(entry)["key"])
    except (ValueError, TypeError, KeyError):
        return f"#{index}"


def _fields(entry: bytes) -> Said:
    """What an entry says by itself: each field of the envelope and of the payload."""
    try:
        body = _without_places(loads(entry))
        values = {name: value for name, value in body.items() if name not in {*FOLLOWS, "payload"}}
        values |= {f"payload.{name}": value for name, value in body["payload"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {"bytes": sha256(entry).digest()}
    return {name: sha256(dumps(value)).digest() for name, value in values.items()}


def _without_places(value: object) -> Any:
    """A value in which what names an entry names only its stream."""
    if type(value) is dict:
        if value.keys() == {"leaf", "n", "stream"}:
            return {"stream": value["stream"]}
        return {name: _without_places(each) for name, each in value.items()}
    return [_without_places(each) for each in value] if type(value) is list else value
