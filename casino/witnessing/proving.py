"""Secrets of a person that he tells: his password, or a code of digits under the pepper."""

import hmac
import logging
from typing import Any, Final, Literal

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password

from casino import clock
from casino.models import Account, WitnessSecret
from casino.queries import offices_at
from casino.recording import SecretRefused
from casino.recording.authority import HEAD, MANAGER, PIT
from casino.witnessing.tries import one_try

SHORTEST_PIN: Final = 6
LONGEST_PIN: Final = 8
# Why a secret is refused: msgids of their own, beside those of casino.recording.
WRONG: Final = "the number or the secret is not right."
LOCKED_OUT: Final = "too many wrong secrets; it is closed to this person for 15 minutes."
_log: Final = logging.getLogger("casino.witnessing")
How = Literal["password", "pin"]
# As what a witness confirms, of the offices he holds: as fiscal-chefe where he is one.
_AS: Final = (HEAD, MANAGER, PIT)


def set_pin(account: Account, pin: str) -> None:
    """Keep a new code for a person. Raises: ValueError, for no code.

    What failed before still counts: a new code opens no lock.
    """
    if not (pin.isascii() and pin.isdigit() and SHORTEST_PIN <= len(pin) <= LONGEST_PIN):
        raise ValueError(f"asked is a code of {SHORTEST_PIN} to {LONGEST_PIN} digits")
    pepper = _peppers()[0]
    kept = {"pin_hash": make_password(_peppered(pin, pepper)), "pepper": _name(pepper)}
    WitnessSecret.objects.update_or_create(account=account, defaults=kept)


def change_pin(account: Account, password: str, pin: str) -> None:
    """Keep a new code for whoever knows his own password.

    Raises: SecretRefused, for another password and after too many; ValueError, for no code.
    """
    ask_password(account, password)
    set_pin(account, pin)


def ask_password(account: Account, password: str) -> None:
    """Whether he who is logged in is still himself. Raises: SecretRefused."""
    tried = one_try(account.staff, None, lambda: account.check_password(password) or None)
    if tried.found is None:
        _log.warning("a wrong password of %s's own, number %s", account.staff, tried.count)
        raise SecretRefused(why=LOCKED_OUT if tried.locked else WRONG)


def how_proved(staff: str, secret: str) -> How | None:
    """How the secret proves the person; None if it does not.

    It takes as long for a number nobody has: one Argon2 hash is reckoned either way.
    """
    account = Account.objects.filter(staff=staff, is_active=True).first()
    if account is None:
        make_password(secret)
        return None
    kept = WitnessSecret.objects.filter(account=account).first()
    looks_like_pin = secret.isascii() and secret.isdigit() and len(secret) <= LONGEST_PIN
    if looks_like_pin and kept is not None:
        return "pin" if _is_code(account, kept, secret) else None
    return "password" if account.check_password(secret) else None


def _is_code(account: Account, kept: WitnessSecret, pin: str) -> bool:
    """Whether it is his code. One kept under a former pepper is kept under today's from now on."""
    peppers = _peppers()
    first = {"": peppers[-1]}  # before peppers had names there was one
    pepper = (first | {_name(each): each for each in peppers}).get(kept.pepper)
    if pepper is None:  # the house has lost it: its owner sets a new code with his password
        _log.error("the code of %s is kept under a pepper the house no longer has", account.staff)
        make_password(pin)
        return False
    if not check_password(_peppered(pin, pepper), kept.pin_hash):
        return False
    if kept.pepper != _name(peppers[0]):
        set_pin(account, pin)
    return True


def _peppers() -> list[str]:
    """Today's, then those before it."""
    return [settings.WITNESS_PEPPER or settings.SECRET_KEY, *settings.WITNESS_PEPPERS_BEFORE]


def _name(pepper: str) -> str:
    """What a pepper is called in the database, which must not tell it."""
    return hmac.digest(pepper.encode(), b"which pepper", "sha256").hex()[:8]


def _peppered(pin: str, pepper: str) -> str:
    return hmac.digest(pepper.encode(), pin.encode(), "sha256").hex()


def office_of(staff: str) -> Any:
    """The office he confirms in. One without any of the floor's is refused by the book's door."""
    held = offices_at(staff, clock.now())
    return next((office for office in _AS if office in held), None) or next(
        iter(sorted(held)), "pagador"
    )
