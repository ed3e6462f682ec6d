"""What a page costs: its bytes and its questions to the book."""

import gzip
import os
import re
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

MOST: Final = 60 * 1024  # bytes, gzipped, with everything a page names
QUERIES: Final = 36
_NAMED: Final = re.compile(rb'(?:href|src)="/?static/([^"]+)"')
_WITHIN: Final = re.compile(rb"(?:url\(|@import )[\"']?([^\"')]+)")


def weight(client: Client, address: str) -> int:
    """Bytes of a page and all it names, as a tablet loads them that was never here."""
    page = client.get(address, headers={"accept-encoding": "gzip"})
    assert page.status_code == 200, address
    assert page["Content-Encoding"] == "gzip"
    total, named = len(page.content), set(_NAMED.findall(gzip.decompress(page.content)))
    assert named, "no page is without its style sheet"
    for name in named:
        path: Any = finders.find(name.decode())
        assert path, name
        with open(path, "rb") as file:
            content = file.read()
        total += len(gzip.compress(content)) + sum(map(_within, _WITHIN.findall(content)))
    return total


def _within(named: bytes) -> int:
    """Bytes of what a style sheet loads beside it: the typeface, which is compressed already."""
    path: Any = finders.find(f"casino/{named.decode()}")
    assert path, f"{named.decode()} is no file beside tokens.css"
    return os.path.getsize(path)


def asked(client: Client, address: str) -> int:
    """How many questions a page puts to the book when it is no longer new."""
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)
