"""What a door hands to the writer, and what it gets back."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from casino.events import Malformed
from casino.events.round.field_form import (
    check_code,
    check_instant,
    check_uuid,
    check_whole,
    check_word,
)
from casino.events.values import Spelled
from casino.recording.attached_files import File

DOORS = frozenset({"admin", "sala", "api", "import", "job", "local"})
SOURCES = frozenset({"typed", "file", "device", "job"})
_is_digest: Final = re.compile(r"[0-9a-f]{64}").fullmatch


@dataclass(frozen=True, slots=True)
class Actor:
    """Who writes: staff or device number, the office held at that instant, the door used.

    Raises: Malformed, for anything that is no code and for an unknown door.
    """

    staff: str
    office: str
    door: str

    def __post_init__(self) -> None:
        check_code(self.staff, "$.who", "staff")
        check_code(self.office, "$.who", "office")
        check_word(self.door, DOORS, "$.who", "door")


@dataclass(frozen=True, slots=True)
class Source:
    """Where the record comes from: typed by the actor, a file, a device, a job."""

    kind: str = "typed"
    reference: str | None = None

    def __post_init__(self) -> None:
        check_word(self.kind, SOURCES, "$.source", "kind")


@dataclass(frozen=True, slots=True)
class Supersedes:
    """The entry this one corrects, by its number in the same stream, with its leaf hash and a
    coded reason. It counts once a second person has approved it (`Corrected`).
    """

    n: int
    leaf: str
    reason: str

    def __post_init__(self) -> None:
        check_whole(self.n, 1, 2**53 - 1, "$.supersedes", "n")
        check_code(self.reason, "$.supersedes", "reason")
        if type(self.leaf) is not str or not _is_digest(self.leaf):
            raise Malformed("$.supersedes.leaf", "asked is a leaf hash: 64 lower-case hex digits")


@dataclass(frozen=True, slots=True)
class Submission:
    """One event to be recorded. `key` is the sender's own: sent again, it changes nothing.

    `attachments` are the SHA-256 digests (hex) of files that belong to it; `files` are such files
    themselves, to be kept: their digests stand among the attachments by themselves.
    """

    event: Any
    key: UUID
    by: Actor
    occurred_at: datetime
    source: Source = Source()
    supersedes: Supersedes | None = None
    attachments: tuple[str, ...] = ()
    files: tuple[File, ...] = ()

    def __post_init__(self) -> None:
        check_instant(self.occurred_at, "$", "occurred_at")
        object.__setattr__(self, "key", _as_uuid(self.key))
        if self.files:
            named = dict.fromkeys((*self.attachments, *(file.sha256 for file in self.files)))
            object.__setattr__(self, "attachments", tuple(named))
        for place, digest in enumerate(self.attachments):
            Spelled("sha256").check(digest, f"$.attachments[{place}]")


def _as_uuid(given: object) -> UUID:
    """Raises: Malformed, for what is none."""
    if isinstance(given, UUID):
        return given
    check_uuid(given, "$", "key")
    return UUID(str(given))


@dataclass(frozen=True, slots=True)
class Receipt:
    """The book's answer: where the entry stands and its leaf hash (64 hex digits).

    Whoever keeps it can demand that entry at any later verification. `repeated` is true when the
    record was there already.
    """

    entry_id: UUID
    stream: str
    n: int
    leaf: str
    recorded_at: datetime
    repeated: bool
