"""What a bundle is made of, piece by piece, without a database."""

import hmac
import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

import django
import pytest
from django.apps import apps
from django.conf import settings

if not settings.configured and not apps.ready:  # the planted bugs run without pytest-django
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    django.setup()

from audit.exporting import bundle_reader
from audit.exporting.bundle_export import SHOWN, Full, Scoped, edge_tile, sizes_named
from audit.exporting.export_refusals import ExportRefused
from audit.exporting.file_columns import row_of
from audit.exporting.folder import Folder
from audit.exporting.private_back import _commits
from audit.exporting.private_files import files_named
from audit.exporting.read_book import Shown
from casino.sealed import Tiles, with_lines
from casino.tlog.checkpoint import Checkpoint, cosign
from casino.tlog.merkle import HASH, Frontier, leaf_hash
from casino.tlog.note import SigningKey, parse_note, signed
from casino.tlog.proof import TileTree
from casino.tlog.tiles import unpack_entries
from tests.factories.events.every import FULL
from tests.tlog.golden_entries import ENTRIES

pytestmark = pytest.mark.share

ROW = UUID("0193479e-1111-7c3e-9a54-0c6f2b1d7e10")
ORIGIN = "book.example/sala/1"


def some(first: int, count: int, entry: bytes = b"{}") -> list[Shown]:
    return [Shown(first + at, ROW, entry) for at in range(count)]


# The folder.


def test_a_folder_gets_its_name_when_everything_in_it_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, synced = tmp_path / "bundle", []
    sync = os.fsync

    def noted(held: int) -> None:
        synced.append(Path(os.readlink(f"/proc/self/fd/{held}")).name)
        assert place.exists() == (synced[-1] == tmp_path.name)
        sync(held)

    monkeypatch.setattr(os, "fsync", noted)
    with Folder(place) as folder:
        folder.write("tile/0/000", b"abc")
        with folder.digested("ids") as file:
            file.write(b"one")
            file.write(b"two")
        folder.finish()
    assert sorted(synced) == sorted(["000", "ids", "0", "tile", "bundle.part", tmp_path.name])
    assert (place / "tile/0/000").read_bytes() == b"abc"
    assert (place / "ids").read_bytes() == b"onetwo"
    assert folder.digests == {
        "ids": "25b6746d5172ed6352966a013d93ac846e1110d5a25e8f183b5931f4688842a1"
    }
    assert [each.name for each in tmp_path.iterdir()] == ["bundle"]


def test_an_unfinished_folder_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        _begun_and_broken_off(tmp_path / "bundle")
    assert list(tmp_path.iterdir()) == []


def _begun_and_broken_off(place: Path) -> None:
    with Folder(place) as folder:
        folder.write("tile/0/000", b"abc")
        raise ZeroDivisionError


def test_only_its_owner_enters_a_folder_of_private_values(tmp_path: Path) -> None:
    os.umask(before := os.umask(0o022))
    for private in (False, True):
        with Folder(tmp_path / str(private), private=private) as folder:
            folder.finish()
    assert (tmp_path / "True").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "False").stat().st_mode & 0o777 == 0o777 & ~before


def test_whoever_is_slower_does_not_write_over_the_other(tmp_path: Path) -> None:
    with Folder(tmp_path / "bundle") as folder:
        (tmp_path / "bundle").mkdir()
        with pytest.raises(ExportRefused):
            folder.finish()
    assert list((tmp_path / "bundle").iterdir()) == []
    assert [each.name for each in tmp_path.iterdir()] == ["bundle"]


# Entries.


def test_entries_of_a_full_copy_lie_by_tiles(tmp_path: Path) -> None:
    with Folder(tmp_path / "bundle") as folder:
        full = Full(folder)
        full.take(some(0, 256))
        full.take(some(256, 2, b"[1]"))
        full.end()
        place = folder.finish()
    assert unpack_entries((place / "tile/entries/000").read_bytes()) == [b"{}"] * 256
    assert (place / "tile/entries/001.p/2").read_bytes() == b"\0\3[1]\0\3[1]"


def test_a_shown_entry_is_its_index_its_length_and_its_bytes(tmp_path: Path) -> None:
    with Folder(tmp_path / "bundle") as folder:
        scoped = Scoped(folder)
        for first in range(0, SHOWN, 256):
            scoped.take(some(first, 256))
        scoped.take(some(70_000, 1, b"x" * 300))
        scoped.end()
        place = folder.finish()
    assert sorted(each.name for each in (place / "shown").iterdir()) == ["000000", "000001"]
    assert len((place / "shown/000000").read_bytes()) == SHOWN * 12
    expected = b"\0\0\0\0\0\x01\x11\x70" + b"\x01\x2c" + b"x" * 300
    assert (place / "shown/000001").read_bytes() == expected


def test_large_entries_make_more_files(tmp_path: Path) -> None:
    with Folder(tmp_path / "bundle") as folder:
        scoped = Scoped(folder)
        scoped.take(some(0, 300, b"x" * 60_000))
        scoped.end()
        place = folder.finish()
    assert len(list((place / "shown").iterdir())) == 3


def test_an_entry_names_its_checkpoint() -> None:
    at = b'{"at":"2026-11-20T19:52:11.031377Z","cp":'
    root = b"a" * 64
    listed = [
        at + b'{"root":"' + root + b'","size":41203},"day":"2026-11-20"}',
        at + b'null,"day":"2026-11-20"}',
        b'{"payload":{"cp":{"root":"' + root + b'","size":7}}}',
        at + b'{"root":"' + root[1:] + b'","size":8}}',
        b"",
        b"\xff",
    ]
    assert sizes_named(Shown(0, ROW, entry) for entry in listed) == {41203}


@pytest.mark.parametrize(("size", "tile"), [(1, {0}), (255, {0}), (256, set()), (257, {1})])
def test_the_root_of_a_smaller_tree_needs_the_tile_it_ends_in(size: int, tile: set[int]) -> None:
    assert edge_tile(size) == tile


@pytest.mark.parametrize(("leaf", "entry"), ENTRIES)
def test_an_entrys_row_follows_from_its_bytes(leaf: bytes, entry: bytes) -> None:
    row, body = row_of(entry), json.loads(entry)
    event = FULL[body["kind"]]
    assert row.entry == entry
    assert (row.stream, row.n, str(row.key)) == (body["stream"], body["n"], body["key"])
    assert (row.gaming_day, row.kind) == (body["day"], body["kind"])
    assert (row.occurred_at, row.recorded_at) == (body["occurred"], body["at"])
    table = getattr(event, "table_code", None) or getattr(event, "table", None) or ""
    partida = getattr(event, "partida_id", None) or getattr(event, "partida", None) or ""
    assert (row.table_code, row.partida_id) == (table, partida)
    if row.stream.startswith("table/"):
        assert row.table_code == row.stream.removeprefix("table/")
    assert leaf


@pytest.mark.parametrize("entry", [b"", b"\xff", b"[]", b"{}", b'{"payload":{}}'])
def test_what_is_no_entry_makes_no_row(entry: bytes) -> None:
    with pytest.raises((ValueError, LookupError, TypeError)):
        row_of(entry)


def test_files_are_named_by_digests_alone() -> None:
    digest = "5" * 64
    entry = json.dumps({"payload": {"attachments": [digest, "../../etc/passwd", 7]}}).encode()
    assert files_named(entry.replace(b", 7", b"")) == {digest}
    assert files_named(b"{") == files_named(b'{"payload":[]}') == files_named(entry) == set()


# Private values.


def test_a_value_is_believed_only_if_the_entry_commits_to_it() -> None:
    salt = bytes(range(32))
    text = hmac.new(salt, b'"Ana"', sha256).hexdigest()
    entry = json.dumps({"payload": {"name": {"hmac_sha256": text}}}).encode()
    assert _commits(entry, "name", salt, "Ana")
    for field, key, value in (("note", salt, "Ana"), ("name", b"", "Ana"), ("name", salt, "Eva")):
        assert not _commits(entry, field, key, value)
    assert not _commits(b"{", "name", salt, "Ana")


# Checkpoints.


def test_a_checkpoint_is_taken_apart_into_what_the_log_and_what_witnesses_signed() -> None:
    keys = [SigningKey.generate(ORIGIN), SigningKey.generate(ORIGIN)]
    witness = SigningKey.generate("witness.example/1")
    head = Checkpoint(ORIGIN, 1, leaf_hash(b"{}"))
    note = signed(head.text(), keys)
    line = cosign(witness, head.text(), 1_800_000_000)
    published = with_lines(note, [line])
    assert published == note + line + "\n"
    assert with_lines(published, [line]) == published
    parsed = parse_note(published)
    assert bundle_reader.signed_by_log(parsed) == note
    assert bundle_reader.cosignatures_in(parsed) == [(line, 1_800_000_000)]


# Tiles.


class FewTiles(Tiles):
    """Tiles of a tree of so many leaves, of which only some full ones are kept."""

    def __init__(self, leaves: list[bytes], kept: Callable[[int, int], bool]) -> None:
        super().__init__("nowhere")
        self.leaves, self.is_kept = leaves, kept

    def stored(self, level: int, numbers: Any) -> dict[int, bytes]:
        whole = {n: self._row(level, n) for n in numbers if self.is_kept(level, n)}
        return {n: tile for n, tile in whole.items() if len(tile) == 256 * HASH}

    def _row(self, level: int, n: int) -> bytes:
        """Worked out from the leaves, by another way than what is tested."""
        width = 256**level
        tops = []
        for first in range(n * 256 * width, (n + 1) * 256 * width, width):
            tree = Frontier()
            for leaf in self.leaves[first : first + width]:
                tree.append(leaf)
            if tree.size == width:
                tops.append(tree.root())
        return b"".join(tops)

    def _made(self, level: int, n: int, width: int) -> bytes:
        if level == 0:
            return b"".join(self.leaves[n * 256 : n * 256 + width])
        return super()._made(level, n, width)


@pytest.mark.parametrize("size", [1, 255, 256, 257, 1000])
@pytest.mark.parametrize("kept", [lambda level, n: True, lambda level, n: n % 2, lambda *_: False])
def test_tiles_that_are_not_kept_are_made_from_what_lies_below(
    size: int, kept: Callable[[int, int], bool]
) -> None:
    leaves = [leaf_hash(str(n).encode()) for n in range(size)]
    expected = Frontier()
    for leaf in leaves:
        expected.append(leaf)
    tiles = FewTiles(leaves, kept)
    assert TileTree(size, tiles).root() == expected.root()
    assert tiles(0, 0, 1) == leaves[0]
    assert len(tiles(1, 0, 256)) == size // 256 * HASH  # never a root over half a tile
