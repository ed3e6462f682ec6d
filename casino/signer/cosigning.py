"""Witnesses' signatures, brought as files: taken where they are valid, put aside with the reason
where they are not.

A file holds a whole note, as a witness gives it back, or only the lines that it added. What begins
with a dot, or was written to a moment ago, is still being brought.
"""

import logging
import os
import stat
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from casino.signer.signer_book import Book
from casino.signer.signer_files import PUBLIC, make_folder, move, write_whole
from casino.signer.signer_places import Places
from casino.tlog.checkpoint import parse_checkpoint
from casino.tlog.note import (
    DASH,
    Note,
    Signature,
    SignatureRefused,
    parse_note,
    parse_signature,
    signer_of,
    valid_signatures,
)
from casino.tlog.policy import NONE, Policy
from casino.tlog.strict import Unreadable

MOST: Final = 65_536  # bytes of a file
MOST_FILES: Final = 50  # looked at in one turn
MOST_CHECKPOINTS: Final = 1_000  # the newest, to which lines without a note may belong
MOST_KEYS: Final = 50  # whose lines are kept under one checkpoint
STILL: Final = 1.0  # seconds a file must have lain unchanged
TAKEN, REFUSED = "taken", "refused"  # folders in the drop
# How a file ends that the house's job laid, some thousand a night: once it is taken it stands in
# the database, and is removed.
ASKED: Final = ".line"
SKEW: Final = 120  # seconds by which a witness's clock may differ from ours

say: Final = logging.getLogger("signer")


class Unfit(Exception):
    """A file is not taken; the text is its reason."""


def witnesses(places: Places) -> Policy:
    """Who may cosign, and how many are asked for; nobody, where no file says so.

    Raises: Unreadable, OSError.
    """
    file = places.witnesses
    if file is None or not file.exists():
        return Policy((), {}, {}, NONE)
    with file.open("rb") as held:
        return Policy.parse(held.read(MOST))


def take(places: Places, book: Book, known: Policy) -> int:
    """Take what was brought; how many files were. Raises: psycopg.Error, OSError."""
    taken = 0
    for name in (TAKEN, REFUSED):
        _must_be_a_folder(places.drop / name)
    for path in brought(places.drop):
        try:
            lines = valid_lines(_read(path), book, known)
        except Unfit as unfit:
            _put_aside(path, str(unfit))
            continue
        for size, line, at in _first(lines, book):
            book.add_cosignature(size, line, at)
        if path.suffix == ASKED:
            path.unlink()
        else:
            make_folder(places.drop / TAKEN, 0o755)
            move(path, places.drop / TAKEN)
        say.info("took %s: %s", path.name, ", ".join(sorted({_of(line) for _, line, _ in lines})))
        taken += 1
    return taken


def _must_be_a_folder(path: Path) -> None:
    """Others write to the drop: a link there leads our files elsewhere. Raises: OSError."""
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        raise NotADirectoryError(f"{path} is no folder: remove it")


def _first(
    lines: list[tuple[int, str, datetime]], book: Book
) -> Iterator[tuple[int, str, datetime]]:
    """Of lines for one size those to be kept: one of each key, the earliest of those brought.

    A witness who signs again says nothing new, and a note has no room for it.
    """
    for size in {size for size, _, _ in lines}:
        kept = {signer_of(line) for line in book.cosignatures(size)}
        for one in sorted(lines, key=lambda one: one[2]):
            key = signer_of(one[1])
            if one[0] == size and key not in kept and len(kept) < MOST_KEYS:
                kept.add(key)
                yield one


def brought(drop: Path) -> list[Path]:
    """The files to be looked at now, by name."""
    try:
        with os.scandir(drop) as entries:
            found = [Path(one.path) for one in entries if _is_brought(one)]
    except FileNotFoundError:
        return []
    return sorted(found)[:MOST_FILES]


def _is_brought(file: os.DirEntry[str]) -> bool:
    if file.name.startswith(".") or file.is_dir(follow_symlinks=False):
        return False
    age = time.time() - file.stat(follow_symlinks=False).st_mtime
    return age >= STILL or age < -SKEW


def _read(path: Path) -> str:
    """What a file says. Raises: Unfit."""
    try:
        held = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Unfit(f"it cannot be opened: {error.strerror}") from None
    with os.fdopen(held, "rb") as file:
        if not stat.S_ISREG(os.fstat(held).st_mode):
            raise Unfit("it is no file")
        data = file.read(MOST + 1)
    if len(data) > MOST:
        raise Unfit(f"it is longer than {MOST} bytes")
    try:
        return data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Unfit("it is no text in UTF-8") from None


Candidate = tuple[int, str, datetime]


def valid_lines(text: str, book: Book, known: Policy) -> list[tuple[int, str, datetime]]:
    """The witnesses' lines in a text that are valid: the size they are for, each line, its moment.

    Raises: Unfit, where there is none, with what is wrong with what there is.
    """
    if not known.witnesses:
        raise Unfit("no witness is known: the file that WITNESSES names would say who is one")
    candidates, lines = _candidates(text, book)
    names = {(key.name, key.key_id) for key in known.witnesses.values()}
    of_known = tuple(line for line in lines if (line.name, line.key_id) in names)
    if not of_known:
        raise Unfit(f"none of its {len(lines)} signatures is a known witness's")
    now = book.now()
    for size, checkpoint, signed_at in candidates:
        signed = [(line.line, _moment(checkpoint, line, known)) for line in of_known]
        found = [(size, line, at) for line, at in signed if at is not None]
        for _, _, at in found:
            # No witness can have seen it before it was signed, nor later than now.
            if abs((min(max(at, signed_at), now) - at).total_seconds()) > SKEW:
                raise Unfit(f"it is dated {at.isoformat()}: the witness's clock or ours is wrong")
        if found:
            return found
    raise Unfit("no witness's signature in it is valid for a checkpoint that we signed")


def _candidates(text: str, book: Book) -> tuple[list[Candidate], tuple[Signature, ...]]:
    """The checkpoints (size, signed text, moment) the signatures may be for, and these.

    Raises: Unfit.
    """
    try:
        if text.startswith(DASH):
            lines = tuple(parse_signature(line) for line in text.splitlines() if line)
            newest = book.checkpoints(MOST_CHECKPOINTS)
            return [(size, parse_note(note).text, at) for size, note, at in newest], lines
        note = parse_note(text, MOST)
        checkpoint = parse_checkpoint(note.text)
    except Unreadable as error:
        raise Unfit(f"it is neither a signed note nor lines of one: {error}") from None
    ours = book.checkpoint(checkpoint.size)
    if ours is None:
        raise Unfit(f"we signed no checkpoint of {checkpoint.size} entries")
    if parse_note(ours[0]).text != note.text:
        raise Unfit(f"it is another checkpoint of {checkpoint.size} entries than the one we signed")
    return [(checkpoint.size, note.text, ours[1])], note.signatures


def _moment(text: str, line: Signature, known: Policy) -> datetime | None:
    """When a witness signed a text; None where he did not. Raises: Unfit, for no moment of ours."""
    try:
        valid = valid_signatures(Note(text, (line,)), known.witnesses.values())
        return datetime.fromtimestamp(next(iter(valid.values())) or 0, UTC)
    except SignatureRefused:
        return None
    except (OverflowError, OSError, ValueError):
        raise Unfit("it is dated at no moment of our time") from None


def _put_aside(path: Path, why: str) -> None:
    """Move a file to those refused, with its reason beside it. Raises: OSError."""
    folder = path.parent / REFUSED
    make_folder(folder, 0o755)
    place = move(path, folder)
    write_whole(place.with_name(f"{place.name}.why"), f"{why}\n", PUBLIC)
    say.warning("refused %s: %s", path.name, why)


def _of(line: str) -> str:
    return line.split(" ")[1]
