"""Bundles made to hurt: whatever they hold, the verifier ends by itself, soon, and says so."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.verifier.files import Folder
from audit.verifier.following import MAX_MISSED
from tests.gate import ROOT, drawn
from tests.verifier.checked import checked
from tests.verifier.maker import Book, canonical, play, put

pytestmark = pytest.mark.share

Files = dict[str, bytes]


@pytest.fixture(scope="module")
def files() -> Files:
    return play(Book(seed=2), 300, every=40).files_of()


@pytest.fixture(scope="module")
def part() -> Files:
    return play(Book(seed=2), 300, every=40).files_of({"kind": "range", "from": 20, "to": 290})


def retold(files: Files, **changed: Any) -> bytes:
    return canonical(json.loads(files["bundle.json"]) | changed)


def with_file(files: Files, name: str, data: bytes) -> Files:
    """Another content of a file that has a digest in bundle.json, mended."""
    digests = json.loads(files["bundle.json"])["digests"] | {name: sha256(data).hexdigest()}
    return files | {name: data, "bundle.json": retold(files, digests=digests)}


HUGE = 10**18
MANIFESTS: dict[str, Callable[[Files], bytes]] = {
    "nothing": lambda files: b"",
    "no json": lambda files: b"\x00\xff",
    "a list": lambda files: b"[]",
    "deep": lambda files: b"[" * 100_000,
    "deep and closed": lambda files: b'{"a":' * 20_000 + b"1" + b"}" * 20_000,
    "long": lambda files: b" " * 10_000_000,
    "spaces": lambda files: files["bundle.json"].replace(b":", b": "),
    "a feed": lambda files: files["bundle.json"] + b"\n",
    "another format": lambda files: retold(files, format="livro-da-sala-bundle/2"),
    "one more key": lambda files: retold(files, made_at="now"),
    "size of a float": lambda files: retold(files, size=300.0),
    "size true": lambda files: retold(files, size=True),
    "size nothing": lambda files: retold(files, size=0, entries=0),
    "size below": lambda files: retold(files, size=-1),
    "size of a text": lambda files: retold(files, size="300"),
    "size beyond": lambda files: retold(files, size=2**53),
    "a digit too many": lambda files: files["bundle.json"].replace(
        b'"size":300', b'"size":' + b"9" * 5000
    ),
    "no such scope": lambda files: retold(files, scope={"kind": "all"}),
    "scope of nothing": lambda files: retold(files, scope=None),
    "a table up the tree": lambda files: retold(files, scope={"kind": "table", "table": "../x"}),
    "a range backwards": lambda files: retold(files, scope={"kind": "range", "from": 9, "to": 3}),
    "a range beyond": lambda files: retold(files, scope={"kind": "range", "from": 9, "to": HUGE}),
    "a digest of a path": lambda files: retold(files, digests={"../../etc/passwd": "0" * 64}),
    "no digests": lambda files: retold(files, digests={}),
    "a root of capitals": lambda files: retold(files, root="A" * 64),
    "a surrogate": lambda files: files["bundle.json"].replace(b"livro.example", b"\\ud800"),
}


@pytest.mark.parametrize("name", MANIFESTS)
@pytest.mark.usefixtures("reader")
def test_a_manifest_that_is_none_is_bad_input(files: Files, name: str, tmp_path: Path) -> None:
    changed = MANIFESTS[name](files)
    assert changed != files["bundle.json"]
    found = checked(put(tmp_path / "bundle", files | {"bundle.json": changed}))
    assert (found.code, found.files()) == (3, {"bundle.json"})


@pytest.mark.parametrize("kind", ["full", "range"])
def test_a_size_of_a_trillion_ends_where_the_files_do(
    files: Files, part: Files, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, reads = list[str](), Folder.open

    def counted(*words: Any, **also: Any) -> Any:
        opened.append(words[1])
        return reads(*words, **also)

    monkeypatch.setattr(Folder, "open", counted)
    size = 2**53 - 1
    scope = {"kind": "full"} if kind == "full" else {"from": 0, "kind": "range", "to": size}
    data = retold(files if kind == "full" else part, size=size, entries=size, scope=scope)
    place = put(tmp_path / "bundle", (files if kind == "full" else part) | {"bundle.json": data})
    found = checked(place)
    assert (found.code, "bundle.json" in found.files()) == (1, True)
    assert 0 < len(opened) < 2 * MAX_MISSED


@pytest.mark.parametrize("name", ["checkpoint", "tile/entries/000", "tile/0/000", "policy", "ids"])
@pytest.mark.parametrize("how", ["link", "pipe", "folder", "forbidden"])
def test_a_link_a_pipe_or_a_folder_is_no_file(
    files: Files, name: str, how: str, tmp_path: Path
) -> None:
    place = put(tmp_path / "bundle", files)
    target = place / name
    data = target.read_bytes()
    target.unlink()
    if how == "link":  # even to the very same bytes
        (tmp_path / "elsewhere").write_bytes(data)
        target.symlink_to(tmp_path / "elsewhere")
    elif how == "pipe":
        os.mkfifo(target)
    elif how == "folder":
        target.mkdir()
    else:
        target.symlink_to(target.name)
    found = checked(place)
    assert found.code in (1, 3)
    assert name in found.files()


def test_a_room_that_is_a_link_is_not_entered(files: Files, tmp_path: Path) -> None:
    place = put(tmp_path / "bundle", files)
    (place / "tile").rename(tmp_path / "tile")
    (place / "tile").symlink_to(tmp_path / "tile", target_is_directory=True)
    (place / "private").rename(tmp_path / "private")
    (place / "private").symlink_to(tmp_path / "private", target_is_directory=True)
    found = checked(place)
    assert (found.code, "file-odd" in found.codes) == (1, True)


def test_attachments_are_only_called_by_digests(files: Files, tmp_path: Path) -> None:
    place = put(tmp_path / "bundle", files)
    room = place / "private/attachments"
    (room / "passwd").symlink_to("/etc/passwd")
    (room / ("0" * 64)).symlink_to("/etc/passwd")
    os.mkfifo(room / ("1" * 64))
    found = checked(place)
    assert found.code == 1
    assert found.report.counts["stranger"] == 1
    assert {f"private/attachments/{'0' * 64}", f"private/attachments/{'1' * 64}"} <= found.files()


def line(value: Any) -> bytes:
    return canonical(value) + b"\n"


NOTE = "livro.example/sala\n1\n" + "A" * 43 + "=\n\n"
CHECKPOINTS = [
    b"",
    b"\n",
    b"\n" * 5000,
    b"x" * 600_000,
    b"null\n1\n[]\n{}\n",
    line("no note"),
    line(NOTE),
    line(NOTE + "— x AAAA\n"),
    line(NOTE + "- x AAAAAAAA\n"),
    line(NOTE + "— x AAAAAAB=\n"),
    line(NOTE + "— x+y AAAAAAAA\n"),
    line(NOTE + "— x AAAAAAAA\n" * 101),
    line(NOTE.replace("\n1\n", f"\n{HUGE}\n") + "— x AAAAAAAA\n"),
    line(NOTE.replace("\n1\n", "\n" + "9" * 400 + "\n") + "— x AAAAAAAA\n"),
    line(NOTE.replace("\n1\n", "\n01\n") + "— x AAAAAAAA\n"),
    line(NOTE.replace("\n1\n", "\n-1\n") + "— x AAAAAAAA\n"),
    line(NOTE.replace("\n1\n", "\n٣\n") + "— x AAAAAAAA\n"),
    line(NOTE.replace("=\n\n", "=\nmore\n\n") + "— x AAAAAAAA\n"),
    b'"' + b"\\u0000" * 1000 + b'"\n',
]


@pytest.mark.parametrize("data", CHECKPOINTS, ids=range(len(CHECKPOINTS)))
def test_checkpoints_that_are_none(files: Files, data: bytes, tmp_path: Path) -> None:
    found = checked(put(tmp_path / "bundle", with_file(files, "checkpoints.jsonl", data)))
    assert found.code == 1
    assert "checkpoints.jsonl" in found.files() | ({"checkpoints.jsonl"} if not data else set())
    assert "checkpoint-unsigned" in found.codes


OPENINGS = [
    b"\n",
    b"{}\n",
    b"[" * 50_000 + b"\n",
    b"x" * 2_000_000,
    line({"field": "x", "index": 1, "salt": "0", "value": 1}),
    line({"field": "x", "index": HUGE, "salt": "0" * 64, "value": 1}),
    line({"field": "x", "index": -1, "salt": "0" * 64, "value": 1}),
    line({"field": "x", "index": True, "salt": "0" * 64, "value": 1}),
    line({"field": ["x"], "index": 1, "salt": "0" * 64, "value": 1}),
    line({"field": "x", "index": 1, "salt": "0" * 64, "value": None}),
    line({"field": "x", "index": 1, "salt": "0" * 64, "value": 1.5}),
    line({"field": "x", "index": 1, "salt": "0" * 64, "value": 1}) * 2,
]


@pytest.mark.parametrize("data", OPENINGS, ids=range(len(OPENINGS)))
def test_openings_that_are_none(files: Files, data: bytes, tmp_path: Path) -> None:
    found = checked(put(tmp_path / "bundle", with_file(files, "private/openings.jsonl", data)))
    assert found.code == 1
    assert "private/openings.jsonl" in found.files()


POLICIES = [
    b"",
    b"\x00",
    b"log\n",
    b"quorum\n",
    b"quorum x\n",
    b"quorum none\nquorum none\n",
    b"group g any g\nquorum g\n",
    b"log a+00000000+AAAA\nquorum none\n",
    b"log \xff+1+2\nquorum none\n",
    b"witness none x\nquorum none\n",
    b"group a 0 b\n",
    b"x" * 300_000,
    b"\r\nquorum none\r\n",
    b"".join(b"group g%d any g%d\n" % (n, n - 1) for n in range(1, 5000)),
]


@pytest.mark.parametrize("data", POLICIES, ids=range(len(POLICIES)))
def test_policies_that_are_none(files: Files, data: bytes, tmp_path: Path) -> None:
    found = checked(put(tmp_path / "bundle", with_file(files, "policy", data)))
    assert found.code in (1, 3)
    assert "policy" in found.files()


ENTRIES = [
    b"",
    b"\x00",
    b"\x00\x00" * 256,
    b"\x00\x00" * 8_000_000,
    b"\xff\xff" + b"x" * 65_535,
    b"\xff" * 70_000,
    b"\x00\x01x" * 5_000,
    b"\x00\x02{}" * 256,
]


@pytest.mark.parametrize("data", ENTRIES, ids=range(len(ENTRIES)))
def test_entries_that_are_none(files: Files, part: Files, data: bytes, tmp_path: Path) -> None:
    name = "tile/entries/000"
    found = checked(put(tmp_path / "full", files | {name: data}))
    assert found.code == 1
    assert name in found.files()
    record = (20).to_bytes(8, "big") + data
    found = checked(put(tmp_path / "part", part | {"shown/000000": record}))
    assert found.code == 1
    assert "shown/000000" in found.files()


def test_twenty_thousand_streams_are_a_book_and_more_are_not(tmp_path: Path) -> None:
    from audit.verifier.entries import MAX_STREAMS, EntryChecker

    texts: list[str] = []
    checker = EntryChecker(lambda code, **_: texts.append(code), lambda stream, n: None)
    entry = Book()
    entry.add("card-burned/1", {})
    for n in range(MAX_STREAMS + 2):
        checker.feed(n, entry.entries[0].replace(b"table/BJ-06", b"table/%d" % n))
    assert texts == ["entry-form", "entry-form"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def stage(files: Files, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return put(tmp_path_factory.mktemp("hostile") / "bundle", files)


@given(data=st.data())
def test_any_file_may_hold_anything(files: Files, stage: Path, data: st.DataObject) -> None:
    """Junk, another file's bytes, pieces of its own moved about: never intact, never a crash."""
    name = data.draw(st.sampled_from(sorted(files)))
    own = files[name]
    junk = data.draw(
        st.one_of(
            st.binary(max_size=300),
            st.sampled_from(sorted(files.values())),
            JSON.map(lambda value: json.dumps(value).encode()),
            st.tuples(
                st.integers(0, len(own)), st.integers(0, len(own)), st.binary(max_size=9)
            ).map(lambda cut: own[: cut[0]] + cut[2] + own[cut[1] :]),
        )
    )
    (stage / name).write_bytes(junk)
    try:
        found = checked(stage)
    finally:
        (stage / name).write_bytes(own)
    assert (found.code == 0) == (junk == own)


MANIFEST_KEYS = ["digests", "entries", "format", "origin", "root", "scope", "size"]


@given(recorded=st.dictionaries(st.sampled_from(MANIFEST_KEYS), JSON))
def test_a_manifest_may_say_anything(files: Files, stage: Path, recorded: dict[str, Any]) -> None:
    changed = json.loads(files["bundle.json"]) | recorded
    (stage / "bundle.json").write_bytes(canonical(changed))
    try:
        found = checked(stage)
    finally:
        (stage / "bundle.json").write_bytes(files["bundle.json"])
    assert (found.code == 0) == (canonical(changed) == files["bundle.json"])


@given(entry=st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
@pytest.mark.usefixtures("reader")
def test_an_entry_may_be_anything(entry: bytes) -> None:
    from audit.verifier.entries import EntryChecker

    texts: list[str] = []
    checker = EntryChecker(lambda code, **_: texts.append(code), lambda stream, n: None)
    checker.feed(0, entry)
    assert texts == ["entry-form"]


def in_little_memory(place: Path) -> "subprocess.CompletedProcess[str]":
    """In a process that may have 300 MB, and a minute of a processor's time."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (300_000_000, 300_000_000))
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))

    done = subprocess.run(
        [sys.executable, "-m", "audit.verifier", place, "--language", "en"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=limit,
        timeout=600,  # however busy the machine is
    )
    assert "Traceback" not in done.stderr
    assert len(done.stdout) < 1_000_000
    return done


def test_a_bundle_of_bombs_stays_within_its_memory(files: Files, tmp_path: Path) -> None:
    """Files as large as they may be, and larger."""
    bombs = files | {
        "tile/entries/000": b"\xff\xff" * 4_000_000,
        "checkpoint": b"x" * 50_000_000,
        "policy": b"#" * 50_000_000,
    }
    place = put(tmp_path / "bundle", bombs)
    for name in ("private/openings.jsonl", "checkpoints.jsonl", "ids"):
        with (place / name).open("wb") as file:
            file.truncate(1_000_000_000)  # a hole, of zeros
    done = in_little_memory(place)
    assert done.returncode in (1, 3), done.stderr


RANGE = {"kind": "range", "from": 0, "to": 256}
MANY = [(scope, value) for value in ([], {"a": ""}) for scope in (None, RANGE)]


@pytest.mark.check
@pytest.mark.parametrize(("scope", "value"), drawn(MANY, 1, kind=lambda case: bool(case[0])))
def test_a_sound_book_of_many_values_is_read_a_piece_at_a_time(
    scope: dict[str, Any] | None, value: object, tmp_path: Path
) -> None:
    """A tile of 15 MB, every entry of which is written as it must be."""
    book, count = Book(seed=1), 58_000 // (len(canonical(value)) + 1)
    for _ in range(256):
        book.add("note/1", {"a": [value] * count})
    assert 57_000 < len(book.entries[0]) <= 60 * 1024
    book.sign(seen=True)
    done = in_little_memory(book.write(tmp_path / "bundle", scope))
    assert done.returncode == 0, done.stdout[-500:] + done.stderr


@pytest.mark.check
def test_names_that_are_longer_than_a_house_can_have_are_none(files: Files, tmp_path: Path) -> None:
    """250 checkpoints with names of a megabyte in memory; a key; an epoch; a private field."""
    long = "\N{PLAYING CARD ACE OF SPADES}" + "x" * 250_000
    notes = b"".join(
        canonical(f"{long}{size}\n{size}\n{'A' * 43}=\n\n\N{EM DASH} x AAAAAAAA\n") + b"\n"
        for size in range(1, 251)
    )
    opening = {"field": long[:1], "index": 1, "salt": "0" * 64, "value": 1}
    openings = b"".join(line(opening | {"field": f"{long}{n:03d}"}) for n in range(250))
    bombs = with_file(files, "checkpoints.jsonl", notes)
    bombs = with_file(bombs, "private/openings.jsonl", openings)
    done = in_little_memory(put(tmp_path / "bundle", bombs))
    assert done.returncode == 1, done.stdout[-500:] + done.stderr
