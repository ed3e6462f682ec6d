"""``manage.py first_day_template OUT.xlsx``: the workbook a house's first day is filled into."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import override

from casino.importing.first_day_template import write_template


class Command(BaseCommand):
    """Writes the file. Ends with 0, or with 1 and the reason."""

    help = "Writes the workbook a house's first day is filled into: docs/first-day.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.add_argument("out", type=Path, metavar="OUT.xlsx")
        parser.add_argument("--language", choices=("pt", "en"), default="pt")

    def handle(self, *args: object, **options: object) -> None:
        """Write it, over none that is there."""
        out = Path(str(options["out"]))
        try:
            with out.open("xb") as file, override("en" if options["language"] == "en" else "pt-pt"):
                write_template(file)
        except OSError as error:
            raise CommandError(f"{out}: {error.strerror}") from error
        self.stdout.write(f"{out}")
