"""Which program judged: a digest of every line of it that can run."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.conf import settings

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PACKAGES: Final = ("casino", "jackpot", "audit")


@cache
def code_version() -> str:
    """``sha256:`` and 64 hex digits over the modules of the three packages, worked out once.

    An installation may say it itself (settings.CODE_VERSION). The laws are not in it: each run
    names the digest of every rulebook beside it.
    """
    if settings.CODE_VERSION:
        return str(settings.CODE_VERSION)
    whole = sha256()
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    for path in sorted(files):
        name = path.relative_to(ROOT).as_posix()
        whole.update(f"{name}\0{sha256(path.read_bytes()).hexdigest()}\n".encode())
    return f"sha256:{whole.hexdigest()}"
