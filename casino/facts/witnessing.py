"""A second person's word for somebody else's act. Law: PT art. 51, 54, 55."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Literal

from casino.facts import Malformed
from casino.facts.fact import EntryFact, EntryRef
from casino.facts.shape import Part
from casino.facts.staff import Office
from casino.facts.values import Base64Url, Code, KindName, Sha256, Uuid

WitnessedHow = Literal["password", "pin", "passkey"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeyAnswer(Part):
    """What a passkey answered, whole, so that it can be verified without the house."""

    credential: Base64Url
    client_data: Base64Url
    authenticator_data: Base64Url
    signature: Base64Url


@dataclass(frozen=True, slots=True, kw_only=True)
class Witnessed(EntryFact):
    """A person confirms, with a secret of his own, that he was present at a recorded act.

    `act` is the kind of the entry `witnessed`, `text_sha256` the digest of exactly the text he was
    shown, `nonce` and `expires_at` what bound his answer to it. `present_from` and `present_until`
    are the time he says he was there.
    """

    kind: ClassVar[str] = "witnessed/1"

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
