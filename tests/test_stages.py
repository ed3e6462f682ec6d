"""A story is told once a module; what a test does to it, no other test sees."""

from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.test import Client

from casino.facts.staff import StaffRegistered
from casino.models import BookEntry
from tests.factories.people import somebody, write

TOLD: list[str] = []


def one_browser() -> dict[str, Any]:
    TOLD.append("one browser")
    return {"browser": somebody("auditor"), "seen": []}


def an_entry_more() -> UUID:
    TOLD.append("an entry more")
    one_browser()
    return write(StaffRegistered(staff="S-0999")).entry_id


pytestmark = pytest.mark.stage(story=one_browser)


@pytest.mark.parametrize("again", range(3))
def test_every_test_begins_with_the_story_and_nothing_else(staged: Any, again: int) -> None:
    assert TOLD.count("one browser") <= 2  # its own, and the longer story's
    assert (BookEntry.objects.count(), staged["seen"]) == (2, [])
    write(StaffRegistered(staff="S-0999"))
    staged["seen"].append(again)
    browser: Client = staged["browser"]
    assert browser.get("/admin/").status_code == 200
    browser.logout()


@pytest.mark.stage(story=an_entry_more)
def test_a_tests_own_story_counts_before_its_modules(staged: UUID) -> None:
    assert BookEntry.objects.filter(pk=staged).exists()
    assert BookEntry.objects.count() == 3


@pytest.mark.django_db
@pytest.mark.stage(story=None)
def test_no_story_is_an_empty_book() -> None:
    assert not BookEntry.objects.exists()


@pytest.mark.parametrize("again", range(2))
def test_a_database_of_ones_own_is_a_copy_of_the_stage(
    fresh_db: str, staged: Any, connect_as: Any, again: int
) -> None:
    assert BookEntry.objects.count() == 2
    write(StaffRegistered(staff="S-0999"))
    other: psycopg.Connection = connect_as("reader")
    assert other.info.dbname == fresh_db
    assert other.execute("SELECT count(*) FROM book_entry").fetchone() == (3,)
    assert staged["browser"].get("/admin/").status_code == 200


@pytest.mark.parametrize("again", range(2))
def test_the_other_roles_see_the_stage(connect_as: Any, again: int) -> None:
    counted = "SELECT count(*) FROM book_entry"
    assert connect_as("reader").execute(counted).fetchone() == (2,)
    write(StaffRegistered(staff="S-0999"))
    assert connect_as("reader").execute(counted).fetchone() == (2,)
