"""Following entries without files, in all the ways there are; all must tell the same."""

import json
from array import array
from typing import Any

from audit.verifier.entries import EntryChecker
from audit.verifier.words import SEVERITY
from tests.verifier.maker import Book

Recorded = list[tuple[str, int]]


def followed(book: Book, *, notes: bool = False) -> Recorded:
    """Code and index of everything that is reported of a book's entries."""
    ways = [_at_once(book), _one_by_one(book), _in_parts(book)]
    assert ways[0] == ways[1] == ways[2]
    return [each for each in ways[0] if notes or SEVERITY[each[0]] != "note"]


def _earlier(book: Book) -> Any:
    def earlier(stream: str, n: int) -> bytes | None:
        for entry in book.entries:
            try:
                body = json.loads(entry)
                if (body["stream"], body["n"]) == (stream, n):
                    return entry
            except (ValueError, LookupError, TypeError):
                continue
        return None

    return earlier


def _roots(book: Book) -> dict[int, bytes]:
    from base64 import b64decode

    return {size: b64decode(note.split("\n")[2]) for size, note in book.notes.items()}


def _at_once(book: Book) -> Recorded:
    from audit.verifier.tree import leaves_of

    listed: Recorded = []
    checker = EntryChecker(
        lambda code, *, index, **_: listed.append((code, index)), _earlier(book), keys=array("Q")
    )
    marks = [(size, root, None) for size, root in sorted(_roots(book).items())]
    count = len(book.entries)
    checker.feed_all(range(count), book.entries, leaves_of(book.entries), range(count), marks)
    return listed


def _one_by_one(book: Book) -> Recorded:
    listed: Recorded = []
    checker = EntryChecker(lambda code, *, index, **_: listed.append((code, index)), _earlier(book))
    roots = _roots(book)
    for index, entry in enumerate(book.entries):
        if index in roots:
            checker.checkpoint(index, roots[index])
        checker.feed(index, entry)
    return listed


def _in_parts(book: Book) -> Recorded:
    """The state kept as JSON between any two entries, as the online twin may keep it."""
    listed: Recorded = []

    def report(code: str, *, index: int, **_: Any) -> None:
        listed.append((code, index))

    earlier, roots = _earlier(book), _roots(book)
    checker = EntryChecker(report, earlier)
    for index, entry in enumerate(book.entries):
        if index in roots:
            checker.checkpoint(index, roots[index])
        state = json.loads(json.dumps(checker.state()))
        checker = EntryChecker.from_state(state, report, earlier)
        assert json.loads(json.dumps(checker.state())) == state
        checker.feed(index, entry)
    return listed
