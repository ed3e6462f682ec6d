"""What was found, one line each, and the verdict. Not a part of the core: it decides nothing."""

from dataclasses import dataclass, field
from typing import Any, Final

from .words import SEVERITY

INTACT, TAMPERED, INCOMPLETE, BAD_INPUT = 0, 1, 2, 3
KEPT: Final = 200  # lines of one code; more are counted
LONGEST: Final = 1000  # characters of a value in a line
DENIED: Final = {"receipt-missing", "receipt-wrong"}
# What is wrong with the copy at hand, and says nothing of the book in the house.
OF_THE_COPY: Final = {
    "ids-differ",
    *("attachment-wrong", "checkpoint-differs", "checkpoint-form", "digest-wrong", "file-form"),
    *("pack-digest", "pack-picture", "pack-sums", "pack-unlisted"),
    *("file-length", "file-odd", "manifest-wrong", "opening-form", "policy-form", "tile-altered"),
}


class BadInput(Exception):
    """What was handed over cannot be read as what it should be: `code` says why, `file` where."""

    def __init__(self, code: str, file: str, **details: object) -> None:
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
        self.figures: dict[str, Any] = {}  # what was read: size, origin, keys, counts

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
            values = {name: _cut(value) for name, value in details.items()}
            self.lines.append(Line(code, index, stream, n, file, values))

    def verdict(self) -> int:
        """0 intact, 1 tampered, 2 incomplete evidence; 3 is BadInput's."""
        texts = {SEVERITY[code] for code in self.counts}
        return TAMPERED if "problem" in texts else INCOMPLETE if "incomplete" in texts else INTACT

    def only_wrong(self) -> set[str]:
        """What alone is wrong: `pools` do not come out, `receipts` say otherwise, the `copy` is
        damaged; empty: more than these.
        """
        wrong = [code for code in self.counts if SEVERITY[code] == "problem"]
        rooms = {code: "pools" for code in wrong if code.startswith("pool-")}
        rooms |= {code: "receipts" for code in wrong if code in DENIED}
        rooms |= {code: "copy" for code in wrong if code in OF_THE_COPY}
        return set(rooms.values()) if len(rooms) == len(wrong) else set()

    def brought(self) -> tuple[str, dict[str, int]]:
        """The most of what was brought from outside that a sound book agrees with: a name of
        `words.SOUND`, and the figures of its sentence.
        """
        size: int = self.figures.get("size", 0)
        older = [line.details["size"] for line in self.lines if line.code == "older-kept"]
        receipts, kept = self.counts.get("receipt-kept", 0), max(older, default=0)
        values = {"size": size, "kept": kept, "receipts": receipts}
        own = bool(self.figures.get("own_policy"))
        witnessed = self.figures.get("witnessed")
        if own and witnessed is not None and witnessed >= size:
            return "witnesses", values
        if kept:
            return "older" if kept >= size else "older-in-part", values
        return "receipts" if receipts else "policy" if own else "nothing", values


def _cut(value: object) -> object:
    """A value that can be printed: a text no longer than anybody reads."""
    return f"{value[:LONGEST]} ..." if type(value) is str and len(value) > LONGEST else value
