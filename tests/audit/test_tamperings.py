"""tamperings.toml: what a court's expert did, each by the number of his list, and what tells it."""

import tomllib
from collections import Counter
from typing import Any

import pytest

from tests.audit.attacks_on_book import ATTACKS
from tests.gate import ROOT
from tests.named import names_in
from tests.verifier.mutations import MUTATIONS

TABLE = ROOT / "tests" / "verifier" / "tamperings.toml"
ROWS: list[dict[str, Any]] = tomllib.loads(TABLE.read_text("utf-8"))["tampering"]
# The numbers his list names, from one to another.
RANGES = (
    *((1, 10), (12, 58), (60, 61), (70, 91), (95, 95), (97, 99)),
    *((103, 106), (108, 111), (113, 117)),
)
OF_COPIES = {"11b", *(f"{n:02d}" for first, last in RANGES for n in range(first, last + 1))}


def test_each_of_his_numbers_stands_once() -> None:
    counter = Counter(one for row in ROWS for one in row["ids"])
    asked = {*OF_COPIES, *(f"database {n}" for n in range(1, 13))}
    assert counter.keys() == asked
    assert set(counter.values()) == {1}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["what"][:40])
def test_each_is_told_by_what_is_there(row: dict[str, Any]) -> None:
    assert row.keys() <= {"ids", "what", "mutations", "attacks", "tests", "by_design"}
    assert {*row.get("mutations", ())} <= MUTATIONS.keys()
    assert {*row.get("attacks", ())} <= ATTACKS.keys()
    assert row.get("mutations") or row.get("attacks") or row.get("tests")
    for named in row.get("tests", ()):
        place, _, name = named.partition("::")
        assert name in names_in(place), named


def test_every_kind_of_mutation_answers_one_of_them() -> None:
    assert {kind for row in ROWS for kind in row.get("mutations", ())} == MUTATIONS.keys()
