"""docs/trust.md: each claim, and each tampering it tells of, names its test; docs/attacks.md: each
attack names the test that carries it out, or says that none does.
"""

import re

import pytest

from tests.gate import ROOT
from tests.named import names_in

PAGE = ROOT / "docs" / "trust.md"
ATTACKS = ROOT / "docs" / "attacks.md"
UNTESTED = ("by hand: ", "read: ", "not tried")  # how a row says so
CLAIMS, TRIED = "| claim | test |", "| tampering | found by | test |"


def table(head: str) -> dict[str, list[str]]:
    """A table's rows by their first column, each with the tests it names."""
    lines = PAGE.read_text("utf-8").split(head)[1].strip().splitlines()[1:]
    rows = {}
    for line in lines:
        if not line.startswith("|"):
            break
        first, _, rest = line.strip("|").partition(" | ")
        rows[first.strip()] = re.findall("`(tests/[^`]+)`", rest)
    return rows


@pytest.mark.parametrize(("head", "least"), [(CLAIMS, 35), (TRIED, 19)])
def test_every_row_names_a_test_that_is_there(head: str, least: int) -> None:
    """What is struck out takes its row with it, and what is new brings its own."""
    rows = table(head)
    assert len(rows) >= least
    for what, tests in rows.items():
        assert tests, what
        for named in tests:
            place, _, name = named.partition("::")
            assert name in names_in(place), f"{what}: {named}"


def test_every_attack_names_a_test_that_is_there_or_says_how_else_it_was_tried() -> None:
    told, levels = ATTACKS.read_text("utf-8").split("## Against ASVS")
    lines = [line for line in told.splitlines() if line.startswith("| ")]
    rows = [line.strip("| ").split(" | ") for line in lines if "shown by" not in line]
    assert len(rows) >= 75
    for row in rows:
        named = re.findall("`(tests/[^`]+)`", row[-1])
        assert named or row[-1].startswith(UNTESTED), row
        for one in named:
            place, _, name = one.partition("::")
            assert name in names_in(place), f"{row[0]}: {one}"
    findings = [int(n) for n in re.findall(r"^\| F(\d+) \|", told, re.MULTILINE)]
    assert findings == list(range(1, 20))
    chapters = [int(n) for n in re.findall(r"^\| V(\d+) ", levels, re.MULTILINE)]
    assert chapters == list(range(1, 18))
