"""Every check is seen to fail on two planted breaches at least, and to pass a near miss."""

import importlib
import pkgutil
from collections.abc import Callable
from math import prod
from typing import Any

import pytest

from casino.law.check_registry import ALL_CHECKS
from tests import law
from tests.law.casebook import CASES, upholds_case

for module in pkgutil.iter_modules(law.__path__, "tests.law."):
    importlib.import_module(module.name)


def rows(test: Callable[..., Any]) -> int:
    """How many rows a test has: one, or as many as its tables multiply to."""
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    return prod(len(list(mark.args[1])) for mark in marks)


def cases(check: str, side: str) -> int:
    """How many rows show this side of a check."""
    found = 0
    for name in CASES[check][side]:
        place, _, test = name.rpartition(".")
        found += rows(getattr(importlib.import_module(place), test))
    return found


def test_every_check_fails_on_two_planted_breaches() -> None:
    assert [check for check in ALL_CHECKS if cases(check, "unlawful") < 2] == []


def test_every_check_passes_a_near_miss() -> None:
    assert [check for check in ALL_CHECKS if cases(check, "boundary") < 1] == []


def test_rows_are_counted() -> None:
    @pytest.mark.parametrize("one", [1, 2])
    @pytest.mark.parametrize("other", [1, 2, 3])
    def table(one: int, other: int) -> None: ...

    assert (rows(table), rows(upholds_case)) == (6, 1)
