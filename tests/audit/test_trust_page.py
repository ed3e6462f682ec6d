"""docs/trust.md: each claim, and each tampering it tells of, names its test."""

import re

import pytest

from tests.gate import ROOT
from tests.named import names_in

PAGE = ROOT / "docs" / "trust.md"
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
