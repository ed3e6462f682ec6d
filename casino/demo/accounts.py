"""Who may log in to the demo: one account for each office, with passwords nobody chose."""

import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from casino.demo import cast
from casino.demo.cast import Member
from casino.models import Account
from casino.witnessing import set_pin

# Four groups of five, without letters that look alike: 97 bits.
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS: Final = 4
_IN_A_GROUP: Final = 5
_PIN_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Login:
    """What somebody types to get in. `pin` is '' for whoever confirms nobody's acts."""

    member: Member
    password: str
    pin: str = ""

    def __str__(self) -> str:
        code = f"  (PIN {self.pin})" if self.pin else ""
        return f"{self.member.office}: {self.member.number} / {self.password}{code}"


def made_logins(pin: str = "") -> list[Login]:
    """The accounts of the demo, made or given new passwords and codes; `pin` is the fiscal-chefe's,
    where it is given.
    """
    logins = [_made(member, pin) for member in cast.LOGINS]
    for login in logins:
        account, _ = Account.objects.get_or_create(staff=login.member.number)
        account.set_password(login.password)
        account.save(update_fields=["password"])
        if login.pin:
            set_pin(account, login.pin)
    return logins


def _made(member: Member, known: str) -> Login:
    groups = ["".join(secrets.choice(_LETTERS) for _ in range(_IN_A_GROUP)) for _ in range(_GROUPS)]
    pin = ""
    if member in cast.WITNESSES:
        drawn = "".join(secrets.choice("0123456789") for _ in range(_PIN_DIGITS))
        pin = (member == cast.CHEFE and known) or drawn
    return Login(member, "-".join(groups), pin)


def write_logins(path: Path, logins: Iterable[Login]) -> None:
    """Write them to a file only its owner may read, whole or not at all. Raises: OSError."""
    beside = path.with_name(path.name + ".new")
    beside.unlink(missing_ok=True)
    with open(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.writelines(f"{login}\n" for login in logins)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
