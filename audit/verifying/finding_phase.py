"""Findings held against the runs that answer for them; older ones against who cites them anew.

The numbers of cases and of reports have no gap. Older findings name rows by ids: these are held
against what earlier verifications told of them.
"""

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from audit.verifier.findings import KINDS, RAISED, SUPERSEDED, Findings, ids_differ
from audit.verifying.phase import Phase, fetch

_BY_IDS: Final = "finding-raised/1"
# One statement: what a run raised and its result were committed together.
_RECORDED: Final = """
SELECT s.name, e.n, e.id, e.kind, e.entry
FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
WHERE s.name IN ('reconciler', 'house') AND e.kind = ANY(%s) ORDER BY e.stream_id, e.n
"""
_IDS: Final = """
SELECT e.id::text, s.name, e.n FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
WHERE e.id = ANY(%s::uuid[])
"""

_ROWS: Final = """
SELECT coalesce(string_agg(uuid_send(entry_id), '' ORDER BY idx), '')
FROM book_leaf WHERE idx >= %s AND idx < %s
"""
AT_ONCE: Final = 65_536  # rows

Names = frozenset[tuple[str, int]]


class Resting(Phase):
    """Every finding that stands in the book, at one go."""

    name = "findings"

    def step(self) -> bool:
        """All of them; what cannot be read was told of before."""
        findings, older = Findings(), dict[str, tuple[dict[str, Any], list[str]]]()
        anew: list[tuple[dict[str, object], str, str]] = []
        now: dict[str, Names] = {}
        for stream, n, entry, kind, body in fetch(self.using, _RECORDED, [*KINDS, _BY_IDS]):
            values = _payload(body)
            here = {"stream": stream, "n": n, "entry": entry}
            if kind == _BY_IDS:
                older[str(values.get("key"))] = here, values.get("evidence") or []
                continue
            findings.take(here, kind, values)
            if kind == SUPERSEDED and values.get("successor"):
                anew.append((here, str(values.get("finding")), str(values["successor"])))
            elif kind == RAISED:
                now[str(values.get("key"))] = _names(values.get("evidence"))
        findings.conclude(self.report)
        self._older(older, anew, now)
        self._ids()
        return True

    def _ids(self) -> None:
        """The ids of the rows: those that were reported of, and those there are now, read once."""
        digest, reached = sha256(), 0

        def rows(first: int, last: int) -> Iterator[bytes]:
            nonlocal reached
            for some in self._rows(first, last):
                digest.update(some)
                yield some
            reached = max(reached, min(last, self.verification.size))

        for where, of in ids_differ(self.verification.ids_recorded, rows):
            self.report("ids-differ", **where, size=of)
        deque(rows(reached, self.verification.size), maxlen=0)
        self.verification.ids = digest.hexdigest() if self.verification.size else None

    def _rows(self, first: int, last: int) -> Iterator[bytes]:
        """The ids of the entries with these indices, some at a time."""
        for at in range(first, min(last, self.verification.size), AT_ONCE):
            ((ids,),) = fetch(
                self.using, _ROWS, at, min(at + AT_ONCE, last, self.verification.size)
            )
            yield bytes(ids)

    def _older(
        self,
        older: Mapping[str, tuple[dict[str, Any], list[str]]],
        anew: Sequence[tuple[dict[str, Any], str, str]],
        now: Mapping[str, Names],
    ) -> None:
        """Findings that named rows by ids: there are such, those named where it is cited anew."""
        asked = sorted({one for _, evidence in older.values() for one in evidence})
        entries = {entry: (stream, n) for entry, stream, n in fetch(self.using, _IDS, asked)}
        for where, evidence in older.values():
            for one in evidence:
                if one not in entries:
                    self.report("evidence-gone", **where, id=one)
        for _, before, after in anew:
            if before not in older or after not in now:
                continue
            where, evidence = older[before]
            names = {entries[one] for one in evidence if one in entries}
            if not (names <= now[after] or now[after] <= names):
                self.report("evidence-moved", **where, successor=after)


def _names(evidence: object) -> Names:
    listed = evidence if isinstance(evidence, list) else ()
    return frozenset(
        (one["stream"], one["n"])
        for one in listed
        if isinstance(one, dict) and type(one.get("n")) is int and type(one.get("stream")) is str
    )


def _payload(entry: bytes) -> dict[str, Any]:
    try:
        value = json.loads(bytes(entry))["payload"]
    except (ValueError, KeyError, TypeError):
        return {}
    return value if isinstance(value, dict) else {}
