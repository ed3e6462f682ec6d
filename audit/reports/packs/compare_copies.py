"""Two copies of a book compared, read by a program that believes nothing of them.

``python -m audit.reports.packs.compare_copies OLDER NEWER LANGUAGE``: each is a ZIP (a bundle, or
an evidence pack) or a folder. What is in a ZIP is unpacked beside it, as far as a comparison needs
it, and no more than so much. It prints what ``livro-verifier.pyz --compare`` prints as JSON; a
process of its own, bounded in memory and time.
"""

import json
import re
import resource
import sys
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from audit.verifier import command

MEMORY: Final = 1_500_000_000  # bytes of addresses
SECONDS: Final = 30  # of the processor
MOST_UNPACKED: Final = 400 * 2**20  # bytes of one copy
MOST_FILES: Final = 10_000
_needed: Final = re.compile(
    r"(?:[^/\\]{1,100}/){0,2}?((?:bundle\.json|shown/[0-9]{6}"
    r"|tile/entries/[0-9x/]{1,60}(?:\.p/[0-9]{1,3})?))"
).fullmatch


class NoCopy(ValueError):
    """It is no copy of a book; the text is a word for why: "zip", "many", "large", "none"."""


def folder_of(place: Path) -> Path:
    """The folder of a copy, unpacked where it is a ZIP. Raises: NoCopy."""
    if place.is_dir():
        return place
    folder, left = place.with_name(f"{place.name}.d"), MOST_UNPACKED
    try:
        with ZipFile(place) as archive:
            entries = [(one, _needed(one.filename)) for one in archive.infolist()]
            needed = [(one, match[1]) for one, match in entries if match is not None]
            if len(needed) > MOST_FILES:
                raise NoCopy("many")
            for one, name in needed:
                into = folder / name
                if into.exists():  # two copies in one archive
                    raise NoCopy("many")
                into.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(one) as file:
                    data = file.read(left + 1)
                left -= len(data)
                if left < 0:
                    raise NoCopy("large")
                into.write_bytes(data)
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as trouble:
        raise NoCopy("zip") from trouble
    if not (folder / "bundle.json").is_file():
        raise NoCopy("none")
    return folder


def scope_in(place: Path) -> dict[str, object]:
    """What a copy in a ZIP says of itself: see docs/bundle.md. Raises: NoCopy."""
    try:
        with ZipFile(place) as archive:
            for one in archive.infolist():
                found = _needed(one.filename)
                if found is not None and found[1] == "bundle.json" and one.file_size < 64 * 1024:
                    with archive.open(one) as file:
                        value = json.loads(file.read(64 * 1024))
                    if type(value) is dict and type(value.get("scope")) is dict:
                        return value
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise NoCopy("zip") from error
    raise NoCopy("none")


def main() -> int:
    """Compare, and print what was found; 4, and a word, for what is no copy."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    older, newer, language = sys.argv[1:4]
    try:
        copies = [folder_of(Path(one)) for one in (older, newer)]
    except NoCopy as why:
        sys.stdout.write(str(why))
        return 4
    asked = ["--compare", str(copies[0]), str(copies[1]), "--json", "--language", language]
    return command.main(asked)


if __name__ == "__main__":
    sys.exit(main())
