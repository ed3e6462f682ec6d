"""What every test may ask for, and the last line that says which tests were left out and why.

- ``@pytest.mark.needs_tool("pdftotext")``: a Debian program. Skipped by name without it; under
  REQUIRE_TOOLS=1, as in .ci/run, its absence fails the test.
- ``shared_data("seeds/x.txt")``: a file of the folder ``shared`` beside the checkout. Skipped where
  there is none: the project stands without it. Counted apart, and never a failure.
- ``size(200, 50_000)``: the small number in `make test`, the full one in `make soak`.
- databases, queues and brokers: see servers.py.
"""

import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
# The clock of the house may be moved by tests, and by nobody else.
os.environ["TESTING"] = "1"
SOAK = os.environ.get("SOAK") == "1"
REQUIRE_TOOLS = os.environ.get("REQUIRE_TOOLS") == "1"

# The planted bugs run their tests bare: without pytest-django, and so without databases.
BARE = "PYTEST_DISABLE_PLUGIN_AUTOLOAD" in os.environ
pytest_plugins = [] if BARE else ["tests.servers", "tests.rabbitmq"]

# A skip's reason begins with one of these, so the last line can count each kind.
MISSING_TOOL = "missing tool: "
NO_SHARED_DATA = "no shared data: "

# The same examples at every run of `make test`; `make soak` looks for new ones and prints how to
# see them again.
settings.register_profile("small", max_examples=100, deadline=None, derandomize=True, database=None)
settings.register_profile(
    "full",
    max_examples=5_000,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("full" if SOAK else "small")


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Give the path of a file or folder in ``shared``, or skip the test that asks."""

    def find(path: str) -> Path:
        found = SHARED / path
        if not found.exists():
            pytest.skip(f"{NO_SHARED_DATA}shared/{path} does not lie beside the checkout")
        return found

    return find


@pytest.fixture(scope="session")
def size() -> Callable[[int, int], int]:
    """Choose between the small and the full number of whatever a test repeats."""
    return lambda small, full: full if SOAK else small


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Look for the programs a test names before it starts."""
    for mark in item.iter_markers("needs_tool"):
        for tool in mark.args:
            if shutil.which(tool):
                continue
            if REQUIRE_TOOLS:
                pytest.fail(f"{MISSING_TOOL}{tool} (`make tools` installs it)", pytrace=False)
            pytest.skip(f"{MISSING_TOOL}{tool}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests that only have a full size to `make soak`."""
    if SOAK:
        return
    full_size_only = [item for item in items if item.get_closest_marker("soak")]
    if full_size_only:
        items[:] = [item for item in items if item not in full_size_only]
        config.hook.pytest_deselected(items=full_size_only)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """Print, below pytest's own closing line, what was left out."""
    yield
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or hasattr(session.config, "workerinput"):
        return
    skipped = [str(report.longrepr) for report in terminal.stats.get("skipped", [])]
    tools = sum(MISSING_TOOL in why for why in skipped)
    shared = sum(NO_SHARED_DATA in why for why in skipped)
    terminal.write_line(
        f"Left out: {tools} for a missing tool, {shared} for absent shared data,"
        f" {len(skipped) - tools - shared} for another reason."
    )
