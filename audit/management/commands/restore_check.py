"""``manage.py restore_check PLACE``: does a backup give the book back? Tried, and thrown away.

It is restored into a database of its own, as `owner`, and everything is looked at: the files, the
entries of every gaming day, tables and rights, the signed tree, every entry. ``--keep`` leaves that
database there, ready to take the place of a lost one. Ends with 0 where all is well, 1 where
something is not, 2 where it could not be tried.

``--replace`` puts it into that place, where all is well; the database that was there keeps its
content under another name.
"""

import json
import os
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connections
from django.utils import translation
from django.utils.translation import gettext as _
from psycopg import sql

from audit.verifying.problem_texts import sentence
from audit.verifying.walking import verify
from casino import clock, sealed
from casino.management.commands.backup import (
    BOOK,
    FORMAT,
    LANGUAGES,
    MANIFEST,
    OWNER,
    PRIVATE,
    SCHEMA,
    SUMS,
    address_of,
    contents,
    refused,
    run,
    sum_of,
)
from casino.schema_digest import differences, digest
from casino.tlog.checkpoint import Checkpoint, parse_checkpoint
from casino.tlog.note import parse_note
from casino.tlog.strict import Unreadable

RESTORED: Final = "restored"
# Who may come into the house's database; `owner`, whose it is, comes anyway.
GUESTS: Final = ("app", "reader", "sequencer", "signer")
SHORT: Final = "short-by"  # an older backup is: `_against_newest` says by how much
NAMED: Final = 20  # things of one kind that are recorded one by one

Seen = Iterator[tuple[bool, str]]


class Command(BaseCommand):
    """Restores a backup beside the house's database and says what it holds."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Set up the command."""
        super().__init__(*args, **options)
        self.help = _("Restore a backup into a database of its own and look at all of it.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        add = parser.add_argument
        add("place", type=Path, help=_("the backup"))
        add("--keep", metavar="NAME", help=_("leave the database there, under this name"))
        add("--replace", action="store_true", help=_("put it in the place of the house's own"))
        add("--checkpoint", type=Path, metavar="FILE", help=_("a checkpoint it must contain"))
        add("--no-shelves", action="store_true", help=_("do not compare every shelf with the book"))
        add("--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written"))

    def handle(self, *args: object, **options: Any) -> None:
        """Look at everything; every look is a line."""
        with translation.override(LANGUAGES[options["language"]]):
            place = options["place"].absolute()
            values = _manifest(place)
            asked = None if options["checkpoint"] is None else _checkpoint(options["checkpoint"])
            keep = options["keep"]
            if options["replace"]:
                keep = keep or f"{_own()}_{RESTORED}"
            well = self._say(_files(place))
            if well:
                began = time.monotonic()
                with restored(place, keep or f"restore_check_{os.getpid()}", keep=bool(keep)):
                    seconds = int(time.monotonic() - began)
                    self.stdout.write(_("Restored in {seconds} s.").format(seconds=seconds))
                    for seen in _looks(values, place, asked, projections=not options["no_shelves"]):
                        well = self._say(seen) and well
            if options["replace"] and not well:
                self.stdout.write(_("It was not put in the place of the house's own."))
            elif options["replace"]:
                before = replace(keep)
                self.stdout.write(
                    _("{own} is the restored book now; what was there is called {before}.").format(
                        own=_own(), before=before
                    )
                )
                self.stdout.write(
                    _(
                        "Once the house runs, the administrador records the restoration (admin,"
                        " Restorations) and somebody of the chefia da sala approves it."
                    )
                )
        if not well:
            sys.exit(1)

    def _say(self, seen: Seen) -> bool:
        """Write what was seen; whether all of it is well."""
        well = True
        for fine, words in seen:
            self.stdout.write(words if fine else _("NOT WELL: {words}").format(words=words))
            well = well and fine
        return well


def _manifest(place: Path) -> dict[str, object]:
    """What a backup says of itself. Raises: CommandError, for what is none."""
    try:
        values: dict[str, object] = json.loads((place / MANIFEST).read_bytes())
        if values["format"] != FORMAT:
            raise ValueError(values["format"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise refused(_("{place} is no backup: {trouble}").format(place=place, trouble=error))  # noqa: B904
    return values


def _checkpoint(file: Path) -> Checkpoint:
    """A signed note in a file. Raises: CommandError."""
    try:
        return parse_checkpoint(parse_note(file.read_bytes()).text)
    except (OSError, Unreadable) as error:
        raise refused(f"{file}: {error}") from error


def _files(place: Path) -> Seen:
    """Every file is as it was written, and none is missing."""
    try:
        lines = (place / SUMS).read_text("utf-8").splitlines()
        sums = {name: digest for digest, _sep, name in (line.partition("  ") for line in lines)}
    except OSError as error:
        yield False, f"{SUMS}: {error.strerror}"
        return
    wrong = [
        name
        for name in sorted({BOOK, PRIVATE, MANIFEST, SCHEMA, *sums})
        if not (place / name).is_file() or sum_of(place / name) != sums.get(name)
    ]
    for name in wrong:
        yield False, _("{name} is missing or not as it was written.").format(name=name)
    if not wrong:
        yield True, _("{count} files, as they were written.").format(count=len(sums))


@contextmanager
def restored(place: Path, name: str, *, keep: bool = False) -> Iterator[None]:
    """The backup in a database `name` of its own, reached as connection "restored".

    Nobody else may come in; with `keep` it is left there in the end, open to the house's roles.
    Raises: CommandError.
    """
    if keep and name == _own():
        raise refused(
            _("{name} is the house's own database: choose another name.").format(name=name)
        )
    there = sql.Identifier(name)
    with connections[OWNER].cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if cursor.fetchone():
            raise refused(
                _("There is a database {name} already: --keep gives another name.").format(
                    name=name
                )
            )
    _do("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE template0", there)
    made = False
    try:
        _do("REVOKE ALL ON DATABASE {} FROM PUBLIC", there)
        for dump in (BOOK, PRIVATE):
            run("pg_restore", address_of(OWNER, name), str(place / dump))
        connections.settings[RESTORED] = {**connections[OWNER].settings_dict, "NAME": name}
        with connections[RESTORED].cursor() as cursor:
            cursor.execute("ANALYZE")
        made = True
        yield
    finally:
        if RESTORED in connections.settings:
            connections[RESTORED].close()
            del connections[RESTORED]
            del connections.settings[RESTORED]
        if keep and made:
            guests = sql.SQL(", ").join(map(sql.Identifier, GUESTS))
            _do("GRANT CONNECT ON DATABASE {} TO {}", there, guests)
        else:
            _do("DROP DATABASE IF EXISTS {} WITH (FORCE)", there)


def replace(name: str) -> str:
    """Give a database the name of the house's own, which gets another; that other name.

    Raises: CommandError, while anybody is connected to it.
    """
    own = _own()
    before = f"{own}_before_{clock.now():%Y%m%d_%H%M%S}"
    connections[OWNER].close()
    try:
        _rename(own, before, name)
    except psycopg.OperationalError as error:
        raise refused(
            _(
                "{own} is in use: stop every service of the house. The restored book is {name}."
            ).format(own=own, name=name)
        ) from error
    try:
        _rename(name, own, before)
    except psycopg.Error:
        _rename(before, own, name)
        raise
    return before


def _rename(old: str, new: str, beside: str) -> None:
    """Rename a database from within another one."""
    values = connections[OWNER].get_connection_params()
    names = map(sql.Identifier, (old, new))
    with psycopg.connect(**{**values, "dbname": beside}, autocommit=True) as connection:
        connection.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(*names))


def _own() -> str:
    """The name of the house's own database."""
    return str(connections[OWNER].settings_dict["NAME"])


def _do(statement: str, *names: sql.Composable) -> None:
    with connections[OWNER].cursor() as cursor:
        cursor.execute(sql.SQL(statement).format(*names))


def _looks(
    values: dict[str, object], place: Path, checkpoint: Checkpoint | None, *, projections: bool
) -> Iterator[Seen]:
    """Everything that is looked at in the restored database."""
    yield _same_days(values)
    yield _same_schema(place)
    yield _signed(values, place)
    yield _against_newest(checkpoint)
    yield _whole(place, projections=projections)


def _same_days(values: dict[str, Any]) -> Seen:
    """As many entries of each gaming day as when the backup was made."""
    found = contents(RESTORED)["days"]
    wrong = sorted(
        day for day in {*found, *values["days"]} if found.get(day) != values["days"].get(day)
    )
    for day in wrong[:NAMED]:
        yield (
            False,
            _("{day}: {found} entries, not {asked}.").format(
                day=day, found=found.get(day, 0), asked=values["days"].get(day, 0)
            ),
        )
    if not wrong:
        yield (
            True,
            _("{entries} entries on {days} gaming days, as when it was made.").format(
                entries=values["entries"], days=len(found)
            ),
        )


def _same_schema(place: Path) -> Seen:
    """Tables, guards and rights as when the backup was made."""
    before = (place / SCHEMA).read_text("utf-8").splitlines()
    wrong = differences(before, digest(connections[RESTORED], server=False).lines)
    for line in wrong[:NAMED]:
        yield False, line
    if not wrong:
        yield True, _("Tables, guards and rights as when it was made.")


def _signed(values: dict[str, Any], place: Path) -> Seen:
    """The newest checkpoint there was is contained, and the tree has its root."""
    if values["size"] is None:
        yield True, _("No checkpoint was signed when it was made.")
        return
    own = sealed.latest(RESTORED)
    file = _checkpoint(place / "checkpoint")
    asked = (values["size"], values["root"])
    if own is None or {(own.size, own.root.hex()), (file.size, file.root.hex())} != {asked}:
        yield False, _("Its newest checkpoint is not that of {size} entries.").format(size=asked[0])
    elif sealed.tree(own.size, RESTORED).root() != own.root:
        yield False, _("Its tree does not have the root signed at {size}.").format(size=asked[0])
    else:
        yield True, _("The checkpoint of {size} entries is contained.").format(size=own.size)


def _against_newest(checkpoint: Checkpoint | None) -> Seen:
    """How it stands to the newest checkpoint there is, or to the one asked for."""
    newest = checkpoint or _published()
    if newest is None:
        return
    with connections[RESTORED].cursor() as cursor:
        cursor.execute("SELECT coalesce(max(size), 0) FROM book_tree")
        size: int = cursor.fetchone()[0]
    if newest.size > size:
        yield (
            checkpoint is None,
            _(
                "Short by {count} entries of the newest checkpoint, of {size}: after a restore they"
                " are put back from a bundle (recover_entries)."
            ).format(count=newest.size - size, size=newest.size),
        )
    elif sealed.tree(newest.size, RESTORED).root() != newest.root:
        yield (
            False,
            _("It does not continue the checkpoint of {size} entries: another history.").format(
                size=newest.size
            ),
        )
    else:
        yield True, _("It contains the checkpoint of {size} entries.").format(size=newest.size)


def _published() -> Checkpoint | None:
    """The checkpoint the signer published last, where it can be read."""
    file = Path(settings.BOOK_PUBLIC or "/nowhere") / "checkpoint"
    return _checkpoint(file) if settings.BOOK_PUBLIC and file.exists() else None


def _whole(place: Path, *, projections: bool) -> Seen:
    """Every entry, the tree, every signed root, private values and, if wanted, every projection."""
    policy = place / "policy"
    keys = policy.read_text("utf-8") if policy.exists() else ""
    verification = verify(RESTORED, projections=projections, looks=False, policy=keys)
    problems = [each for each in verification.report.of("problem") if each.code != SHORT]
    for problem in problems[:NAMED]:
        where = ", ".join(f"{name} {each}" for name, each in problem.where().items())
        yield False, f"{where}: {sentence(problem)}" if where else sentence(problem)
    count = verification.report.count() - verification.report.counts.get(SHORT, 0)
    if count:
        yield False, _("{count} problems in all.").format(count=count)
    else:
        yield (
            True,
            _("{entries} entries verified: no problem.").format(entries=verification.entries),
        )
