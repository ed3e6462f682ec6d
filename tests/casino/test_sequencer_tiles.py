"""The sequencer's tiles: written with the places they are made of, made up for where missing."""

import re
from collections.abc import Callable

import psycopg
import pytest

from casino import sequencer
from casino.recording import record_many
from casino.tlog.proof import TileTree
from casino.tlog.tiles import full_tiles_between, hashes_in, tile_root
from tests.casino.leaves import places, tree
from tests.factories.records import burnt, recorded, submission

Connect = Callable[..., psycopg.Connection]
pytestmark = pytest.mark.usefixtures("fresh_db")

# Entries as only a superuser could put them there, for tests that need more than they can record.
PLANTED = """
ALTER TABLE book_entry DISABLE TRIGGER USER;
INSERT INTO book_stream (name) VALUES ('table/planted');
INSERT INTO book_entry (id, stream_id, n, key, kind, gaming_day, table_code, partida_id,
                        occurred_at, recorded_at, entry)
SELECT gen_random_uuid(), s.id, g, gen_random_uuid(), 'planted/1', '2026-11-20', 'planted', '',
       '2026-11-20Z', '2026-11-20Z', convert_to('entry ' || g, 'UTF8')
FROM book_stream s, generate_series(1, {count}) AS g WHERE s.name = 'table/planted';
INSERT INTO book_pending SELECT id FROM book_entry;
ALTER TABLE book_entry ENABLE ALWAYS TRIGGER book_entry_stamp;
"""
# The database as the release before the tiles left it.
TILELESS = """
ALTER TABLE book_tile DISABLE TRIGGER USER;
TRUNCATE book_tile;
ALTER TABLE book_tile ENABLE ALWAYS TRIGGER book_tile_rows;
ALTER TABLE book_tile ENABLE ALWAYS TRIGGER book_tile_whole;
"""


@pytest.fixture
def book(connect_as: Connect, fresh_db: str) -> psycopg.Connection:
    return connect_as("reader", autocommit=True)


@pytest.fixture
def superuser(connect_as: Connect, fresh_db: str) -> psycopg.Connection:
    return connect_as("postgres", autocommit=True)


def tiles(book: psycopg.Connection) -> dict[tuple[int, int], bytes]:
    found = book.execute("SELECT level, n, hashes FROM book_tile")
    return {(level, n): bytes(hashes) for level, n, hashes in found}


def must_bear_the_root(book: psycopg.Connection) -> None:
    """Every full tile is there, no other, and they lead to every root the tree ever had."""
    written = tiles(book)
    leaves = [leaf for *_, leaf in places(book)]
    size, root = tree(book)
    assert set(written) == set(full_tiles_between(0, size))

    def read(level: int, n: int, width: int) -> bytes:
        if width == 256:
            return written[level, n]
        if level == 0:
            return b"".join(leaves[n * 256 : n * 256 + width])
        return b"".join(tile_root(written[level - 1, n * 256 + at]) for at in range(width))

    whole = TileTree(size, read)
    assert whole.root() == root
    for earlier, was in book.execute("SELECT size, root FROM book_tree ORDER BY size"):
        assert whole.root_at(earlier) == bytes(was)


def test_full_tiles_stand_with_their_places(book: psycopg.Connection) -> None:
    record_many([submission(burnt(table=f"BJ-0{n % 7}")) for n in range(530)])
    assert sequencer.integrate(255) == 255
    assert tiles(book) == {}
    assert sequencer.integrate(1) == 1
    assert hashes_in(tiles(book)[0, 0]) == [leaf for *_, leaf in places(book)]
    assert sequencer.integrate(255) == 255
    assert set(tiles(book)) == {(0, 0)}
    assert sequencer.integrate() == 19
    assert set(tiles(book)) == {(0, 0), (0, 1)}
    must_bear_the_root(book)


def test_a_failure_after_the_tiles_takes_them_back(
    book: psycopg.Connection, monkeypatch: pytest.MonkeyPatch, superuser: psycopg.Connection
) -> None:
    superuser.execute(PLANTED.format(count=600))
    with monkeypatch.context() as broken:
        broken.setattr(sequencer, "TILES_ABOVE", "none")  # looked at after the lowest tiles
        with pytest.raises(TypeError):
            sequencer.integrate()
    assert tiles(book) == {}
    assert book.execute("SELECT count(*) FROM book_leaf").fetchone() == (0,)
    assert sequencer.integrate() == 600
    must_bear_the_root(book)


def test_tiles_that_are_missing_from_before_are_written_a_few_a_turn(
    book: psycopg.Connection, superuser: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    superuser.execute(PLANTED.format(count=256 * 5 + 9))
    assert sequencer.integrate() == 256 * 5 + 9
    before = tiles(book)
    superuser.execute(TILELESS)
    monkeypatch.setattr(sequencer, "TILES", 2)
    seen = []
    recorded(burnt())  # entries that come meanwhile have their places at once
    for waiting in (1, 0, 0, 0):
        assert sequencer.integrate() == waiting
        seen.append(len(tiles(book)))
    assert seen == [2, 4, 5, 5]
    assert tiles(book) == before
    must_bear_the_root(book)


@pytest.mark.check
def test_tiles_over_tiles(book: psycopg.Connection, superuser: psycopg.Connection) -> None:
    """65,536 leaves fill the first tile of the second level; one less does not."""
    superuser.execute(PLANTED.format(count=65_536 + 300))
    assert sequencer.integrate(40_000) == 40_000
    assert sequencer.integrate(25_535) == 25_535
    assert set(tiles(book)) == {(0, n) for n in range(255)}
    assert sequencer.integrate(1) == 1
    assert set(tiles(book)) == {(1, 0), *((0, n) for n in range(256))}
    assert sequencer.integrate() == 300
    must_bear_the_root(book)
    before = tiles(book)
    superuser.execute(TILELESS)
    for count in (200, 258, 258):
        assert sequencer.integrate() == 0
        assert len(tiles(book)) == count
    assert tiles(book) == before


def test_a_plan_made_for_a_long_list_does_not_walk_the_book_for_a_short_one(
    book: psycopg.Connection, superuser: psycopg.Connection
) -> None:
    superuser.execute(PLANTED.format(count=20_000))
    superuser.execute("ANALYZE")  # the statistics of the worst moment
    assert sequencer.integrate(20_000) == 20_000
    recorded(burnt())
    plan = superuser.execute("EXPLAIN " + sequencer._PLACE, [10_000, 20_000]).fetchall()
    lines = [line for (line,) in plan]
    looks = [at for at, line in enumerate(lines) if re.search(r" on book_entry\b", line)]
    assert len(looks) == 1, lines
    assert "Index Scan using book_entry_pkey" in lines[looks[0]], lines
    assert "Index Cond: (id = p.entry_id)" in lines[looks[0] + 1], lines


@pytest.mark.both_servers
def test_nothing_waits_and_nothing_is_written(book: psycopg.Connection) -> None:
    assert sequencer.integrate() == 0
    assert book.execute("SELECT count(*) FROM book_tree").fetchone() == (0,)
    assert tiles(book) == {}
    recorded(burnt())
    assert sequencer.integrate() == 1
    must_bear_the_root(book)
