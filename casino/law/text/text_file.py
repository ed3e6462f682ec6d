"""What a rulebook says of its official text, read from `casino/law/data/text/<rulebook>.toml`.

Tables by eId: in the order of the node's words `numbers`, `duties` and `turns`; of parameters
`stated` and `house`. Names, figures and single words, no sentence of a text. What a list holds is
read by the module of its subject; here is its form.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from casino.events.phrases import Phrase
from casino.law.rulebook.law_text import LawError, listed
from casino.law.rulebook.rulebook_file import folder_of

Lists = Mapping[str, tuple[str, ...]]
TABLES: Final = ("numbers", "duties", "turns", "stated", "house")


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file as it is written. A table that is not there is None: nobody wrote it yet."""

    name: str
    numbers: Lists | None = None
    duties: Lists | None = None
    turns: Lists | None = None
    stated: Lists | None = None
    house: Lists | None = None


def text_file(rulebook: str, file: Path | None = None) -> TextFile:
    """The file of a rulebook, or the one named; an empty one where there is none.

    Raises: LawError, where it is no TOML, has another table, or a table is not as described.
    """
    path = file or folder_of(rulebook) / "text" / f"{rulebook}.toml"
    if not path.exists():
        return TextFile(path.name)
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _read(path: Path, _changed: int) -> TextFile:
    try:
        written = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LawError(path.name, "(file)", str(error), Phrase("a TOML file")) from error
    for table in written:
        if table not in TABLES:
            asked = Phrase("one of {there}", there=listed(TABLES))
            raise LawError(path.name, table, repr(table), asked)
    return TextFile(
        path.name, **{name: _lists(path.name, name, written.get(name)) for name in TABLES}
    )


def _lists(file: str, name: str, written: object) -> Lists | None:
    if written is None:
        return None
    if not isinstance(written, dict):
        raise LawError(file, name, repr(written), Phrase("a table of lists by eId"))
    for eid, listed_there in written.items():
        if not isinstance(listed_there, list) or not all(isinstance(x, str) for x in listed_there):
            raise LawError(file, f"{name}.{eid}", repr(listed_there), Phrase("a list of texts"))
    return {eid: tuple(listed_there) for eid, listed_there in written.items()}
