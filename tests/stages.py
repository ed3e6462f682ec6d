"""Stages: a story a module's tests begin with, told once. Loaded by conftest.py as a plug-in.

A story is a function without arguments that records what several tests begin with::

    def an_open_table() -> Client:
        chefe_on_duty()
        a_table("shoe")
        return somebody("fiscal_de_banca")

    pytestmark = pytest.mark.stage(story=an_open_table)

    def test_of_it(staged: Client) -> None: ...

It is told and committed once a module (and worker), in a database of its own; the mark gives
``db``. Each test is rolled back there, or, with ``fresh_db``, has a copy of it. ``staged`` is a
deep copy of what the story gave back: receipts, browsers, names, but no rows of a shelf, which a
test fetches itself. A test's own mark counts before its module's; ``stage(story=None)`` begins with
an empty book.
"""

from collections.abc import Callable, Generator
from copy import deepcopy
from typing import Any

import pytest

from casino.local import roles
from tests.servers import OWN_DATABASE, Databases
from tests.servers_django import Lines

Story = Callable[[], Any]


def story_of(item: Any) -> Story | None:
    """The story a test begins with."""
    mark = item.get_closest_marker("stage")
    return mark.kwargs["story"] if mark else None


def pytest_configure(config: pytest.Config) -> None:
    """Announce the mark."""
    config.addinivalue_line("markers", "stage(story=...): begins with what the story recorded")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Whoever begins with a story needs a database."""
    asked = getattr(item, "fixturenames", None)
    if asked is not None and story_of(item) and not {"db", *OWN_DATABASE} & set(asked):
        asked.append("db")


class Stage:
    """A database in which one story was told, and this process's lines to it."""

    def __init__(self, databases: Databases, template: str, story: Story) -> None:
        self.name = databases.copy(template)
        self.lines = Lines(roles.addresses(databases.server, self.name))
        before, databases.current = databases.current, self.name
        try:
            with self.lines.in_use():
                self.given = story()
        finally:
            databases.current = before


@pytest.fixture(scope="module")
def stages(
    databases: Databases, book_template: str, django_db_setup: None, django_db_blocker: Any
) -> Generator[Callable[[Story], Stage]]:
    """The stages of a module, each set when it is first asked for."""
    told: dict[Story, Stage] = {}

    def stage(story: Story) -> Stage:
        if story not in told:
            with django_db_blocker.unblock():
                told[story] = Stage(databases, book_template, story)
        return told[story]

    yield stage
    for each in told.values():
        with django_db_blocker.unblock():
            each.lines.close()
        databases.drop(each.name)


@pytest.fixture
def stage_set(request: pytest.FixtureRequest) -> Generator[Stage | None]:
    """Connect to the stage of the test, if it has one."""
    story = story_of(request.node)
    if story is None:
        yield None
        return
    databases: Databases = request.getfixturevalue("databases")
    stage: Stage = request.getfixturevalue("stages")(story)
    if OWN_DATABASE & set(request.fixturenames):  # it has a copy
        stage.lines.close()
        yield stage
        return
    before, databases.current = databases.current, stage.name
    with stage.lines.in_use():
        yield stage
    databases.current = before


@pytest.fixture
def staged(stage_set: Stage | None) -> Any:
    """What the story gave back."""
    assert stage_set is not None, "this test has no @pytest.mark.stage"
    return deepcopy(stage_set.given)


@pytest.fixture
def _django_db_helper(stage_set: Stage | None, _django_db_helper: None) -> None:
    """In the stead of pytest-django's: what the test does is rolled back to its stage."""
