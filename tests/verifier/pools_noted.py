"""What a verification notes of pools, and values no payload of theirs may hold."""

from pathlib import Path
from typing import Any

from tests.verifier.pool_evenings import Evening, in_euros, verified


def noted(evening: Evening, place: Path) -> list[tuple[str, int | None]]:
    """Notes of pools, where nothing else is recorded; what the pool runs at is the house's."""
    evening.seal()
    found = verified(evening, place)
    assert (found.code, found.lines) == (0, [])
    assert found.report.figures["pools"] == [in_euros(evening)]
    return [(line.code, line.n) for line in found.report.lines if line.code.startswith("pool")]


ODD: list[Any] = [-1, 0, 2**53 - 1, "", "x", True, [], {}, [1], [[]], {"n": 1}, 2**40]


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a payload."""
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    return [path] * bool(path) + [at for name, each in inner for at in paths(each, (*path, name))]
