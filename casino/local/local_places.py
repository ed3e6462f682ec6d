"""Where things lie, and as whom the database server runs.

An ordinary user has everything in `.local/state` of his checkout. PostgreSQL refuses to run as
root, and whoever it runs as must reach its files, which a checkout in root's home prevents: root's
files lie in a folder of root's own outside, one for each checkout, and the server runs as `nobody`.
"""

import os
import pwd
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

CHECKOUT: Final = Path(__file__).resolve().parent.parent.parent
OUTSIDE: Final = Path("/var/lib/livro-da-sala")
UNPRIVILEGED: Final = "nobody"


@dataclass(frozen=True, slots=True)
class Account:
    """Another account a child runs as."""

    uid: int
    gid: int

    def as_arguments(self) -> dict[str, Any]:
        """For `subprocess`: the child has this account's rights, and none of ours."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []}


def server_account() -> Account | None:
    """Who the server runs as: for root an account without rights, else None (whoever we are)."""
    if os.geteuid() != 0:
        return None
    entry = pwd.getpwnam(UNPRIVILEGED)
    return Account(entry.pw_uid, entry.pw_gid)


def identity(folder: Path = CHECKOUT) -> str:
    """Twelve hex digits that two folders on one machine do not share."""
    return sha256(str(folder).encode()).hexdigest()[:12]


def is_training() -> bool:
    """Whether it is a house to train in that is started, or asked."""
    return os.environ.get("TRAINING") == "1"


def state_of(checkout: Path = CHECKOUT) -> Path:
    """The folder of everything that must survive `make run`: data, passwords, ports.

    LIVRO_STATE names another: a second house of the same checkout, a disk of its own. A house to
    train in has the folder beside, and nothing in common with the other.
    """
    found = _state_of(checkout)
    return found.with_name(f"{found.name}-training") if is_training() else found


def _state_of(checkout: Path) -> Path:
    named = os.environ.get("LIVRO_STATE")
    if named:
        return Path(named).resolve()
    if os.geteuid() == 0:
        return OUTSIDE / identity(checkout)
    return checkout / ".local" / "state"


def open_folder(path: Path) -> Path:
    """A folder others may pass through but not list; what is secret in it has its own lock."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o711)
    if path.parent == OUTSIDE:
        OUTSIDE.chmod(0o711)
    return path


def private_folder(path: Path, account: Account | None = None) -> Path:
    """A folder nobody but its owner may enter."""
    path.mkdir(parents=True, exist_ok=True)
    if account is not None:
        os.chown(path, account.uid, account.gid)
    path.chmod(0o700)
    return path


def write_private(path: Path, text: str) -> None:
    """Write a file only its owner may read, whole or not at all."""
    beside = path.with_name(path.name + ".new")
    beside.unlink(missing_ok=True)
    with open(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


@contextmanager
def handed_over(path: Path, text: str, account: Account | None) -> Iterator[Path]:
    """A secret in a file the other account can read, for as long as it is needed."""
    write_private(path, text)
    try:
        if account is not None:
            os.chown(path, account.uid, account.gid)
        yield path
    finally:
        path.unlink(missing_ok=True)


def forget(path: Path) -> None:
    """Remove a folder and all in it; nothing happens where there is none."""
    shutil.rmtree(path, ignore_errors=True)
