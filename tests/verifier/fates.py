"""What may happen to an honest book on an ordinary day."""

from datetime import timedelta

from tests.verifier.maker import Book, instant, key, play


def a_key_changes(book: Book) -> None:
    """By overlap: named, both sign, the old one goes."""
    old, new = book.keys[-1], key(book.origin, len(book.known_keys) + 1)
    book.add(
        "signing-key-named/1",
        {"vkey": new.verifier().text(), "replaces": old.verifier().text(), "reason": "yearly"},
        stream="house",
    )
    book.known_keys.append(new)
    book.keys = [old, new]
    play(book, 10)
    book.keys = [new]


def a_clock_is_set_back(book: Book) -> None:
    """By less than two minutes: a note, no more."""
    book.now -= timedelta(seconds=book.random.randrange(2, 110))


def a_writer_is_slow(book: Book) -> None:
    """He has his stamp and his checkpoint, and ends ten minutes later."""
    at, cp = book.now, book.newest()
    for _ in range(8):
        book.now += timedelta(seconds=100)
        book.add("duty-begun/1", {"staff": "S-1"}, stream="house")
    book.sign()
    book.add("card-burned/1", {"cards": 1}, stream="table/BJ-77", at=instant(at), cp=cp)


def everything_falls_over(book: Book) -> None:
    """A crash: what was not committed is gone, and nobody held a receipt. Time passes."""
    book.now += timedelta(minutes=20)


def a_backup_is_restored_and_filled_up(book: Book) -> None:
    """The lost entries come back from a bundle as they were: the book is the same one."""
    kept = book.copy()
    book.entries, book.heads, book.notes = kept.entries, kept.heads, kept.notes
    book.tree = kept.tree


FATES = [
    a_key_changes, a_clock_is_set_back, a_writer_is_slow, everything_falls_over,
    a_backup_is_restored_and_filled_up,
]  # fmt: skip
