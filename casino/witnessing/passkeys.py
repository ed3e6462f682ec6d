"""Passkeys: a key on a person's own device, registered by himself, known to the book.

The ceremonies are WebAuthn's, verified by py_webauthn; a key is asked to verify its user (PIN or
biometrics of the device), so that it proves the person and not only the device. No attestation of
the device's maker is asked for: nothing here hangs on which make it is.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from secrets import token_bytes
from typing import Any, Final
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_public_key,
)
from django.conf import settings
from django.core import signing
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    decode_credential_public_key,
    encode_cbor,
)
from webauthn.helpers.cose import COSEAlgorithmIdentifier as Cose
from webauthn.helpers.decoded_public_key_to_cryptography import decoded_public_key_to_cryptography
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AttestationConveyancePreference,
    AuthenticatorSelectionCriteria,
    CredentialDeviceType,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from casino import clock
from casino.events import Malformed
from casino.events.values import Spelled
from casino.events.witnessing import (
    PasskeyAlgorithm,
    PasskeyAnswer,
    PasskeyGone,
    PasskeyRegistered,
    PasskeyRevoked,
)
from casino.models import Account, Passkey, PasskeyRevocation, PasskeyUse
from casino.recording import Actor, Receipt, SecretRefused, Source, record
from casino.recording.refusals import TOO_LATE
from casino.tlog.canonical import instant_text
from casino.witnessing.inviting import LASTS
from casino.witnessing.proving import LOCKED_OUT, WRONG, ask_password, how_proved, office_of
from casino.witnessing.tries import one_try

NO_PASSKEY: Final = "the device gave no passkey this house can use."
NOT_ASKED: Final = "this was not asked of this person by this house."
_SALT: Final = "casino.witnessing.passkeys"
_NAME: Final = "Livro da Sala"
_ALGORITHMS: Final[dict[int, PasskeyAlgorithm]] = {
    Cose.EDDSA: "EdDSA",
    Cose.ECDSA_SHA_256: "ES256",
    Cose.RSASSA_PKCS1_v1_5_SHA_256: "RS256",
}
_FORM: Final = Spelled("base64url")
# What comes of bytes that are nobody's answer.
_UNREADABLE: Final = (
    WebAuthnException,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    RecursionError,
)


@dataclass(frozen=True, slots=True)
class Registration:
    """What a device is asked for a new passkey (`options`, for the browser), and its token."""

    options: dict[str, object]
    token: str


def passkeys_of(staff: str | None = None) -> list[Passkey]:
    """The passkeys a person (None: anybody) confirms with now, the oldest first."""
    gone = PasskeyRevocation.objects.values("credential")
    standing = Passkey.objects.exclude(credential__in=gone).order_by("entry_id")
    return list(standing if staff is None else standing.filter(person=staff))


def begin_registration(account: Account) -> Registration:
    """Ask for a new passkey of whoever is logged in. Good for `LASTS`."""
    challenge = token_bytes(32)
    options = generate_registration_options(
        rp_id=settings.WITNESS_DOMAIN,
        rp_name=_NAME,
        user_id=sha256(f"livro/{account.staff}".encode()).digest(),
        user_name=account.staff,
        challenge=challenge,
        timeout=int(LASTS.total_seconds() * 1000),
        attestation=AttestationConveyancePreference.NONE,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=_named(account.staff),
        supported_pub_key_algs=[Cose(number) for number in _ALGORITHMS],
    )
    values = {
        "staff": account.staff,
        "challenge": challenge.hex(),
        "expires": instant_text(clock.now() + LASTS),
    }
    return Registration(json.loads(options_to_json(options)), signing.dumps(values, salt=_SALT))


def asked_of_device(staff: str, challenge: bytes) -> dict[str, Any]:
    """What his device is asked to sign, for the browser."""
    options = generate_authentication_options(
        rp_id=settings.WITNESS_DOMAIN,
        challenge=challenge,
        timeout=int(LASTS.total_seconds() * 1000),
        allow_credentials=_named(staff),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    values: dict[str, Any] = json.loads(options_to_json(options))
    return values


def _named(staff: str) -> list[PublicKeyCredentialDescriptor]:
    return [
        PublicKeyCredentialDescriptor(id=base64url_to_bytes(key.credential))
        for key in passkeys_of(staff)
    ]


def register(
    account: Account,
    token: str,
    sent: Mapping[str, str],
    password: str,
    *,
    origin: str,
    second: str = "",
    second_secret: str = "",
    door: str = "admin",
) -> Receipt:
    """Record that a passkey is this person's, who told his password too.

    `sent` is what the device answered: credential, client_data and attestation_object, base64url.
    `second` stood by and told a secret of his own; '' where nobody did. Raises: SecretRefused, for
    anything that is not right; Malformed, for a second person who is the first.
    """
    values = _asked(token, account.staff)
    ask_password(account, password)
    try:
        event = _new(account.staff, sent, bytes.fromhex(values["challenge"]), origin, second)
    except Malformed:
        raise
    except _UNREADABLE as error:
        raise SecretRefused(why=NO_PASSKEY) from error
    if second:
        tried = one_try(account.staff, second, lambda: how_proved(second, second_secret))
        if tried.found is None:
            raise SecretRefused(why=LOCKED_OUT if tried.locked else WRONG)
    by = Actor(account.staff, office_of(account.staff), door)
    return record(event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source())


def _asked(token: str, staff: str) -> dict[str, str]:
    try:
        values: dict[str, str] = signing.loads(token, salt=_SALT)
    except signing.BadSignature as error:
        raise SecretRefused(why=NOT_ASKED) from error
    if values["staff"] != staff:
        raise SecretRefused(why=NOT_ASKED)
    if datetime.fromisoformat(values["expires"]) < clock.now():
        raise SecretRefused(why=TOO_LATE)
    return values


def _new(
    staff: str, sent: Mapping[str, str], challenge: bytes, origin: str, second: str
) -> PasskeyRegistered:
    """Raises: one of `_UNREADABLE`, for what is no passkey of this ceremony."""
    found = verify_registration_response(
        credential={
            "id": sent["credential"],
            "rawId": sent["credential"],
            "type": "public-key",
            "response": {
                "clientDataJSON": sent["client_data"],
                "attestationObject": sent["attestation_object"],
            },
        },
        expected_challenge=challenge,
        expected_rp_id=settings.WITNESS_DOMAIN,
        expected_origin=origin,
        require_user_verification=True,
        supported_pub_key_algs=[Cose(number) for number in _ALGORITHMS],
    )
    _refuse_framed(sent["client_data"])
    key = decode_credential_public_key(found.credential_public_key)
    public = decoded_public_key_to_cryptography(key)
    der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    _cose(der)  # a key of another shape (another curve) could not be verified later
    return PasskeyRegistered(
        staff=staff,
        credential=bytes_to_base64url(found.credential_id),
        public_key=bytes_to_base64url(der),
        algorithm=_ALGORITHMS[key.alg],
        rp_id=settings.WITNESS_DOMAIN,
        second=second or None,
        aaguid=found.aaguid,
        synced=found.credential_device_type is CredentialDeviceType.MULTI_DEVICE,
    )


def _refuse_framed(client_data: str) -> None:
    """Raises: ValueError, where the page stood inside a page of somebody else's."""
    if json.loads(base64url_to_bytes(client_data)).get("crossOrigin", False) is not False:
        raise ValueError("asked from within another site's page")


def verified(
    staff: str, sent: Mapping[str, str], challenge: bytes, origin: str
) -> PasskeyAnswer | None:
    """The answer, if a passkey of this person gave it to this challenge at this address.

    A passkey that counts its uses and falls behind was copied: its answer is none. Called inside
    a transaction.
    """
    credential = sent.get("credential", "")
    key = next((one for one in passkeys_of(staff) if one.credential == credential), None)
    if key is None:
        return None
    now = clock.now()
    fresh = PasskeyUse(credential=credential, sign_count=0, used_at=now)
    PasskeyUse.objects.bulk_create([fresh], ignore_conflicts=True)
    use = PasskeyUse.objects.select_for_update().get(credential=credential)
    try:
        for name in ("client_data", "authenticator_data", "signature"):
            _FORM.check(sent.get(name), f"$.{name}")
        use.sign_count = _counted(key, sent, challenge, origin, use.sign_count)
    except (Malformed, *_UNREADABLE):
        return None
    use.used_at = now
    use.save()
    return PasskeyAnswer(
        credential=credential,
        client_data=sent["client_data"],
        authenticator_data=sent["authenticator_data"],
        signature=sent["signature"],
    )


def _counted(
    passkey: Passkey, sent: Mapping[str, str], challenge: bytes, origin: str, before: int
) -> int:
    """How often the key says it was used. Raises: one of `_UNREADABLE`."""
    found = verify_authentication_response(
        credential={
            "id": passkey.credential,
            "rawId": passkey.credential,
            "type": "public-key",
            "response": {
                "clientDataJSON": sent["client_data"],
                "authenticatorData": sent["authenticator_data"],
                "signature": sent["signature"],
            },
        },
        expected_challenge=challenge,
        expected_rp_id=passkey.rp_id,
        expected_origin=origin,
        credential_public_key=_cose(base64url_to_bytes(passkey.public_key)),
        credential_current_sign_count=before,
        require_user_verification=True,
    )
    _refuse_framed(sent["client_data"])
    return found.new_sign_count


def _cose(der: bytes) -> bytes:
    """A public key as WebAuthn writes it. Raises: ValueError, for one of another shape."""
    key = load_der_public_key(der)
    if isinstance(key, EllipticCurvePublicKey) and isinstance(key.curve, SECP256R1):
        point = key.public_numbers()
        x, y = point.x.to_bytes(32, "big"), point.y.to_bytes(32, "big")
        return encode_cbor({1: 2, 3: -7, -1: 1, -2: x, -3: y})
    if isinstance(key, Ed25519PublicKey):
        raw = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
        return encode_cbor({1: 1, 3: -8, -1: 6, -2: raw})
    if isinstance(key, RSAPublicKey):
        numbers = key.public_numbers()
        n, e = (
            each.to_bytes((each.bit_length() + 7) // 8, "big") for each in (numbers.n, numbers.e)
        )
        return encode_cbor({1: 3, 3: -257, -1: n, -2: e})
    raise ValueError("no key a passkey has")


def revoke(by: Actor, staff: str, credential: str, reason: PasskeyGone) -> Receipt:
    """Record that a passkey confirms nothing any more. Raises: SecretRefused, NotAllowed."""
    event = PasskeyRevoked(staff=staff, credential=credential, reason=reason)
    return record(event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source())
