"""``manage.py read_house FOLDER``: a whole copy (`export_house`) read back into an empty database.

All of it or nothing. Ends with 0 where every row is as it was exported, 2 where nothing was kept,
with the reason. What nobody can bring back is said: passwords, codes, second factors, tokens.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Final
from uuid import uuid4

import psycopg
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import translation
from django.utils.translation import gettext as _

from audit.exporting import ExportRefused
from audit.exporting.house_reading import HouseRead, read_house
from audit.management.commands.export_bundle import LANGUAGES, REFUSED
from casino import clock
from casino.events.sealing import BookRestored
from casino.recording import Actor, Source, record

SOURCE: Final = "bundle"
REASON: Final = "read-from-export"


class Command(BaseCommand):
    """Reads the copy, and records that the book came from one."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.description = _("Read a whole copy of a house back into an empty database.")
        add = parser.add_argument
        add("place", type=Path, help=_("the folder"))
        add("--policy", type=Path, metavar="FILE", help=_("the keys, instead of the copy's own"))
        add("--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written"))

    def handle(
        self, *args: object, place: Path, policy: Path | None, language: str, **options: object
    ) -> None:
        """Read it, and say what came back and what did not."""
        with translation.override(LANGUAGES[language]):
            try:
                keys = None if policy is None else policy.read_text("utf-8")
                read = read_house(place.absolute(), keys)
            except ExportRefused as refused:
                raise CommandError(str(refused), returncode=REFUSED) from refused
            except (OSError, UnicodeDecodeError, DatabaseError, psycopg.Error) as trouble:
                said = str(trouble).strip().partition("\n")[0]
                raise CommandError(
                    _("Nothing was kept: {trouble}.").format(trouble=said), returncode=REFUSED
                ) from trouble
            self._say(read)

    def _say(self, house: HouseRead) -> None:
        newest = house.bundle.newest
        event = BookRestored(
            size=newest.size,
            root=newest.root.hex(),
            entries=newest.size,
            source=SOURCE,
            reason=REASON,
        )
        by = Actor("recover", "sistema", "local")
        receipt = record(event, key=uuid4(), by=by, occurred_at=clock.now(), source=Source("job"))
        self.stdout.write(
            _(
                "The house is read: {size} entries, root {root}; {rows} rows as they were exported;"
                " {private} private values, {files} files. Recorded in {stream}/{n}."
            ).format(
                size=newest.size,
                root=newest.root.hex(),
                rows=house.rows,
                private=house.private,
                files=house.files,
                stream=receipt.stream,
                n=receipt.n,
            )
        )
        for name in house.unknown:
            said = _("Not compared, this version has no such table or column: {name}.")
            self.stdout.write(said.format(name=name))
        self.stdout.write(
            _(
                "What does not come back: passwords, personal codes, second factors, e-mail"
                " addresses (`manage.py account STAFF` gives each a new password), machines'"
                " secrets (register them anew), who was logged in, runs and jobs under way, saved"
                " filters. Reports and letters stay in the copy as files; their numbers and digests"
                " are in the book. Now: `manage.py verify_book`, then start the house with the"
                " signer's own folder (docs/house-copy.md)."
            )
        )
