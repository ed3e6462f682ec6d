"""The state of an EntryChecker as JSON, for the online twin, which works in parts."""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .entries import EntryChecker


def state_of(checker: "EntryChecker") -> dict[str, object]:
    """Everything it knows, as JSON."""
    return {
        "awaited": [list(each) for each in checker.awaited],
        "corrections": [[*which, *state] for which, state in checker.corrections.items()],
        "epochs": checker.epochs,
        "erased": [list(each) for each in checker.erased],
        "ids_told": [list(each) for each in checker.row_digests],
        "keys_asked": [[n, *each] for n, each in checker.keys_asked.items()],
        "keys_named": [list(each) for each in checker.keys_named],
        "marks": [checker.sizes.tolist(), checker.newest_at.tolist(), checker.roots.hex()],
        "newest": checker.newest.decode(),
        "not_after": checker.not_after,
        "streams": {
            each.name: [each.n, each.size, *(text.decode() for text in _texts(each))]
            for each in checker.streams.values()
        },
    }


def put_back(entry_checker: "EntryChecker", state: Mapping[str, Any]) -> None:
    """Let a new checker know what `state_of` told of another one.

    Raises: KeyError, ValueError, TypeError, for what it did not tell.
    """
    entry_checker.corrections = {
        (name, n): [by, held] for name, n, by, held in state["corrections"]
    }
    entry_checker.awaited = [(here, named) for here, named in state.get("awaited", ())]
    entry_checker.row_digests = [(here, size, ids) for here, size, ids in state.get("ids_told", ())]
    entry_checker.epochs = [dict(each) for each in state["epochs"]]
    entry_checker.erased = [(stream, n, field) for stream, n, field in state["erased"]]
    entry_checker.keys_named = [
        (index, vkey, replaces) for index, vkey, replaces in state["keys_named"]
    ]
    entry_checker.keys_asked = {n: [*each] for n, *each in state.get("keys_asked", ())}
    sizes, newest_at, roots = state["marks"]
    entry_checker.sizes, entry_checker.newest_at = array("Q", sizes), array("q", newest_at)
    entry_checker.roots, entry_checker.newest = bytearray.fromhex(roots), state["newest"].encode()
    entry_checker.not_after = state["not_after"]
    entry_checker.placed_after(newest_at)
    for name, (n, size, *texts) in state["streams"].items():
        stream = entry_checker.follow(name)
        stream.n, stream.size, stream.first = n, size, n + 1
        texts[0] = texts[0].strip('"')  # as an earlier version had kept it
        stream.prev, stream.at, stream.cp, stream.floor = (text.encode() for text in texts)


def _texts(stream: Any) -> tuple[bytes, ...]:
    return stream.prev, stream.at, stream.cp, stream.floor
