"""The tree of RFC 6962 against the published roots, and against the definition read literally."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.tlog.merkle import Frontier, leaf_hash
from tests.tlog.trees import literal_root

# The eight entries and roots that the certificate-transparency projects publish as their vectors.
ENTRIES = tuple(
    map(
        bytes.fromhex,
        (
            "",
            "00",
            "10",
            "2021",
            "3031",
            "40414243",
            "5051525354555657",
            "606162636465666768696a6b6c6d6e6f",
        ),
    )
)
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


@pytest.mark.parametrize("size", range(9))
def test_the_root_of_the_first_leaves_is_the_published_one(size: int) -> None:
    tree = Frontier()
    for entry in ENTRIES[:size]:
        tree.append(leaf_hash(entry))
    assert tree.size == size
    assert tree.root().hex() == ROOTS[size]


@given(st.lists(st.binary(max_size=4), max_size=70), st.integers(0, 70))
def test_a_tree_put_away_and_taken_up_again_grows_to_the_same_root(
    entries: list[bytes], pause: int
) -> None:
    leaves = [leaf_hash(entry) for entry in entries]
    tree = Frontier()
    for leaf in leaves[:pause]:
        tree.append(leaf)
    tree = Frontier.from_bytes(tree.size, tree.to_bytes())
    for leaf in leaves[pause:]:
        tree.append(leaf)
    assert tree.root() == literal_root(leaves)


@pytest.mark.parametrize(("size", "kept"), [(1, 0), (3, 1), (0, 1), (4, 2), (-1, 0)])
def test_a_frontier_of_another_size_is_refused(size: int, kept: int) -> None:
    with pytest.raises(ValueError, match="perfect subtrees"):
        Frontier.from_bytes(size, b"\x00" * 32 * kept)


def test_a_frontier_cut_short_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Frontier.from_bytes(1, b"\x00" * 31)


@pytest.mark.parametrize(
    ("size", "subtrees"),
    [(-1, (leaf_hash(b""),)), (3, (leaf_hash(b""),)), (1, ()), (1, (leaf_hash(b"")[:-1],))],
)
def test_a_tree_goes_on_from_whole_roots_alone(size: int, subtrees: tuple[bytes, ...]) -> None:
    with pytest.raises(ValueError, match="subtree"):
        Frontier(size, subtrees)
