"""Which test shows which side of which check: read by test_coverage.py.

``@upholds_case("stand_above_eleven", "unlawful")`` above a test says that the test shows a breach
of that check. Every check needs a lawful and an unlawful case; a boundary case is the near miss.
One test may stand for several checks: mark it once for each.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final, Literal, TypeVar, get_args

Side = Literal["lawful", "unlawful", "boundary"]
Test = TypeVar("Test", bound=Callable[..., Any])

SIDES: Final = get_args(Side)
ASKED: Final = ("lawful", "unlawful")
CASES: Final[dict[str, dict[str, set[str]]]] = defaultdict(lambda: defaultdict(set))


def upholds_case(check: str, side: Side) -> Callable[[Test], Test]:
    """Write a test into the casebook.

    Raises: ValueError, for a side there is not or a function that is not collected as a test.
    """
    if side not in SIDES:
        raise ValueError(f"{check}: {side!r} is no side; asked: one of {', '.join(SIDES)}")

    def mark(test: Test) -> Test:
        if not test.__name__.startswith("test_"):
            raise ValueError(f"{check}: {test.__name__} is not a test, its name begins otherwise")
        CASES[check][side].add(f"{test.__module__}.{test.__qualname__}")
        return test

    return mark


def without_cases(checks: list[str], cases: dict[str, dict[str, set[str]]]) -> list[str]:
    """The checks that lack a lawful or an unlawful case, each with what it lacks."""
    return [
        f"{check}: no {side} case"
        for check in checks
        for side in ASKED
        if not cases.get(check, {}).get(side)
    ]
