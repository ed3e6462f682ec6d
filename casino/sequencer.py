"""The sequencer: gives every entry its place in the tree, in one long-lived loop.

Entries wait in `book_pending`, which a transaction fills as it commits: nothing is looked for by
number or time, so what commits late is never overlooked. Only one sequencer works at a time; a
second one waits. Each turn is one transaction: places, root, tiles and the emptied list stand
together.
"""

import time
from collections.abc import Callable
from typing import Any, Final

from django.db import connections, transaction

from casino.tlog.merkle import HASH, Frontier
from casino.tlog.proof import HEIGHT, WIDTH
from casino.tlog.tiles import tile_bytes, tile_root

ALIAS: Final = "sequencer"
LOCK: Final = 0x4C69_7672_6F  # one number, known to every sequencer of this database
BATCH: Final = 10_000
LARGEST: Final = 40_000  # entries of a batch while many more wait: each look sorts all that wait
IDLE: Final = 0.1  # seconds between looks while nothing waits
LEVELS: Final = 8  # of tiles: the tree outgrows its sizes before it outgrows these
# Full tiles written in a turn at most, at the bottom and at each level above. The largest batch
# fills fewer; more are missing only where a database was kept before there were tiles.
TILES: Final = 200
TILES_ABOVE: Final = 4

# In a batch each stream runs in its own order. An entry is only ever seen together with those
# before it in its stream, so a cut by stream and number leaves no gap.
# OFFSET 0 keeps the planner to one look-up an entry: the pending list fills and empties faster than
# its statistics, and a plan made for a long list walks the whole book for a short one.
_PLACE: Final = """
WITH taken AS MATERIALIZED (
    SELECT p.entry_id, e.leaf_hash, row_number() OVER (ORDER BY e.stream_id, e.n) AS place
    FROM book_pending p CROSS JOIN LATERAL (
        SELECT stream_id, n, leaf_hash FROM book_entry WHERE id = p.entry_id OFFSET 0
    ) e ORDER BY e.stream_id, e.n LIMIT %s
), gone AS (
    DELETE FROM book_pending WHERE entry_id IN (SELECT entry_id FROM taken)
), placed AS (
    INSERT INTO book_leaf (idx, entry_id) SELECT %s + place - 1, entry_id FROM taken
)
SELECT count(*), string_agg(leaf_hash, ''::bytea ORDER BY place) FROM taken
"""
_LOWEST_TILES: Final = """
INSERT INTO book_tile (level, n, hashes)
SELECT 0, l.idx / 256, string_agg(e.leaf_hash, ''::bytea ORDER BY l.idx)
FROM book_leaf l CROSS JOIN LATERAL (
    SELECT leaf_hash FROM book_entry WHERE id = l.entry_id OFFSET 0
) e WHERE l.idx >= %s AND l.idx < %s GROUP BY l.idx / 256
"""


def integrate(limit: int = BATCH) -> int | None:
    """Give up to `limit` waiting entries their places; how many, or None where another sequencer
    is at work.
    """
    with transaction.atomic(using=ALIAS), connections[ALIAS].cursor() as cursor:
        # Compiling a plan takes longer than a turn; the planner cannot know (see _PLACE).
        cursor.execute(
            "SELECT pg_try_advisory_xact_lock(%s), set_config('jit', 'off', true)", [LOCK]
        )
        if not cursor.fetchone()[0]:
            return None
        tree = _tree(cursor)
        cursor.execute(_PLACE, [limit, tree.size])
        count, leaves = cursor.fetchone()
        if count:
            for at in range(0, count * HASH, HASH):
                tree.append(bytes(leaves[at : at + HASH]))
            cursor.execute(
                "INSERT INTO book_tree (size, root, frontier) VALUES (%s, %s, %s)",
                [tree.size, tree.root(), tree.to_bytes()],
            )
        _fill(cursor, tree.size)
    return int(count)


def _tree(cursor: Any) -> Frontier:
    cursor.execute("SELECT size, frontier FROM book_tree ORDER BY size DESC LIMIT 1")
    last = cursor.fetchone()
    return Frontier.from_bytes(last[0], bytes(last[1])) if last else Frontier()


def _fill(cursor: Any, size: int) -> None:
    """Write the full tiles that a tree of this size has and the table has not, a turn's worth.

    Of each level they stand in their order without a gap: how many there are says which is next.
    """
    cursor.execute(
        "SELECT (SELECT coalesce(max(n) + 1, 0) FROM book_tile WHERE level = l)"
        " FROM generate_series(0, %s) AS l ORDER BY l",
        [LEVELS - 1],
    )
    there = [found for (found,) in cursor.fetchall()]
    until = min(size >> HEIGHT, there[0] + TILES)
    if there[0] < until:
        cursor.execute(_LOWEST_TILES, [there[0] * WIDTH, until * WIDTH])
    for level in range(1, LEVELS):
        # A tile stands for tiles below it that have been written.
        until = min(until >> HEIGHT, there[level] + TILES_ABOVE)
        for n in range(there[level], until):
            _write_above(cursor, level, n)


def _write_above(cursor: Any, level: int, n: int) -> None:
    """Write the tile over 256 full ones of the level below."""
    cursor.execute(
        "SELECT hashes FROM book_tile WHERE level = %s AND n >= %s AND n < %s ORDER BY n",
        [level - 1, n * WIDTH, (n + 1) * WIDTH],
    )
    tile = tile_bytes(tile_root(bytes(below)) for (below,) in cursor.fetchall())
    cursor.execute("INSERT INTO book_tile (level, n, hashes) VALUES (%s, %s, %s)", [level, n, tile])


def run(stopped: Callable[[], bool], rest: Callable[[float], None] = time.sleep) -> None:
    """Work until `stopped()`. A full batch is followed at once by the next, twice as large.

    A lost connection ends the loop with its error: whoever started it starts it again.
    """
    limit = BATCH
    while not stopped():
        if integrate(limit) == limit:
            limit = min(limit * 2, LARGEST)
        else:
            limit = BATCH
            rest(IDLE)
