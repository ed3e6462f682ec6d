"""Where the signer stands: the files that say why it refuses, and what it tells who asks."""

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import psycopg

from casino.signer import keyring
from casino.signer.last import Last, load
from casino.signer.signer_book import Book, opened
from casino.signer.signer_files import PUBLIC, remove, write_whole
from casino.signer.signer_places import Places, places
from casino.signer.signer_trouble import Refused, Trouble
from casino.signer.token_keys import TokenKey
from casino.signer.tree_follower import grown, must_follow
from casino.tlog.checkpoint import parse_checkpoint
from casino.tlog.note import parse_note
from casino.tlog.strict import Unreadable

LAG: Final = 60.0  # seconds a tree that grew may wait for its checkpoint

say: Final = logging.getLogger("signer")


def report_refused(at: Places, refused: Refused) -> None:
    """Say in the log and in both files why nothing is signed. Nothing is raised: the disk itself
    may be what is wrong.
    """
    before = read_refusal(at)
    if before.get("why") != refused.why:
        say.error("REFUSED (%s): %s", refused.code, refused.why)
    since = before.get("since") if before.get("code") == refused.code else None
    values = {
        "code": refused.code,
        "found_root": refused.root.hex(),
        "found_size": refused.size,
        "since": since or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "why": refused.why,
        **_own(at),
    }
    text = json.dumps(values, indent=1, sort_keys=True) + "\n"
    for file in at.refusals:
        with suppress(OSError):
            if not (file.exists() and file.read_text("utf-8") == text):
                write_whole(file, text, PUBLIC)


def _own(at: Places) -> dict[str, object]:
    try:
        own = load(at.last, at.origin)
    except (Refused, OSError, ValueError):
        return {"origin": "", "own_root": "", "own_size": None}
    own_root = own.root.hex() if own.size else ""
    return {"origin": own.origin, "own_root": own_root, "own_size": own.size}


def report_well(at: Places) -> None:
    """Take the refusal back, where there was one. Raises: OSError."""
    listed = [file for file in at.refusals if file.exists()]
    for file in listed:
        remove(file)
    if listed:
        say.warning("there is nothing to refuse any more")


def read_refusal(at: Places) -> dict[str, object]:
    """What the files say; {} where nothing is refused."""
    for file in at.refusals:
        with suppress(OSError, ValueError):
            value = json.loads(file.read_text("utf-8"))
            if isinstance(value, dict):
                return value
    return {}


def trouble(values: Mapping[str, str]) -> str | None:
    """Why the signer is not well, for `manage.py healthy signer`; None where it is."""
    try:
        at = places(values)
        refusal = read_refusal(at)
        if refusal:
            return f"refuses since {refusal.get('since')}: {refusal.get('why')}"
        with opened(at) as book:
            waited = book.unsigned_for()
    except (Trouble, psycopg.Error) as error:
        return str(error)
    return None if waited <= LAG else f"entries wait for a checkpoint since {waited:.0f} s"


def report(at: Places) -> Iterator[str]:
    """Lines that say where the signer stands. Raises: Refused, at the point where it would refuse;
    psycopg.Error, OSError.
    """
    own = load(at.last, at.origin)
    yield f"origin      {own.origin}"
    for key in keyring.retired(at):
        yield f"retired     {key.text()}"
    for signing_key in keyring.load(at):
        on_token = isinstance(signing_key, TokenKey)
        yield f"signs       {signing_key.verifier().text()}{' (on the token)' * on_token}"
        if isinstance(signing_key, TokenKey):
            signing_key.must_be_there()
    for key in keyring.vkeys(keyring.waiting(at)):
        yield f"waits       {key.text()} (until two persons have named it)"
    yield f"signed      {_tree(own.size, own.root)}"
    yield f"published   {_published(at.checkpoint, own)}"
    with opened(at) as book:
        found = book.look(own.size)
        yield f"tree        {_tree(found.size, found.root)}"
        yield f"in the book {_checkpoint(found.signed_note)}"
        yield from _judged(own, book)
    refusal = read_refusal(at)
    if refusal:
        raise Refused(str(refusal.get("code")), str(refusal.get("why")))


def _judged(own: Last, book: Book) -> Iterator[str]:
    found = book.look(own.size)
    must_follow(own, found)
    grown(own, found, book.leaves(own.size, found.size))
    waiting = found.size - own.size
    yield f"standing    the tree follows from what was signed; {waiting} entries wait"


def _tree(size: int, root: bytes) -> str:
    return f"{size} entries, root {root.hex()}" if size else "nothing yet"


def _published(file: Path, own: Last) -> str:
    try:
        text = file.read_text("utf-8")
    except OSError:
        return "nothing"
    more = len(parse_note(text).signatures) - len(parse_note(own.note).signatures)
    witnessed = f", {more} signatures of witnesses" if text.startswith(own.note) else ""
    return _checkpoint(text) + witnessed


def _checkpoint(note: str) -> str:
    if not note:
        return "nothing yet"
    try:
        checkpoint = parse_checkpoint(parse_note(note).text)
    except Unreadable as error:
        return f"unreadable: {error}"
    return f"a checkpoint of {_tree(checkpoint.size, checkpoint.root)}"
