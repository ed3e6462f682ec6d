"""A full bundle read again: its entries, checkpoints and openings. For putting lost entries back.

The verifier stands alone and is asked first; here only what is used is looked at.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from audit.exporting.bundle_export import FORMAT
from audit.exporting.export_refusals import ExportRefused
from audit.exporting.private_files import FILES, OPENINGS
from audit.exporting.read_book import Shown
from casino.tlog.checkpoint import Checkpoint, parse_checkpoint
from casino.tlog.note import (
    MOMENT,
    SIGNATURE,
    Note,
    Signature,
    SignatureRefused,
    parse_note,
    valid_signatures,
)
from casino.tlog.policy import Policy
from casino.tlog.proof import WIDTH
from casino.tlog.strict import Unreadable
from casino.tlog.tiles import tile_path, unpack_entries

CHECKPOINTS: Final = "checkpoints.jsonl"
ROW: Final = 16  # bytes of a UUID
MOST_MANIFEST: Final = 1_000_000  # bytes of bundle.json
MOST_LINE: Final = 2_000_000

NO_BUNDLE: Final = _("{place} is no bundle: {trouble}.")
NOT_FULL: Final = _("{place} does not show the whole book: asked is a full bundle.")
DAMAGED: Final = _(
    "{place} is damaged: {trouble}. `python -m audit.verifier` says more; take another bundle."
)
NOT_SIGNED: Final = _(
    "The checkpoint of {place} is not signed with a key of the policy: nothing is put back from it."
    " If the keys were changed since, name a policy that holds the old one with --policy."
)


class Bundle:
    """A full bundle in a folder: `size` entries, signed in `newest`, the last of its checkpoints.

    Raises: ExportRefused, for what is none, or is damaged; each part when it is read.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        values = self._manifest()
        if values.get("format") != FORMAT or type(values.get("size")) is not int:
            raise ExportRefused(NO_BUNDLE, place=place, trouble=FORMAT)
        if values.get("scope") != {"kind": "full"}:
            raise ExportRefused(NOT_FULL, place=place)
        self.size: int = values["size"]
        self.newest_note = ""
        self.roots: dict[int, bytes] = {}  # by the size that was signed
        last = 0
        for note, head in self._checkpoints():
            if head.size <= last:
                raise self.damaged(CHECKPOINTS)
            self.newest_note, self.newest, last = note, head, head.size
            self.roots[head.size] = head.root
        if not last or last != self.size:
            raise self.damaged(CHECKPOINTS)

    def notes(self) -> Iterator[tuple[int, Note]]:
        """Every checkpoint with its size, by size."""
        for note, head in self._checkpoints():
            yield head.size, parse_note(note)

    def must_be_signed(self, policy: str) -> None:
        """Raises: ExportRefused, where no key of the policy signed the newest checkpoint."""
        try:
            keys = Policy.parse(policy).logs
            valid = valid_signatures(parse_note(self.newest_note), keys)
        except (Unreadable, SignatureRefused) as error:
            raise ExportRefused(NOT_SIGNED, place=self.place) from error
        if not any(key.text() in valid and key.name == self.newest.origin for key in keys):
            raise ExportRefused(NOT_SIGNED, place=self.place)

    def entries(self) -> Iterator[list[Shown]]:
        """Every entry by its index with the id its row had, a tile at a time."""
        with self._opened("ids") as ids:
            for n in range(-(-self.size // WIDTH)):
                width = min(WIDTH, self.size - n * WIDTH)
                path = tile_path("entries", n, width)
                try:
                    entries = unpack_entries((self.place / path).read_bytes())
                except (OSError, Unreadable) as error:
                    raise self.damaged(path) from error
                rows = ids.read(width * ROW)
                if len(entries) != width or len(rows) != width * ROW:
                    raise self.damaged(path)
                yield [
                    Shown(n * WIDTH + at, UUID(bytes=rows[at * ROW : (at + 1) * ROW]), entry)
                    for at, entry in enumerate(entries)
                ]

    def openings(self) -> Iterator[dict[str, object]]:
        """The private values it was made with: field, index, salt (hex) and value of each."""
        if not (self.place / OPENINGS).exists():
            return
        with self._opened(OPENINGS) as lines:
            for line in lines:
                try:
                    value = json.loads(line)
                    bytes.fromhex(value["salt"])
                    if type(value["index"]) is not int or type(value["field"]) is not str:
                        raise ValueError(value)
                    yield {name: value[name] for name in ("field", "index", "salt", "value")}
                except (ValueError, LookupError, TypeError) as error:
                    raise self.damaged(OPENINGS) from error

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The attachments it was made with: digest and content of each."""
        folder = self.place / FILES
        for file in sorted(folder.iterdir()) if folder.is_dir() else ():
            with self._opened(f"{FILES}/{file.name}") as content:
                yield file.name, content.read()

    def _opened(self, path: str) -> BinaryIO:
        try:
            return (self.place / path).open("rb")
        except OSError as error:
            raise self.damaged(path) from error

    def damaged(self, trouble: str) -> ExportRefused:
        """What to raise for a part that is not as it was written."""
        return ExportRefused(DAMAGED, place=self.place, trouble=trouble)

    def _manifest(self) -> dict[str, Any]:
        try:
            with (self.place / "bundle.json").open("rb") as file:
                value = json.loads(file.read(MOST_MANIFEST))
        except (OSError, ValueError) as error:
            raise ExportRefused(NO_BUNDLE, place=self.place, trouble="bundle.json") from error
        if not isinstance(value, dict):
            raise ExportRefused(NO_BUNDLE, place=self.place, trouble="bundle.json")
        return value

    def _checkpoints(self) -> Iterator[tuple[str, Checkpoint]]:
        try:
            with (self.place / CHECKPOINTS).open("rb") as lines:
                while line := lines.readline(MOST_LINE):
                    note = json.loads(line)
                    yield note, parse_checkpoint(parse_note(note).text)
        except (OSError, ValueError, TypeError) as error:
            raise self.damaged(CHECKPOINTS) from error


def signed_by_log(note: Note) -> str:
    """A checkpoint without its witnesses' lines, as the signer wrote it."""
    lines = [each.line for each in note.signatures if not _cosigns(note, each)]
    return note.text + "\n" + "".join(f"{line}\n" for line in lines)


def cosignatures_in(note: Note) -> list[tuple[str, int]]:
    """The witnesses' lines under a checkpoint, with the seconds since 1970 that each names."""
    return [
        (each.line, int.from_bytes(each.blob[:MOMENT], "big"))
        for each in note.signatures
        if _cosigns(note, each)
    ]


def _cosigns(note: Note, line: Signature) -> bool:
    origin = note.text.partition("\n")[0]
    return line.name != origin and len(line.blob) == MOMENT + SIGNATURE
