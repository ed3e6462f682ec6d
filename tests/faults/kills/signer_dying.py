"""A signer that dies at a step: `python -m tests.faults.kills.signer_dying`, told as a signer is.

For each number it reads it starts a child of its own, which looks once and ends at that step with
kill -9 as far as anybody outside can tell (`os._exit`, nothing is closed or written any more). It
answers with the step's name, or with "done" where there was no such step.
"""

import os
import sys
from typing import Any

import pytest

from casino.signer.signer_book import Book, opened
from casino.signer.signer_places import places
from casino.signer.signing import Signer
from tests.casino.signer_paper import Disk

answer = os.write  # the disk below stands in for it


def look(at: int, count: int) -> None:
    """Look once; end at that step."""

    def die() -> None:
        answer(count, disk.names[-1].encode())
        os._exit(9)

    disk = Disk(at, die)

    def add(self: Book, *row: Any) -> None:
        disk.step("before the row")
        whole(self, *row)
        disk.step("after the row")

    whole = Book.add_checkpoint
    Book.add_checkpoint = add  # type: ignore[method-assign]
    with opened(places()) as book, disk.watched(pytest.MonkeyPatch()):
        Signer(places(), book, every=0).turn()
    answer(count, b"done")
    os._exit(0)


def main() -> None:
    """A child for each line."""
    for line in sys.stdin:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                look(int(line), writing)
            finally:
                os._exit(1)
        os.close(writing)
        with os.fdopen(reading) as stream:
            sys.stdout.write(f"{stream.read()}\n")
        os.waitpid(child, 0)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
