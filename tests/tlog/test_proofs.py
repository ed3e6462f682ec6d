"""Proofs against others: the published ones, good and broken, and every small tree of pymerkle."""

import json
from base64 import b64decode
from functools import cache
from pathlib import Path
from typing import Any

import pymerkle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.tlog.merkle import Frontier
from casino.tlog.proof import (
    ProofRefused,
    TileTree,
    root_of,
    verify_consistency,
    verify_inclusion,
)
from tests.gate import drawn, size
from tests.tlog.trees import Tiles, leaves, literal_root

VECTORS = Path(__file__).parent / "vectors"
MOST = size(70, 130, 130)  # leaves of the trees that are gone through whole


def published(name: str) -> list[Any]:
    lines = (VECTORS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [pytest.param(each, id=each["file"]) for each in map(json.loads, lines)]


def accepted(check: Any, *listed: Any) -> bool:
    try:
        check(*listed)
    except ProofRefused:
        return False
    return True


@cache
def tree(size: int) -> TileTree:
    return Tiles(leaves(size)).tree()


@pytest.mark.parametrize("recorded", published("inclusion"))
def test_published_proofs_of_inclusion(recorded: dict[str, Any]) -> None:
    root, leaf = b64decode(recorded["root"] or ""), b64decode(recorded["leafHash"] or "")
    path = [b64decode(step) for step in recorded["proof"] or ()]
    proves = accepted(verify_inclusion, leaf, recorded["leafIdx"], recorded["treeSize"], path, root)
    assert proves is not recorded["wantErr"]


@pytest.mark.parametrize("recorded", published("consistency"))
def test_published_proofs_of_consistency(recorded: dict[str, Any]) -> None:
    old_root, new_root = b64decode(recorded["root1"]), b64decode(recorded["root2"])
    path = [b64decode(step) for step in recorded["proof"] or ()]
    proves = accepted(
        verify_consistency, recorded["size1"], old_root, recorded["size2"], new_root, path
    )
    assert proves is not recorded["wantErr"]


def test_the_published_proofs_are_all_there() -> None:
    for name, good in (("inclusion", 6), ("consistency", 6)):
        listed = [each.values[0]["wantErr"] for each in published(name)]
        assert (len(listed), listed.count(False)) == (98, good)


@pytest.fixture(scope="module")
def oracle() -> pymerkle.InmemoryTree:
    entries = [b"%d" % index for index in range(MOST)]
    return pymerkle.InmemoryTree.init_from_entries(entries, algorithm="sha256")


def test_every_inclusion_in_small_trees_is_as_another_library_proves_it(
    oracle: pymerkle.InmemoryTree,
) -> None:
    for many in range(1, MOST + 1):
        root = tree(many).root()
        assert root == oracle.get_root(many)
        for index in range(many):
            # It counts leaves from one, and begins its path with the leaf itself.
            leaf, *path = oracle.prove_inclusion(index + 1, many).path
            assert tree(many).inclusion(index) == path
            assert tree(many).leaf(index) == leaf
            assert accepted(verify_inclusion, leaf, index, many, path, root), (index, many)


def literal_subproof(old: int, hashes: list[bytes], whole: bool) -> list[bytes]:
    """RFC 6962, 2.1.2, word for word."""
    if old == len(hashes):
        return [] if whole else [literal_root(hashes)]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    if old <= split:
        inner = literal_subproof(old, hashes[:split], whole)
        return [*inner, literal_root(hashes[split:])]
    inner = literal_subproof(old - split, hashes[split:], False)
    return [*inner, literal_root(hashes[:split])]


def test_every_consistency_of_small_trees_is_as_the_definition_and_another_library_have_it(
    oracle: pymerkle.InmemoryTree,
) -> None:
    all_leaves = leaves(MOST)
    for new in range(1, MOST + 1):
        root = tree(new).root()
        for old in range(1, new + 1):
            old_root, path = tree(old).root(), tree(new).consistency(old)
            # Its paths have another form; it is asked whether it agrees about the two roots.
            oracle.prove_consistency(old, new).verify(old_root, root, old, new)
            assert path == literal_subproof(old, all_leaves[:new], True)
            assert accepted(verify_consistency, old, old_root, new, root, path), (old, new)


TILES = [255, 256, 257, 511, 512, 513]
TILES_OF_TILES = [65_535, 65_536, 65_537, 70_000]


@pytest.mark.parametrize("size", [*TILES, *drawn(TILES_OF_TILES, 1)])
def test_trees_of_more_than_a_tile(size: int) -> None:
    all_leaves = leaves(size)
    tiles = Tiles(all_leaves)
    whole = tiles.tree()
    root = literal_root(all_leaves)
    assert whole.root() == root == root_of(all_leaves)
    for index in {0, 1, 255, 256, size // 2, size - 2, size - 1} & set(range(size)):
        path = whole.inclusion(index)
        assert accepted(verify_inclusion, all_leaves[index], index, size, path, root)
    for old in {1, 2, 255, 256, 257, 65_535, 65_536, 65_537, size // 2, size - 1, size}:
        if old <= size:
            old_root = literal_root(all_leaves[:old])
            path = whole.consistency(old)
            assert whole.root_at(old) == old_root
            assert accepted(verify_consistency, old, old_root, size, root, path), old
    # A tile at the right edge is asked for as it is in this tree, and every other one full.
    assert {width for *_, width in tiles.asked} <= {256, size % 256, (size >> 8) % 256, size >> 16}


@given(st.integers(1, 3000), st.data())
def test_a_proof_with_one_bit_changed_proves_nothing(size: int, data: st.DataObject) -> None:
    all_leaves = leaves(size)
    whole = Tiles(all_leaves).tree()
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size))
    root, old_root = whole.root(), whole.root_at(old)
    path, growth = whole.inclusion(index), whole.consistency(old)
    assert accepted(verify_inclusion, all_leaves[index], index, size, path, root)
    assert accepted(verify_consistency, old, old_root, size, root, growth)

    def flipped(hashes: list[bytes]) -> list[bytes]:
        which, bit = data.draw(st.integers(0, len(hashes) - 1)), data.draw(st.integers(0, 255))
        other = int.from_bytes(hashes[which], "big") ^ (1 << bit)
        return [*hashes[:which], other.to_bytes(32, "big"), *hashes[which + 1 :]]

    leaf, other_root, *other = flipped([all_leaves[index], root, *path])
    assert not accepted(verify_inclusion, leaf, index, size, other, other_root)
    first, second, *other = flipped([old_root, root, *growth])
    assert not accepted(verify_consistency, old, first, size, second, other)
    if path:
        assert not accepted(verify_inclusion, all_leaves[index], index, size, path[:-1], root)
    longer = [*path, root]
    assert not accepted(verify_inclusion, all_leaves[index], index, size, longer, root)
    assert not accepted(verify_consistency, old, old_root, size, root, [*growth, root])


def test_another_place_or_size_is_another_claim() -> None:
    whole = tree(100)
    path, root = whole.inclusion(37), whole.root()
    leaf = whole.leaf(37)
    for index in range(100):
        assert accepted(verify_inclusion, leaf, index, 100, path, root) is (index == 37)
    # A path says the index but not the size, as long as it has its form: that is signed.
    rooted = [n for n in range(38, 300) if accepted(verify_inclusion, leaf, 37, n, path, root)]
    assert rooted == [*range(65, 129)]
    growth = whole.consistency(37)
    for old in range(1, 100):
        assert accepted(verify_consistency, old, whole.root_at(37), 100, root, growth) is (
            old == 37
        )


def test_a_history_written_anew_does_not_begin_with_the_old_one() -> None:
    true, rewritten = leaves(60), leaves(60)
    rewritten[20] = rewritten[19]
    forgeries = (rewritten, true[:20] + true[21:], [*true[:20], true[21], true[20], *true[22:]])
    for forged in forgeries:
        later = Tiles(forged).tree()
        path = later.consistency(37)
        assert not accepted(verify_consistency, 37, tree(37).root(), later.size, later.root(), path)


def test_a_path_has_an_end() -> None:
    leaf, step = leaves(2)
    with pytest.raises(ProofRefused, match="more than 64"):
        verify_inclusion(leaf, 0, 2, [step] * 65, step)
    with pytest.raises(ProofRefused, match="more than 64"):
        verify_consistency(1, leaf, 2, step, [step] * 10_000)
    with pytest.raises(ProofRefused, match="too short"):
        verify_inclusion(leaf, 0, 2**63 - 1, [step] * 62, step)
    with pytest.raises(ProofRefused, match="no leaf"):
        verify_inclusion(leaf, 0, 2**63, [step] * 63, step)


def test_a_hash_of_another_length_is_no_step() -> None:
    leaf, other = leaves(2)
    root = tree(2).root()
    assert accepted(verify_inclusion, leaf, 0, 2, [other], root)
    for wrong in (b"", other[:-1], other + b"\0"):
        assert not accepted(verify_inclusion, leaf, 0, 2, [wrong], root)
        assert not accepted(verify_inclusion, wrong, 1, 2, [leaf], root)
        assert not accepted(verify_consistency, 1, wrong, 2, root, [other])
    # The same 64 bytes, cut elsewhere, hash to the same node.
    assert not accepted(verify_inclusion, leaf + other[:1], 0, 2, [other[1:]], root)
    assert not accepted(verify_consistency, 1, leaf + other[:1], 2, root, [other[1:]])


@pytest.mark.parametrize(("index", "size"), [(-1, 5), (5, 5), (0, 0), (6, 5)])
def test_what_is_not_in_the_tree_has_no_proof(index: int, size: int) -> None:
    with pytest.raises(ProofRefused):
        tree(size).inclusion(index)
    with pytest.raises(ProofRefused):
        tree(size).leaf(index)


@pytest.mark.parametrize("old", [-1, 0, 6])
def test_no_proof_leads_from_a_size_that_never_was(old: int) -> None:
    with pytest.raises(ProofRefused):
        tree(5).consistency(old)


def test_the_empty_tree_has_a_root_and_no_proof() -> None:
    assert tree(0).root() == Frontier().root() == tree(5).root_at(0)
    assert not accepted(verify_consistency, 0, tree(0).root(), 5, tree(5).root(), [])
    with pytest.raises(ProofRefused):
        tree(5).root_at(6)
    with pytest.raises(ProofRefused):
        TileTree(-1, lambda level, n, width: b"")


def test_a_tile_of_another_width_is_refused() -> None:
    narrow = TileTree(5, lambda level, n, width: b"\0" * 32 * (width - 1))
    with pytest.raises(ProofRefused, match="tile 0 of level 0 has not 5 hashes"):
        narrow.root()
