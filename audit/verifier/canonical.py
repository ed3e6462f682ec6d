"""Whether bytes are the one way of writing a value: docs/log-format.md, "An entry".

With orjson or without it the verdict is the same, only the time differs.
"""

import json
import re
import secrets
from collections.abc import Sequence
from itertools import chain, count
from typing import Any, Final
from unicodedata import is_normalized

try:
    import orjson
except ImportError:
    orjson = None  # type: ignore[assignment]

_quick: Final[Any] = orjson  # None: slower, and the same
MAX_WHOLE: Final = 2**53 - 1
MAX_DEPTH: Final = 32
_KINDS: Final = {str, int, bool, dict, list}
_is_name: Final = re.compile(r"[a-z0-9_]+").fullmatch
names_met: Final[set[str]] = set()  # seen and found good; of more than a few hundred some
_encode: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode


def _refuse(text: str) -> object:
    raise ValueError(text)


def loads(data: bytes) -> Any:
    """The value of JSON. Raises: ValueError, RecursionError."""
    if _quick:
        return _quick.loads(data)
    return json.loads(data.decode(), parse_float=_refuse, parse_constant=_refuse)


def dumps(value: Any) -> bytes:
    """A value with sorted names and no spaces. Raises: ValueError, TypeError, RecursionError."""
    if _quick:  # it refuses whole numbers beyond 2^53 - 1 itself
        written: bytes = _quick.dumps(
            value, option=_quick.OPT_SORT_KEYS | _quick.OPT_STRICT_INTEGER
        )
        return written
    return _encode(value).encode()


def within_profile(values: list[object], plain: bool) -> bool:
    """Whether values may be written at all, looked at depth by depth.

    `plain` says that no text among them is other than ASCII or was escaped.
    """
    for depth in count(1):
        kinds = set(map(type, values))
        if not kinds <= _KINDS or (depth > MAX_DEPTH and kinds & {dict, list}):
            return False
        if int in kinds and not _quick:
            if any(type(each) is int and abs(each) > MAX_WHOLE for each in values):
                return False
        if not plain and str in kinds:
            for each in values:
                if type(each) is str and ("\0" in each or not is_normalized("NFC", each)):
                    return False
        objects = _of(dict, values, kinds)
        if not _good_names(set().union(*objects)):
            return False
        lists = _of(list, values, kinds)
        values = list(chain.from_iterable((*map(dict.values, objects), *lists)))
        if not values:
            break
    return True


def _of(kind: type, values: list[object], kinds: set[type]) -> list[Any]:
    if kind not in kinds:
        return []
    return values if len(kinds) == 1 else [each for each in values if type(each) is kind]


def _good_names(names: set[str]) -> bool:
    if not names <= names_met:
        if not all(map(_is_name, names)):
            return False
        if len(names_met) < 1000:
            names_met.update(name for name in names if len(name) < 100)
    return True


def _plain(data: bytes) -> bool:
    return data.isascii() and b"\\" not in data


def parse(data: bytes) -> Any:
    """The value of canonical bytes. Raises: ValueError."""
    try:
        value = loads(data)
        if within_profile([value], _plain(data)) and dumps(value) == data:
            return value
    except (TypeError, RecursionError):
        pass
    raise ValueError("not canonical")


def parse_objects(texts: Sequence[bytes]) -> list[Any]:
    """The objects these bytes write, None for what is not canonical. Each begins `{` and ends `}`.

    They are read at once, divided by a word nobody can have known: no text reaches into the next.
    """
    word = secrets.token_hex(16)
    joined = b"[" + f',"{word}",'.encode().join(texts) + b"]"
    try:
        values = loads(joined)
        found: list[object] = values[::2]
        if (
            values[1::2] == [word] * (len(texts) - 1)
            and within_profile(found, _plain(joined))
            and dumps(values) == joined
        ):
            return found
    except (ValueError, TypeError, RecursionError):
        pass
    return [_parsed(text) for text in texts]


def _parsed(text: bytes) -> object:
    try:
        return parse(text)
    except ValueError:
        return None
