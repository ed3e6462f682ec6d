"""What an entry is made of, read without building what is not needed: docs/log-format.md.

An envelope's texts hold nothing that JSON escapes, so one pattern reads it; only the payload is
parsed. What stands last, `stream` to `who`, comes again and again and is read once.
"""

import re
from array import array
from binascii import unhexlify
from collections.abc import Sequence
from datetime import date
from operator import itemgetter
from typing import Any, Final

from .canonical import parse_objects

Amends = dict[str, Any]  # what a correction corrects: leaf, n, stream
Parts = tuple[bytes, ...]  # at, cp, day, key, kind, n, occurred, payload, prev, end
Read = tuple[Sequence[Any], list[dict[str, object]], "array[int]"]

MAX_ENTRY: Final = 60 * 1024
REMEMBERED: Final = 5_000  # texts that come again and again
_minutes: Final[set[bytes]] = set()
_days: Final[set[bytes]] = set()
_kinds: Final[set[bytes]] = set()
_first: Final = itemgetter(slice(16))
_digits: Final = bytes.maketrans(b"123456789", b"000000000")
_CODE: Final = rb"[A-Za-z0-9._-]{1,40}"
_STREAM: Final = rb"[a-z]{1,20}(?:/" + _CODE + rb")?"
_HEX: Final = rb"[0-9a-f]{64}"
# What ends like an entry is read in one go, whatever else it holds: its end is looked at first.
_whole: Final = re.compile(
    rb'(?=.*"\}\}\Z)\{"at":"(.{27})","cp":(null|\{[^}]*\}),"day":"([^"]{10})","key":"(.{36})",'
    rb'"kind":"([^"]*)","n":([1-9][0-9]{0,15}),"occurred":"(.{27})",'
    rb'"payload":(\{.*\}),"prev":(?:null|"([^"]{64})"),("stream":.*)\}',
    re.DOTALL,
).fullmatch
_end: Final = re.compile(
    rb'"stream":"(' + _STREAM + rb')","supersedes":(?:null|\{"leaf":"(' + _HEX + rb')",'
    rb'"n":([1-9][0-9]{0,15}),"stream":"(' + _STREAM + rb')"\}),"v":1,'
    rb'"who":\{"door":"' + _CODE + rb'","office":"' + _CODE + rb'","staff":"(' + _CODE + rb')"\}'
).fullmatch
_number: Final = re.compile(rb'"n":([1-9][0-9]{0,15}),"occurred"').search
_name: Final = re.compile(rb'"stream":"(' + _STREAM + rb')","sup').match
_minute: Final = re.compile(
    rb"[12][0-9]{3}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]"
).fullmatch
checkpoint_named: Final = re.compile(
    rb'\{"root":"(' + _HEX + rb')","size":([1-9][0-9]{0,15})\}'
).fullmatch
_kind: Final = re.compile(rb"[a-z][a-z0-9-]{0,60}/[1-9][0-9]{0,3}").fullmatch
is_digest: Final = re.compile(r"[0-9a-f]{64}").fullmatch


def parts_of(entry: bytes) -> Parts | None:
    """An entry's parts as bytes; None where it is not written like one."""
    match = _whole(entry) if len(entry) <= MAX_ENTRY else None
    return match and match.groups(b"null")


def read_all(entries: Sequence[bytes]) -> Read | None:
    """The parts of these entries, column by column; their payloads; the ends of their keys.

    None, where any of them is not written like an entry.
    """
    rows = [match.groups(b"null") for match in map(_whole, entries) if match]
    if len(rows) < len(entries) or max(map(len, entries)) > MAX_ENTRY:
        return None
    columns = list(zip(*rows))  # noqa: B905 - all are of one length
    ends, payloads = key_ends(columns[3]), parse_objects(columns[7])
    if ends is None or None in payloads:
        return None
    fine = _are_fine(columns[0] + columns[6], {*columns[2]}, {*columns[4]})
    return (columns, payloads, ends) if fine else None


def _are_fine(moments: Sequence[bytes], days: set[bytes], kinds: set[bytes]) -> bool:
    """Whether such moments, of 27 bytes each, days and kinds there are."""
    joined, minutes = b"".join(moments), {*map(_first, moments)}
    formed = joined.translate(_digits) == b"0000-00-00T00:00:00.000000Z" * len(moments)
    if not formed or joined[17::27].strip(b"012345"):  # what is left are tens of seconds
        return False
    if minutes <= _minutes and days <= _days and kinds <= _kinds:
        return True
    if len(_minutes) + len(_days) + len(_kinds) > REMEMBERED:
        for each in (_minutes, _days, _kinds):
            each.clear()
    if not (
        all(map(is_minute, minutes))
        and all(is_minute(day + b"T00:00") for day in days)
        and all(map(_kind, kinds))
    ):
        return False
    for known, met in ((_minutes, minutes), (_days, days), (_kinds, kinds)):
        known.update(met)
    return True


def end_of(text: bytes) -> tuple[str, str, Amends | None] | None:
    """Stream, author and what is corrected, from `"stream"` on; None: not written like that."""
    match = _end(text)
    if match is None:
        return None
    stream, leaf, n, where, staff = (each.decode() if each else "" for each in match.groups())
    return stream, staff, {"leaf": leaf, "n": int(n), "stream": where} if leaf else None


def place_of(entry: bytes) -> tuple[str | None, int | None]:
    """Where an entry says it stands, stream and number, however damaged it is otherwise."""
    # A correction names a second stream, after its own.
    end = entry.rfind(b'","supersedes":')
    start = entry.rfind(b'"stream":"', 0, end) if end > 0 else -1
    number, name = _number(entry), _name(entry, start) if start >= 0 else None
    return (name[1].decode(), int(number[1])) if name and number else (None, None)


def is_minute(text: bytes) -> bool:
    """Whether there is such a minute: `2026-11-20T19:52`."""
    try:
        return bool(_minute(text) and date.fromisoformat(text[:10].decode()))
    except ValueError:
        return False


def is_moment(text: bytes) -> bool:
    """Whether this is a moment: `2026-11-20T19:52:11.031377Z`."""
    return len(text) == 27 and _are_fine([text], set(), set())


def commitment(value: object) -> str | None:
    """The digest a private field is committed to; None where it is none."""
    digest = value.get("hmac_sha256") if type(value) is dict and len(value) == 1 else None
    return digest if type(digest) is str and is_digest(digest) else None


def key_ends(keys: Sequence[bytes]) -> "array[int] | None":
    """The last eight bytes of each UUID; None where one is not written as it must be."""
    joined, dashes = b"".join(keys), b"-" * len(keys)
    if all(joined[place::36] == dashes for place in (8, 13, 18, 23)) and joined.lower() == joined:
        try:
            raw = unhexlify(joined.replace(b"-", b""))
        except ValueError:
            return None
        if len(raw) == 16 * len(keys):
            return array("Q", raw)[1::2]
    return None
