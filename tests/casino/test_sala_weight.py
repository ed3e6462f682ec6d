"""What a page of the floor costs: bytes on the way to a tablet, questions to the book.

How quick the pages are is measured with nothing else on the machine, tests/bench/thirty_tablets.py.
"""

from typing import Final

import pytest

from tests.casino.page_weight import MOST, QUERIES, asked, weight
from tests.factories.open_house import LATER, MACHINE, SHOE, a_house, everybody, games, names

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english"), pytest.mark.share]
# Asked by every tablet every half minute; two questions are for what is held, of nearly no rows.
SEEN_ALWAYS: Final = {"table": 33, "floor": 29}
POST_ONLY: Final = frozenset(
    {"enter", "leave", "lock", "take_back", "take_back_duty", "factor", "theme"}
)
PAGES: Final = [name for name in names() if name not in POST_ONLY]
PARTS: Final = frozenset({"board_now"})  # of a page, with no style sheet of its own


def test_every_page_arrives_within_sixty_kilobytes_with_all_it_names() -> None:
    screens, client = a_house(), everybody()
    heavy = {name: weight(client, screens[name]) for name in PAGES if name not in PARTS}
    assert {name: bytes_ for name, bytes_ in heavy.items() if bytes_ > MOST} == {}


@pytest.mark.check
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
