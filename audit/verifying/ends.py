"""What lies beyond the tree: ends of streams, entries that wait, entries that were forgotten."""

from typing import Any, Final
from uuid import UUID

from audit.verifier.tree import leaf_hash
from audit.verifying import private_phase
from audit.verifying.phase import Phase, Row, fetch
from audit.verifying.sealed_columns import body_of, unlike

STREAMS: Final = 500  # of one step
TAIL: Final = 20_000  # entries of a stream's end, at most
WAITING: Final = 20_000  # entries of one step
PATIENCE: Final = 60  # seconds an entry may wait for its place

_STREAMS: Final = (
    "SELECT id, name, head_n, head_hash FROM book_stream WHERE id > %s ORDER BY id LIMIT %s"
)
_TAIL: Final = """
SELECT (SELECT idx FROM book_leaf WHERE entry_id = e.id), e.id, %s, e.n, e.key, e.kind,
       e.gaming_day, e.table_code, e.partida_id, e.occurred_at, e.recorded_at, e.entry, e.leaf_hash
FROM book_entry e WHERE e.stream_id = %s AND e.n > %s ORDER BY e.n LIMIT %s
"""
_HEAD: Final = """
SELECT s.head_n, s.head_hash, e.leaf_hash,
    EXISTS (SELECT FROM book_entry x WHERE x.stream_id = s.id AND x.n > s.head_n)
FROM book_stream s LEFT JOIN book_entry e ON e.stream_id = s.id AND e.n = s.head_n WHERE s.id = %s
"""
# All seen at one moment: an entry leaves one list as it comes into the other.
_FORGOTTEN: Final = """
WITH part AS MATERIALIZED (
    SELECT id, stream_id, n, recorded_at FROM book_entry WHERE id > %s ORDER BY id LIMIT %s
)
SELECT e.id, s.name, e.n, p.entry_id IS NOT NULL,
    e.recorded_at < clock_timestamp() - make_interval(secs => %s)
FROM part e LEFT JOIN book_stream s ON s.id = e.stream_id
LEFT JOIN book_leaf l ON l.entry_id = e.id LEFT JOIN book_pending p ON p.entry_id = e.id
WHERE l.entry_id IS NULL
UNION ALL
(SELECT id, NULL, (SELECT count(*) FROM part), NULL, NULL FROM part ORDER BY id DESC LIMIT 1)
"""
_STRAY: Final = """
SELECT p.entry_id FROM book_pending p
LEFT JOIN book_entry e ON e.id = p.entry_id LEFT JOIN book_leaf l ON l.entry_id = p.entry_id
WHERE e.id IS NULL OR l.idx IS NOT NULL LIMIT 1000
"""
_SIZES: Final = """
SELECT (SELECT coalesce(max(idx) + 1, 0) FROM book_leaf),
    (SELECT coalesce(max(size), 0) FROM book_tree),
    (SELECT coalesce(sum(head_n), 0)::bigint FROM book_stream), (SELECT count(*) FROM book_pending),
    (SELECT coalesce(bool_or(n >= (SELECT max(size) FROM book_tree) >> 8 * (level + 1)), false)
     FROM book_tile)
"""


class Ends(Phase):
    """Each stream from where the tree leaves it to its head."""

    name = "ends"

    carried = ("after",)
    after = 0  # the last stream that was looked at

    def step(self) -> bool:
        """Some streams."""
        heads = self.verification.heads
        streams = fetch(self.using, _STREAMS, self.after, STREAMS)
        for number, name, head_n, head_hash in streams:
            self.after = number
            n, leaf = heads.get(name, (0, None))
            self._stream(number, name, (n, leaf), (head_n, _hex(head_hash)))
        if len(streams) == STREAMS:
            return False
        there = {name for (name,) in fetch(self.using, "SELECT name FROM book_stream")}
        for name in sorted(set(heads) - there):
            self.report("stream-gone", stream=name)
        return True

    def _stream(
        self, number: int, name: str, last: tuple[int, str | None], head: tuple[int, str | None]
    ) -> None:
        rows = [Row(*row) for row in fetch(self.using, _TAIL, name, number, last[0], TAIL)]
        for row in rows:
            leaf = leaf_hash(row.entry)
            if row.leaf != leaf:
                self.report("leaf-hash", **row.place)
            row.body = body_of(row.entry)
            if row.body is None:
                self.report("entry-form", **row.place)
            else:
                for column in unlike(row):
                    self.report("column", **row.place, column=column)
                if row.n != last[0] + 1:
                    self.report("stream-number", **row.place, expected=last[0] + 1)
                elif row.body.get("prev") != last[1]:
                    self.report("stream-prev", **row.place)
            last = row.n, leaf.hex()
        private_phase.check(self, rows)
        self.verification.entries += sum(row.index is None for row in rows)
        if len(rows) < TAIL and last != head and not self._moved(number, head):
            self.report("stream-head", stream=name, n=last[0], head=head[0])

    def _moved(self, number: int, head: tuple[int, str | None]) -> bool:
        """Whether somebody wrote to the stream meanwhile: its head is another, and is its last."""
        ((n, leaf, of_entry, more),) = fetch(self.using, _HEAD, number)
        return (n, _hex(leaf)) != head and leaf == of_entry and not more


class Waiting(Phase):
    """Every entry has a place in the tree or waits for one, and none waits long."""

    name = "waiting"

    carried = ("after",)
    after = str(UUID(int=0))  # the last entry that was looked at

    def step(self) -> bool:
        """Some entries."""
        read = 0
        found = fetch(self.using, _FORGOTTEN, self.after, WAITING, PATIENCE)
        for entry, stream, n, waits, late in found:
            if waits is None:  # the last one that was read, and how many they were
                self.after, read = str(entry), n
            elif not waits:
                self.report("entry-forgotten", stream=stream, n=n, entry=entry)
            elif late:
                self.report("entry-waits-long", stream=stream, n=n, entry=entry)
        if read == WAITING:
            return False
        for (entry,) in fetch(self.using, _STRAY):
            self.report("waiting-stray", entry=entry)
        ((leaves, size, numbered, waiting, beyond),) = fetch(self.using, _SIZES)
        if leaves != size:
            self.report("tree-size", size=size, leaves=leaves)
        if numbered != leaves + waiting:
            self.report("heads-do-not-add-up", entries=numbered, leaves=leaves, waiting=waiting)
        if beyond:
            self.report("tile-beyond", size=size)
        return True


def _hex(digest: Any) -> str | None:
    return None if digest is None else bytes(digest).hex()
