"""A line that was not taken in, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from casino.events import Malformed


@dataclass(frozen=True, slots=True)
class Refused:
    """One refused line: its number (from 1), the JSON path in it, what was found and is asked.

    `reason` is a `Phrase`: a door that speaks another language says it so.
    """

    line: int
    path: str
    reason: str

    @classmethod
    def of(cls, line: int, error: Malformed) -> Refused:
        """The refusal of line `line` for `error`."""
        return cls(line, error.path, error.reason)
