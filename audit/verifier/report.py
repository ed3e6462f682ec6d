"""What was found, one line each, and the verdict. Not a part of the core: it decides nothing."""

from dataclasses import dataclass, field
from typing import Any, Final

from .words import SEVERITY

INTACT, TAMPERED, INCOMPLETE, BAD_INPUT = 0, 1, 2, 3
KEPT: Final = 200  # lines of one code; more are counted


class BadInput(Exception):
    """What was handed over cannot be read as what it should be: `code` says why, `file` where."""

    def __init__(self, code: str, file: str, **details: Any) -> None:
        self.code, self.file, self.details = code, file, details
        super().__init__(f"{file}: {code}")


@dataclass(frozen=True, slots=True)
class Line:
    """One thing found: an entry by its index, stream and number, or a file of the bundle."""

    code: str
    index: int | None = None
    stream: str | None = None
    n: int | None = None
    file: str | None = None
    details: dict[str, Any] = field(default_factory=dict)


class Report:
    """Takes every problem and note: `report(code, index=, stream=, n=, file=, **details)`."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.counts: dict[str, int] = {}
        self.facts: dict[str, Any] = {}  # what was read: size, origin, keys, counts

    def __call__(
        self,
        code: str,
        *,
        index: int | None = None,
        stream: str | None = None,
        n: int | None = None,
        file: str | None = None,
        **details: Any,
    ) -> None:
        assert code in SEVERITY, code
        self.counts[code] = self.counts.get(code, 0) + 1
        if self.counts[code] <= KEPT:
            self.lines.append(Line(code, index, stream, n, file, details))

    def verdict(self) -> int:
        """0 intact, 1 tampered, 2 incomplete evidence; 3 is BadInput's."""
        told = {SEVERITY[code] for code in self.counts}
        return TAMPERED if "problem" in told else INCOMPLETE if "incomplete" in told else INTACT

    def broken_pools(self) -> bool:
        """Whether all that is wrong with the book is what its pools come to."""
        wrong = [code for code in self.counts if SEVERITY[code] == "problem"]
        return bool(wrong) and all(code.startswith("pool-") for code in wrong)
