"""Whether this machine and its database can hold the book: asked when the house starts.

Beside `guards`, which asks whether the book is held: here is an old server, a database that cannot
write every name, a zone nobody knows, a disk without room. What is wrong is said in Portuguese and
in English, with what is expected and what to do, and the process does not start.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.base.base import BaseDatabaseWrapper

OLDEST: Final = 15  # PostgreSQL's major version
ROOM: Final = 64 * 1024**2  # bytes free, where files pass and where the signer publishes
_SERVER: Final = """
SELECT current_setting('server_version_num')::integer / 10000, pg_encoding_to_char(encoding),
    datcollate FROM pg_database WHERE datname = current_database()
"""


class Unfit(ImproperlyConfigured):
    """The house does not start here: `wrong` says why, a sentence each in two languages."""

    def __init__(self, wrong: Sequence[str]) -> None:
        self.wrong = tuple(wrong)
        super().__init__("\n".join(wrong))


def unfit_server(connection: BaseDatabaseWrapper) -> list[str]:
    """What is wrong with the database's server, a sentence each; none where it is fit."""
    with connection.cursor() as cursor:
        cursor.execute(_SERVER)
        version, encoding, locale = cursor.fetchone()
    return list(_of_server(version, encoding, locale))


def _of_server(version: int, encoding: str, locale: str) -> Iterator[str]:
    if version < OLDEST:
        yield (
            f"A base de dados corre no PostgreSQL {version}; é preciso o {OLDEST} ou mais novo:"
            " mude de servidor, ou restaure uma cópia num novo. / The database runs on PostgreSQL"
            f" {version}; {OLDEST} or newer is needed: move to a newer server, or restore a backup"
            " on one."
        )
    if encoding != "UTF8":
        yield (
            f"A base de dados guarda os nomes em {encoding} ({locale}); é preciso UTF8: faça-a de"
            " novo com casino/local/roles.sql e restaure uma cópia. / The database keeps names in"
            f" {encoding} ({locale}); UTF8 is needed: make it anew with casino/local/roles.sql and"
            " restore a backup."
        )


def unfit_machine() -> list[str]:
    """What is wrong with the machine this process runs on; none where it is fit."""
    return [*_of_locale(sys.getfilesystemencoding()), *_of_zone(), *_of_disks()]


def _of_locale(encoding: str) -> Iterator[str]:
    if encoding.lower().replace("_", "-") not in ("utf-8", "utf8"):
        yield (
            f"Este processo escreve em {encoding}; é preciso UTF-8: LC_ALL=C.UTF-8. / This process"
            f" writes in {encoding}; UTF-8 is needed: LC_ALL=C.UTF-8."
        )


def _of_zone() -> Iterator[str]:
    zone = settings.HOUSE_TIME_ZONE
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        yield (
            f"O fuso horário da casa, {zone!r}, não existe nesta máquina: corrija HOUSE_TIME_ZONE"
            f" ou instale o pacote tzdata. / The house's time zone, {zone!r}, does not exist on"
            " this machine: mend HOUSE_TIME_ZONE or install the package tzdata."
        )


def _of_disks() -> Iterator[str]:
    try:
        places = [tempfile.gettempdir(), settings.BOOK_PUBLIC]
    except FileNotFoundError:
        yield (
            "Nenhuma pasta para ficheiros de passagem aceita escrita: o disco está cheio, ou TMPDIR"
            " está errado. / No folder for passing files can be written to: the disk is full, or"
            " TMPDIR is wrong."
        )
        return
    for place in places:
        if place and Path(place).is_dir() and (free := shutil.disk_usage(place).free) < ROOM:
            yield (
                f"{place} tem {free // 1024**2} MB livres; são precisos {ROOM // 1024**2} MB: faça"
                f" espaço antes de abrir a casa. / {place} has {free // 1024**2} MB free;"
                f" {ROOM // 1024**2} MB are needed: make room before the house is opened."
            )


def refuse_unfit(connection: BaseDatabaseWrapper) -> None:
    """Raises: Unfit, where something is wrong; whatever the database raises, where it is away."""
    wrong = unfit_machine()
    if wrong:
        raise Unfit(wrong)
    wrong = unfit_server(connection)
    if wrong:
        raise Unfit(wrong)
