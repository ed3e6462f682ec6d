"""Bytes to Python values, refusing whatever two JSON readers could understand differently.

Refused, beyond what JSON itself forbids: a key written twice in one object, numbers that are not
whole or that not every reader keeps exactly, NaN and infinity, text that is not UTF-8, halves of a
surrogate pair, nesting deeper than any record needs. The same bytes mean the same record to
whoever reads them next, and that is what a signature over them is worth.
"""

import json
import re
from typing import Final, NoReturn

from casino.events import Malformed
from casino.events.phrases import Phrase
from casino.events.round.field_form import shown

MAX_DEPTH: Final = 20
MAX_WHOLE: Final = 2**53 - 1
_MAX_DIGITS: Final = 16  # of MAX_WHOLE
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,59}").fullmatch
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"{}[]"))
_SURROGATE: Final = re.compile("[\ud800-\udfff]").search


class _Trouble(Exception):
    """Something strict reading refuses; where it stands is found by reading a second time."""


class _Marked:
    """Stands in the second reading where the trouble is, or for the `field` of it that is."""

    def __init__(self, trouble: Phrase, field: str | None = None) -> None:
        self.trouble = trouble
        self.field = field


def parse(data: bytes) -> object:
    """The value written in `data`.

    Raises: Malformed, with the path of the first value refused, ``$`` where the whole is no JSON.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(
            "$", "found bytes that are not UTF-8, from byte {found} on", found=error.start + 1
        ) from None
    try:
        value: object = _FAST.decode(text)
    except _Trouble:
        _refuse_marked(text)
    except json.JSONDecodeError as error:
        _refuse_text(text, error)
    except RecursionError:
        _refuse_depth("$")
    if "\\u" in text or _may_be_deep(data):
        _look_closely(value)
    return value


def _may_be_deep(data: bytes) -> bool:
    """Whether brackets nest deeper than allowed; a bracket inside a text may raise a false alarm.

    Takes the innermost pairs away, level by level: cheaper than walking through the values.
    """
    brackets = data.translate(None, _NO_BRACKETS)
    for _ in range(MAX_DEPTH):
        if not brackets:
            return False
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
    return bool(brackets)


def _refuse_marked(text: str) -> NoReturn:
    try:
        _look_closely(_MARKING.decode(text))
    except json.JSONDecodeError as error:
        _refuse_text(text, error)
    except RecursionError:
        _refuse_depth("$")
    raise AssertionError("the second reading found nothing where the first one stopped")


def _refuse_text(text: str, error: json.JSONDecodeError) -> NoReturn:
    if not text.strip(" \t\r\n"):
        raise Malformed("$", "found nothing; asked is one JSON value") from None
    if "\0" in text:
        raise Malformed(
            "$",
            "found a NUL at character {found}; asked is JSON text",
            found=text.index("\0") + 1,
        ) from None
    raise Malformed(
        "$",
        "found no JSON from character {at} on, at {found}",
        at=error.pos + 1,
        found=shown(text[error.pos : error.pos + 20])
        if error.pos < len(text)
        else Phrase("the end"),
    ) from None


def _refuse_depth(path: str) -> NoReturn:
    raise Malformed(
        path, "found values nested deeper than {most}; no record needs that", most=MAX_DEPTH
    ) from None


def _look_closely(value: object) -> None:
    """Every value in turn, in the order written: marks, half surrogates, depth."""
    waiting: list[tuple[object, str, int]] = [(value, "$", 1)]
    while waiting:
        here, path, depth = waiting.pop()
        if isinstance(here, _Marked):
            where = path if here.field is None else field_path(path, here.field)
            raise Malformed.because(where, here.trouble)
        if isinstance(here, str):
            _refuse_half(here, path)
            continue
        if not isinstance(here, dict | list):
            continue
        if depth > MAX_DEPTH:
            _refuse_depth(path)
        if isinstance(here, dict):
            for key in here:
                _refuse_half(key, path)
            inner = [(each, field_path(path, key)) for key, each in here.items()]
        else:
            inner = [(each, f"{path}[{index}]") for index, each in enumerate(here)]
        waiting.extend((each, where, depth + 1) for each, where in reversed(inner))


def _refuse_half(text: str, path: str) -> None:
    if not text.isascii() and _SURROGATE(text):
        raise Malformed(
            path,
            "found the text {found} with half a surrogate pair; asked is whole characters",
            found=shown(text),
        )


def field_path(path: str, name: str) -> str:
    """The JSON path of field `name`; a name that is no plain word is quoted and cut short."""
    return f"{path}.{name}" if _PLAIN_NAME(name) else f"{path}[{shown(name)}]"


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise _Trouble
    return fields


def _whole(text: str) -> int:
    if len(text) > _MAX_DIGITS - 1 and _too_large(text):
        raise _Trouble
    return int(text)


def _too_large(text: str) -> bool:
    return len(text) > _MAX_DIGITS + 1 or abs(int(text)) > MAX_WHOLE


def _refuse(_text: str) -> NoReturn:
    raise _Trouble


def _mark_twice(pairs: list[tuple[str, object]]) -> object:
    fields: dict[str, object] = {}
    for name, value in pairs:
        if name in fields:
            trouble = Phrase(
                "found the field {found} twice; asked is each field once", found=shown(name)
            )
            return _Marked(trouble, name)
        fields[name] = value
    return fields


def _mark_whole(text: str) -> object:
    if not _too_large(text):
        return int(text)
    return _Marked(
        Phrase(
            "found the number {found}; asked are whole numbers of at most 2^53 - 1",
            found=_cut(text),
        )
    )


def _mark_not_whole(text: str) -> object:
    return _Marked(
        Phrase(
            "found the number {found}; asked are whole numbers, without point or exponent",
            found=_cut(text),
        )
    )


def _mark_constant(text: str) -> object:
    return _Marked(Phrase("found {found}, which is no JSON", found=text))


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "..."


_FAST: Final = json.JSONDecoder(
    object_pairs_hook=_once, parse_int=_whole, parse_float=_refuse, parse_constant=_refuse
)
_MARKING: Final = json.JSONDecoder(
    object_pairs_hook=_mark_twice,
    parse_int=_mark_whole,
    parse_float=_mark_not_whole,
    parse_constant=_mark_constant,
)
