"""The signer's loop, and the one place there is for a signer."""

import fcntl
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from casino.signer.signer_book import Book, opened
from casino.signer.signer_places import Places, must_be_ours
from casino.signer.signer_state import report_refused, report_well
from casino.signer.signer_trouble import Refused
from casino.signer.signing import EVERY, Signer

POLL: Final = 0.1  # seconds between two looks
PAUSE: Final = 1.0  # seconds until a signer that refuses, or waits for its place, looks again

say: Final = logging.getLogger("signer")

Rest = Callable[[float], None]


@contextmanager
def place(at: Places, book: Book) -> Iterator[bool]:
    """The place of the one signer, of these files and of this database; whether it was free.

    The kernel and the server give it back when we end, even by kill -9.
    """
    held = os.open(at.home / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    ours = False
    try:
        ours = _flocked(held) and book.try_lock()
        yield ours
    finally:
        if ours and not book.connection.closed:
            book.unlock()
        os.close(held)


def _flocked(held: int) -> bool:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def run(
    at: Places, stopped: Callable[[], bool], rest: Rest = time.sleep, every: float = EVERY
) -> None:
    """Sign until `stopped()`. While it refuses, its place is free for moments: `adopt` needs one.

    A lost connection ends the loop with its error: whoever started it starts it again.
    Raises: Trouble, psycopg.Error.
    """
    must_be_ours(at.home)
    waits = False
    with opened(at) as book:
        signer = Signer(at, book, every)
        while not stopped():
            try:
                with place(at, book) as ours:
                    if ours:
                        _sign_on(signer, stopped, rest)
                    elif not waits:
                        say.warning("another signer is at work; waiting for its place")
                    waits = not ours
            except OSError as error:
                report_refused(at, Refused("files", f"a file cannot be used: {error}."))
            if not stopped():
                rest(PAUSE)


def _sign_on(signer: Signer, stopped: Callable[[], bool], rest: Rest) -> None:
    """Look again and again, until stopped or until there is something to refuse."""
    while not stopped():
        try:
            signer.turn()
        except Refused as refused:
            report_refused(signer.places, refused)
            return
        report_well(signer.places)
        rest(POLL)
