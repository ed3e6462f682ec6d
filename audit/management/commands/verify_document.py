"""``manage.py verify_document FILE``: what the page says of a report, with the book at hand.

Without the house: ``python -m audit.reports.check_document FILE``.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import override

from audit.reports.book_evidence import held_by_book
from audit.reports.check_document import ENDS, brought, judge
from audit.reports.document_words import PARTS, VERDICTS, said_of
from audit.reports.verify_page import examine
from audit.rounds_file.file_wording import one_line


class Command(BaseCommand):
    """Ends with 0 for a valid report, 1 for an altered one, 2 where it is of another house, not
    known, or not all could be verified, 3 where the file cannot be read.
    """

    help = "Verifies a sealed report against the book."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.add_argument("file", metavar="FILE", help="the PDF; - for the standard input")
        parser.add_argument(
            "--checkpoint", metavar="NOTE", help="a signed checkpoint somebody kept, as a file"
        )
        parser.add_argument("--language", choices=("pt", "en"), default="pt")

    def handle(self, *args: object, **options: Any) -> None:
        """Verify, and say what was found."""
        try:
            file = examine(brought(options["file"]))
            name = options["checkpoint"]
            kept = Path(name).read_text("utf-8-sig") if name else ""
            verdict, parts = judge(file, held_by_book(file, kept))
        except (OSError, ValueError) as trouble:
            raise CommandError(one_line(str(trouble)), returncode=ENDS["unreadable"]) from trouble
        with override("en" if options["language"] == "en" else "pt-pt"):
            for part in parts:
                said = [one for one in said_of(part, file) if one]
                self.stdout.write(one_line(f"{PARTS[part.part]}: {' | '.join(said)}"))
            told = f"{str(VERDICTS[verdict]).upper()} {file.number} {file.json_sha256}"
            self.stdout.write(one_line(told.strip()))
        if verdict != "valid":
            raise SystemExit(ENDS[verdict])
