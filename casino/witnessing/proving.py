"""Secrets of a person that he tells: his password, or a code of digits under the pepper."""

import hmac
import logging
from typing import Any, Final, Literal

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db.models import Exists, OuterRef

from casino import clock
from casino.events.event_policy import HEAD, MANAGER, PIT
from casino.models import Account, HouseActDecision, PepperChange, QuickCode, WitnessSecret
from casino.queries import offices_at
from casino.recording import SecretRefused
from casino.witnessing.tries import one_try

SHORTEST_PIN: Final = 6
LONGEST_PIN: Final = 8
SHORTEST_QUICK: Final = 4  # five tries, at one tablet, of one who logged in there that day
# Why a secret is refused: msgids of their own, beside those of casino.recording.
WRONG: Final = "the number or the code is not right."
SAME_CODE: Final = "found the code others' acts are confirmed with; asked is another one."
LOCKED_OUT: Final = "too many wrong codes in a row."
_log: Final = logging.getLogger("casino.witnessing")
How = Literal["password", "pin"]
# As what a witness confirms, of the offices he holds: as fiscal-chefe where he is one.
_AS: Final = (HEAD, MANAGER, PIT)


def set_pin(account: Account, pin: str) -> None:
    """Keep a new code for a person. Raises: ValueError, for no code.

    What failed before still counts: a new code opens no lock.
    """
    _keep(WitnessSecret, account, pin, SHORTEST_PIN)


def set_quick_code(account: Account, pin: str) -> None:
    """Keep a new code for changing to him at a tablet. Raises: ValueError, for no code."""
    _keep(QuickCode, account, pin, SHORTEST_QUICK)


def _keep(
    projection: type[WitnessSecret | QuickCode], account: Account, pin: str, least: int
) -> None:
    if not (pin.isascii() and pin.isdigit() and least <= len(pin) <= LONGEST_PIN):
        raise ValueError(f"asked is a code of {least} to {LONGEST_PIN} digits")
    pepper = peppers()[0]
    kept = {"pin_hash": make_password(_peppered(pin, pepper)), "pepper": pepper_name(pepper)}
    projection._default_manager.update_or_create(account=account, defaults=kept)


def change_pin(account: Account, password: str, pin: str) -> None:
    """Keep a new code for whoever knows his own password.

    Raises: SecretRefused, for another password and after too many; ValueError, for no code.
    """
    ask_password(account, password)
    if is_quick_code(account, pin):
        raise SecretRefused(why=SAME_CODE)
    set_pin(account, pin)


def change_quick_code(account: Account, password: str, pin: str) -> None:
    """The same of the code one is changed to with; it is not the one he confirms with.

    Raises: SecretRefused, ValueError.
    """
    ask_password(account, password)
    kept = WitnessSecret.objects.filter(account=account).first()
    if kept is not None and _is_code(account, kept, pin):
        raise SecretRefused(why=SAME_CODE)
    set_quick_code(account, pin)


def has_quick_code(account: Account) -> bool:
    """Whether he ever set a code he is changed to with."""
    return QuickCode.objects.filter(account=account).exists()


def is_quick_code(account: Account, pin: str) -> bool:
    """Whether it is the code he is changed to with."""
    kept = QuickCode.objects.filter(account=account).first()
    if kept is None:
        make_password(pin)  # it takes as long for whoever has none
        return False
    return _is_code(account, kept, pin)


def ask_password(account: Account, password: str) -> None:
    """Whether he who is logged in is still himself. Raises: SecretRefused."""
    tried = one_try(account.staff, None, lambda: account.check_password(password) or None)
    if tried.found is None:
        _log.warning("a wrong password of %s's own, number %s", account.staff, tried.count)
        why = LOCKED_OUT if tried.locked else WRONG
        raise SecretRefused(why=why, left=tried.left, until=tried.locked_until)


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


def _is_code(account: Account, kept: WitnessSecret | QuickCode, pin: str) -> bool:
    """Whether it is his code. One kept under a former pepper is kept under today's from now on."""
    known = peppers()
    first = {"": _configured()[-1]}  # before peppers had names there was one
    pepper = (first | {pepper_name(each): each for each in known}).get(kept.pepper)
    if pepper is None:  # the house has lost it: its owner sets a new code with his password
        _log.error("the code of %s is kept under a pepper the house no longer has", account.staff)
        make_password(pin)
        return False
    if not check_password(_peppered(pin, pepper), kept.pin_hash):
        return False
    if kept.pepper != pepper_name(known[0]):
        _keep(type(kept), account, pin, len(pin))
    return True


def peppers() -> list[str]:
    """The house's peppers: first the one codes are kept under, then all others it can read.

    The newest is used once two persons have said so in the book; the oldest needed nobody.
    """
    known = _configured()
    used = next((n for n, each in enumerate(known[:-1]) if _is_used(each)), len(known) - 1)
    return [known[used], *known[:used], *known[used + 1 :]]


def _configured() -> list[str]:
    """As the settings have them, the newest first."""
    return [newest_pepper(), *settings.WITNESS_PEPPERS_BEFORE]


def newest_pepper() -> str:
    """The pepper the settings ask for."""
    return settings.WITNESS_PEPPER or settings.SECRET_KEY


def _is_used(pepper: str) -> bool:
    """Whether two persons named it, or codes are kept under it since before two were asked for."""
    name = pepper_name(pepper)
    word = HouseActDecision.objects.filter(
        act_stream=OuterRef("stream"), act_n=OuterRef("n"), decision="approved"
    )
    return (
        PepperChange.objects.filter(Exists(word), pepper=name).exists()
        or WitnessSecret.objects.filter(pepper=name).exists()
        or QuickCode.objects.filter(pepper=name).exists()
    )


def pepper_name(pepper: str) -> str:
    """What a pepper is called in the database and in the book, which must not tell it."""
    return hmac.digest(pepper.encode(), b"which pepper", "sha256").hex()[:8]


def _peppered(pin: str, pepper: str) -> str:
    return hmac.digest(pepper.encode(), pin.encode(), "sha256").hex()


def office_of(staff: str) -> Any:
    """The office he confirms in. One without any of the floor's is refused by the book's door."""
    held = offices_at(staff, clock.now())
    return next((office for office in _AS if office in held), None) or next(
        iter(sorted(held)), "pagador"
    )
