"""A book, and the one that goes on after it was restored from an older backup."""

from datetime import timedelta
from typing import Any

from tests.verifier.maker import ORIGIN, Book, key, play

OLD, NEW, THIEF = key(ORIGIN), key(ORIGIN, 2), key(ORIGIN, 3)
SECOND = "livro.example/sala-2"


def lost_book(*, approver: str | None = "S-0002", **changed: Any) -> tuple[Book, Book]:
    """A book, and the same one restored from an older backup, going on under another name."""
    before = play(Book(seed=4), 60, every=10)
    after = before.copy()
    play(before, 40, every=10)
    after.now = before.now + timedelta(hours=1)
    newest = before.newest()
    assert newest is not None
    begun = after.add(
        "epoch-begun/1",
        {
            "origin": SECOND,
            "lost_origin": ORIGIN,
            "lost_size": newest["size"],
            "lost_root": newest["root"],
            "reason": "disk",
        }
        | changed,
        stream="house",
        staff="S-0001",
    )
    if approver:
        after.add("epoch-approved/1", {"begun": begun}, stream="house", staff=approver)
    after.origin, after.keys = SECOND, [OLD, key(SECOND)]
    after.known_keys = [OLD, key(SECOND)]
    after.sign()
    return before, play(after, 30)
