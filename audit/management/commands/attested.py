"""`manage.py attested`: verify every passkey's answer that stands in the book.

With `--file`, of a bundle or a file of entries instead, as `python -m audit.attested` does: no
database is asked then.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from audit.attested import KINDS, judge, judge_entries
from casino.web.words.languages import house_language


class Command(BaseCommand):
    """Ends with 1 where an answer is not what it should be."""

    help = "Verifies every confirmation by passkey that stands in the book."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where the entries are."""
        parser.add_argument("--file", type=Path, help="a bundle, or entries, one a line")
        parser.add_argument("--database", default="default", help="the connection to read with")

    def handle(self, *args: object, **options: Any) -> None:
        """Verify, tell of each that is wrong, and how many there are."""
        file: Path | None = options["file"]
        if file is not None:
            code = judge(file, self.stdout.write, house_language())
        else:
            code = judge_entries(_of_book(options["database"]), self.stdout.write, house_language())
        if code:
            raise CommandError("an answer is not what it should be", returncode=code)


def _of_book(database: str) -> Iterable[Mapping[str, object]]:
    statement = "SELECT entry FROM book_entry WHERE kind = ANY(%s) ORDER BY id"
    with connections[database].cursor() as cursor:
        cursor.execute(statement, [list(KINDS)])
        return [json.loads(bytes(entry)) for (entry,) in cursor.fetchall()]
