"""Files that were taken away: what is left is looked at all the same, and accused of nothing."""

import json
import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from audit.verifier import following
from audit.verifier.tiles import is_tile, tile_path
from casino.tlog.merkle import leaf_hash
from casino.tlog.tiles import unpack_entries
from tests.bench.verify_million import write as write_quickly
from tests.gate import drawn, size
from tests.verifier.checked import Found, checked
from tests.verifier.fates import FATES
from tests.verifier.maker import Book, key, play, put
from tests.verifier.mutations import replaced, retold

pytestmark = pytest.mark.share

Files = dict[str, bytes]
SEEDS = drawn(range(size(12, 12, 150)), 4)


@pytest.fixture(scope="module")
def book() -> Book:
    return play(Book(seed=2), 1500, every=100)


@pytest.fixture(scope="module")
def files(book: Book) -> Files:
    return book.files_of()


def without(files: Files, *names: str) -> Files:
    assert {*names} <= files.keys()
    return {name: data for name, data in files.items() if name not in names}


def altered(book: Book, files: Files, index: int) -> Files:
    """A payload that tells something else, written as it must be."""
    entry = retold(book.entries[index], lambda body: body["payload"].update(shoe=9))
    changed = replaced(files, index, entry)
    return files | {name: data for name, data in changed.items() if data is not None}


@pytest.mark.parametrize("gone", ["tile/entries/000", "tile/entries/002"])
@pytest.mark.parametrize("also", ["", "tile/0/000", "tile/0/002"])
@pytest.mark.parametrize("processes", [1, 3])
def test_what_comes_after_a_missing_file_is_looked_at(
    book: Book,
    files: Files,
    gone: str,
    also: str,
    processes: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("audit.verifier.crew.LEAST", 1)
    left = without(altered(book, files, 900), gone, *([also] if also else []))
    found = checked(put(tmp_path / "bundle", left), processes=processes)
    assert (found.code, "stranger" in found.notes) == (1, False)
    line = next(line for line in found.lines if line.code == "entry-altered")
    assert (line.index, line.file) == (900, "tile/entries/003")
    assert {gone, *([also] if also else [])} <= found.files()
    assert found.report.figures["entries"] == len(book.entries) - 256


def test_an_end_that_is_missing_hides_nothing_either(
    book: Book, files: Files, tmp_path: Path
) -> None:
    last = max(name for name in files if name.startswith("tile/entries/"))
    found = checked(put(tmp_path / "bundle", without(altered(book, files, 900), last)))
    assert (found.code, 900 in found.indices()) == (1, True)


def test_a_file_cut_short_hides_nothing_either(book: Book, files: Files, tmp_path: Path) -> None:
    left = altered(book, files, 900)
    left["tile/entries/000"] = left["tile/entries/000"][:-1]
    found = checked(put(tmp_path / "bundle", left))
    assert (found.code, {255, 900} <= found.indices()) == (1, True)


def test_the_hashes_that_stand_for_what_is_missing_are_held_against_the_tree(
    files: Files, tmp_path: Path
) -> None:
    """Somebody takes entries away and puts hashes of others in their place."""
    tile = bytearray(files["tile/0/001"])
    tile[77] ^= 1
    left = without(files, "tile/entries/001") | {"tile/0/001": bytes(tile)}
    found = checked(put(tmp_path / "bundle", left))
    assert (found.code, "tile/0/001" in found.files()) == (1, True)
    last = next(name for name in files if name.startswith("tile/entries/005"))
    hashes = last.replace("entries", "0")
    tile = bytearray(files[hashes])
    tile[77] ^= 1
    found = checked(put(tmp_path / "last", without(files, last) | {hashes: bytes(tile)}))
    assert (found.code, "root-wrong" in found.codes) == (1, True)


def test_what_is_left_of_a_stream_goes_on_and_is_otherwise_as_strict(
    book: Book, tmp_path: Path
) -> None:
    """Over the hole a number may jump, and only there; it never falls."""

    def value(drop: int, place: Path) -> Found:
        end = len(book.entries)
        new = book.copy()
        new.openings = []
        made = new.rewritten(lambda at, body: body)
        # Numbers as they would be had nobody made up for what he left out.
        entries = made.entries[:drop] + made.entries[drop + 1 :]
        again = Book(seed=2, keys=book.keys)
        for entry in entries:
            body = json.loads(entry)
            again.append(entry, body["stream"], body["n"])
        again.sign()
        assert len(again.entries) == end - 1
        return checked(put(place, without(again.files_of(openings=False), "tile/entries/001")))

    stream = json.loads(book.entries[700])["stream"]
    before = json.loads(book.entries[100])["stream"]
    for drop, name in ((700, stream), (100, before)):
        found = value(drop, tmp_path / str(drop))
        assert found.code == 1
        assert any(
            (line.code, line.stream) == ("stream-number", name)
            for line in found.lines
            if line.index is not None and abs(line.index - drop) < 60
        )


def with_a_life(seed: int, sizes: tuple[int, int]) -> Book:
    dice = random.Random(f"hole {seed}")
    book = Book(seed=seed)
    for _ in range(dice.randrange(2, 6)):
        play(book, dice.randrange(*sizes), every=dice.choice([20, 60]))
        dice.choice(FATES)(book)
        book.now += timedelta(seconds=400)
    return play(book, dice.randrange(1, 60))


ENTRIES, SHOWN = "tile/entries/", "shown/"


@pytest.mark.parametrize("seed", SEEDS)
def test_an_honest_book_with_a_hole_is_accused_of_nothing(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever stood in the hole: keys, epochs, corrections, private values, what was promised."""
    book = with_a_life(seed, (150, 500))
    dice, size = random.Random(seed), len(book.entries)
    older = [dice.choice([*book.notes.values()]) for _ in range(3)]
    receipts = [book.receipt(dice.randrange(size)) for _ in range(4)]
    files = book.files_of()
    names = sorted(name for name in files if name.startswith(ENTRIES))
    for n, gone in enumerate(dice.sample(names, min(3, len(names)))):
        hole = {gone, *dice.sample(names, dice.randrange(2))}
        hashes = {each.replace("entries", "0") for each in hole if dice.random() < 0.4}
        place = put(tmp_path / str(n), without(files, *hole, *hashes))
        policies = [book.policy([book.keys[-1]]), book.policy([book.known_keys[0]])]
        for policy in (None, *policies):
            found = checked(place, policy=policy, older=older, receipts=receipts)
            assert found.code == 2, found.lines[:5]
            assert hole <= found.files()
            assert found.report.counts["file-missing"] == len(hole | hashes)
            assert "stranger" not in found.notes


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["range", "table"])
def test_an_honest_part_with_a_hole_is_accused_of_nothing(
    seed: int, kind: str, tmp_path: Path
) -> None:
    book, dice = with_a_life(seed, (100, 300)), random.Random(seed)
    size = len(book.entries)
    scope: dict[str, Any] = {"kind": kind, "table": "BJ-01"}
    if kind == "range":
        scope = {"kind": kind, "from": dice.randrange(size // 2), "to": size}
    files = in_smaller_files(book.files_of(scope), dice)
    names = sorted(name for name in files if name.startswith(SHOWN))
    gone = {*dice.sample(names, min(2, len(names) - 1))}
    receipts = [book.receipt(dice.randrange(size)) for _ in range(4)]
    found = checked(put(tmp_path / "bundle", without(files, *gone)), receipts=receipts)
    assert found.code == 2, found.lines[:5]
    assert "stranger" not in found.notes
    gone -= {names[-1]} if len(gone) > 1 else set()  # that there was one more nobody can know
    assert found.files() == gone


def in_smaller_files(files: Files, dice: random.Random) -> Files:
    """The entries of a part laid out anew, some dozens in each file."""
    data, number = files.pop("shown/000000"), 0
    while data:
        end = 0
        for _ in range(dice.randrange(1, 80)):
            end += 10 + int.from_bytes(data[end + 8 : end + 10]) if end < len(data) else 0
        files[f"shown/{number:06d}"], data, number = data[:end], data[end:], number + 1
    return files


@pytest.mark.parametrize("kind", ["range", "table"])
def test_of_a_part_too_what_comes_after_is_looked_at(book: Book, kind: str, tmp_path: Path) -> None:
    scope: dict[str, Any] = {"kind": kind, "table": "BJ-01"}
    if kind == "range":
        scope = {"kind": kind, "from": 100, "to": 1400}
    files = in_smaller_files(book.files_of(scope), random.Random(1))
    names = sorted(name for name in files if name.startswith(SHOWN))
    at = files[names[-1]].index(b'"shoe":1')
    left = without(files, names[0], names[2])
    left[names[-1]] = files[names[-1]][:at] + b'"shoe":9' + files[names[-1]][at + 8 :]
    found = checked(put(tmp_path / "bundle", left))
    assert (found.code, {names[0], names[2], names[-1]} <= found.files()) == (1, True)
    assert "entry-altered" in found.codes


def test_a_correction_over_a_hole(tmp_path: Path) -> None:
    """Refused where nobody sees it, it is made anew, and approved: no second one, no wrong one."""
    book = Book(seed=4)
    at = {"table": "BJ-06"}
    act = book.add("card-burned/1", at | {"cards": 1})
    first = book.add("card-burned/1", at | {"cards": 2}, supersedes=act)
    for _ in range(300):
        book.add("card-burned/1", {"table": "BJ-01"}, stream="table/BJ-01")
    values = {"original": act, "reason": "seen"}
    book.add("corrected/1", values | {"pending": first, "decision": "refused"}, staff="S-0300")
    for _ in range(300):
        book.add("card-burned/1", {"table": "BJ-01"}, stream="table/BJ-01")
    again = book.add("card-burned/1", at | {"cards": 3}, supersedes=act)
    book.add("corrected/1", values | {"pending": again, "decision": "approved"}, staff="S-0300")
    book.sign()
    files = book.files_of()
    assert checked(put(tmp_path / "whole", files)).code == 0
    found = checked(put(tmp_path / "hole", without(files, "tile/entries/001")))
    assert (found.code, found.codes) == (2, {"file-missing"})


def test_a_key_named_in_a_hole(tmp_path: Path) -> None:
    book = play(Book(seed=6), 300)
    new = key(book.origin, 2)
    values = {"vkey": new.verifier().text(), "replaces": book.keys[0].verifier().text()}
    book.add("signing-key-named/1", values | {"reason": "yearly"}, stream="house")
    first, book.keys = book.keys, [*book.keys, new]
    play(book, 300)
    book.keys = [new]
    play(book, 300)
    files = book.files_of()
    found = checked(
        put(tmp_path / "hole", without(files, "tile/entries/001")), policy=book.policy(first)
    )
    assert (found.code, found.codes) == (2, {"file-missing", "key-unknown"})


@pytest.mark.check
def test_where_tiles_above_are_gone_too_the_edge_is_found_again(tmp_path: Path) -> None:
    place, size = tmp_path / "bundle", 66_600
    write_quickly(place, size)
    for name in ("tile/entries/007", "tile/0/007", "tile/1/000"):
        (place / name).unlink()
    found = checked(place)
    assert (found.code, found.codes) == (2, {"file-missing"})
    assert found.report.counts["file-missing"] == 3
    assert found.report.figures["not_shown"] == 256
    mended(place, tile_path("entries", 258, 256))
    found = checked(place)
    assert (found.code, 258 * 256 in found.indices()) == (1, True)
    mended(place, tile_path("entries", 9, 256))  # where nothing above its hashes is left
    found = checked(place)
    assert (found.code, {258 * 256, 9 * 256} <= found.indices()) == (1, True)
    (place / "tile/2/000.p/1").unlink()
    found = checked(place)
    assert (found.code, {258 * 256, 9 * 256} <= found.indices()) == (1, True)


def mended(place: Path, name: str) -> None:
    data = (place / name).read_bytes()
    (place / name).write_bytes(data.replace(b'"shoe":2', b'"shoe":3', 1))


def test_where_only_the_hashes_above_are_gone(book: Book, files: Files, tmp_path: Path) -> None:
    """An entry altered, its own hash too: the roots that come after are worked out all the same."""
    left = without(altered(book, files, 900), "tile/entries/001", "tile/1/000.p/5")
    hashes = bytearray(left["tile/0/003"])
    at = (900 - 768) * 32
    hashes[at : at + 32] = leaf_hash(unpack_entries(left["tile/entries/003"])[900 - 768])
    found = checked(put(tmp_path / "bundle", left | {"tile/0/003": bytes(hashes)}))
    assert (found.code, "root-wrong" in found.codes) == (1, True)


def test_it_gives_up_where_hardly_a_file_is_there(
    book: Book, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "MAX_MISSED", 2)
    names = sorted(name for name in files if name.startswith(ENTRIES))
    assert len(names) == 6
    left = without(altered(book, files, 1300), *names[:3])
    found = checked(put(tmp_path / "bundle", left))
    assert (found.code, found.files()) == (2, {*names[:3]})
    assert "stranger" not in found.notes
    left = without(altered(book, files, 1300), *names[:2])
    assert checked(put(tmp_path / "two", left)).code == 1


def test_what_is_missing_is_told_once(book: Book, tmp_path: Path) -> None:
    files = book.files_of({"kind": "table", "table": "BJ-01"})
    gone = [name for name in files if name.startswith("tile/0/")]
    found = checked(put(tmp_path / "bundle", without(files, *gone)))
    assert (found.code, found.files()) == (2, {*gone})
    assert found.report.counts["file-missing"] == len(gone) > 3


@pytest.mark.parametrize(
    ("name", "size", "there"),
    [
        ("tile/entries/000", 256, True),
        ("tile/entries/000", 255, False),
        ("tile/entries/000.p/255", 255, True),
        ("tile/0/001.p/1", 257, True),
        ("tile/0/001.p/01", 257, False),
        ("tile/0/001", 257, False),
        ("tile/1/000.p/1", 256, True),
        ("tile/1/000.p/1", 255, False),
        ("tile/entries/x001/000", 256_256, True),
        ("tile/entries/x000/000", 256_256, False),
        ("tile/7/000", 2**53, False),
        ("tile/6/000.p/32", 2**53, True),
        ("tile/entries/README", 256, False),
        ("tile/entries/000\n", 256, False),
        ("tile/0/000.p/256", 256, False),
    ],
)
def test_which_files_a_tree_has(name: str, size: int, there: bool) -> None:
    assert is_tile(name, size) == there
