"""One way of writing a value as bytes: what is hashed, signed and kept for ever.

RFC 8785 (JCS), narrowed so that no two writers can differ: names of small letters, digits and
underscores; whole numbers up to 2^53 - 1 either way; texts in Unicode's composed form without NUL
or half a surrogate pair; true, false, lists and objects. No fractions; null only where it is asked
for by name. Moments are texts, see `instant_text`.
"""

import json
import re
import unicodedata
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

MAX_WHOLE: Final = 2**53 - 1
MAX_DEPTH: Final = 32
# The fields of an entry's envelope whose absence is recorded.
ENVELOPE_NULLS: Final = frozenset({"cp", "prev", "supersedes"})

_is_name: Final = re.compile(r"[a-z0-9_]+").fullmatch
_unwritable: Final = re.compile("[\0\ud800-\udfff]").search
_write: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode


class NotCanonical(ValueError):
    """A value that has no canonical bytes. `path` is the JSON path of what is in the way."""

    def __init__(self, path: str, why: str) -> None:
        self.path = path
        self.why = why
        super().__init__(f"{path}: {why}")

    def __reduce__(self) -> tuple[object, ...]:
        # The default would call __init__ with the finished sentence alone.
        return type(self), (self.path, self.why)


def canonical(value: object, *, nulls: AbstractSet[str] = frozenset()) -> bytes:
    """The canonical bytes of a JSON value made of dict, list, str, int and bool.

    `nulls` are the fields of the outermost object that may be null. Raises: NotCanonical.
    """
    found = value
    if nulls and type(value) is dict:
        found = {
            name: each for name, each in value.items() if each is not None or name not in nulls
        }
    if not _writable(found, 1):
        _refuse(found, "$", 1)
    return _write(value).encode()


def _writable(value: Any, depth: int) -> bool:
    """Whether a value has canonical bytes. It is asked of every entry, so no path is written, and
    what stands in an object or a list is asked here and not by a call of its own.
    """
    kind = type(value)
    if kind is dict:
        if depth > MAX_DEPTH or not all(map(_named, value)):
            return False
        parts = value.values()
    elif kind is list:
        if depth > MAX_DEPTH:
            return False
        parts = value
    else:
        parts = (value,)
    for part in parts:
        kind = type(part)
        if kind is str:
            if not (part.isascii() and "\0" not in part) and not _composed(part):
                return False
        elif kind is int:
            if not -MAX_WHOLE <= part <= MAX_WHOLE:
                return False
        elif kind is dict or kind is list:
            if not _writable(part, depth + 1):
                return False
        elif kind is not bool:
            return False
    return True


@lru_cache(4096, typed=True)
def _named(name: object) -> bool:
    """Whether a name is one an object may have; the same few stand in every entry."""
    return type(name) is str and _is_name(name) is not None


def _composed(text: str) -> bool:
    return not _unwritable(text) and unicodedata.is_normalized("NFC", text)


def _refuse(value: Any, path: str, depth: int) -> None:
    """What of a value cannot be written, and where. Raises: NotCanonical, if anything."""
    if _writable(value, depth):
        return
    kind = type(value)
    if kind is str:
        if _unwritable(value):
            raise NotCanonical(path, "a text with a NUL or half a surrogate pair")
        raise NotCanonical(path, "a text that is not in Unicode's composed form (NFC)")
    if kind is int:
        raise NotCanonical(path, "a whole number beyond 2^53 - 1")
    if kind not in (dict, list):
        raise NotCanonical(path, f"a value of the kind {kind.__name__}")
    if depth > MAX_DEPTH:
        raise NotCanonical(path, f"nested deeper than {MAX_DEPTH}")
    if kind is list:
        for index, each in enumerate(value):
            _refuse(each, f"{path}[{index}]", depth + 1)
        return
    for name, each in value.items():
        if not _named(name):
            raise NotCanonical(path, f"the name {ascii(name)[:60]}: not of [a-z0-9_]")
        _refuse(each, f"{path}.{name}", depth + 1)


def instant_text(moment: datetime) -> str:
    """A moment as the book writes it: ``2026-11-20T19:47:00.000000Z``.

    Raises: NotCanonical, for a moment that does not know its offset from UTC.
    """
    if moment.utcoffset() is None:
        raise NotCanonical("$", "a moment without its offset from UTC")
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
