"""docs/trust.md: each of its claims names the test that holds it."""

import ast
import re

from tests.gate import ROOT

PAGE = ROOT / "docs" / "trust.md"
HEAD = "| claim | test |"


def claims() -> dict[str, list[str]]:
    """The claims of the page's table, each with the tests it names."""
    table = PAGE.read_text("utf-8").split(HEAD)[1].strip().splitlines()[1:]
    rows = [line.strip("|").rpartition(" | ") for line in table if line.startswith("|")]
    return {claim.strip(): re.findall("`([^`]+)`", tests) for claim, _, tests in rows}


def test_every_claim_names_a_test_that_is_there() -> None:
    found: dict[str, set[str]] = {}
    for claim, tests in claims().items():
        assert tests, claim
        for named in tests:
            place, _, name = named.partition("::")
            if place not in found:
                tree = ast.parse((ROOT / place).read_text("utf-8"))
                found[place] = {
                    node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
                }
            assert name in found[place], f"{claim}: {named}"


def test_every_person_and_every_limit_of_the_page_is_held_by_some_test() -> None:
    """A claim that is struck out takes its row with it; one that is new brings its own."""
    assert len(claims()) >= 35
    text = PAGE.read_text("utf-8")
    for who in ("supervisor", "administrator", "web server", "sequencer", "signer", "owner"):
        assert who in text
