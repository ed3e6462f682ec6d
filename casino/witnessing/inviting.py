"""What binds an answer to what was asked: the act's entry, the text, a nonce, a time."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from uuid import uuid4

from django.core import signing

from casino import clock
from casino.models import BookEntry
from casino.recording import WitnessRefused
from casino.recording.refusals import TOO_LATE
from casino.tlog.canonical import canonical, instant_text
from casino.witnessing.texts import digest_of, language_read, text_of

LASTS: Final = timedelta(seconds=120)
NOT_OURS: Final = "it was not made for this act by this house."
_SALT: Final = "casino.witnessing"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a witness is asked to confirm. `leaf` and `text_sha256` are hex digits."""

    leaf: str
    text_sha256: str
    nonce: str
    expires_at: datetime

    @property
    def challenge(self) -> bytes:
        """What a passkey signs: 32 bytes anybody works out again from the book's `witnessed/1`.

        SHA-256 over the canonical JSON of expires_at, leaf, nonce and text_sha256.
        """
        values = {
            "expires_at": instant_text(self.expires_at),
            "leaf": self.leaf,
            "nonce": self.nonce,
            "text_sha256": self.text_sha256,
        }
        return hashlib.sha256(canonical(values)).digest()


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a witness is shown: the text, and the token that binds his answer to it."""

    text: str
    token: str
    expires_at: datetime
    challenge: bytes


def invite(entry: BookEntry, language: Literal["pt", "en"]) -> Invitation:
    """The text and a fresh token for it, good for `LASTS`."""
    text = text_of(entry, language)
    asked = Asked(
        leaf=bytes(entry.leaf_hash).hex(),
        text_sha256=digest_of(text),
        nonce=str(uuid4()),
        expires_at=clock.now() + LASTS,
    )
    values = {
        "entry": str(entry.pk),
        "leaf": asked.leaf,
        "nonce": asked.nonce,
        "expires": instant_text(asked.expires_at),
        "text": asked.text_sha256,
    }
    return Invitation(text, signing.dumps(values, salt=_SALT), asked.expires_at, asked.challenge)


def read(token: str, entry: BookEntry) -> Asked:
    """What the token asked of this act. Raises: WitnessRefused, for another's or out of time.

    The last moment is `expires_at` itself, by the server's clock.
    """
    try:
        values: dict[str, Any] = signing.loads(token, salt=_SALT)
    except signing.BadSignature as error:
        raise WitnessRefused(why=NOT_OURS) from error
    if values["entry"] != str(entry.pk) or values["leaf"] != bytes(entry.leaf_hash).hex():
        raise WitnessRefused(why=NOT_OURS)
    if language_read(entry, values["text"]) is None:
        raise WitnessRefused(why=NOT_OURS)
    asked = Asked(
        leaf=values["leaf"],
        text_sha256=values["text"],
        nonce=values["nonce"],
        expires_at=datetime.fromisoformat(values["expires"]),
    )
    if asked.expires_at < clock.now():
        raise WitnessRefused(why=TOO_LATE)
    return asked
