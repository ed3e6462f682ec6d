"""The second factor of a log-in: an authenticator app's code, a passkey, or a recovery code.

Codes are those of RFC 6238 (SHA-1, six digits, half a minute), as every app makes them; the one
before and the one after are taken too, for clocks differ, and each is taken once. Ten recovery
codes are given with the app, each good once. Nothing of it is in the book.
"""

import hmac
import secrets
from base64 import b32decode, b32encode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, Literal

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor import InvalidToken as WrongCode
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.db import transaction

from casino import clock
from casino.models import Account, Authenticator, LoginReset, RecoveryCode
from casino.recording import SecretRefused
from casino.witnessing.passkeys import passkeys_of, verified
from casino.witnessing.proving import WRONG, ask_password, peppers

RECOVERY_CODES: Final = 10
DIGITS: Final = 6
_STEP: Final = 30  # seconds
_SECRET_BYTES: Final = 20
_NAME: Final = "Livro da Sala"
# Without letters and figures that look alike: 50 bits in ten of them, which nobody tries ten of.
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz234567890"
_GROUP: Final = 5
_RESET_GROUPS: Final = 4  # of a code that stands for password and factor: 100 bits
Factor = Literal["app", "recovery", "passkey"]


def new_secret() -> str:
    """A secret for an app, as it is typed into one: 32 characters of base 32."""
    return b32encode(secrets.token_bytes(_SECRET_BYTES)).decode("ascii")


def address_of(account: Account, secret: str) -> str:
    """The otpauth address an app reads off the screen."""
    return _codes(secret).get_provisioning_uri(account.staff, _NAME)


def enrol(account: Account, password: str, secret: str, code: str) -> list[str]:
    """Keep the secret of his app, once it has shown a right code; ten recovery codes.

    Whatever he had before is gone. Raises: SecretRefused, for another password, after too many, and
    for a wrong code.
    """
    ask_password(account, password)
    step = _step_of(secret, code, clock.now())
    if step is None:
        raise SecretRefused(why=WRONG, of="code")
    with transaction.atomic():
        values = {
            "secret": _cipher().encrypt(secret.encode("ascii")).decode("ascii"),
            "last_step": step,
            "made_at": clock.now(),
        }
        Authenticator.objects.update_or_create(account=account, defaults=values)
        ask_second(account)
        return new_recovery_codes(account)


def ask_second(account: Account) -> None:
    """From now on a second factor is asked of him after his password."""
    account.asks_second = True
    account.save(update_fields=["asks_second"])


def new_recovery_codes(account: Account) -> list[str]:
    """Ten new codes, to be shown once; those before are good no more."""
    codes = [
        "-".join("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(2))
        for _ in range(RECOVERY_CODES)
    ]
    with transaction.atomic():
        RecoveryCode.objects.filter(account=account).delete()
        RecoveryCode.objects.bulk_create(
            [RecoveryCode(account=account, code_hash=_hashed(code)[0]) for code in codes]
        )
    return codes


def check_code(account: Account, code: str) -> Factor | None:
    """Which of his codes it is, used up with that; None for none of them."""
    typed = "".join(code.split()).lower()
    if typed.isascii() and typed.isdigit() and len(typed) == DIGITS:
        return "app" if _is_of_app(account, typed) else None
    plain = typed.replace("-", "")
    spelled = f"{plain[:_GROUP]}-{plain[_GROUP:]}"
    used, _ = RecoveryCode.objects.filter(account=account, code_hash__in=_hashed(spelled)).delete()
    return "recovery" if used else None


def check_passkey(
    account: Account, sent: Mapping[str, str], challenge: bytes, origin: str
) -> Factor | None:
    """Whether one of his passkeys answered the challenge at this address."""
    with transaction.atomic():
        found = verified(account.staff, sent, challenge, origin)
    return None if found is None else "passkey"


def new_reset(account: Account, asked_n: int, lasts: timedelta) -> str:
    """A code with which its owner sets password and factor anew, to be shown once; the one before
    is good no more. `asked_n` is the entry in which it was asked for.
    """
    code = "-".join(
        "".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_RESET_GROUPS)
    )
    values = {
        "code_hash": _hashed(code, "reset")[0],
        "expires_at": clock.now() + lasts,
        "asked_n": asked_n,
    }
    LoginReset.objects.update_or_create(account=account, defaults=values)
    return code


def use_reset(account: Account, code: str) -> bool:
    """Whether it is his code and its time is not over; it is used up with that."""
    plain = "".join(code.split()).lower().replace("-", "")
    spelled = "-".join(plain[at : at + _GROUP] for at in range(0, len(plain), _GROUP))
    his = LoginReset.objects.filter(account=account, expires_at__gt=clock.now())
    used, _ = his.filter(code_hash__in=_hashed(spelled, "reset")).delete()
    return bool(used)


def forget(account: Account) -> None:
    """He has no app and no recovery codes any more; passkeys are revoked by management."""
    Authenticator.objects.filter(account=account).delete()
    RecoveryCode.objects.filter(account=account).delete()
    settle(account)


def settle(account: Account) -> None:
    """Ask for a second factor where he has one, and for none where the last one is gone."""
    has_app = Authenticator.objects.filter(account=account).exists()
    account.asks_second = has_app or bool(passkeys_of(account.staff))
    account.save(update_fields=["asks_second"])


def sealed_by(account: Account) -> str:
    """What changes with his password or his app: what a browser remembers holds for it."""
    made = Authenticator.objects.filter(account=account).values_list("made_at", flat=True).first()
    return f"{account.password}\n{made}"


def _is_of_app(account: Account, code: str) -> bool:
    with transaction.atomic():
        kept = Authenticator.objects.select_for_update().filter(account=account).first()
        if kept is None:
            return False
        try:
            secret = _cipher().decrypt(kept.secret.encode("ascii")).decode("ascii")
        except InvalidToken:  # the house has lost that pepper: he enrols anew
            return False
        step = _step_of(secret, code, clock.now())
        if step is None or step <= kept.last_step:
            return False
        kept.last_step = step
        kept.save(update_fields=["last_step"])
    return True


def _step_of(secret: str, code: str, now: datetime) -> int | None:
    """The half minute a code is of; all are compared, whichever it is."""
    codes, found = _codes(secret), None
    here = int(now.timestamp()) // _STEP
    for step in (here - 1, here, here + 1):
        try:
            codes.verify(code.encode(), step * _STEP)
        except WrongCode:
            continue
        found = step
    return found


def _codes(secret: str) -> TOTP:
    return TOTP(b32decode(secret), DIGITS, SHA1(), _STEP)  # noqa: S303 - what apps know


def _cipher() -> MultiFernet:
    """Under today's pepper; what was enciphered under a former one is still read."""
    return MultiFernet(
        [
            Fernet(urlsafe_b64encode(hmac.digest(one.encode(), b"second factor", "sha256")))
            for one in peppers()
        ]
    )


def _hashed(code: str, of: str = "recovery") -> list[str]:
    """Under today's pepper, then under those before it."""
    return [
        hmac.digest(one.encode(), f"{of}\n{code}".encode(), "sha256").hex() for one in peppers()
    ]
