"""A verification as one walk, step by step, to be left and gone on with between any two."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from audit.verifying.ends import Ends, Waiting
from audit.verifying.entry_phase import Entries
from audit.verifying.finding_phase import Resting
from audit.verifying.looks import Looks
from audit.verifying.passkey_phase import Passkeys
from audit.verifying.phase import Phase, fetch
from audit.verifying.private_phase import Files
from audit.verifying.problems import Report
from audit.verifying.projections import OrphanRows, Projections
from audit.verifying.seal import Seal

PHASES: Final[Sequence[type[Phase]]] = (
    Entries,
    Ends,
    Waiting,
    Files,
    Projections,
    OrphanRows,
    Passkeys,
    Resting,
    Seal,
    Looks,
)
OF_PROJECTIONS: Final = (Projections, OrphanRows)

_BEGIN: Final = """
SELECT coalesce((SELECT max(size) FROM book_tree), 0),
    (SELECT coalesce(sum(head_n), 0)::bigint FROM book_stream)
"""


@dataclass(eq=False)
class SoFar:
    """What a verification knows so far: from phase to phase, and as JSON from part to part.

    `size` is fixed when it begins: the tree up to there is worked out again, whatever is recorded
    meanwhile. `held` is the size of the largest checkpoint somebody kept that the book continues,
    `ids` the digest of the rows' ids. What the entries say: the last number and leaf of each
    stream, keys (index, key, the one it replaces), epochs, and what earlier verifications said of
    the ids (where, of how many, digest).
    """

    size: int
    total: int
    place: int = 0
    done: int = 0
    entries: int = 0
    root: str = ""
    heads: Mapping[str, tuple[int, str | None]] = field(default_factory=dict)
    keys_named: Sequence[tuple[int, str, str | None]] = ()
    epochs: Sequence[dict[str, Any]] = ()
    ids_recorded: Sequence[tuple[dict[str, Any], int, str]] = ()
    ids: str | None = None
    held: int | None = None


class Verification(SoFar):
    """One verification of the book on one connection.

    `policy` is the text of a tlog-policy, '' for the published one; `older` are checkpoints
    somebody kept, as (name, text). `kept` is what `state` gave, to go on with.
    """

    def __init__(
        self,
        using: str = "default",
        *,
        projections: bool = True,
        looks: bool = True,
        policy: str = "",
        older: Sequence[tuple[str, str]] = (),
        kept: Mapping[str, Any] | None = None,
    ) -> None:
        self.using, self.policy, self.older = using, policy, older
        left_out = {*(() if projections else OF_PROJECTIONS), *(() if looks else (Looks,))}
        self.phases = [phase for phase in PHASES if phase not in left_out]
        if kept is None:
            ((size, numbered),) = fetch(using, _BEGIN)
            super().__init__(size, size + (numbered if projections else 0) + 1)
        else:
            super().__init__(**kept["so_far"])
        self.report = Report(kept and kept["report"])
        self._begin(kept and kept["of_phase"])

    def _begin(self, kept: Mapping[str, object] | None) -> None:
        self._phase = None if self.ended else self.phases[self.place](self, kept)

    @property
    def ended(self) -> bool:
        """Whether everything was looked at."""
        return self.place == len(self.phases)

    @property
    def phase(self) -> str:
        """The name of what is looked at now; '' at the end."""
        return "" if self.ended else self.phases[self.place].name

    def step(self) -> None:
        """Look at a little more, some seconds' worth at most."""
        assert self._phase is not None
        if self._phase.step():
            self.place += 1
            self._begin(None)
            if self.ended:
                self.done = self.total

    def go(self, until: float, report: Callable[["Verification"], object] | None = None) -> bool:
        """Go on until `time.monotonic()` has reached `until`; whether nothing is left."""
        while not self.ended and time.monotonic() < until:
            self.step()
            if report is not None:
                report(self)
        return self.ended

    def state(self) -> dict[str, object]:
        """Everything there is to know to go on later, as JSON."""
        return {
            "report": self.report.state(),
            "so_far": {each.name: getattr(self, each.name) for each in fields(SoFar)},
            "of_phase": None if self._phase is None else self._phase.state(),
        }


def verify(using: str = "default", **options: Any) -> Verification:
    """The whole book at once; options as of `Verification`; what was found is in its `report`."""
    verification = Verification(using, **options)
    verification.go(float("inf"))
    return verification
