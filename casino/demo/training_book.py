"""What tells a training book from every other: the key of its first entry.

The book is only added to: no book becomes a training book later, and none stops being one. A
backup, a bundle, a whole copy take the entry along.
"""

import hmac
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

from casino.demo.load_demo import BY_ITSELF_KINDS
from casino.demo.recording_acts import key_of

# What the evening is recorded under that a training book begins with.
TALE: Final = "training/"
_BEGINS: Final = """SELECT EXISTS (SELECT FROM book_entry),
    EXISTS (SELECT FROM book_entry WHERE key = %s AND kind = 'staff-registered/1')"""
_PIN_DIGITS: Final = 6


class OtherBook(Exception):
    """A training program on a book in earnest, or the other way round."""


def why_not_this_book(connection: BaseDatabaseWrapper) -> str:
    """Why this program does not open this book; '' where both are of one kind.

    A book that holds nothing but what the program records by itself is anybody's still.
    """
    with connection.cursor() as cursor:
        cursor.execute(_BEGINS, [key_of(0, TALE)])
        begun, is_training = cursor.fetchone()
    if is_training and not settings.TRAINING:
        return (
            "Found a training book, and TRAINING is not 1: nothing in it is real, and it never"
            " becomes a book in earnest. Name the database of the house, or start the training with"
            " `make training`."
        )
    if settings.TRAINING and begun and not is_training and _people_recorded(connection):
        return (
            "Found TRAINING=1 and a book that was not begun for training: it would take invented"
            " records among its own. Training has a database of its own: `make training`."
        )
    return ""


def refuse_other_book(connection: BaseDatabaseWrapper) -> None:
    """Raises: OtherBook."""
    why = why_not_this_book(connection)
    if why:
        raise OtherBook(why)


def _people_recorded(connection: BaseDatabaseWrapper) -> bool:
    """Whether anything in it was recorded by somebody, and not by the program itself."""
    with connection.cursor() as cursor:
        asked = "SELECT EXISTS (SELECT FROM book_entry WHERE kind <> ALL(%s))"
        cursor.execute(asked, [list(BY_ITSELF_KINDS)])
        return bool(cursor.fetchone()[0])


def training_pin() -> str:
    """The code with which an exercise's second person confirms: of this training book alone, and
    shown on its pages.
    """
    made = hmac.new(settings.SECRET_KEY.encode(), b"training pin", sha256).digest()
    return f"{int.from_bytes(made) % 10**_PIN_DIGITS:0{_PIN_DIGITS}d}"
