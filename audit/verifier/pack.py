"""An evidence pack unpacked: its files, its manifest, its reports' proofs. See docs/bundle.md.

The book in it is verified as any bundle is; here only what lies around it. A seal of a PDF is not
looked at: any reader of signed PDF files does that.
"""

import os
import re
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from .canonical import dumps, loads
from .envelope import is_digest
from .files import Folder
from .notes import Policy
from .record import Record
from .report import BadInput, Report
from .tree import leaf_hash

SUMS: Final = "SHA256SUMS"
BOOK: Final = "livro"
MANIFEST: Final = "manifesto/manifesto"
MOST: Final = 256 * 1024 * 1024  # bytes of a file that is read whole
_line: Final = re.compile(rb"([0-9a-f]{64})  ([^\n\0\\]{1,300})\n?").fullmatch
_own: Final = re.compile(rf"{MANIFEST}(?:-[0-9]{{1,3}})?\.(?:pdf|json|proofs\.json)").fullmatch
_stream: Final = re.compile(rb"stream\r?\n")
_report: Final = re.compile(r"relatorios/([^/]{1,100})\.json").fullmatch


def is_pack(path: str) -> bool:
    """Whether a folder is an evidence pack, and no bundle."""
    return os.path.isfile(f"{path}/{MANIFEST}.json")


class Pack:
    """A pack in a folder. Raises: BadInput, where there is no manifest that can be read."""

    def __init__(self, path: str, report: Report) -> None:
        self.report, self.folder = report, Folder(path, report)
        self.proofs = 0
        self.roots: list[tuple[int, bytes, str]] = []  # size, root, the file that says so

    def check(self, policy: Policy | None) -> None:
        """Every file against the manifest and the sums; every proof by itself."""
        manifest = self._json(f"{MANIFEST}.json")
        try:
            listed = {one["name"]: (one["sha256"], one["size"]) for one in manifest["files"]}
            if not all(map(_is_listed, listed.items())):
                raise ValueError("no list")
        except (KeyError, TypeError, ValueError):
            raise BadInput("pack-form", f"{MANIFEST}.json") from None
        sums = self._sums()
        own = {name for name in sums if _own(name)}
        if sums.keys() - own != listed.keys() or not own:
            self.report("pack-sums", file=SUMS)
        for name in sorted({*listed, *own}):
            found = self.folder.digest(name)
            if found is not None and name in listed and found != listed[name]:
                self.report("pack-digest", file=name, by=f"{MANIFEST}.json")
            elif found is not None and name in sums and found[0] != sums[name]:
                self.report("pack-digest", file=name, by=SUMS)
        for name in self.folder.strangers(lambda name: name in sums):
            self.report("pack-unlisted", file=name)
        stems = [MANIFEST, *(f"relatorios/{one[1]}" for one in map(_report, listed) if one)]
        for stem in stems:
            if not stem.endswith(".proofs"):
                self._check_report(stem, policy, [*listed, *sums])
        self.files = len(listed)

    def _json(self, name: str) -> dict[str, Any]:
        """A canonical JSON object. Raises: BadInput."""
        data = self.folder.read(name, MOST)
        try:
            value = loads(data or b"")
            if type(value) is dict and dumps(value) == data:
                return value
        except (ValueError, TypeError, RecursionError):
            pass
        raise BadInput("pack-form", name)

    def _sums(self) -> dict[str, str]:
        data = self.folder.read(SUMS, MOST) or b""
        found = {}
        for line in data.splitlines(keepends=True):
            if (match := _line(line)) is None or b".." in match[2] or match[2].startswith(b"/"):
                self.folder.report_once("file-form", SUMS)
                continue
            found[match[2].decode("utf-8", "replace")] = match[1].decode()
        return found

    def _check_report(self, stem: str, policy: Policy | None, names: list[str]) -> None:
        """A report's JSON is in its PDF; its proofs are of what it cites, and lead to its root."""
        try:
            value, proofs = self._json(f"{stem}.json"), self._json(f"{stem}.proofs.json")
            cited = {(one["stream"], one["n"]): one["leaf"] for one in value["entries"]}
            point = value["checkpoint"]
            size, root = point["size"]["n"], bytes.fromhex(point["root"])
            if type(size) is not int or {tuple(map(type, one)) for one in cited} - {(str, int)}:
                raise ValueError("no entries")
            listed = {
                (one["entry"]["stream"], one["entry"]["n"]): one["proof"]
                for one in proofs["proofs"]
            }
        except (BadInput, KeyError, TypeError, ValueError):
            self.folder.report_once("file-form", f"{stem}.json")
            return
        volumes = {one for one in names if re.fullmatch(rf"{re.escape(stem)}(-\d+)?\.pdf", one)}
        for name in sorted(volumes) or [f"{stem}.pdf"]:
            carried = self.folder.read(name, MOST) or b""
            if not carries(carried, dumps(value)):
                self.report("pack-picture", file=name, name=f"{stem}.json")
        self.roots.append((size, root, f"{stem}.json"))
        for place, leaf in sorted(cited.items()):
            if not self._proves(listed.get(place), leaf, size, root, f"{stem}.proofs.json", policy):
                self.report("pack-proof", file=f"{stem}.json", stream=place[0], n=place[1])
            self.proofs += 1

    def _proves(
        self, proof: Any, leaf: str, size: int, root: bytes, name: str, policy: Policy | None
    ) -> bool:
        """Whether a proof is of this entry, under this root; what else is wrong it says itself."""
        if type(proof) is not str:
            return False
        try:
            record = Record(proof.encode(), name, self.report, policy)
        except BadInput:
            return False
        record.check()
        there = (record.note.size, record.note.root) == (size, root)
        return there and leaf_hash(record.entry).hex() == leaf

    def sizes(self) -> list[int]:
        """The sizes whose roots its reports name."""
        return [size for size, _root, _name in self.roots]

    def hold_against(self, roots: Mapping[int, bytes], size: int, newest: bytes) -> None:
        """The reports' checkpoints against the book in the pack, of so many entries."""
        known = {**roots, size: newest}
        for of, root, name in self.roots:
            if of > size:  # the manifest, that was made after the copy
                self.report("pack-newer", file=name, size=of)
            elif of not in known:
                self.report("pack-root-unseen", file=name, size=of)
            elif known[of] != root:
                self.report("pack-root", file=name, size=of)
        self.report("pack-kept", files=self.files, proofs=self.proofs)


def _is_listed(one: tuple[Any, tuple[Any, object]]) -> bool:
    name, (digest, size) = one
    parts = name.split("/") if type(name) is str else [""]
    plain = all(part and part not in (".", "..") for part in parts) and "\0" not in name
    return plain and bool(is_digest(digest)) and type(size) is int


def carries(pdf: bytes, data: bytes) -> bool:
    """Whether one of a PDF's streams is exactly this, as it is or deflated."""
    return any(one == data for one in _streams(pdf, len(data)))


def _streams(pdf: bytes, most: int) -> Iterator[bytes]:
    view = memoryview(pdf)
    for found in _stream.finditer(pdf):
        at = found.end()
        yield pdf[at : at + most]
        try:
            yield zlib.decompressobj().decompress(view[at:], most + 1)
        except zlib.error:
            continue


__all__ = ["BOOK", "Pack", "carries", "is_pack"]
