"""One look of the signer, step by step: after each it may be killed, and the next look goes on.

The order is what makes a checkpoint safe: compared with our own last one, signed, written to our
own file and synced, published, told to the database. Killed in between, our own file is ahead of
the others, and the same note goes out once more.
"""

import logging
import time
from collections.abc import Callable
from typing import Final

import psycopg

from casino.signer import cosigning, document_seals, keyring
from casino.signer.last import Last, brief, load
from casino.signer.signer_book import Book, Found
from casino.signer.signer_files import PUBLIC, write_whole
from casino.signer.signer_places import Places
from casino.signer.signer_trouble import Refused, Trouble
from casino.signer.tree_follower import WHAT_TO_DO, grown, must_follow
from casino.signer.two_persons import keys_named
from casino.tlog.checkpoint import Checkpoint, parse_checkpoint
from casino.tlog.note import (
    SigningKey,
    first_lines,
    parse_note,
    signed,
    valid_signatures,
    with_signatures,
)
from casino.tlog.policy import Policy
from casino.tlog.strict import Unreadable

EVERY: Final = 10.0  # seconds between two checkpoints of a book that only grows
# What is signed at once: somebody waits for the proof, or might want it to be late.
URGENT: Final = (
    *("shuffler-loaded", "complaint-received", "jackpot-paid", "partida-closed", "draw-committed"),
    *("signing-key-named", "epoch-begun", "epoch-approved", "schema-recorded", "book-restored"),
    *("document-seal-asked", "house-act-decided"),
)

say: Final = logging.getLogger("signer")


class Signer:
    """Signs what follows from what it signed. `every` are the seconds between two checkpoints."""

    def __init__(
        self,
        places: Places,
        book: Book,
        every: float = EVERY,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.places = places
        self.book = book
        self.every = every
        self.now = now
        self._signed_at = now() - every
        self._own: Last | None = None
        self._shown = ""
        self._complaints: dict[str, str] = {}

    def turn(self) -> Last:
        """Look once, and sign where it is time. Gives what was signed last.

        Raises: Refused, psycopg.Error. After either our own file is read again.
        """
        own, self._own = self._own, None
        try:
            own = self._turn(own or self._read())
        except OSError as error:
            # A full disk, a folder that became read-only, a file that is gone.
            raise Refused("files", f"a file cannot be read or written: {error}.") from error
        self._own = own
        return own

    def _read(self) -> Last:
        """What was signed last. Raises: Refused, where what is published says that it was more."""
        own = load(self.places.last, self.places.origin)
        shown = published(self.places)
        if shown and shown.origin == own.origin and shown.size > own.size:
            raise Refused(
                "state-lost",
                f"{self.places.checkpoint} is of {shown.size} entries, our own last checkpoint of"
                f" {own.size}: these are not the newest files of the signer. {WHAT_TO_DO}.",
            )
        return own

    def _turn(self, own: Last) -> Last:
        keys = keyring.load(self.places)
        self._must_be_called(own)
        found = self.book.look(own.size)
        must_follow(own, found)
        witnesses = self._witnesses()
        self._show_policy(keys, witnesses)
        if own.size and found.note_at_own is None:
            own.save(self.places.last)  # once more: the last time it may not have reached the disk
            self._bring_out(own)
        elif own.size:
            self._show(own)
        if found.size > own.size and self._due(own, found):
            own = self._sign(own, found, keys)
        if witnesses is not None:
            self._take_cosignatures(own, witnesses)
        self._seal_documents(own)
        return own

    def _must_be_called(self, own: Last) -> None:
        asked = self.places.asked_origin
        if asked and asked != own.origin:
            raise Refused(
                "origin",
                f"LOG_ORIGIN is {asked}, this log is {own.origin}: only a new epoch renames a log.",
            )

    def _due(self, own: Last, found: Found) -> bool:
        """Whether a tree that grew is to be signed now."""
        waited = self.now() - self._signed_at >= self.every
        return waited or self.book.has_any(own.size, found.size, URGENT)

    def _sign(self, own: Last, found: Found, keys: tuple[SigningKey, ...]) -> Last:
        tree = grown(own, found, self.book.leaves(own.size, found.size))
        text = Checkpoint(own.origin, tree.size, tree.root()).text()
        admitted = self._admitted(tree.size)
        if not keys and not admitted:
            raise Refused("no-key", "no key is left but those that wait for two persons.")
        signed_by_us = Last.of(tree, sign(text, (*keys, *admitted)))
        signed_by_us.save(self.places.last)
        for key in admitted:  # only now: killed before, it is looked for again
            keyring.admit(self.places, key)
            say.info("the key %s signs from here on", keyring.number(key))
        self._signed_at = self.now()
        self._bring_out(signed_by_us)
        say.info("signed %d entries, root %s", tree.size, brief(tree.root()))
        return signed_by_us

    def _admitted(self, size: int) -> tuple[SigningKey, ...]:
        """The keys that waited, and that two persons named in a tree of that size."""
        waiting = keyring.waiting(self.places)
        named = {vkey for vkey, _ in keys_named(self.book, size)} if waiting else set()
        return tuple(key for key in waiting if key.verifier().text() in named)

    def _bring_out(self, own: Last) -> None:
        """Publish a checkpoint, then keep it among the book's."""
        self._shown = own.note
        self._show(own)
        self.book.add_checkpoint(own.size, own.root, own.note)

    def _show(self, own: Last) -> None:
        """Let everybody see the newest checkpoint, with what witnesses put under it."""
        if not self._shown.startswith(own.note):
            self._shown = self._cosigned(own)
        publish(self.places, "checkpoint", self._shown)

    def _cosigned(self, own: Last) -> str:
        """A checkpoint with the witnesses' lines; without them, where they are unreadable."""
        try:
            lines = first_lines(own.note, self.book.cosignatures(own.size))
            shown = with_signatures(own.note, lines)
        except Unreadable as error:
            self._complain("lines", f"no witness's line is shown under {own.size} entries: {error}")
            return own.note
        self._complain("lines", "")
        return shown

    def _show_policy(self, keys: tuple[SigningKey, ...], witnesses: Policy | None) -> None:
        if witnesses is not None and keys:
            logs = dict.fromkeys((*keyring.retired(self.places), *keyring.vkeys(keys)))
            policy = Policy(tuple(logs), witnesses.witnesses, witnesses.groups, witnesses.quorum)
            publish(self.places, "policy", policy.text())

    def _witnesses(self) -> Policy | None:
        """Who may cosign; None where the file that says so cannot be read."""
        try:
            found = cosigning.witnesses(self.places)
        except (Unreadable, OSError) as error:
            self._complain("witnesses", f"{self.places.witnesses} is not used: {error}")
            return None
        self._complain("witnesses", "")
        return found

    def _take_cosignatures(self, own: Last, witnesses: Policy) -> None:
        try:
            taken = cosigning.take(self.places, self.book, witnesses)
        except (Unreadable, OSError) as error:
            self._complain("drop", f"{self.places.drop} cannot be used: {error}")
            return
        self._complain("drop", "")
        if taken and own.size:
            self._shown = ""
            self._show(own)

    def _seal_documents(self, own: Last) -> None:
        """Answer the seals that the signed tree asks for; the book's signature waits for none."""
        try:
            seal = document_seals.load(self.places)
            if seal is not None or (self.places.public / "seal.pem").exists():
                publish(self.places, "seal.pem", "" if seal is None else seal.published)
            answered = 0 if seal is None else document_seals.answer(seal, self.book, own.size)
        except (Trouble, OSError, psycopg.ProgrammingError) as error:
            self._complain("seal", f"no document is sealed: {error}")
            return
        self._complain("seal", "")
        if answered:
            say.info("answered %d seals of documents", answered)

    def _complain(self, about: str, complaint: str) -> None:
        """Say once what is wrong beside the tree: signing does not wait for that."""
        if complaint and complaint != self._complaints.get(about):
            say.error("%s", complaint)
        self._complaints[about] = complaint


def sign(text: str, keys: tuple[SigningKey, ...]) -> str:
    """The note in which all the keys sign a checkpoint, each signature verified before it is used.

    Raises: Refused, where one is not valid: a fault of the machine, or a key's file was changed.
    """
    note = signed(text, keys)
    asked = keyring.vkeys(keys)
    if set(valid_signatures(parse_note(note), asked)) != {key.text() for key in asked}:
        raise Refused("fault", "a signature that was just made is not valid.")
    return note


def published(places: Places) -> Checkpoint | None:
    """The checkpoint that is published, if it can be read. Raises: OSError."""
    try:
        return parse_checkpoint(parse_note(places.checkpoint.read_text("utf-8")).text)
    except (FileNotFoundError, ValueError):
        return None


def publish(places: Places, name: str, text: str) -> None:
    """Put a file into the public folder, unless it says so already. Raises: OSError."""
    file = places.public / name
    try:
        if file.read_text("utf-8") == text:
            return
    except (FileNotFoundError, UnicodeDecodeError):
        pass
    write_whole(file, text, PUBLIC)
