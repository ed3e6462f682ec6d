"""The smallest questions of form: is this a code, a whole number within bounds, one of these words?

Each function takes the value, the JSON path of the object it stands in and the field's name there,
returns nothing and raises `Malformed`. They take any object, because a record may come from bytes
that nobody has typed yet.
"""

import json
import re
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from typing import Final

from casino.events import Malformed
from casino.events.phrases import Phrase

_is_code: Final = re.compile(r"[A-Za-z0-9._-]{1,40}").fullmatch
_is_uuid: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch
_NO_OFFSET: Final = timedelta(0)
_LONGEST_SHOWN: Final = 60
_LARGEST_SHOWN: Final = 10**30


def shown(value: object) -> str:
    """A value as a refusal quotes it: one short line, what cannot be printed escaped.

    A `Phrase` where the words are ours.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if abs(value) < _LARGEST_SHOWN:
            return str(value)
        return Phrase("a whole number of over 30 digits")
    if isinstance(value, str):
        cut = value[:_LONGEST_SHOWN]
        quoted = json.dumps(cut, ensure_ascii=False)
        printed = "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in quoted)
        return printed + ("..." if cut != value else "")
    if isinstance(value, dict):
        return Phrase("an object")
    if isinstance(value, list | tuple):
        return Phrase("a list")
    if isinstance(value, float):
        return Phrase("the fractional number {number}", number=repr(value))
    return ascii(value)[:_LONGEST_SHOWN]


def check_code(value: object, at: str, name: str) -> None:
    """A code: what the house calls a table, a person, a device. 1 to 40 characters."""
    if type(value) is not str or not _is_code(value):
        raise Malformed(
            f"{at}.{name}",
            "found {found}; asked is a code: 1 to 40 letters, digits, dots, hyphens or underscores",
            found=shown(value),
        )


def check_uuid(value: object, at: str, name: str) -> None:
    """A UUID in its canonical lower-case writing."""
    if type(value) is not str or not _is_uuid(value):
        raise Malformed(
            f"{at}.{name}",
            "found {found}; asked is a UUID in lower case with its four hyphens",
            found=shown(value),
        )


def check_whole(value: object, low: int, high: int, at: str, name: str) -> None:
    """A whole number from `low` to `high`; true and false are not numbers."""
    if type(value) is not int or not low <= value <= high:
        raise Malformed(
            f"{at}.{name}" if name else at,
            "found {found}; asked is a whole number from {low} to {high}",
            found=shown(value),
            low=low,
            high=high,
        )


def check_truth(value: object, at: str, name: str) -> None:
    """True or false."""
    if type(value) is not bool:
        raise Malformed(f"{at}.{name}", "found {found}; asked is true or false", found=shown(value))


def check_word(value: object, words: AbstractSet[str], at: str, name: str) -> None:
    """One of a closed list of words."""
    if type(value) is not str or value not in words:
        raise Malformed(
            f"{at}.{name}" if name else at,
            "found {found}; asked is one of {words}",
            found=shown(value),
            words=", ".join(sorted(words)),
        )


def check_instant(value: object, at: str, name: str) -> None:
    """A moment that knows it is UTC."""
    if not isinstance(value, datetime) or value.utcoffset() != _NO_OFFSET:
        raise Malformed(
            f"{at}.{name}", "found {found}; asked is a moment in UTC", found=shown(value)
        )


def check_rising(values: tuple[object, ...], high: int, at: str, name: str) -> None:
    """Places from 1 to `high`, each named once, in ascending order."""
    before = 0
    for index, value in enumerate(values):
        check_whole(value, 1, high, f"{at}.{name}[{index}]", "")
        assert isinstance(value, int)
        if value <= before:
            raise Malformed(
                f"{at}.{name}[{index}]",
                "found {found} after {before}; asked is an ascending list that names each once",
                found=value,
                before=before,
            )
        before = value
