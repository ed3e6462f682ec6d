"""Tiles: where they lie, which there are, and entries packed beside them (C2SP tlog-tiles)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.tlog.strict import Unreadable
from casino.tlog.tiles import (
    full_tiles_between,
    hashes_in,
    pack_entries,
    partial_tiles,
    tile_bytes,
    tile_path,
    tile_root,
    unpack_entries,
)
from tests.tlog.trees import Tiles, leaves, literal_root


@pytest.mark.parametrize(
    ("level", "n", "width", "path"),
    [
        (0, 0, 256, "tile/0/000"),
        (0, 1_234_067, 256, "tile/0/x001/x234/067"),
        (1, 1234, 7, "tile/1/x001/234.p/7"),
        (63, 999, 255, "tile/63/999.p/255"),
        (2, 1000, 1, "tile/2/x001/000.p/1"),
        ("entries", 273, 112, "tile/entries/273.p/112"),
        ("entries", 12_345_678, 256, "tile/entries/x012/x345/678"),
    ],
)
def test_a_tile_lies_where_the_format_says(level: int, n: int, width: int, path: str) -> None:
    assert tile_path(level, n, width) == path


@pytest.mark.parametrize(
    ("level", "n", "width"), [(0, -1, 1), (0, 0, 0), (0, 0, 257), (-1, 0, 1), (64, 0, 1)]
)
def test_what_is_no_tile_lies_nowhere(level: int, n: int, width: int) -> None:
    with pytest.raises(ValueError, match="no tile"):
        tile_path(level, n, width)


@given(st.integers(0, 10**15))
def test_a_path_is_read_back_to_one_number(n: int) -> None:
    path = tile_path(0, n)
    assert re.fullmatch(r"tile/0/(x\d{3}/)*\d{3}", path)
    assert int(re.sub(r"\D", "", path.removeprefix("tile/0/"))) == n


def test_the_tiles_of_the_formats_own_example() -> None:
    assert partial_tiles(70_000) == [(0, 273, 112), (1, 1, 17), (2, 0, 1)]
    full = full_tiles_between(0, 70_000)
    assert full == [*((0, n) for n in range(273)), (1, 0)]
    assert partial_tiles(256) == [(1, 0, 1)]
    assert full_tiles_between(0, 256) == [(0, 0)]


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 65_535, 65_536, 65_537, 2**24, 2**24 + 300])
def test_full_and_partial_tiles_hold_every_hash_once(size: int) -> None:
    full = full_tiles_between(0, size)
    for level in range(4):
        held = 256 * sum(at == level for at, _ in full)
        held += sum(width for at, _, width in partial_tiles(size) if at == level)
        assert held == size >> 8 * level
    assert {level for level, *_ in [*full, *partial_tiles(size)]} <= {0, 1, 2, 3}


@given(st.integers(0, 200_000), st.integers(0, 200_000), st.integers(0, 200_000))
def test_growing_in_steps_fills_the_same_tiles(first: int, second: int, third: int) -> None:
    first, second, third = sorted((first, second, third))
    steps = full_tiles_between(first, second) + full_tiles_between(second, third)
    assert sorted(steps) == full_tiles_between(first, third)


def test_a_full_tile_stands_for_its_leaves() -> None:
    all_leaves = leaves(256)
    tile = tile_bytes(all_leaves)
    assert len(tile) == 8192
    assert hashes_in(tile) == all_leaves
    assert tile_root(tile) == literal_root(all_leaves) == Tiles(all_leaves).rows[1][0]


@pytest.mark.parametrize("size", [0, 31, 33, 8191, 8193, 8192 + 32])
def test_what_has_no_whole_hashes_is_no_tile(size: int) -> None:
    with pytest.raises(Unreadable):
        hashes_in(bytes(size))


def test_entries_are_packed_each_after_its_length() -> None:
    assert pack_entries([b"ab", b"", b"c" * 257]) == b"\0\2ab\0\0\1\1" + b"c" * 257
    assert unpack_entries(b"") == []


@given(st.lists(st.binary(max_size=300), max_size=256))
def test_entries_are_unpacked_as_they_were_packed(entries: list[bytes]) -> None:
    assert unpack_entries(pack_entries(entries)) == entries


def test_the_longest_entry_is_packed_and_a_longer_one_is_not() -> None:
    longest = b"x" * 65_535
    assert unpack_entries(pack_entries([longest])) == [longest]
    with pytest.raises(ValueError, match="more than 65535"):
        pack_entries([longest + b"x"])


def test_entries_cut_short_are_refused_at_every_byte() -> None:
    entries = [b"first", b"", b"third"]
    packed = pack_entries(entries)
    whole = {0: 0, 7: 1, 9: 2, 16: 3}
    for end in range(len(packed) + 1):
        if end in whole:
            assert unpack_entries(packed[:end]) == entries[: whole[end]]
        else:
            with pytest.raises(Unreadable, match="cut short"):
                unpack_entries(packed[:end])


def test_no_file_holds_more_entries_than_a_tile_leaves() -> None:
    assert len(unpack_entries(b"\0\0" * 256)) == 256
    with pytest.raises(Unreadable, match="more than 256"):
        unpack_entries(b"\0\0" * 257)
