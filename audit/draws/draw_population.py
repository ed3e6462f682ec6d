"""A draw made out of the database's book, by the procedure that anybody replays from a copy.

See docs/sampling.md. Nothing is written here.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final
from uuid import UUID

from django.db import connection

from audit.draw_events import DrawCommitted, DrawMade
from audit.models import DrawCommitment, ref_of
from audit.sampling.procedure import Drawn, Round, Wanted, draw, seed_of
from casino import sealed
from casino.events.event import EntryRef
from casino.models import BookCheckpoint, BookEntry, BookLeaf
from casino.queries import load_entry

# A correction is no second round, and what was corrected or withdrawn stays among those drawn from.
_AMONG: Final = """
FROM book_entry e
JOIN book_stream s ON s.id = e.stream_id
JOIN book_leaf l ON l.entry_id = e.id
WHERE e.kind = 'round-played/1' AND e.gaming_day BETWEEN %s AND %s AND l.idx < %s
    AND (%s OR e.table_code = ANY(%s))
    AND NOT EXISTS (SELECT FROM casino_supersession c WHERE c.entry_id = e.id)
"""
_ROUNDS: Final = f"SELECT s.name, e.n, encode(e.leaf_hash, 'hex') {_AMONG} ORDER BY l.idx"
_COUNTED: Final = f"SELECT count(*), count(DISTINCT s.name) {_AMONG}"


def entry_of(commitment: DrawCommitment) -> BookEntry:
    """The entry of a commitment."""
    return BookEntry.objects.select_related("stream").get(pk=commitment.pk)


def asked_by(entry: BookEntry) -> DrawCommitted:
    """What a commitment's entry says."""
    recorded = load_entry(entry.pk)
    assert recorded is not None
    assert isinstance(recorded.event, DrawCommitted)
    return recorded.event


def seeding(entry: BookEntry) -> BookCheckpoint | None:
    """The first checkpoint that covers a commitment: its root is half of the seed. None before."""
    index = sealed.index_of(entry.pk)
    if index is None:
        return None
    return BookCheckpoint.objects.filter(size__gt=index).order_by("size").first()


def covered(entry_ids: Iterable[UUID]) -> set[UUID]:
    """Which of these entries a signed checkpoint covers, in two questions."""
    newest = sealed.latest()
    size = 0 if newest is None else newest.size
    found = BookLeaf.objects.filter(entry_id__in=list(entry_ids), idx__lt=size)
    return set(found.values_list("entry_id", flat=True))


def population_of(asked: DrawCommitted, size: int) -> list[Round]:
    """The rounds drawn from: those of the commitment's days and tables among so many entries."""
    with connection.cursor() as cursor:
        cursor.execute(_ROUNDS, _values(asked, size))
        return [Round(*row) for row in cursor.fetchall()]


def counted(asked: DrawCommitted, size: int) -> tuple[int, int]:
    """How many rounds would be drawn from among so many entries, and at how many tables."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNTED, _values(asked, size))
        rounds, tables = cursor.fetchone()
    return rounds, tables


def _values(asked: DrawCommitted, size: int) -> list[date | int | bool | list[str]]:
    return [asked.from_day, asked.to_day, size, not asked.tables, [*asked.tables]]


def drawn_by(asked: DrawCommitted, secret: str, checkpoint: BookCheckpoint) -> Drawn:
    """Who is drawn by a secret and the root of a checkpoint."""
    seed = seed_of(secret, bytes(checkpoint.root).hex())
    wanted = Wanted(
        asked.tables_wanted,
        asked.tables_in_reserve,
        asked.rounds_wanted,
        asked.rounds_in_reserve,
    )
    return draw(seed, population_of(asked, checkpoint.size), wanted)


def result_of(entry: BookEntry, secret: str, checkpoint: BookCheckpoint) -> DrawMade:
    """What a secret draws for the commitment of this entry, as it is recorded."""
    asked = asked_by(entry)
    drawn = drawn_by(asked, secret, checkpoint)
    return DrawMade(
        draw=asked.draw,
        committed=ref_of(entry, entry.stream.name),
        secret=secret,
        size=checkpoint.size,
        root=bytes(checkpoint.root).hex(),
        population=drawn.population,
        population_tables=drawn.population_tables,
        digest=drawn.digest,
        tables=drawn.tables,
        reserve_tables=drawn.reserve_tables,
        rounds=_refs(drawn.rounds),
        reserve_rounds=_refs(drawn.reserve_rounds),
    )


def _refs(rounds: Sequence[Round]) -> tuple[EntryRef, ...]:
    return tuple(EntryRef(stream=each.stream, n=each.n, leaf=each.leaf) for each in rounds)
