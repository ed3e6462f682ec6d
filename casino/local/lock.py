"""Only one `make run` of a checkout at a time."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from casino.local.local_places import open_folder
from casino.local.local_trouble import Trouble


class Taken(Trouble):
    """Another process of this checkout holds the lock; `note` is what it wrote about itself."""

    def __init__(self, note: str) -> None:
        super().__init__(f"This checkout runs already: {note or 'it is just starting.'}")
        self.note = note


@contextmanager
def alone(state: Path) -> Iterator[Path]:
    """Hold the checkout's lock; gives the file in which to say what runs here.

    The kernel frees it when we end, even by kill -9. Raises: Taken, when another holds it.
    """
    file = open_folder(state) / "running"
    with file.open("a+") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Taken(file.read_text("utf-8").strip()) from None
        file.write_text("", "utf-8")
        try:
            yield file
        finally:
            if file.exists():  # the whole folder may have been forgotten
                file.write_text("", "utf-8")
