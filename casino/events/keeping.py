"""What was done to the book's surroundings: a projection made again, a private value erased, a file
of records taken in.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from casino.events.event import EntryEvent, EntryRef, Event
from casino.events.event_policy import (
    BY_ITSELF,
    DIRECTION,
    HEADS,
    MANAGER,
    PERSONNEL,
    SEAL_READERS,
    Policy,
)
from casino.events.phrases import marked
from casino.events.values import Code, Count, Reference, Sha256, Word


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectionRebuilt(Event):
    """A projection was thrown away and made again from the entries.

    `rows` and `sha256` tell what stands there now, the two `_before` what stood there: where they
    differ, somebody had touched it.
    """

    kind: ClassVar[str] = "shelf-rebuilt/1"
    label: ClassVar[str] = marked("shelf rebuilt")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF, readers=PERSONNEL)

    shelf: Word
    rows: Count
    sha256: Sha256
    rows_before: Count | None = None
    sha256_before: Sha256 | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased(EntryEvent):
    """A private value of an entry and its salt were deleted; the entry itself stands.

    `field` is the name of the erased field, `legal_basis` a code, `reference` the request.
    """

    kind: ClassVar[str] = "erased/1"
    label: ClassVar[str] = marked("private value erased")
    policy: ClassVar[Policy] = Policy(writers=frozenset({MANAGER}))

    entry: EntryRef
    field: Word
    legal_basis: Code
    reference: Reference | None = None

    @property
    def about(self) -> EntryRef:
        """The entry that held the value."""
        return self.entry


FileContent = Literal["rounds", "first_day"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportConfirmed(Event):
    """A second person had a file's records written: rounds, or what a house begins with.

    `brought_by` is who brought it and answers for it, `records` how many it holds. `file_sha256`
    is of the file as it was brought, `mapping_sha256` of the mapping it was read by. Its records
    follow, each under a key of its own: a round under the UUID it has in the file.
    """

    kind: ClassVar[str] = "import-confirmed/1"
    label: ClassVar[str] = marked("import confirmed")
    policy: ClassVar[Policy] = Policy(
        writers=HEADS | DIRECTION, readers=SEAL_READERS, correctable=False
    )

    content: FileContent
    file_sha256: Sha256
    records: Count
    brought_by: Code
    mapping_sha256: Sha256 | None = None
