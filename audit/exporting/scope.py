"""Which entries a copy shows."""

from dataclasses import dataclass
from typing import Literal

from audit.events import ExportMade


@dataclass(frozen=True, slots=True)
class Scope:
    """All entries; those with an index from `first` to before `end`; or those of one table."""

    kind: Literal["full", "range", "table", "record"] = "full"
    first: int = 0
    end: int = 0
    table: str = ""

    @property
    def full(self) -> bool:
        """Whether nothing is left out."""
        return self.kind == "full"

    def as_dict(self) -> dict[str, object]:
        """The scope as a bundle tells it."""
        if self.kind == "range":
            return {"from": self.first, "kind": "range", "to": self.end}
        if self.kind == "table":
            return {"kind": "table", "table": self.table}
        return {"kind": self.kind}

    def event(
        self, count: int, size: int, root: bytes, *, openings: bool, asked_by: str = ""
    ) -> ExportMade:
        """What the book is told of a copy. Raises: Malformed."""
        indexed = self.kind in ("range", "record")
        return ExportMade(
            extent=self.kind,
            entries=count,
            size=size,
            root=root.hex(),
            openings=openings,
            asked_by=asked_by or None,
            of_table=self.table or None,
            from_index=self.first if indexed else None,
            to_index=self.end if indexed else None,
        )
