"""A story is recorded once a module; what a test does to it, no other test sees."""

from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.test import Client

from casino.events.staff import StaffRegistered
from casino.models import BookEntry
from tests.factories.people import somebody, write
from tests.stages import recorded_once

RECORDED: list[str] = []


@pytest.fixture(scope="module", autouse=True)
def counted_anew() -> None:
    """A worker that leaves these tests and comes back to some of them tells the stories again."""
    RECORDED.clear()


@recorded_once
def evening() -> dict[str, Any]:
    RECORDED.append("evening")
    return {"browser": somebody("auditor"), "seen": []}


@recorded_once
def one_more() -> UUID:
    RECORDED.append("one more")
    return write(StaffRegistered(staff="S-0999")).entry_id


@pytest.mark.parametrize("again", range(3))
def test_every_test_begins_with_the_story_and_nothing_else(evening: Any, again: int) -> None:
    assert (BookEntry.objects.count(), evening["seen"]) == (2, [])
    write(StaffRegistered(staff="S-0999"))
    evening["seen"].append(again)
    browser: Client = evening["browser"]
    assert browser.get("/admin/").status_code == 200
    browser.logout()
    # For itself, and for those who ask for another one besides.
    assert RECORDED.count("evening") <= 2


@pytest.mark.usefixtures("evening")
def test_of_two_stories_both_are_told(one_more: UUID) -> None:
    assert BookEntry.objects.filter(pk=one_more).exists()
    assert BookEntry.objects.count() == 3


@pytest.mark.django_db
def test_no_story_is_an_empty_book() -> None:
    assert not BookEntry.objects.exists()


@pytest.mark.parametrize("again", range(2))
def test_a_database_of_ones_own_is_a_copy_of_the_stage(
    fresh_db: str, evening: Any, connect_as: Any, again: int
) -> None:
    assert BookEntry.objects.count() == 2
    write(StaffRegistered(staff="S-0999"))
    other: psycopg.Connection = connect_as("reader")
    assert other.info.dbname == fresh_db
    assert other.execute("SELECT count(*) FROM book_entry").fetchone() == (3,)
    assert evening["browser"].get("/admin/").status_code == 200


@pytest.mark.usefixtures("evening")
@pytest.mark.parametrize("again", range(2))
def test_the_other_roles_see_the_stage(connect_as: Any, again: int) -> None:
    counted = "SELECT count(*) FROM book_entry"
    assert connect_as("reader").execute(counted).fetchone() == (2,)
    write(StaffRegistered(staff="S-0999"))
    assert connect_as("reader").execute(counted).fetchone() == (2,)
