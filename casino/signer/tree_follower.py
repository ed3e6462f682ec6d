"""Whether a tree follows from the one that was signed last. What does not is never signed."""

from collections.abc import Iterable
from typing import Final

from casino.signer.last import Last, brief
from casino.signer.signer_book import Found
from casino.signer.signer_trouble import Refused
from casino.tlog.merkle import HASH, Frontier

WHAT_TO_DO: Final = "docs/operations.md, 'When the signer refuses', says what to do"


def must_follow(own: Last, found: Found) -> None:
    """Compare the database with what we signed, as far as that takes no look at new leaves.

    Raises: Refused.
    """
    if found.signed_size > own.size:
        raise _refused(
            found,
            "state-lost",
            f"the database holds a checkpoint of {found.signed_size} entries, our own last one is"
            f" of {own.size}: these are not the newest files of the signer, or another has signed",
        )
    if found.size < own.size:
        raise _refused(
            found,
            "shorter",
            f"the tree has {found.size} entries; {own.size} were signed: entries were lost or"
            " taken away (an older database was restored?)",
        )
    if not own.size:
        return
    if found.root_at_own is None:
        raise _refused(
            found, "different", f"the tree never had the {own.size} entries that were signed"
        )
    if found.root_at_own != own.root:
        raise _refused(
            found,
            "different",
            f"at {own.size} entries the tree's root is {brief(found.root_at_own)}, signed was"
            f" {brief(own.root)}: entries were changed",
        )
    if found.note_at_own is not None and found.note_at_own != own.note:
        raise _refused(
            found,
            "other-signer",
            f"the database holds another checkpoint of {own.size} entries than we signed",
        )


def grown(own: Last, found: Found, leaves: Iterable[tuple[int, bytes]]) -> Frontier:
    """The tree found, grown out of the one that was signed: index and hash of each new leaf.

    That the roots agree is the proof that nothing before was touched. Raises: Refused.
    """
    tree = own.tree()
    for index, leaf in leaves:
        if index != tree.size or len(leaf) != HASH:
            break
        tree.append(leaf)
    if tree.size != found.size:
        raise _refused(
            found,
            "inconsistent",
            f"the tree is said to have {found.size} entries, but entry {tree.size} is missing",
        )
    if tree.root() != found.root:
        raise _refused(
            found,
            "inconsistent",
            f"the tree of {found.size} entries is said to have the root {brief(found.root)}; grown"
            f" from the {own.size} entries that were signed it has {brief(tree.root())}:"
            " entries before or after them were changed",
        )
    return tree


def _refused(found: Found, code: str, why: str) -> Refused:
    return Refused(code, f"{why}. {WHAT_TO_DO}.", found.size, found.root)
