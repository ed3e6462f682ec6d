"""Writes docs/museum.md from the incidents and their evenings, or says whether it is up to date."""

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from audit.museum.museum_document import museum_document


class Command(BaseCommand):
    """Prints the document; writes it, or compares it, where asked."""

    requires_system_checks = ()

    @property
    def help(self) -> str:  # type: ignore[override]
        return _(
            "Judge an evening like each incident that was made public, and show what found it."
        )

    def add_arguments(self, parser: ArgumentParser) -> None:
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--write", action="store_true", help=_("write docs/museum.md"))
        how.add_argument(
            "--check", action="store_true", help=_("fail where docs/museum.md is out of date")
        )

    def handle(self, *args: object, **options: object) -> None:
        text = museum_document()
        path = Path(settings.BASE_DIR) / "docs" / "museum.md"
        if options["write"]:
            path.write_text(text, encoding="utf-8")
            self.stdout.write(_("Written: %(path)s") % {"path": "docs/museum.md"})
        elif not options["check"]:
            self.stdout.write(text, ending="")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            raise CommandError(_("docs/museum.md is out of date: run `manage.py museum --write`"))
