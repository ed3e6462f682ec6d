"""What every test may ask for, and the last lines that say which tests were left out and why.

- ``@pytest.mark.needs_tool("pdftotext")``: a Debian program. Skipped by name without it; under
  REQUIRE_TOOLS=1, as in .ci/run, its absence fails the test.
- ``shared_data("seeds/x.txt")``: a file of the folder ``shared`` beside the checkout. Skipped where
  there is none: the project stands without it. Counted apart, and never a failure.
- ``@pytest.mark.check``, ``@pytest.mark.soak``, sizes and shares of the three gates: see gate.py.
- databases, queues and brokers: see servers.py; stories recorded once a module: stages.py; waiting:
  see patience.py.
- No process outlives its test: see leftovers.py.
"""

import gc
import importlib
import os
import shutil
import warnings
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import trans_real
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from casino.logs.log_lines import REQUEST
from tests.gate import CHECK, DRAW, GATE, GATES, SEED, in_share

TESTS = Path(__file__).resolve().parent
SHARED = TESTS.parent.parent / "shared"
# The clock of the house may be moved by tests, and by nobody else.
os.environ["TESTING"] = "1"
# Of what a test starts as a process too, the floor's records are written at once.
os.environ.setdefault("SALA_HOLD_SECONDS", "0")
# And no test finds something else from the day on which the rulebooks' figures are a year old.
os.environ.setdefault("FIGURES_DAYS", "36500")
REQUIRE_TOOLS = os.environ.get("REQUIRE_TOOLS") == "1"

# The planted bugs run their tests bare: without pytest-django, and so without databases.
BARE = "PYTEST_DISABLE_PLUGIN_AUTOLOAD" in os.environ
PLUGINS = ["tests.leftovers", "tests.servers", "tests.stages", "tests.rabbitmq"]
pytest_plugins = [] if BARE else PLUGINS

# What takes long begins first: at the end one process would go on with it while the others wait.
LONG = (
    *("tests/local/test_run.py", "tests/jackpot/test_sala_five_rulebooks.py"),
    *("tests/casino/test_words_on_pages.py", "tests/browser/"),
)

# What hypothesis asks of each module of ours before it reads it.
NUMBERS_OF = "is_local_module_file"

# A skip's reason begins with one of these, so the last line can count each kind.
MISSING_TOOL = "missing tool: "
NO_SHARED_DATA = "no shared data: "

# The same examples at every run of `make test` and `make check`; `make soak` looks for new ones and
# prints how to see them again.
settings.register_profile("test", max_examples=40, deadline=None, derandomize=True, database=None)
settings.register_profile("check", max_examples=100, deadline=None, derandomize=True, database=None)
settings.register_profile(
    "soak",
    max_examples=5_000,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(GATE)
if not CHECK:
    # Each process would read the source of the whole product for numbers to try: seconds of each.
    assert hasattr(providers, NUMBERS_OF)
    setattr(providers, NUMBERS_OF, lambda _: False)


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Give the path of a file or folder in ``shared``, or skip the test that asks."""

    def find(path: str) -> Path:
        found = SHARED / path
        if not found.exists():
            pytest.skip(f"{NO_SHARED_DATA}shared/{path} does not lie beside the checkout")
        return found

    return find


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let the commit decide the order too: another one each time, the same one for each commit."""
    if getattr(config.option, "randomly_seed", None) == "default":
        config.option.randomly_seed = SEED
    if not hasattr(config, "workerinput"):  # xdist's workers have it from their controller
        whole = config.args_source is not pytest.Config.ArgsSource.ARGS and GATE == "test"
        os.environ["SHARE"] = "fifth" if whole else "all"


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile a part of the tests in each process: else each would compile all, at the same time.

    In a clean clone, where nothing is compiled, that is two thirds of collecting.
    """
    given: dict[str, Any] = getattr(session.config, "workerinput", {})
    if not given or os.environ.get("SHARE") != "fifth":
        return
    files = sorted(TESTS.rglob("test_*.py"), key=lambda file: file.name)
    for file in files[int(given["workerid"].removeprefix("gw")) :: given["workercount"]]:
        name = ".".join(file.relative_to(TESTS.parent).with_suffix("").parts)
        # What cannot be imported says so when it is collected.
        with suppress(Exception, pytest.skip.Exception), warnings.catch_warnings():
            warnings.simplefilter("error")
            importlib.import_module(name)


def pytest_report_header() -> str:
    """Say which gate this is, and how to draw the same shares and the same order again."""
    return f"gate: {GATE}, drawn by {DRAW} (again: GATE={GATE} DRAW={DRAW})"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Look for the programs a test names before it starts; it is of no request yet."""
    # A test that does not read a file to its end leaves its request open, and the name of it too;
    # and the language of the last page asked for stays that of the process.
    REQUEST.set("")
    trans_real.deactivate()
    for mark in item.iter_markers("needs_tool"):
        for tool in mark.args:
            if shutil.which(tool):
                continue
            if REQUIRE_TOOLS:
                pytest.fail(f"{MISSING_TOOL}{tool} (`make tools` installs it)", pytrace=False)
            pytest.skip(f"{MISSING_TOOL}{tool}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to a later gate what is marked for it."""
    later = GATES[GATES.index(GATE) + 1 :]
    left = [item for item in items if any(item.get_closest_marker(gate) for gate in later)]
    shared = [item for item in items if item.get_closest_marker("share")]
    left += [item for item in shared if not in_share(item.nodeid)]
    if left:
        kept = set(items).difference(left)
        items[:] = [item for item in items if item in kept]
        config.hook.pytest_deselected(items=left)
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    """The place of the long ones in LONG; behind them all others."""
    begins = (turn for turn, place in enumerate(LONG) if item.nodeid.startswith(place))
    return next(begins, len(LONG))


def pytest_collection_finish() -> None:
    """Let the collector of garbage leave alone what collecting the tests has built: it stays."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """Print, below pytest's own closing line, what was left out."""
    yield
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or hasattr(session.config, "workerinput"):
        return
    skipped = [str(report.longrepr[-1]) for report in terminal.stats.get("skipped", [])]
    missing = Counter(why.partition(MISSING_TOOL)[2] for why in skipped if MISSING_TOOL in why)
    tools = missing.total()
    shared = sum(NO_SHARED_DATA in why for why in skipped)
    for tool, tests in sorted(missing.items()):
        terminal.write_line(f"Without {tool}: {tests} left out (`make tools` installs it).")
    terminal.write_line(
        f"Left out: {tools} for a missing tool, {shared} for absent shared data,"
        f" {len(skipped) - tools - shared} for another reason."
    )
