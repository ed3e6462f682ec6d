"""Files that are there whole or not at all, and after a loss of power still."""

import os
import stat
from pathlib import Path
from typing import Final

PRIVATE: Final = 0o600
PUBLIC: Final = 0o644
OTHERS: Final = 0o077  # whoever else may read, write or run it


def write_whole(path: Path, text: str, mode: int) -> None:
    """Write a file beside its place, sync it, put it there, sync the folder. Raises: OSError.

    Whoever reads meanwhile sees the old file or the new one, and never half of one.
    """
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)  # of a run that was killed
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    held = os.open(beside, flags, PRIVATE)
    try:
        try:
            os.fchmod(held, mode)  # whatever the umask
            _write_all(held, text.encode())
            os.fsync(held)
        finally:
            os.close(held)
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    sync(path.parent)


def _write_all(held: int, data: bytes) -> None:
    while data:
        data = data[os.write(held, data) :]


def sync(folder: Path) -> None:
    """Let the disk know which files a folder has."""
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(held)
    finally:
        os.close(held)


def move(path: Path, folder: Path) -> Path:
    """Move a file into a folder, under a name that is free there; gives its new place."""
    place, tries = folder / path.name, 0
    while os.path.lexists(place):
        tries += 1
        place = folder / f"{path.name}.{tries}"
    path.rename(place)
    return place


def remove(path: Path) -> None:
    """Remove a file, if it is there, and let the disk know."""
    if os.path.lexists(path):
        path.unlink()
        sync(path.parent)


def exposed(path: Path) -> str | None:
    """Who else may read a file or folder, in words; None where only we may."""
    found = path.lstat()
    if found.st_uid != os.geteuid():
        return f"{path} belongs to the account {found.st_uid}, not to the signer's"
    if stat.S_ISLNK(found.st_mode):
        return f"{path} is a link: others may decide where it leads"
    if found.st_mode & OTHERS:
        mode = 0o700 if stat.S_ISDIR(found.st_mode) else PRIVATE
        return f"others may read {path} (mode {found.st_mode & 0o777:o}): `chmod {mode:o}` it"
    return None


def make_folder(path: Path, mode: int) -> None:
    """Make a folder with exactly these rights, whatever the umask; leave one that is there."""
    try:
        path.mkdir(parents=True, mode=0o700)
    except FileExistsError:
        return
    path.chmod(mode)
    sync(path.parent)
