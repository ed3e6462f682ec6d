"""Ports on the loopback address: one for each checkout, remembered, never shared."""

import socket
from pathlib import Path
from typing import Final

from casino.local.local_trouble import Trouble

LOOPBACK: Final = "127.0.0.1"
# Below the range from which Linux gives ports to outgoing connections.
FIRST: Final = 20_000
LAST: Final = 29_999
TRIES: Final = 200


def is_free(port: int) -> bool:
    """Whether nobody listens there at this moment."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def choose(seed: str, taken: frozenset[int] = frozenset()) -> int:
    """The first free port from the place `seed` (hex digits) points to.

    Two seeds begin at different places, so that two servers started at once do not run for the
    same port. Raises: Trouble, where none of two hundred is free.
    """
    width = LAST - FIRST + 1
    start = int(seed, 16) % width
    for step in range(TRIES):
        port = FIRST + (start + step) % width
        if port not in taken and is_free(port):
            return port
    raise Trouble(f"No free port on {LOOPBACK} between {FIRST} and {LAST}.")


def remember(file: Path, port: int) -> None:
    """Write the port there, for whoever reads it meanwhile: the old one or the new one whole."""
    if remembered(file) != port:
        beside = file.with_name(f"{file.name}.new")
        beside.write_text(str(port), "ascii")
        beside.replace(file)


def remembered(file: Path) -> int | None:
    """The port written there the last time, if it was one."""
    try:
        return int(file.read_text("ascii"))
    except (OSError, ValueError):
        return None
