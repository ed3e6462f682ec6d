"""``manage.py schema [--record [--accept]] [--lines]``: the looks of the database, as one digest.

It is recorded in the book after every migration, with the lines it is made of; from then on every
look around compares. A schema that changed without a migration and without another server is not
recorded: that is what the digest is there to show. ``--accept`` records it all the same, for the
operator who knows why, and remains a finding for the auditor.
"""

from argparse import ArgumentParser
from typing import Any, Final
from uuid import NAMESPACE_OID, uuid5

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from casino import clock
from casino.events.sealing import SchemaRecorded
from casino.recording import Actor, File, Receipt, Source, record
from casino.schema_digest.recorded import (
    Look,
    look,
    migrations_applied,
    server_version,
)

BY: Final = Actor("schema", "sistema", "local")


class Command(BaseCommand):
    """Ends with 0 where it looks as recorded, or was recorded now; 1 where it differs; 2 where it
    was never recorded, or this program's migrations are not those of the database.
    """

    help = "Says whether the database looks as the book says it does; --record tells the book."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.add_argument(
            "--record",
            action="store_true",
            help="record it, if migrations or the server changed since the last record",
        )
        parser.add_argument(
            "--accept", action="store_true", help="with --record: record it whatever changed"
        )
        parser.add_argument("--lines", action="store_true", help="print every line of it")

    def handle(self, *args: object, **options: Any) -> None:
        """Look, and say or record what was seen."""
        seen = look()
        if options["lines"]:
            self.stdout.write("\n".join(seen.now.lines))
            return
        if options["record"]:
            self._record(seen, accept=options["accept"])
            return
        if seen.record is None:
            raise CommandError(
                "The schema was never recorded: manage.py schema --record", returncode=2
            )
        self._say_what_changed(seen)
        self.stdout.write(f"schema {seen.now.sha256}: as recorded")

    def _record(self, seen: Look, *, accept: bool) -> None:
        made_by, server = migrations_applied(), server_version()
        _refuse_other_migrations(made_by)
        before = seen.record
        if before is not None and (before.sha256, tuple(before.migrations), before.server) == (
            seen.now.sha256,
            made_by,
            server,
        ):
            self.stdout.write(f"schema {seen.now.sha256}: as recorded")
            return
        if before is not None and not accept:
            if (tuple(before.migrations), before.server) == (made_by, server):
                self._say_what_changed(seen)
        receipt = record_schema(seen, made_by, server)
        self.stdout.write(
            f"schema {seen.now.sha256}: recorded as entry {receipt.n} of {receipt.stream}"
        )

    def _say_what_changed(self, seen: Look) -> None:
        if not seen.differs:
            return
        for line in seen.changed:
            self.stdout.write(line)
        raise CommandError(
            f"schema {seen.now.sha256}: not as recorded, and no migration or other server"
            " explains it.",
            returncode=1,
        )


def record_schema(seen: Look, made_by: tuple[str, ...], server: str) -> Receipt:
    """Write what the schema looks like into the book, once, and keep its lines."""
    after = 0 if seen.record is None else seen.record.n
    text = "\n".join((seen.now.sha256, server, *made_by, str(after)))
    return record(
        SchemaRecorded(sha256=seen.now.sha256, migrations=made_by, server=server),
        key=uuid5(NAMESPACE_OID, f"schema/{text}"),
        by=BY,
        occurred_at=clock.now(),
        source=Source("job"),
        files=(File(seen.now.text),),
    )


def _refuse_other_migrations(applied: tuple[str, ...]) -> None:
    """Raises: CommandError, unless the database was made by exactly this program's migrations."""
    known = {f"{app}.{name}" for app, name in MigrationLoader(connection).disk_migrations}
    strange, lacking = sorted(set(applied) - known), sorted(known - set(applied))
    if strange or lacking:
        texts = [*(f"+ {name}" for name in strange), *(f"- {name}" for name in lacking)]
        raise CommandError(
            "The database's migrations are not this program's: " + ", ".join(texts), returncode=2
        )
