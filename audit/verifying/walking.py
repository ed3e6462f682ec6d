"""A verification as one walk, step by step, to be left and gone on with between any two."""

import time
from collections.abc import Callable, Mapping, Sequence
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


class Verification:
    """One verification of the book on one connection.

    `size` is fixed when it begins: the tree up to there is worked out again, whatever is recorded
    meanwhile. `policy` is the text of a tlog-policy, '' for the published one; `older` are
    checkpoints somebody kept, as (name, text). `kept` is what `state` gave, to go on with.
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
            ((self.size, numbered),) = fetch(using, _BEGIN)
            self.report = Report()
            self.shared: dict[str, Any] = {}
            self.root, self.entries, self.done = "", 0, 0
            self.total = self.size + (numbered if projections else 0) + 1
            self.place, of_phase = 0, None
        else:
            self.report = Report(kept["report"])
            self.shared, self.root, self.size = kept["shared"], kept["root"], kept["size"]
            self.entries, self.done, self.total = kept["entries"], kept["done"], kept["total"]
            self.place, of_phase = kept["place"], kept["of_phase"]
        self._phase: Phase | None = None
        if not self.ended:
            self._phase = self.phases[self.place](self, of_phase)

    @property
    def ended(self) -> bool:
        """Whether everything was looked at."""
        return self.place == len(self.phases)

    @property
    def phase(self) -> str:
        """The name of what is looked at now; '' at the end."""
        return "" if self.ended else self.phases[self.place].name

    @property
    def held(self) -> int | None:
        """The size of the largest checkpoint somebody kept that the book continues."""
        kept: int | None = self.shared.get("held")
        return kept

    def step(self) -> None:
        """Look at a little more, some seconds' worth at most."""
        assert self._phase is not None
        if self._phase.step():
            self.place += 1
            self._phase = None if self.ended else self.phases[self.place](self, None)
            if self.ended:
                self.done = self.total

    def go(self, until: float, report: Callable[["Verification"], object] | None = None) -> None:
        """Go on until the end, or until `time.monotonic()` has reached `until`."""
        while not self.ended and time.monotonic() < until:
            self.step()
            if report is not None:
                report(self)

    def state(self) -> dict[str, Any]:
        """Everything there is to know to go on later, as JSON."""
        return {
            "report": self.report.state(),
            "shared": self.shared,
            "root": self.root,
            "size": self.size,
            "entries": self.entries,
            "done": self.done,
            "total": self.total,
            "place": self.place,
            "of_phase": None if self._phase is None else self._phase.state(),
        }


def verify(using: str = "default", **options: Any) -> Verification:
    """The whole book at once; options as of `Walk`. What was found stands in its `report`."""
    verification = Verification(using, **options)
    verification.go(float("inf"))
    return verification
