"""The verifier's tree, against the definitions of RFC 6962."""

import random
from contextlib import suppress
from hashlib import sha256

import pytest

from audit.verifier.tree import CompactRange, climb, leaf_hash, leaves_of, root_at, rows_of


def mth(leaves: list[bytes]) -> bytes:
    """RFC 6962, 2.1, word for word, over leaf hashes."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\x01" + mth(leaves[:k]) + mth(leaves[k:])).digest()


LEAVES = leaves_of(str(n).encode() for n in range(600))
SIZES = [*range(70), 127, 128, 129, 255, 256, 257, 300, 511, 512, 513, 600]


def test_a_leaf_is_hashed_as_a_leaf() -> None:
    assert (
        leaf_hash(b"").hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    )
    assert leaves_of([b"", b"x"]) == [leaf_hash(b""), leaf_hash(b"x")]


@pytest.mark.parametrize("size", SIZES)
def test_the_root_is_the_one_of_the_definition(size: int) -> None:
    edge = CompactRange()
    edge.extend(LEAVES[:size])
    assert (edge.size, edge.root()) == (size, mth(LEAVES[:size]))


def test_it_grows_by_any_steps_and_from_any_state() -> None:
    dice = random.Random(1)
    for _ in range(50):
        edge = CompactRange()
        while edge.size < 600:
            step = dice.choice([0, 1, 3, 255, 256, 257, 300])
            edge.extend(LEAVES[edge.size : edge.size + step])
            edge = CompactRange.from_state(edge.state())
        assert edge.root() == mth(LEAVES)


@pytest.mark.parametrize("state", [{"size": 3, "peaks": []}, {"size": -1, "peaks": ["00"]}])
def test_a_state_nobody_told_is_refused(state: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="belong together"):
        CompactRange.from_state(state)


def test_roots_out_of_tiles() -> None:
    rows = [LEAVES, [rows_of(LEAVES[:256])[8][0], rows_of(LEAVES[256:512])[8][0]]]
    for size in SIZES:
        if size:
            found = root_at(size, lambda level, n, count: rows[level][n * 256 : n * 256 + count])
            assert found == mth(LEAVES[:size]), size


def proof_of(index: int, size: int) -> list[bytes]:
    """RFC 6962, 2.1.1, word for word."""

    def path(m: int, leaves: list[bytes]) -> list[bytes]:
        if len(leaves) == 1:
            return []
        k = 1 << (len(leaves) - 1).bit_length() - 1
        if m < k:
            return [*path(m, leaves[:k]), mth(leaves[k:])]
        return [*path(m - k, leaves[k:]), mth(leaves[:k])]

    return path(index, LEAVES[:size])


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 37, 300])
def test_a_proof_leads_to_the_root_and_to_no_other(size: int) -> None:
    root = mth(LEAVES[:size])
    for index in {0, 1, size // 2, size - 1} & set(range(size)):
        path = proof_of(index, size)
        assert climb(LEAVES[index], index, size, path) == root
        for wrong in (index + 1, index - 1, size, -1):
            found = None
            with suppress(ValueError):
                found = climb(LEAVES[index], wrong, size, path)
            assert found != root
        with pytest.raises(ValueError, match="too long"):
            climb(LEAVES[index], index, size, [*path, LEAVES[0]])
        if path:
            with pytest.raises(ValueError, match="too short"):
                climb(LEAVES[index], index, size, path[:-1])
