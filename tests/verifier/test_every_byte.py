"""Every byte of a small bundle altered, one at a time: found each time, and found where it is.

`make test` alters every sixteenth byte of each file, another sixteenth at each commit.
"""

from itertools import accumulate
from pathlib import Path

import pytest

from tests.gate import CHECK, SEED, SOAK, size
from tests.verifier.checked import checked
from tests.verifier.maker import Book, put

FLIPS = [1 << bit for bit in range(8)] if SOAK else [1]
SCOPES = [
    {"kind": "full"},
    {"kind": "range", "from": 1, "to": 3},
    {"kind": "table", "table": "BJ-06"},
]


@pytest.fixture(scope="module")
def book() -> Book:
    """Four entries under two checkpoints, with a private value, a file and a witness."""
    book = Book()
    table = {"table": "BJ-06"}
    act = book.add("table-registered/1", table, files=[b"a photograph"])
    book.sign(seen=True)
    book.add("table-registered/1", table, supersedes=act)
    book.add("incident-reported/1", table, private={"text": "São duas cartas"})
    book.add("staff-registered/1", {"staff": "S-1"}, stream="house")
    book.sign(seen=True)
    return book


def entry_at(files: dict[str, bytes], name: str, place: int) -> int | None:
    """The index of the entry that a byte of a file belongs to; None where it is no entry's."""
    if name.startswith("tile/entries/"):
        head, first = 2, 0
    elif name.startswith("shown/"):
        head, first = 10, int.from_bytes(files[name][:8], "big")
    else:
        return None
    data, at, index = files[name], 0, first
    while at < len(data):
        end = at + head + int.from_bytes(data[at + head - 2 : at + head], "big")
        if at <= place < at + head:
            return None  # a length, or an index: the file is named
        if place < end:
            return index
        at, index = end, index + 1
    raise AssertionError(name)


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: scope["kind"])
def test_any_byte_that_is_altered_is_found_and_found_there(
    book: Book, scope: dict[str, object], tmp_path: Path
) -> None:
    files = book.files_of(scope)
    place = put(tmp_path / "bundle", files)
    assert checked(place).code == 0
    missed = []
    step = size(16, 1 if scope["kind"] == "full" else 3, 1)
    for name, data in files.items():
        first = 0 if CHECK else SEED % min(step, len(data))
        for at in range(first, len(data), step):
            for flip in FLIPS:
                altered = bytearray(data)
                altered[at] ^= flip
                (place / name).write_bytes(altered)
                found = checked(place)
                index = entry_at(files, name, at)
                there = index in found.indices() or (name in found.files() and index is None)
                if found.code not in (1, 3) or not there:
                    missed.append((name, at, flip, found.code, found.lines[:3]))
        (place / name).write_bytes(data)
    assert not missed, "\n".join(map(str, missed[:8]))
    assert checked(place).code == 0


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: scope["kind"])
def test_any_file_cut_or_lengthened_or_gone_is_named(
    book: Book, scope: dict[str, object], tmp_path: Path
) -> None:
    files = book.files_of(scope)
    place = put(tmp_path / "bundle", files)
    for name, data in files.items():
        step = max(1, len(data) // size(6, 20, 20))
        for changed in [data[:cut] for cut in range(0, len(data), step)] + [data + b"\n"]:
            (place / name).write_bytes(changed)
            found = checked(place)
            assert found.code in (1, 3), (name, len(changed))
            assert name in found.files() | ({name} if found.indices() else set()), (name, changed)
        (place / name).unlink()
        found = checked(place)
        if name.startswith("private/attachments/"):
            assert found.code == 0, "a file may be kept back"
            assert found.report.figures["files"] < found.report.figures["files_named"]
        else:
            assert found.code in (2, 3), name
            assert name in found.files(), name
        (place / name).write_bytes(data)


def test_the_places_of_entries_are_known(book: Book) -> None:
    files = book.files_of()
    lengths = [len(entry) + 2 for entry in book.entries]
    starts = [0, *accumulate(lengths)]
    for index, start in enumerate(starts[:-1]):
        assert entry_at(files, "tile/entries/000.p/4", start) is None
        assert entry_at(files, "tile/entries/000.p/4", start + 2) == index
