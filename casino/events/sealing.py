"""What is done to the book's seal: keys named, epochs begun, the schema told, a loss made good."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from casino.events import Malformed
from casino.events.corrections import Decision
from casino.events.event import EntryRef, Event
from casino.events.event_policy import (
    ADMIN,
    BY_ITSELF,
    MANAGER,
    PERSONNEL,
    SEAL_READERS,
    SYSTEM,
    Policy,
)
from casino.events.phrases import marked
from casino.events.values import (
    Code,
    Count,
    EntryNumber,
    Listed,
    Origin,
    Reference,
    Sha256,
    VerifierKey,
    Word,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningKeyNamedAlone(Event):
    """A signing key as one person named it, before two were asked for. Nobody records one any more.

    `vkey` is the public key as C2SP's signed-note writes it; `replaces` the one it takes over from,
    which signs beside it for a while.
    """

    kind: ClassVar[str] = "signing-key-named/1"
    label: ClassVar[str] = marked("signing key named")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF, readers=SEAL_READERS, correctable=False)

    vkey: VerifierKey
    reason: Code
    replaces: VerifierKey | None = None

    def contradictions(self) -> None:
        """No key replaces itself. Raises: Malformed."""
        if self.vkey == self.replaces:
            raise Malformed("$.replaces", "found the key that is named; asked is another")


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningKeyNamed(SigningKeyNamedAlone):
    """A key that is to sign the book's checkpoints, and the one that is to stop.

    It counts once somebody else has approved it (`HouseActDecided`): from then on `vkey` signs, and
    `replaces` may be retired.
    """

    kind: ClassVar[str] = "signing-key-named/2"
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({ADMIN}), readers=SEAL_READERS, correctable=False
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseActDecided(Event):
    """A second person's word on an act of `BY_TWO`: approved or refused, once."""

    kind: ClassVar[str] = "house-act-decided/1"
    label: ClassVar[str] = marked("act of two persons decided")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({MANAGER}), readers=SEAL_READERS, correctable=False
    )

    act: EntryRef
    decision: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochBegun(Event):
    """What was signed is lost for good: the book goes on, from what is left, under a new name.

    `origin` is the new name; the three `lost_` are the last checkpoint that was signed under the
    old one. It counts once somebody else has approved it (`EpochApproved`).
    """

    kind: ClassVar[str] = "epoch-begun/1"
    label: ClassVar[str] = marked("new epoch begun")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({ADMIN}), readers=SEAL_READERS, correctable=False
    )

    origin: Origin
    lost_origin: Origin
    lost_size: EntryNumber
    lost_root: Sha256
    reason: Code
    reference: Reference | None = None

    def contradictions(self) -> None:
        """The new name is another. Raises: Malformed."""
        if self.origin == self.lost_origin:
            raise Malformed("$.origin", "found the old name; asked is a new one")


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochApproved(Event):
    """A second person approved of beginning a new epoch."""

    kind: ClassVar[str] = "epoch-approved/1"
    label: ClassVar[str] = marked("new epoch approved")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({MANAGER}), readers=SEAL_READERS, correctable=False
    )

    begun: EntryRef


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaRecorded(Event):
    """What the database looks like: tables, guards, rights, owners, as one digest.

    `migrations` are those that made it, ``casino.0002_book``; `server` PostgreSQL's version.
    """

    kind: ClassVar[str] = "schema-recorded/1"
    label: ClassVar[str] = marked("schema of the database recorded")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF, readers=PERSONNEL, correctable=False)

    sha256: Sha256
    migrations: Annotated[tuple[Reference, ...], Listed(500, once=True)]
    server: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class BookRestored(Event):
    """The database was restored, or entries that were lost were put back from a bundle.

    `size` and `root` are the checkpoint up to which the book is whole again, `entries` how many
    were put back. The command that puts back records it; that a restoration was wanted records an
    administrador, and another person approves it (`HouseActDecided`).
    """

    kind: ClassVar[str] = "book-restored/1"
    label: ClassVar[str] = marked("lost entries put back")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({ADMIN, SYSTEM}), readers=PERSONNEL, correctable=False
    )

    size: EntryNumber
    root: Sha256
    entries: Count
    source: Word
    reason: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PepperChanged(Event):
    """Personal codes are to be kept under another pepper, `pepper` by the name the database has.

    It counts once somebody else has approved it (`HouseActDecided`).
    """

    kind: ClassVar[str] = "pepper-changed/1"
    label: ClassVar[str] = marked("pepper changed")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({ADMIN}), readers=SEAL_READERS, correctable=False
    )

    pepper: Code
    reason: Code


# What an administrador records and counts once a second person has approved it.
BY_TWO: Final = frozenset({SigningKeyNamed.kind, PepperChanged.kind, BookRestored.kind})


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSealAsked(Event):
    """A document is to be sealed: the signer signs `digest`, and no digest no entry names.

    `document` is its number and volume, ``REL-2026-000012/1``; `sha256` that of its bytes before
    the seal, `digest` that of the CMS attributes (RFC 5652, signed attributes in DER) that name the
    digest of the bytes the seal covers; `certificate` the SHA-256 of the seal's certificate in DER.
    """

    kind: ClassVar[str] = "document-seal-asked/1"
    label: ClassVar[str] = marked("seal of a document asked for")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF, readers=SEAL_READERS, correctable=False)

    document: Reference
    sha256: Sha256
    digest: Sha256
    certificate: Sha256
