"""Go's packages for transparency logs accept what is genuine and reject what was tampered with."""

import json
import shutil
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from casino.tlog.checkpoint import Checkpoint, cosign
from casino.tlog.note import COSIGNATURE, SigningKey, signed, with_signatures
from casino.tlog.proof import TileTree
from casino.tlog.proof_file import ProofFile
from tests.foreign.conftest import Reader
from tests.foreign.written import (
    LOG,
    VKEY,
    entries,
    note_at,
    tiles_of,
    write_bundle,
    write_head,
    write_scoped,
)

pytestmark = pytest.mark.needs_tool("go")
OTHER = SigningKey("demo.invalid/0123456789ab", bytes(32))
WITNESS = SigningKey("witness.example/w1", bytes(range(32, 64)))
SIZE = 1777


@pytest.fixture
def ask(go_reader: Reader, tmp_path: Path) -> Callable[..., tuple[bool, str]]:
    """Ask the reader about texts: each becomes a file."""

    def asked(what: str, *texts: str | bytes, keys: tuple[str, ...] = (VKEY,)) -> tuple[bool, str]:
        for number, text in enumerate(texts):
            data = text.encode() if isinstance(text, str) else text
            (tmp_path / str(number)).write_bytes(data)
        return go_reader(what, *(tmp_path / str(number) for number in range(len(texts))), *keys)

    return asked


@pytest.fixture(scope="module")
def tree() -> TileTree:
    return tiles_of(entries(SIZE)).tree()


Ask = Callable[..., tuple[bool, str]]


def test_a_note_is_read_and_a_changed_one_is_not(ask: Ask, tree: TileTree) -> None:
    note = note_at(tree, SIZE)
    root = b64encode(tree.root()).decode()
    assert ask("note", note) == (True, f"{SIZE} {root}")
    assert ask("note", note, keys=(OTHER.verifier().text(), VKEY))[0]
    assert ask("note", note, keys=(OTHER.verifier().text(),)) == (
        False,
        "note has no verifiable signatures",
    )
    for spoilt in (
        note.replace("1777", "1778"),
        note.replace(root, b64encode(tree.root_at(9)).decode()),
        note.replace("demo.invalid", "demo.invalie", 1),
        note[:-1],
        note.replace("\n\n", "\n"),
        note.replace("— ", "- "),
    ):
        assert spoilt != note
        assert not ask("note", spoilt)[0], spoilt
    assert ask("note", note.replace("1777", "1778"))[1].startswith("invalid signature")


def test_two_keys_of_an_overlap_are_both_read(ask: Ask, tree: TileTree) -> None:
    note = signed(Checkpoint(LOG.name, SIZE, tree.root()).text(), [LOG, OTHER])
    for keys in ((VKEY,), (OTHER.verifier().text(),), (VKEY, OTHER.verifier().text())):
        assert ask("note", note, keys=keys)[0]


def test_a_cosignature_is_read_and_a_changed_one_is_not(ask: Ask, tree: TileTree) -> None:
    note = note_at(tree, SIZE)
    text = Checkpoint(LOG.name, SIZE, tree.root()).text()
    line = cosign(WITNESS, text, 1_790_000_000)
    key = WITNESS.verifier(COSIGNATURE).text()
    assert ask("cosignature", with_signatures(note, [line]), keys=(key,))[0]
    assert ask("note", with_signatures(note, [line]))[0]
    assert not ask("cosignature", note, keys=(key,))[0]
    for spoilt in (
        cosign(WITNESS, text.replace("1777", "1778"), 1_790_000_000),
        line[:30] + ("A" if line[30] != "A" else "B") + line[31:],
    ):
        wording = with_signatures(note, [spoilt])
        assert not ask("cosignature", wording, keys=(key,))[0]


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 255, 256, 257, 1000, SIZE])
def test_proofs_of_inclusion(ask: Ask, size: int) -> None:
    listed = entries(size)
    tree = tiles_of(listed).tree()
    note = note_at(tree, size)
    for index in sorted({0, 1, size // 2, size - 2, size - 1} & set(range(size))):
        proof = ProofFile(index, tuple(tree.inclusion(index)), note, b"said of it").text()
        assert ask("inclusion", proof, listed[index]) == (True, f"entry {index} of {size}")
        assert not ask("inclusion", proof, listed[index] + b" ")[0]
        other = (index + 1) % size
        if other != index:
            moved = ProofFile(other, tuple(tree.inclusion(index)), note).text()
            assert not ask("inclusion", moved, listed[index])[0]
        bare = ProofFile(index, (*tree.inclusion(index), tree.root()), note).text()
        assert not ask("inclusion", bare, listed[index])[0]


def path_text(path: list[bytes]) -> str:
    return "".join(b64encode(step).decode() + "\n" for step in path)


@pytest.mark.parametrize(("old", "new"), [(1, 2), (3, 7), (256, 4097), (1000, SIZE), (SIZE, SIZE)])
def test_proofs_of_consistency(ask: Ask, old: int, new: int) -> None:
    tree = tiles_of(entries(new)).tree()
    was, now, path = note_at(tree, old), note_at(tree, new), tree.consistency(old)
    assert ask("consistency", was, now, path_text(path)) == (True, f"{old} of {new}")
    longer = [*path, tree.root()]
    assert not ask("consistency", was, now, path_text(longer))[0]
    if path:
        assert not ask("consistency", was, now, path_text(path[:-1]))[0]
        assert not ask("consistency", was, now, path_text([path[-1], *path[:-1], path[0]]))[0]


def test_a_history_written_anew_and_signed_with_the_true_key_is_found(
    ask: Ask, tree: TileTree
) -> None:
    listed = entries(SIZE)
    listed[400] = b"it was another card"
    forged = tiles_of(listed).tree()
    was, now = note_at(tree, 1000), note_at(forged, SIZE)
    assert ask("note", now)[0]
    for path in (forged.consistency(1000), tree.consistency(1000)):
        assert not ask("consistency", was, now, path_text(path))[0]


@pytest.mark.parametrize(
    ("size", "sizes"),
    [(1, (1,)), (256, (1, 255, 256)), (700, (3, 256, 257, 512, 700)), (66_000, (65_536, 66_000))],
)
def test_a_whole_export_is_accepted(
    go_reader: Reader, tmp_path: Path, size: int, sizes: tuple[int, ...]
) -> None:
    bundle = write_bundle(tmp_path, entries(size), sizes)
    said = f"{size} entries of {size}, {len(sizes)} checkpoints"
    assert go_reader("bundle", bundle, VKEY) == (True, said)
    assert not go_reader("bundle", bundle, OTHER.verifier().text())[0]


@pytest.mark.parametrize("shown", [range(300, 420), range(695, 700), range(1)])
def test_an_export_of_some_entries_is_accepted_and_each_of_them_counts(
    go_reader: Reader, tmp_path: Path, shown: range
) -> None:
    bundle = write_scoped(tmp_path, entries(700), shown, (600, 700))
    said = f"{len(shown)} entries of 700, 2 checkpoints"
    assert go_reader("bundle", bundle, VKEY) == (True, said)
    path = bundle / "shown/000000"
    data = path.read_bytes()
    for spoilt in (
        data[:-1],
        data[:7] + bytes([data[7] ^ 1]) + data[8:],
        data + data,
        data + b"\0",
    ):
        path.write_bytes(spoilt)
        assert not go_reader("bundle", bundle, VKEY)[0]


def test_an_entry_and_its_tile_forged_together_are_found(go_reader: Reader, tmp_path: Path) -> None:
    listed = entries(700)
    bundle = write_scoped(tmp_path, listed, range(300, 420), (600, 700))
    forged = [*listed[:310], listed[310] + b" ", *listed[311:]]
    elsewhere = write_scoped(tmp_path / "forged", forged, range(300, 420), (600, 700))
    for name in ("tile/0/001", "shown/000000"):
        shutil.copy2(elsewhere / name, bundle / name)
    # The forged entry lies in the forged tile; only the path to the signed root tells.
    held, why = go_reader("bundle", bundle, VKEY)
    assert not held
    assert why.startswith("entry 300: invalid")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def swap(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[32:64] + data[:32] + data[64:])


def resigned(path: Path) -> None:
    """Another history under the true key, the old checkpoints as they were."""
    old = json.loads((path / "checkpoints.jsonl").read_text("utf-8").split("\n")[0])
    shutil.rmtree(path)
    listed = entries(700)
    listed[20] = b"it was another card"
    write_bundle(path, listed, (700,))
    newest = (path / "checkpoint").read_text("utf-8")
    write_head(path, [old, newest], {"kind": "full"}, 700)


def shortened(path: Path) -> None:
    """The tail cut, and the shorter tree signed with the true key; a later checkpoint is known."""
    newest = (path / "checkpoint").read_text("utf-8")
    shutil.rmtree(path)
    write_bundle(path, entries(600), (512, 600))
    write_head(path, [newest, (path / "checkpoint").read_text("utf-8")], {"kind": "full"}, 600)


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (lambda path: flip(path / "tile/entries/001"), "another tree"),
        (lambda path: flip(path / "tile/entries/002.p/188"), "another tree"),
        (lambda path: flip(path / "tile/0/001"), "not the tile of these entries"),
        (lambda path: swap(path / "tile/0/001"), "not the tile of these entries"),
        (lambda path: flip(path / "tile/0/002.p/188"), "not the tile of these entries"),
        (lambda path: flip(path / "tile/1/000.p/2"), "not the tile of these entries"),
        (lambda path: flip(path / "checkpoint"), ""),
        (lambda path: flip(path / "checkpoints.jsonl"), "not what bundle.json says"),
        (lambda path: (path / "tile/entries/002.p/188").unlink(), "no such file"),
        (lambda path: (path / "tile/0/000").unlink(), "no such file"),
        (resigned, "checkpoint 0: invalid transparency proof"),
        (shortened, "checkpoint 0: size 700 after 0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_tampered_export_is_rejected(
    go_reader: Reader, tmp_path: Path, tamper: Callable[[Path], None], said: str
) -> None:
    bundle = write_bundle(tmp_path / "bundle", entries(700), (257, 700))
    assert go_reader("bundle", bundle, VKEY)[0]
    tamper(bundle)
    held, why = go_reader("bundle", bundle, VKEY)
    assert not held
    assert said in why
