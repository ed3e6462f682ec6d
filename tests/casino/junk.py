"""What no page of the floor asks for, and how it is sent."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from operator import itemgetter
from typing import Any, Final
from urllib.parse import quote_plus

from django.db import transaction
from django.test import Client

from tests.gate import drawn

JUNK: Final = {
    "nothing": "",
    "a word": "x",
    "a number in disguise": "1E+11",
    "too large": "9" * 40,
    "below nothing": "-1",
    "a half": "0.5",
    "no number": "NaN",
    "digits of another script": "１２",
    "nul": "7\x00",
    "half a character": "\ud800",
    "markup": "<script>alert(1)</script>'\"&",
    "huge": "A" * 100_000,
    "turned round": "\u202e6-JB",
    "a header": "a\r\nSet-Cookie: sessionid=x\r\n\r\n",
    "a place elsewhere": "../../etc/passwd",
}

STRANGE: Final = ("BJ-99", "x", "%00", "%3Cb%3E", "..%2F..", "A" * 3_000, "%E2%80%AE", "BJ-01%0A")
_FIELD: Final = re.compile(r'<(?:input|select|textarea|button)\b[^>]*? name="([^"]+)"')
_OWN: Final = frozenset({"csrfmiddlewaretoken", "key", "who", "seen", "at", "language", "next"})


def raw(fields: Mapping[str, str]) -> bytes:
    """A form as bytes, whatever stands in it."""
    listed = ((name, value.encode("utf-8", "surrogatepass")) for name, value in fields.items())
    return "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in listed).encode()


def post(client: Client, url: str, fields: Mapping[str, str]) -> Any:
    return client.post(url, raw(fields), content_type="application/x-www-form-urlencoded")


def fields_of(page: Any) -> list[str]:
    """The names of all a page would send that are not the form's own."""
    named = _FIELD.findall(page.content.decode())
    return [name for name in dict.fromkeys(named) if name not in _OWN]


@contextmanager
def undone() -> Iterator[None]:
    """What is recorded within is taken back: the next try meets the same evening."""
    mark = transaction.savepoint()
    yield
    transaction.savepoint_rollback(mark)


def says_something(answer: Any) -> bool:
    """Whether a page that records nothing says so."""
    if answer.status_code == 400:  # no browser sends what this answers
        return True
    text = answer.content.decode()
    return 'role="alert"' in text or 'class="summary' in text or answer.status_code in (403, 404)


def some(rows: Iterable[str], columns: Iterable[str], most: int = 2) -> dict[str, list[str]]:
    """Which columns are tried at each row: drawn, so that every row and every column has a case.

    All of them in `make check`.
    """
    pairs = list(product(rows, columns))
    kept = {*drawn(pairs, most, kind=itemgetter(0)), *drawn(pairs, 1, kind=itemgetter(1))}
    chosen: dict[str, list[str]] = {}
    for row, column in pairs:
        if (row, column) in kept:
            chosen.setdefault(row, []).append(column)
    return chosen
