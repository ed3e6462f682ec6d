"""A new epoch: signing goes on under a new name, because two persons said so in the book itself.

Nothing but the tree of the new epoch can say it: `epoch-begun/1` names the last checkpoint that was
signed, `epoch-approved/1` by somebody else names that entry.
"""

import time
from collections.abc import Callable
from typing import Final

from casino.signer import keyring
from casino.signer.last import Last, load
from casino.signer.signer_book import Book, Found, opened
from casino.signer.signer_files import PRIVATE, make_folder, write_whole
from casino.signer.signer_loop import PAUSE, place
from casino.signer.signer_places import Places, must_be_ours
from casino.signer.signer_state import report_well
from casino.signer.signer_trouble import Trouble
from casino.signer.signing import sign
from casino.signer.tree_follower import grown
from casino.signer.two_persons import approved, body_of
from casino.tlog.checkpoint import Checkpoint, parse_checkpoint
from casino.tlog.note import parse_note

TRIES: Final = 15  # pauses until a signer that refuses has given its place away


def adopt(at: Places, rest: Callable[[float], None] = time.sleep) -> Last:
    """Sign the tree there is as the first of a new epoch, if the book says that it is one.

    The running signer publishes it. Raises: Trouble, Refused, psycopg.Error, OSError.
    """
    must_be_ours(at.home)
    with opened(at) as book:
        for _ in range(TRIES):
            with place(at, book) as ours:
                if ours:
                    return begin_epoch(at, book)
            rest(PAUSE)
    raise Trouble("The signer is at work and refuses nothing: there is nothing to adopt.")


def begin_epoch(at: Places, book: Book) -> Last:
    """The same, in the place of the one signer."""
    own = load(at.last, at.origin)
    found = book.look(own.size)
    lost = _last_known(own, found)
    origin = _new_origin(lost, book, found)
    nothing = Last.none(origin)
    tree = grown(nothing, found, book.leaves(0, found.size))
    keys = keyring.load(at)
    # Witnesses know a log by a key that bears its name; the old keys sign beside it meanwhile.
    if not any(key.name == origin for key in keys):
        keys = (*keys, keyring.add(at, origin))
    new = Last.of(tree, sign(Checkpoint(origin, tree.size, tree.root()).text(), keys))
    if own.size:
        epochs = at.home / "epochs"
        make_folder(epochs, 0o700)
        write_whole(epochs / f"{own.size}-{own.root.hex()[:12]}", own.text(), PRIVATE)
    new.save(at.last)
    write_whole(at.origin, f"{origin}\n", PRIVATE)
    report_well(at)
    return new


def _last_known(own: Last, found: Found) -> Checkpoint:
    """The largest checkpoint known to have been signed, by us or by whoever held our keys before.

    Raises: Trouble, where there is none.
    """
    if own.size and own.size >= found.signed_size:
        return own.checkpoint()
    if not found.signed_note:
        raise Trouble("Nothing was ever signed: there is no epoch to end. `run` is all it takes.")
    return parse_checkpoint(parse_note(found.signed_note).text)


def _new_origin(lost: Checkpoint, book: Book, found: Found) -> str:
    """The name of the epoch that two persons began. Raises: Trouble, with what is missing."""
    asked = {"lost_origin": lost.origin, "lost_root": lost.root.hex(), "lost_size": lost.size}
    begun = [
        one
        for one in book.sequenced("epoch-begun/1", found.size)
        if asked.items() <= body_of(one)["payload"].items()
    ]
    if not begun:
        raise Trouble(
            "The tree holds no epoch-begun/1 that names the last checkpoint there was:"
            f" lost_origin {lost.origin}, lost_size {lost.size}, lost_root {lost.root.hex()}."
            " The administrator records one, somebody of the management approves it."
        )
    for one in reversed(approved(book, begun, "epoch-approved/1", "begun", found.size)):
        origin = str(body_of(one)["payload"]["origin"])
        if origin == lost.origin:
            raise Trouble(f"The new epoch bears the old name {origin}.")
        return origin
    raise Trouble(
        f"Nobody else approved of the epoch begun as entry {begun[-1].n} of the house's stream:"
        " an epoch-approved/1 by another person is missing."
    )
