"""Which gate the tests run as, what each gate is large enough for, and what a gate's share is.

Three gates, each holding all the one before it holds:

- ``make test``: the inner gate, for every change: eight minutes on two cores.
- ``make check`` (GATE=check): before an issue closes; every case, volume as far as minutes go.
- ``make soak`` (GATE=soak): the full size.

``size(test, check, soak)`` chooses a number, ``@pytest.mark.check`` and ``@pytest.mark.soak`` leave
a test to the later gates, ``@pytest.mark.share`` asks a fifth of a module's tests, and ``drawn``
takes a share of the cases, in `make test`; in the others all are asked. The share is drawn anew by
every commit, and is the same whenever that commit is tested: what one commit leaves out, a later
one asks. DRAW=<commit> draws as another commit did.
"""

import os
import subprocess
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
GATES: Final = ("test", "check", "soak")
GATE: Final = os.environ.get("GATE") or "test"
if GATE not in GATES:
    raise ValueError(f"Expected GATE to be one of {', '.join(GATES)}, got {GATE!r}.")
CHECK: Final = GATE != "test"
SOAK: Final = GATE == "soak"

# Of these long stories through the whole house `make test` takes one (`in_turn`).
STORIES: Final = ("evening", "words", "junk", "house")

T = TypeVar("T")


def size(test: int, check: int, soak: int) -> int:
    """The number of the gate that is running."""
    return {"test": test, "check": check, "soak": soak}[GATE]


def commit() -> str:
    """What the shares and the order are drawn by: DRAW, else the commit, else a fixed word."""
    if given := os.environ.get("DRAW"):
        return given
    asked = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
    try:
        found = subprocess.run(asked, capture_output=True, text=True)
    except OSError:
        return "no-commit"
    return found.stdout.strip() if found.returncode == 0 else "no-commit"


DRAW: Final = commit()
os.environ["DRAW"] = DRAW  # xdist draws alike in all its workers, whatever is committed since
SEED: Final = int.from_bytes(sha256(DRAW.encode()).digest()[:4], "big")


def drawn(
    cases: Iterable[T], most: int, *, kind: Callable[[T], Hashable] = lambda _: None
) -> list[T]:
    """At most `most` cases of each kind, drawn by the commit; all of them in check and soak.

    Args:
        cases: what there is; each must have a `repr` that is the same in every process.
        most: how many of one kind `make test` takes.
        kind: what a case is one of; without it all are of one kind.
    """
    listed = list(cases)
    if CHECK:
        return listed
    kinds: dict[Hashable, list[int]] = defaultdict(list)
    for at, case in enumerate(listed):
        kinds[kind(case)].append(at)
    kept = {at for places in kinds.values() for at in sorted(places, key=_lot(listed))[:most]}
    return [case for at, case in enumerate(listed) if at in kept]


def in_share(name: str) -> bool:
    """Whether `make test` asks the test of that name at this commit: one in five.

    Whoever names files or tests gets them whole: see `pytest_configure` of conftest.py.
    """
    shared_out = os.environ.get("SHARE") == "fifth"
    return not shared_out or sha256(f"{DRAW} {name}".encode()).digest()[0] % 5 == 0


def in_turn(one: str, of: Sequence[str]) -> Any:
    """A mark: of several tests that show the same, `make test` runs one, drawn by the commit."""
    left = drawn(of, 1) != [one] and not CHECK
    return pytest.mark.check if left else lambda test: test


def _lot(cases: list[T]) -> Callable[[int], bytes]:
    """The lot of the case at a place."""
    return lambda at: sha256(f"{DRAW} {at} {cases[at]!r}".encode()).digest()
