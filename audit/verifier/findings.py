"""Which run answers for each finding: what stands in its name against what its result tells.
And which rows older findings named by their ids: those a later verification told of. And the
numbers of their cases, with those of reports: `series.py`.

    findings = Findings()
    findings.take(here, kind, payload)       # each entry of KINDS; here: stream, n, whatever else
    findings.conclude(report)                # once all were taken in

Only ``finding-raised/2`` and ``finding-superseded/2`` are held against anything: no result tells of
older ones.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

from . import series

RAISED: Final = "finding-raised/2"
SUPERSEDED: Final = "finding-superseded/2"
STARTED: Final = "reconciliation-started/1"
RESULTS: Final = frozenset({"reconciliation-finished/1", "book-verified/1", "jackpot-replayed/1"})
KINDS: Final = frozenset({RAISED, SUPERSEDED, STARTED, *RESULTS, *series.KINDS})
# Who looks every few minutes has no result: he raises, and supersedes only what he raised.
WATCHES: Final = frozenset(
    {"1a8a96a3-58ef-57d8-8a7f-68ac78a4ad89", "23a6a3e9-909c-5d8d-81f8-3def891a963d"}
)

Where = dict[str, Any]
Changed = Mapping[str, list[tuple[str, Where]]]  # by kind: the keys, and where they were recorded


class Findings:
    """What was raised and superseded so far, by run."""

    def __init__(self) -> None:
        self.changed: dict[str, dict[str, list[tuple[str, Where]]]] = {}
        self.results: dict[str, tuple[Where, Any]] = {}
        self.started: set[str] = set()
        self.raised_by: dict[str, str] = {}  # the run by the finding's key
        self.series = series.Series()
        self.anew: set[tuple[str, str]] = set()  # the key of one cited anew, and of the other

    def take(self, here: Where, kind: str, values: Mapping[str, Any]) -> None:
        """Take in an entry of KINDS, in the order of the book."""
        if kind in series.KINDS:
            self.series.take(here, kind, values)
            return
        run = str(values.get("run"))
        if kind == STARTED:
            self.started.add(run)
        elif kind in RESULTS:
            self.results[run] = dict(here), values.get("changes")
        else:
            name = "key" if kind == RAISED else "finding"
            key = str(values.get(name))
            changed = self.changed.setdefault(run, defaultdict(list))
            changed[kind].append((key, dict(here)))
            if kind == SUPERSEDED and values.get("successor"):
                self.anew.add((key, str(values["successor"])))
            if kind == RAISED:
                self.raised_by[key] = run
            elif run in WATCHES and self.raised_by.get(key, run) not in WATCHES:
                changed["watch"].append((key, dict(here)))

    def conclude(self, report: Callable[..., None], whole: bool = True, cut: int = 2**62) -> None:
        """Tell what does not fit, once all entries were taken in.

        Unless it is `whole`, runs and results may be missing; from the index `cut` on a result may
        lie beyond what was shown.
        """
        for run, changed in self.changed.items() if whole else ():
            for _, where in changed.get("watch", ()):
                report("watch-superseded", **where)
            if run in self.results:
                self._compare(report, run, changed)
            elif run not in WATCHES:
                self._of_no_result(report, run, changed, cut)
        if whole:
            self.series.conclude(report, self.anew)
        for run in self.results.keys() - self.changed.keys() if whole else ():
            if self.results[run][1] is not None:  # an older program's result told nothing of it
                self._compare(report, run, {})

    def _of_no_result(
        self, report: Callable[..., None], run: str, changed: Changed, cut: int
    ) -> None:
        code = "run-not-ended" if run in self.started else "finding-of-no-run"
        listed = [one for kind in _BOTH for one in changed.get(kind, ())]
        key, where = listed[0]
        if code == "run-not-ended" or where.get("index", 0) < cut:
            report(code, **where, run=run, finding=key, count=len(listed))

    def _compare(self, report: Callable[..., None], run: str, changed: Changed) -> None:
        """A run's result and what stands under its name."""
        where, value = self.results[run]
        raised, superseded = ([key for key, _ in changed.get(kind, ())] for kind in _BOTH)
        twice = len({*raised}) + len({*superseded}) < len(raised) + len(superseded)
        if twice or value != changes({*raised}, {*superseded}):
            value = value if isinstance(value, dict) else {}
            report(
                "run-changes",
                **where,
                run=run,
                raised=len(raised),
                superseded=len(superseded),
                told_raised=value.get("raised"),
                told_superseded=value.get("superseded"),
            )


def ids_differ(
    listed: Iterable[tuple[Where, int, str]], piece: Callable[[int, int], Iterable[bytes]]
) -> Iterator[tuple[Where, int]]:
    """Which verifications told of other rows than there are: where, and of how many.

    `piece` gives the ids of some entries by their indices, 16 bytes each. Of several that follow
    each other the first is named.
    """
    digest, done, was_good = sha256(), 0, True
    for where, size, ids in sorted(listed, key=lambda each: each[1]):
        for some in piece(done, size):
            digest.update(some)
        good = digest.hexdigest() == ids
        if was_good and not good:
            yield where, size
        done, was_good = size, good


_BOTH: Final = (RAISED, SUPERSEDED)


def changes(raised: set[str], superseded: set[str]) -> dict[str, Any]:
    """What a run's result says of what it raised and superseded."""
    values = {"raised": sorted(raised), "superseded": sorted(superseded)}
    digest = sha256(json.dumps(values, separators=(",", ":")).encode()).hexdigest()
    return {"digest": digest, "raised": len(raised), "superseded": len(superseded)}
