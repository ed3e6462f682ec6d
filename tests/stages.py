"""Stages: what a module's tests begin with, recorded once. Loaded by conftest.py as a plug-in.

A fixture whose body is recorded once a module, and not once a test::

    @recorded_once
    def pit() -> Client:
        chefe_on_duty()
        a_table("shoe")
        return somebody("fiscal_de_banca")

    def test_of_it(pit: Client) -> None: ...

It asks for no fixture but others recorded once. It is recorded and committed once a module (and
worker), in a database of its own; whoever asks for it asks for ``db``. Each test is rolled back
there, or, with ``fresh_db``, has a copy of it, and is given a deep copy of what was returned:
receipts, browsers, names, but no rows of a projection, which a test fetches itself. Of a test that
asks for several, all are recorded, in the order it asks for them, in a database for just these.

Where the same tests begin with one of several stories, these are `one_of_several` and parameters of
an ordinary fixture, which finds what was returned under the story's name in ``stage_set.given``.
"""

from collections.abc import Callable, Generator
from copy import deepcopy
from inspect import Parameter, Signature, signature
from typing import Any, Final

import pytest

from casino.local import roles
from tests.servers import OWN_DATABASE, Databases
from tests.servers_django import Lines

Story = Callable[[], Any]
STORY: Final = "livro_story"


def recorded_once(story: Story) -> Any:
    """A fixture whose body is recorded once a module: its tests begin with what it recorded."""

    def given(stage_set: "Stage", **_: Any) -> Any:
        return deepcopy(stage_set.given[story.__name__])

    asks = [parameter_of(given, "stage_set"), *signature(story).parameters.values()]
    given.__signature__ = Signature(asks)  # type: ignore[attr-defined]
    given.__doc__ = story.__doc__
    setattr(given, STORY, story)
    return pytest.fixture(name=story.__name__)(given)


def one_of_several(story: Story) -> Story:
    """A parameter of a fixture: the tests it is given to begin with what it recorded."""
    setattr(story, STORY, story)
    return story


def parameter_of(function: Any, name: str) -> Parameter:
    """One of its parameters."""
    return signature(function).parameters[name]


def stories_of(item: Any) -> tuple[Story, ...]:
    """What a test begins with, in the order it asks for it, and what that begins with."""
    known = item._fixtureinfo.name2fixturedefs
    asked = [known[name][-1].func for name in item.fixturenames if name in known]
    if hasattr(item, "callspec"):
        asked += item.callspec.params.values()
    return tuple(getattr(one, STORY) for one in asked if hasattr(one, STORY))


def pytest_itemcollected(item: pytest.Item) -> None:
    """Whoever begins with a story needs a database."""
    if isinstance(item, pytest.Function) and stories_of(item):
        if not {"db", *OWN_DATABASE} & set(item.fixturenames):
            item.fixturenames.append("db")


class Stage:
    """A database in which stories were recorded, and this process's lines to it."""

    def __init__(self, databases: Databases, template: str, stories: tuple[Story, ...]) -> None:
        from django.utils import translation

        self.name = databases.copy(template)
        self.lines = Lines(roles.addresses(databases.server, self.name))
        self.stories = {story.__name__: story for story in stories}
        self.given: dict[str, Any] = {}
        before, databases.current = databases.current, self.name
        try:
            with self.lines.in_use(), translation.override("en"):
                for name in self.stories:
                    self.record(name)
        finally:
            databases.current = before

    def record(self, name: str) -> Any:
        """Tell a story, after those it begins with."""
        if name not in self.given:
            story = self.stories[name]
            first = {each: self.record(each) for each in signature(story).parameters}
            self.given[name] = story(**first)
        return self.given[name]


@pytest.fixture(scope="module")
def stages(
    databases: Databases, book_template: str, django_db_setup: None, django_db_blocker: Any
) -> Generator[Callable[[tuple[Story, ...]], Stage]]:
    """The stages of a module, each set when it is first asked for."""
    values: dict[tuple[Story, ...], Stage] = {}

    def stage(stories: tuple[Story, ...]) -> Stage:
        if stories not in values:
            with django_db_blocker.unblock():
                values[stories] = Stage(databases, book_template, stories)
        return values[stories]

    yield stage
    for each in values.values():
        with django_db_blocker.unblock():
            each.lines.close()
        databases.drop(each.name)


@pytest.fixture
def stage_set(request: pytest.FixtureRequest) -> Generator[Stage | None]:
    """Connect to the stage of the test, if it has one."""
    stories = stories_of(request.node)
    if not stories:
        yield None
        return
    databases: Databases = request.getfixturevalue("databases")
    stage: Stage = request.getfixturevalue("stages")(stories)
    if OWN_DATABASE & set(request.fixturenames):  # it has a copy
        stage.lines.close()
        yield stage
        return
    before, databases.current = databases.current, stage.name
    with stage.lines.in_use():
        yield stage
    databases.current = before


@pytest.fixture
def _django_db_helper(stage_set: Stage | None, _django_db_helper: None) -> None:
    """In the stead of pytest-django's: what the test does is rolled back to its stage."""
