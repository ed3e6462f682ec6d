"""What a page of the floor costs: bytes on the way to a tablet, questions to the book.

How quick the pages are is measured with nothing else on the machine, tests/bench/thirty_tablets.py.
"""

import gzip
import re
from typing import Any, Final

import pytest
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.casino.sala_house import LATER, MACHINE, SHOE, a_house, everybody, games, names

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
MOST: Final = 60 * 1024  # bytes, gzipped, with everything a page names
QUERIES: Final = 36
SEEN_ALWAYS: Final = {"table": 30, "floor": 28}  # asked by every tablet every half minute
POST_ONLY: Final = frozenset({"enter", "leave"})
PAGES: Final = [name for name in names() if name not in POST_ONLY]
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
        assert _WITHIN.findall(content) == [], f"{name.decode()} loads more"
        total += len(gzip.compress(content))
    return total


def asked(client: Client, address: str) -> int:
    """How many questions a page puts to the book when it is no longer new."""
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


def test_every_page_arrives_within_sixty_kilobytes_with_all_it_names() -> None:
    screens, client = a_house(), everybody()
    heavy = {name: weight(client, screens[name]) for name in PAGES}
    assert {name: bytes_ for name, bytes_ in heavy.items() if bytes_ > MOST} == {}


def test_a_longer_evening_asks_no_more_of_the_book() -> None:
    early, client = a_house(30), everybody()
    late = games(LATER[SHOE], LATER[MACHINE], 70)
    few = {name: asked(client, early[name]) for name in PAGES}
    many = {name: asked(client, late[name]) for name in PAGES}
    assert {name: (few[name], many[name]) for name in PAGES if many[name] > few[name]} == {}
    assert {name: count for name, count in many.items() if count > QUERIES} == {}
    assert {name: many[name] for name, most in SEEN_ALWAYS.items() if many[name] > most} == {}


def test_more_tables_ask_no_more_of_the_book_where_all_are_seen() -> None:
    screens, client = a_house(), everybody()
    two = asked(client, screens["floor"])
    games(LATER[SHOE], LATER[MACHINE], 6)
    assert asked(client, screens["floor"]) <= two
