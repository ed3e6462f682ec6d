"""The exercises: what each begins with, and its steps, with their texts in both languages.

One TOML an exercise in `casino/training/exercises/`; `stage` names the state its table is put into.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "exercises"
Both = tuple[str, str]  # Portuguese, English


@dataclass(frozen=True, slots=True)
class Step:
    """Something to be recorded: which kind, with which values; `at` is where it begins."""

    do: Both
    kind: str
    where: Mapping[str, object]
    at: str


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise. Its texts speak of what its table was put up with: ``{table}``, ``{seat}``."""

    name: str
    title: Both
    story: Both
    law: Both
    steps: tuple[Step, ...]


@cache
def exercises() -> Mapping[str, Exercise]:
    """All exercises by name. Raises: KeyError, ValueError, of a file that is none."""
    return {path.stem: _exercise(path) for path in sorted(FOLDER.glob("*.toml"))}


def _exercise(path: Path) -> Exercise:
    said: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    steps = tuple(
        Step(_both(one["do"]), one["kind"], one.get("where", {}), one.get("at", ""))
        for one in said["steps"]
    )
    title, story, law = (_both(said[name]) for name in ("title", "story", "law"))
    return Exercise(path.stem, title, story, law, steps)


def _both(texts: list[str]) -> Both:
    pt, en = texts
    return pt, en
