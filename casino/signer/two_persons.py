"""Acts that count because one person recorded them in the tree and another approved them."""

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from casino.signer.signer_book import Book, SequencedEntry


def approved(
    book: Book, acts: Sequence[SequencedEntry], kind: str, field: str, size: int
) -> list[SequencedEntry]:
    """Those of these acts that another person approved, by an entry of this kind in a tree of that
    size; `field` names the act in it. The first word on an act counts. Raises: psycopg.Error.
    """
    words, found = book.sequenced(kind, size) if acts else [], list[SequencedEntry]()
    for act in acts:
        word = next((each for each in words if _is_of(each, field, act)), None)
        if word is not None and body_of(word)["payload"].get("decision") in (None, "approved"):
            found.append(act)
    return found


def _is_of(word: SequencedEntry, field: str, act: SequencedEntry) -> bool:
    """Whether a word is of that act, came after it, and is another person's."""
    values = body_of(word)
    named = {"leaf": act.leaf.hex(), "n": act.n, "stream": "house"}
    other = values["who"]["staff"].casefold() != body_of(act)["who"]["staff"].casefold()
    return values["payload"].get(field) == named and other and word.index > act.index


def body_of(parsed: SequencedEntry) -> dict[str, Any]:
    """An entry's fields; an author and fields that are nobody's, where its bytes are none."""
    with suppress(ValueError, LookupError, TypeError):
        body = json.loads(parsed.entry)
        if isinstance(body["payload"], dict) and isinstance(body["who"]["staff"], str):
            return dict(body)
    return {"payload": {}, "who": {"staff": ""}}


def keys_named(book: Book, size: int) -> list[tuple[str, str]]:
    """The keys that two persons named in a tree of that size: each, and the one it replaces.

    '' for none. What one person named before two were asked for (`signing-key-named/1`) is not
    among them. Raises: psycopg.Error.
    """
    acts = book.sequenced("signing-key-named/2", size)
    counted = approved(book, acts, "house-act-decided/1", "act", size)
    payloads = [body_of(each)["payload"] for each in counted]
    return [(str(each.get("vkey")), str(each.get("replaces") or "")) for each in payloads]
