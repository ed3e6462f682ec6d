"""A second person's word for somebody else's act, and tries that failed. Law: PT art. 51, 54, 55.

A passkey is a key on a person's own device. Which key was whose stands in the book, so that what
it signed can be verified by somebody who has the book and nothing else.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Literal

from casino.events import Malformed
from casino.events.event import EntryEvent, EntryRef, Event
from casino.events.event_policy import (
    ADMIN,
    BY_ITSELF,
    FLOOR,
    MANAGER,
    PIT,
    SEAL_READERS,
    SUPERVISION,
    Policy,
)
from casino.events.phrases import marked
from casino.events.shape import Part
from casino.events.staff import Office
from casino.events.values import Base64Url, Code, Count, KindName, Origin, Sha256, Uuid

WitnessedHow = Literal["password", "pin", "passkey"]
PasskeyAlgorithm = Literal["ES256", "EdDSA", "RS256"]
PasskeyGone = Literal["lost", "stolen", "replaced", "left", "other"]
WhyFailed = Literal[
    "wrong_secret",
    "unknown_person",
    "wrong_passkey",
    "own_act",
    "not_ours",
    "too_late",
    "used_already",
    "corrected_since",
    "locked_out",
    "no_office",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeyAnswer(Part):
    """What a passkey answered, whole, so that it can be verified without the house."""

    credential: Base64Url
    client_data: Base64Url
    authenticator_data: Base64Url
    signature: Base64Url


@dataclass(frozen=True, slots=True, kw_only=True)
class Witnessed(EntryEvent):
    """A person confirms, with a secret of his own, that he was present at a recorded act.

    `act` is the kind of the entry `witnessed`, `text_sha256` the digest of exactly the text he was
    shown, `nonce` and `expires_at` what bound his answer to it. `present_from` and `present_until`
    are the time he says he was there.
    """

    kind: ClassVar[str] = "witnessed/1"
    label: ClassVar[str] = marked("witnessed")
    # Whoever confirms is recorded; that he holds no rank for it is a finding, not a refusal.
    policy: ClassVar[Policy] = Policy()  # the floor's own

    witnessed: EntryRef
    act: KindName
    staff: Code
    office: Office
    method: WitnessedHow
    nonce: Uuid
    expires_at: datetime
    text_sha256: Sha256
    article: Code | None = None
    present_from: datetime | None = None
    present_until: datetime | None = None
    passkey: PasskeyAnswer | None = None

    @property
    def about(self) -> EntryRef:
        """The act's entry."""
        return self.witnessed

    def contradictions(self) -> None:
        """A passkey's answer is there exactly when a passkey was used. Raises: Malformed."""
        if self.method == "passkey" and self.passkey is None:
            raise Malformed("$.passkey", "found none; asked is what the passkey answered")
        if self.method != "passkey" and self.passkey is not None:
            raise Malformed(
                "$.passkey",
                "found a passkey's answer; the confirmation is said to be by {method}",
                method=self.method,
            )
        if (
            self.present_from is not None
            and self.present_until is not None
            and self.present_until < self.present_from
        ):
            raise Malformed(
                "$.present_until",
                "found {found}; asked is no earlier than {begun}, when it began",
                found=self.present_until.isoformat(),
                begun=self.present_from.isoformat(),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeyRegistered(Event):
    """From here on a person confirms with this key, which lies on a device of his own.

    `public_key` is the key's SubjectPublicKeyInfo (DER), `rp_id` the house's domain it is bound to.
    `second` is who stood by and proved himself with his own secret; left out, nobody did. A
    `synced` key may lie on several devices of its owner.
    """

    kind: ClassVar[str] = "passkey-registered/1"
    label: ClassVar[str] = marked("passkey registered")
    policy: ClassVar[Policy] = Policy(
        readers=SEAL_READERS, author_reads=frozenset({PIT}), correctable=False
    )

    staff: Code
    credential: Base64Url
    public_key: Base64Url
    algorithm: PasskeyAlgorithm
    rp_id: Origin
    second: Code | None = None
    aaguid: Uuid | None = None
    synced: bool | None = None

    def contradictions(self) -> None:
        """The second person is another one. Raises: Malformed."""
        if self.second == self.staff:
            raise Malformed(
                "$.second",
                "found {found}, who registers the passkey; asked is another person",
                found=self.second,
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeyRevoked(Event):
    """From here on this key confirms nothing; what it confirmed before stands."""

    kind: ClassVar[str] = "passkey-revoked/1"
    label: ClassVar[str] = marked("passkey revoked")
    policy: ClassVar[Policy] = Policy(
        writers=FLOOR | {ADMIN},
        readers=SEAL_READERS,
        author_reads=frozenset({PIT}),
        correctable=False,
    )

    staff: Code
    credential: Base64Url
    reason: PasskeyGone


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessFailed(EntryEvent):
    """Somebody tried to confirm an act and was refused.

    `asked_by` is who was logged in on that device, `claimed` the number that was given, where it is
    one the house knows (people type their password into the wrong field), `count` how many times in
    a row it failed, `locked_until` until when nobody is heard there after this one.
    """

    kind: ClassVar[str] = "witness-failed/1"
    label: ClassVar[str] = marked("confirmation that failed")
    policy: ClassVar[Policy] = Policy(writers=BY_ITSELF, readers=SUPERVISION, correctable=False)

    witnessed: EntryRef
    act: KindName
    why: WhyFailed
    count: Count
    asked_by: Code
    claimed: Code | None = None
    method: WitnessedHow | None = None
    locked_until: datetime | None = None

    @property
    def about(self) -> EntryRef:
        """The act's entry."""
        return self.witnessed


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessUnlocked(Event):
    """A person who was locked out after wrong secrets may confirm again at once."""

    kind: ClassVar[str] = "witness-unlocked/1"
    label: ClassVar[str] = marked("witness let in again")
    policy: ClassVar[Policy] = Policy(
        writers=frozenset({MANAGER}), readers=SUPERVISION, correctable=False
    )

    staff: Code
    reason: Code
