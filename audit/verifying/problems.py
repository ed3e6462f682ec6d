"""What a verification found: problems, what could not be looked at, what is only worth a note.

A problem names its place: an entry by its index in the tree, its stream and number, a row of a
projection, a tile, a checkpoint, a line of the schema. `code` says what is wrong: one of `words`
or, of what entries say, one of `audit.verifier`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from audit.runs import house_checks
from audit.verifier.words import WORDS

Gravity = Literal["problem", "unseen", "note"]

KEPT: Final = 1_000  # kept one by one; what is beyond is counted
# Not a sign of tampering: what they name could not be looked at, or waits.
UNSEEN: Final = frozenset(
    {
        "entry-waits-long",
        "no-checkpoint",
        "no-policy",
        "no-schema-record",
        "notes-not-covered",
        "reference-not-shown",
    }
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing found. `details` are texts and whole numbers; None is what it does not name."""

    code: str
    index: int | None = None
    stream: str | None = None
    n: int | None = None
    entry: str | None = None
    details: Mapping[str, object] = field(default_factory=dict)

    @property
    def check(self) -> str:
        """The check of the house it is a finding of (`audit.runs.house_checks`)."""
        for beginnings, check in (
            (("shelf-",), house_checks.PROJECTIONS_FOLLOW),
            (("private-", "file-"), house_checks.PRIVATE_KEPT),
            (("schema-", "guard-"), house_checks.SCHEMA_UNCHANGED),
            (("clock-", "time-step", "time-fell"), house_checks.CLOCK_STEADY),
        ):
            if self.code.startswith(beginnings):
                return check
        return house_checks.BOOK_WHOLE

    def where(self) -> dict[str, int | str]:
        """Its place, without what it does not name."""
        values = {"index": self.index, "stream": self.stream, "n": self.n}
        return {name: value for name, value in values.items() if value is not None}

    def as_json(self) -> dict[str, object]:
        """As it is kept between the parts of a verification."""
        return asdict(self)


def gravity_of(code: str) -> Gravity:
    """Whether a code is a problem, something that could not be looked at, or a note."""
    if code in UNSEEN:
        return "unseen"
    text = WORDS[code][0] if code in WORDS else "problem"
    return "unseen" if text == "incomplete" else "note" if text == "note" else "problem"


class Report:
    """Takes what is found, in the order in which it is found.

    Called as ``report(code, index=..., stream=..., n=..., entry=..., **details)``; what is known of
    an entry is recorded by whoever calls, the rest is left out.
    """

    def __init__(self, kept: Mapping[str, Any] | None = None) -> None:
        values = kept or {"told": [], "counts": {}}
        self.problems = [Problem(**each) for each in values["told"]]
        self.counts: dict[str, int] = dict(values["counts"])

    def __call__(
        self,
        code: str,
        *,
        index: int | None = None,
        stream: str | None = None,
        n: int | None = None,
        entry: object = None,
        **details: object,
    ) -> None:
        self.counts[code] = self.counts.get(code, 0) + 1
        if sum(self.counts.values()) <= KEPT or self.counts[code] == 1:
            named = None if entry is None else str(entry)
            self.problems.append(Problem(code, index, stream, n, named, _plain(details)))

    def of(self, gravity: Gravity) -> list[Problem]:
        """What was reported of one gravity, in order."""
        return [each for each in self.problems if gravity_of(each.code) == gravity]

    def count(self, gravity: Gravity = "problem") -> int:
        """How many there are, those not recorded included."""
        return sum(times for code, times in self.counts.items() if gravity_of(code) == gravity)

    @property
    def verdict(self) -> int:
        """0 where all is as it was written, 1 where something is not, 2 where not all was seen."""
        return 1 if self.count("problem") else 2 if self.count("unseen") else 0

    def state(self) -> dict[str, object]:
        """Everything this knows, as JSON."""
        return {"told": [each.as_json() for each in self.problems], "counts": self.counts}


def _plain(details: Mapping[str, object]) -> dict[str, object]:
    return {
        name: value if isinstance(value, int | str) else str(value)
        for name, value in details.items()
        if value is not None
    }
