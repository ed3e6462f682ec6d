"""What the signer says of itself in the folder everybody may read: why it refuses, and since when.

The file is another program's: whatever in it is not as expected is taken for unknown, and said.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MOST: Final = 65_536  # bytes read
# In plain words, by the signer's own code: what is wrong, and what is to be done.
WORDS: Final[Mapping[str, tuple[Promise, Promise]]] = {
    "shorter": (
        _("The book has fewer entries than were signed: entries were lost or taken away."),
        _(
            "Was an older backup restored? Put the lost entries back from a bundle"
            " (manage.py recover_entries). Only where they are lost for good, begin a new epoch."
        ),
    ),
    "different": (
        _("The book is not the one that was signed: entries were changed."),
        _(
            "Touch nothing. Verify the book, tell the inspector, and compare it with the newest"
            " bundle that left the house."
        ),
    ),
    "inconsistent": (
        _("The tree does not follow from its entries: entries are missing or were changed."),
        _(
            "Touch nothing. Verify the book, tell the inspector, and compare it with the newest"
            " bundle that left the house."
        ),
    ),
    "state-lost": (
        _("The book holds a newer checkpoint than the signer knows of: its own files are old."),
        _(
            "Bring back the newest copy of the signer's folder. Where there is none, begin a new"
            " epoch."
        ),
    ),
    "other-signer": (
        _("The book holds a checkpoint this signer did not sign: another signer is at work."),
        _("Stop the other signer. Tell the inspector, who compares both checkpoints."),
    ),
    "state-damaged": (
        _("The signer's own files cannot be read."),
        _(
            "Bring back the newest copy of the signer's folder. Where there is none, begin a new"
            " epoch."
        ),
    ),
    "no-key": (
        _("The signer has no key it can use."),
        _("Bring back the key, or make a new one and name it in the book (signing keys)."),
    ),
    "no-token": (
        _("The token that holds the signer's key does not answer."),
        _("Put the token in and look after its driver (SIGNER_TOKEN); it goes on by itself."),
    ),
    "token-pin": (
        _("The PIN of the token that holds the signer's key is not right."),
        _(
            "Set SIGNER_TOKEN_PIN right and start the signer again: it tries a PIN once, because a"
            " token locks itself after a few wrong ones."
        ),
    ),
    "keys-exposed": (
        _("Others could read the signer's keys."),
        _("Make a new key, name it in the book (signing keys) and retire the exposed one."),
    ),
    "origin": (
        _("The signer was told another name (LOG_ORIGIN) than the one the book is signed under."),
        _("Set LOG_ORIGIN back and start the signer again; only a new epoch renames a book."),
    ),
    "fault": (
        _(
            "A signature the signer had just made is not valid: the machine or a key's file is"
            " faulty."
        ),
        _("Stop the signer. Compare the key with its copy, and have the machine looked after."),
    ),
    "files": (
        _("The signer cannot read or write its files."),
        _("Look after the disk and the rights of its folders; it goes on by itself."),
    ),
}
_UNKNOWN: Final = (
    _("The signer does not sign."),
    _("Ask the signer itself: python -m casino.signer status."),
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is signed: `why` in the signer's own English; a size it does not tell is None."""

    code: str
    why: str
    since: datetime | None
    own_size: int | None
    own_root: str
    found_size: int | None
    found_root: str
    origin: str = ""

    @property
    def what(self) -> object:
        """What is wrong, in plain words."""
        return WORDS.get(self.code, _UNKNOWN)[0]

    @property
    def remedy(self) -> object:
        """What is to be done."""
        return WORDS.get(self.code, _UNKNOWN)[1]


def refusal() -> Refusal | None:
    """What keeps the signer from signing; None where nothing does."""
    if not settings.BOOK_PUBLIC:
        return None
    try:
        with (Path(settings.BOOK_PUBLIC) / "refused").open("rb") as file:
            read = file.read(MOST)
    except FileNotFoundError:
        return None
    except OSError as error:
        return Refusal("", str(error.strerror), None, None, "", None, "")
    try:
        value = json.loads(read)
    except ValueError:
        value = None
    return _refusal(value if isinstance(value, dict) else {})


def _refusal(data: Mapping[str, object]) -> Refusal:
    return Refusal(
        code=_text(data, "code"),
        why=_text(data, "why"),
        since=_moment(_text(data, "since")),
        own_size=_size(data, "own_size"),
        own_root=_text(data, "own_root"),
        found_size=_size(data, "found_size"),
        found_root=_text(data, "found_root"),
        origin=_text(data, "origin"),
    )


def _text(data: Mapping[str, object], name: str) -> str:
    value = data.get(name)
    return value if isinstance(value, str) else ""


def _size(data: Mapping[str, object], name: str) -> int | None:
    value = data.get(name)
    return value if type(value) is int and value >= 0 else None


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found.astimezone(UTC) if found.tzinfo else None
