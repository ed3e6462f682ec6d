"""Where the signer's things lie, and what it is told: all of it by its environment."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from casino.signer.signer_trouble import Trouble
from casino.signer.token_keys import Token

ROLE: Final = "signer"
# The same spelling as in an event that names an origin.
_is_origin: Final = re.compile(r"[A-Za-z0-9.-]{1,100}(?:/[A-Za-z0-9._-]{1,40}){0,4}").fullmatch
GUESSED: Final = frozenset({"change-me", "changeme", "password", "postgres", "secret", ROLE})


@dataclass(frozen=True, slots=True)
class Places:
    """The signer's folders, and the way into the book's database.

    `home` is its own and nobody else's; `public` may be read by everybody; `drop` is where a
    witness's answers are laid. `asked_origin` is '' where the environment names none. New keys are
    made on `token`, where there is one, and in files else.
    """

    home: Path
    public: Path
    drop: Path
    witnesses: Path | None
    asked_origin: str
    database: str
    password: str | None
    token: Token | None = None

    @property
    def keys(self) -> Path:
        """The folder of the private keys."""
        return self.home / "keys"

    @property
    def seal(self) -> Path:
        """The folder of the key and the certificate documents are sealed with."""
        return self.home / "seal"

    @property
    def last(self) -> Path:
        """What was signed last, and what is needed to make it grow."""
        return self.home / "last"

    @property
    def origin(self) -> Path:
        """The log's name until there is a checkpoint to bear it."""
        return self.home / "origin"

    @property
    def refusals(self) -> tuple[Path, Path]:
        """The two files that say why nothing is signed: one's own, and the one for all to see."""
        return self.home / "refused", self.public / "refused"

    @property
    def checkpoint(self) -> Path:
        """The newest checkpoint, for all to see."""
        return self.public / "checkpoint"

    @property
    def policy(self) -> Path:
        """The keys the checkpoints are signed with, and the witnesses, for all to see."""
        return self.public / "policy"


def places(values: Mapping[str, str] = os.environ) -> Places:
    """Read the environment. Raises: Trouble, where something is missing or unfit."""
    public = _folder(values, "BOOK_PUBLIC")
    origin = values.get("LOG_ORIGIN", "")
    if origin and not _is_origin(origin):
        raise Trouble(f"LOG_ORIGIN: {origin!r} is no name of a log, as book.example/sala/1.")
    address, password = _database(values)
    return Places(
        home=_folder(values, "SIGNER_HOME"),
        public=public,
        drop=Path(values.get("COSIGNATURES") or public.parent / "cosignatures"),
        witnesses=Path(values["WITNESSES"]) if values.get("WITNESSES") else None,
        asked_origin=origin,
        database=address,
        password=password,
        token=_token(values),
    )


def _folder(values: Mapping[str, str], name: str) -> Path:
    if not values.get(name):
        raise Trouble(f"{name} is missing: it names a folder (docs/operations.md).")
    return Path(values[name]).absolute()


def _token(values: Mapping[str, str]) -> Token | None:
    """SIGNER_TOKEN: the path of the token's driver, a space, its label; and its PIN."""
    text = values.get("SIGNER_TOKEN", "").strip()
    if not text:
        return None
    module, _, label = text.partition(" ")
    if not module.startswith("/") or not label.strip():
        raise Trouble(
            f"SIGNER_TOKEN is {text!r}; asked is the path of the token's PKCS#11 driver, a space"
            " and the token's label: /usr/lib/softhsm/libsofthsm2.so livro."
        )
    pin = _setting(values, "SIGNER_TOKEN_PIN")
    if not pin:
        raise Trouble("SIGNER_TOKEN_PIN is missing: the token's PIN, or SIGNER_TOKEN_PIN_FILE.")
    return Token(module, label.strip(), pin)


def _database(values: Mapping[str, str]) -> tuple[str, str | None]:
    """The address, and the password where the address holds none. Never repeated in a message."""
    name = "SIGNER_DATABASE_URL"
    address = _setting(values, name)
    parts = urlsplit(address)
    if parts.scheme not in ("postgres", "postgresql"):
        raise Trouble(f"{name} must begin with postgres:// or postgresql://.")
    password = unquote(parts.password or "") or _setting(values, "SIGNER_PASSWORD")
    if password.lower() in GUESSED and values.get("DEBUG") != "1":
        raise Trouble(f"{name} holds a secret that everybody knows: choose another, or DEBUG=1.")
    return address, password or None


def _setting(values: Mapping[str, str], name: str) -> str:
    """What the environment says, by itself or in the file it names (``NAME_FILE``)."""
    file = values.get(f"{name}_FILE")
    if not file:
        return values.get(name, "")
    try:
        return Path(file).read_text("utf-8").strip()
    except OSError as error:
        raise Trouble(f"{name}_FILE: {file}: {error.strerror}") from error


def must_be_ours(home: Path) -> None:
    """Raises: Trouble, where there is no such folder, or it is another account's: files made in it
    by us, its owner could not read.
    """
    try:
        owner = home.stat().st_uid
    except FileNotFoundError:
        raise Trouble(f"{home} is not there: `python -m casino.signer init` makes it.") from None
    if owner != os.geteuid():
        raise Trouble(f"{home} belongs to the account {owner}: run the signer as that one.")
