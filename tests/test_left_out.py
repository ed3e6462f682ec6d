"""What a test run leaves out is named and counted, each reason apart."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = """
import pytest

from tests.gate import drawn, size

@pytest.mark.needs_tool("no-such-program")
def test_tool(): ...

@pytest.mark.needs_tool("another-program")
@pytest.mark.parametrize("case", [1, 2])
def test_another_tool(case): ...

def test_data(shared_data):
    assert shared_data("here.txt").read_text() == "here"
    shared_data("nowhere.txt")

def test_other():
    pytest.skip("its own reason")

@pytest.mark.check
def test_of_the_check(): ...

@pytest.mark.soak
def test_full_size_only():
    assert size(1, 2, 3) == 3

@pytest.mark.parametrize("case", drawn(range(30), 1, kind=lambda case: case % 3))
def test_a_share(case): ...
"""

MARKERS = "[pytest]\nmarkers =\n  needs_tool(n):\n  check:\n  share:\n  soak:\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with this conftest, a few tests, and a folder ``shared`` beside it."""
    tests = tmp_path / "checkout" / "tests"
    tests.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("conftest.py"), tests)
    (tests / "test_sample.py").write_text(SAMPLE, "utf-8")
    (tests / "pytest.ini").write_text(MARKERS, "utf-8")
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "here.txt").write_text("here", "utf-8")
    return tests


def closing_lines(tests: Path, *arguments: str, **environment: str) -> tuple[int, list[str]]:
    """Run those tests: exit code, pytest's closing line, and the lines below it."""
    left_out = ("GATE", "DRAW", "REQUIRE_TOOLS", "PYTEST_XDIST_WORKER", "DJANGO_SETTINGS_MODULE")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    # Without Django and databases, which these tests ask nothing, it starts in half the time.
    kept |= {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=tests,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    lines = run.stdout.strip().splitlines()
    (closing,) = (at for at, line in enumerate(lines) if re.search(r" in \d+\.\d+s", line))
    return run.returncode, lines[closing:]


@pytest.mark.parametrize(
    "arguments", [[], ["-p", "xdist", "-n", "2"]], ids=["alone", "two processes"]
)
def test_each_reason_is_counted_apart(checkout: Path, arguments: list[str]) -> None:
    code, (closing, *below) = closing_lines(checkout, *arguments)
    assert code == 0
    assert "3 passed, 5 skipped" in closing
    assert below == [
        "Without another-program: 2 left out (`make tools` installs it).",
        "Without no-such-program: 1 left out (`make tools` installs it).",
        "Left out: 3 for a missing tool, 1 for absent shared data, 1 for another reason.",
    ]


def test_a_missing_tool_fails_where_tools_are_required(checkout: Path) -> None:
    code, (closing, *below) = closing_lines(checkout, REQUIRE_TOOLS="1")
    assert code == 1
    assert re.search(r"3 (errors|failed)", closing)
    assert below == [
        "Left out: 0 for a missing tool, 1 for absent shared data, 1 for another reason."
    ]


@pytest.mark.parametrize(("gate", "passed"), [("test", 3), ("check", 31), ("soak", 32)])
def test_each_gate_holds_the_one_before_it(checkout: Path, gate: str, passed: int) -> None:
    code, (closing, *_) = closing_lines(checkout, GATE=gate)
    assert code == 0
    assert f"{passed} passed, 5 skipped" in closing


@pytest.mark.check
def test_a_commit_draws_the_same_share_each_time_and_another_commit_another(checkout: Path) -> None:
    lines = []
    for draw in ("one", "one", "two"):
        assert closing_lines(checkout, "-v", "--junitxml=said.xml", DRAW=draw)[0] == 0
        said = (checkout / "said.xml").read_text("utf-8")
        lines.append(sorted(re.findall(r"test_a_share\[\d+\]", said)))
    assert lines[0] == lines[1] != lines[2]


SHARED_OUT = """
import pytest

@pytest.mark.share
@pytest.mark.parametrize("case", range(40))
def test_one(case): ...
"""


def test_a_fifth_of_a_module_is_asked_unless_somebody_names_it(checkout: Path) -> None:
    (checkout / "test_sample.py").write_text(SHARED_OUT, "utf-8")

    def passed(*arguments: str, **environment: str) -> int:
        _, (closing, *_) = closing_lines(checkout, *arguments, **environment)
        found = re.search(r"(\d+) passed", closing)
        return int(found[1]) if found else 0

    assert 0 < passed(DRAW="one") < 20
    assert passed("test_sample.py") == passed(GATE="check") == 40


def test_an_unknown_gate_is_refused() -> None:
    run = subprocess.run(
        [sys.executable, "-c", "import tests.gate"],
        cwd=ROOT,
        env={**os.environ, "GATE": "quick"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert "Expected GATE to be one of test, check, soak, got 'quick'." in run.stderr
