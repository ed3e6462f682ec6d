"""What is found on the floor can be said, in both languages."""

import ast
import gettext
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import casino.law
import jackpot
from casino.law.wording import wording
from tests.factories.finding_places import WHERE
from tests.factories.partidas import GAMES
from tests.gate import ROOT
from tests.law.floor_asking import judged

# What a check calls with what it observed and expected.
FOUND: Final = {"breach", "warning"}


def trees() -> Iterator[ast.AST]:
    """The rooms that find something in a progressive prize, as syntax."""
    assert jackpot.__file__
    own = Path(jackpot.__file__).parent
    for file in (*own.glob("rules/*.py"), own / "progressive" / "stakes.py"):
        yield ast.parse(file.read_text(encoding="utf-8"))


def named_by_checks() -> Iterator[str]:
    """Every name written where a check finds something."""
    for file in (Path(casino.law.__file__).parent / "checks").rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in FOUND:
                for node in ast.walk(call):
                    if isinstance(node, ast.Dict):
                        yield from (key.value for key in node.keys if isinstance(key, ast.Constant))


def test_what_a_check_names_has_words() -> None:
    found = set(named_by_checks())
    assert len(found) > 50
    assert found - WHERE <= set(wording.NAMES)


def recorded() -> Iterator[tuple[str, ast.expr]]:
    """Every name and value the source puts into a dict, as `observed` and `expected` are."""
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        yield key.value, value
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "differs":
                assert isinstance(node.args[0], ast.Constant)
                yield node.args[0].value, node.args[2]


def test_what_the_floor_observes_and_expects_has_words() -> None:
    found = list(recorded())
    assert len(found) > 50
    steps = {"shuffles", "cuts", "warnings", "burns"}
    assert ({name for name, _ in found} | steps) - WHERE <= set(wording.NAMES)
    texts = {  # with a dot it is a figure of the law
        part.value
        for _, value in found
        for part in ast.walk(value)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and "." not in part.value
    }
    assert texts - set(wording.NAMES) <= set(wording.VALUES)
    words = {"seat", "fiscal_de_banca", "pagador", "nobody", "missing", "extra", "nothing"}
    assert words <= set(wording.VALUES)


@pytest.mark.parametrize("name", GAMES)
def test_every_finding_of_the_floor_is_said_in_portuguese(name: str) -> None:
    catalogue = gettext.translation("django", ROOT / "locale", ["pt_PT"])
    say = wording.FindingWords(catalogue.gettext, "pt")
    for found in judged(GAMES[name]()).findings:
        for values in (found.observed, found.expected):
            assert "_" not in say.format(values), found.check
        assert say.statement(found.check) != wording.ALL_CHECKS[found.check].statement
