"""The sequencer: gives every entry its place in the tree, in one long-lived loop.

Entries wait in `book_pending`, which a transaction fills as it commits: nothing is looked for by
number or time, so what commits late is never overlooked. Only one sequencer works at a time; a
second one waits. Each turn is one transaction: places, root and the emptied list stand together.
"""

import time
from collections.abc import Callable
from typing import Final

from django.db import connections, transaction

from casino.tlog.merkle import Frontier

ALIAS: Final = "sequencer"
LOCK: Final = 0x4C69_7672_6F  # one number, known to every sequencer of this database
BATCH: Final = 10_000
IDLE: Final = 0.2  # seconds between looks while nothing waits

# In a batch each stream runs in its own order. An entry is only ever seen together with those
# before it in its stream, so a cut by stream and number leaves no gap.
_TAKE: Final = """
WITH taken AS (
    SELECT p.entry_id FROM book_pending p JOIN book_entry e ON e.id = p.entry_id
    ORDER BY e.stream_id, e.n LIMIT %s
), gone AS (
    DELETE FROM book_pending WHERE entry_id IN (SELECT entry_id FROM taken) RETURNING entry_id
)
SELECT e.id, e.leaf_hash FROM gone JOIN book_entry e ON e.id = gone.entry_id
ORDER BY e.stream_id, e.n
"""


def integrate(limit: int = BATCH) -> int | None:
    """Give up to `limit` waiting entries their places; how many, or None where another sequencer
    is at work.
    """
    with transaction.atomic(using=ALIAS), connections[ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
        if not cursor.fetchone()[0]:
            return None
        cursor.execute(_TAKE, [limit])
        waiting = cursor.fetchall()
        if not waiting:
            return 0
        tree = _tree(cursor)
        first = tree.size
        for _, leaf in waiting:
            tree.append(bytes(leaf))
        cursor.execute(
            "INSERT INTO book_leaf (idx, entry_id)"
            " SELECT %s + place - 1, id FROM unnest(%s::uuid[]) WITH ORDINALITY AS t (id, place)",
            [first, [entry for entry, _ in waiting]],
        )
        cursor.execute(
            "INSERT INTO book_tree (size, root, frontier) VALUES (%s, %s, %s)",
            [tree.size, tree.root(), tree.to_bytes()],
        )
    return len(waiting)


def _tree(cursor: object) -> Frontier:
    cursor.execute("SELECT size, frontier FROM book_tree ORDER BY size DESC LIMIT 1")  # type: ignore[attr-defined]
    last = cursor.fetchone()  # type: ignore[attr-defined]
    return Frontier.from_bytes(last[0], bytes(last[1])) if last else Frontier()


def run(stopped: Callable[[], bool], rest: Callable[[float], None] = time.sleep) -> None:
    """Work until `stopped()`. A full batch is followed by the next at once.

    A lost connection ends the loop with its error: whoever started it starts it again.
    """
    while not stopped():
        done = integrate()
        if done is None or done < BATCH:
            rest(IDLE)
