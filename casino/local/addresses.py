"""Where the databases and the queue are: those of the environment, or our own server's."""

import os
import secrets
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from casino.local import roles
from casino.local.cluster import Cluster
from casino.local.local_places import (
    CHECKOUT,
    identity,
    is_training,
    private_folder,
    write_private,
)
from casino.local.local_trouble import Trouble

QUEUE: str = "BROKER_URL"
# What the signer is told of its files, and nobody else.
OF_THE_SIGNER: Final = ("SIGNER_HOME", "COSIGNATURES", "WITNESSES", "LOG_ORIGIN")
# What sessions are signed and codes hashed with: of pages, jobs and commands.
KEYS: Final = ("SECRET_KEY", "WITNESS_PEPPER", "WITNESS_PEPPERS_BEFORE")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the environment leaves to us: the book's database, the queue, both or neither."""

    book: bool
    queue: bool

    @property
    def server(self) -> bool:
        """Whether a server of our own is needed at all."""
        return self.book or self.queue


def wanted() -> Wanted:
    """Read the environment. Raises: Trouble, when it names only part of a database's addresses, or
    any of them for a house to train in.
    """
    given = {name for name in roles.VARIABLES.values() if os.environ.get(name)}
    if is_training() and (given or os.environ.get(QUEUE)):
        named = ", ".join(sorted(given | ({QUEUE} if os.environ.get(QUEUE) else set())))
        raise Trouble(
            f"A house to train in has a database and a queue of its own; found: {named}. Leave them"
            " out of the environment."
        )
    needed = set(roles.VARIABLES.values())
    if given and not needed <= given:
        missing = ", ".join(sorted(needed - given))
        raise Trouble(f"A database of your own needs an address for each role; missing: {missing}.")
    return Wanted(book=not given, queue=not os.environ.get(QUEUE))


def known(cluster: Cluster | None, needs: Wanted) -> dict[str, str]:
    """Every address by its variable, ours where the environment leaves it to us."""
    names = (*roles.VARIABLES.values(), QUEUE)
    found = {name: os.environ[name] for name in names if os.environ.get(name)}
    if cluster is not None and needs.book:
        found |= roles.addresses(cluster)
    if cluster is not None and needs.queue:
        found[QUEUE] = roles.queue_address(cluster)
    return found


def environment(
    addresses: dict[str, str], state: Path, names: Iterable[str] | None = None
) -> dict[str, str]:
    """What a child is told: our environment, the house's key, and the named addresses or all."""
    allowed = set(addresses if names is None else names)
    ours = roles.without_addresses()
    return {
        **{name: value for name, value in ours.items() if name not in OF_THE_SIGNER},
        **{name: address for name, address in addresses.items() if name in allowed},
        "SECRET_KEY": os.environ.get("SECRET_KEY") or secret(state, "secret-key"),
        "WITNESS_PEPPER": os.environ.get("WITNESS_PEPPER") or secret(state, "witness-pepper"),
        "ALLOWED_HOSTS": os.environ.get("ALLOWED_HOSTS") or "127.0.0.1,localhost",
        "STATIC_ROOT": str(state / "static"),
        "BOOK_PUBLIC": str(state / "public"),
        "CASINO_NAME": os.environ.get("CASINO_NAME") or "Casino de demonstração",
        "CASINO_PLACE": os.environ.get("CASINO_PLACE") or "Vila de Ensaio",
        "CONCESSION_HOLDER": os.environ.get("CONCESSION_HOLDER") or "(demonstração)",
        # On the loopback address nobody listens in, and a browser gets no certificate.
        "HTTPS": "0",
        # It is tried out here, with the passwords it prints; whoever sets up a factor is asked.
        "SECOND_FACTOR": os.environ.get("SECOND_FACTOR") or "0",
        "PYTHONUNBUFFERED": "1",
        "CODE_VERSION": os.environ.get("CODE_VERSION") or code_version(),
    }


def of_the_signer(addresses: dict[str, str], state: Path) -> dict[str, str]:
    """What the signer is told: where the tree is, where its files lie, and nothing else."""
    values = {name: os.environ[name] for name in ("PATH", "LOG_ORIGIN") if os.environ.get(name)}
    if is_training():  # whatever is signed there says so to every verifier
        values["LOG_ORIGIN"] = f"demo.invalid/training/{identity(state)}"
    return {
        **values,
        "SIGNER_DATABASE_URL": addresses["SIGNER_DATABASE_URL"],
        "SIGNER_HOME": str(state / "signer"),
        "BOOK_PUBLIC": str(state / "public"),
        **of_witnesses(state),
        "PYTHONUNBUFFERED": "1",
    }


def of_witnesses(state: Path) -> dict[str, str]:
    """Who the log's witnesses are, and where their answers are laid: for who asks them, too."""
    return {
        "COSIGNATURES": str(state / "cosignatures"),
        "WITNESSES": os.environ.get("WITNESSES") or str(state / "witnesses"),
    }


@cache
def code_version() -> str:
    """What git calls this code, with a mark when it was changed since; empty without git."""
    command = ["git", "-C", str(CHECKOUT), "describe", "--always", "--dirty"]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return ""
    return asked.stdout.strip()


def secret(state: Path, name: str) -> str:
    """A secret of the house by name; made up the first time and kept, for its owner's eyes only."""
    file = private_folder(state / "secrets") / name
    if not file.exists():
        write_private(file, secrets.token_urlsafe(48))
    return file.read_text("ascii")
