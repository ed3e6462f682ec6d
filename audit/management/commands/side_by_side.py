"""Writes docs/side-by-side.md from the rulebooks, or says whether it is up to date."""

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from audit.pages.law.side_by_side import page
from casino.law.rulebook.rulebook_file import law_of_file, rulebook_ids


class Command(BaseCommand):
    """Prints the document; writes it, or compares it, where asked."""

    requires_system_checks = ()

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Show what every rulebook states of each figure and rule, side by side.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--write", action="store_true", help=_("write docs/side-by-side.md"))
        how.add_argument(
            "--check", action="store_true", help=_("fail where docs/side-by-side.md is out of date")
        )

    def handle(self, *args: object, **options: object) -> None:
        laws = [law_of_file(book) for book in rulebook_ids()]
        # The last day on which a value was put: what the books state by then.
        day = max(
            one.confirmed_on for law in laws for p in law.parameters.values() for one in p.values
        )
        with translation.override("en"):
            text = page(laws, day)
        path = Path(settings.BASE_DIR) / "docs" / "side-by-side.md"
        if options["write"]:
            path.write_text(text, encoding="utf-8")
            self.stdout.write(_("Written: %(path)s") % {"path": "docs/side-by-side.md"})
        elif not options["check"]:
            self.stdout.write(text, ending="")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            raise CommandError(
                _("docs/side-by-side.md is out of date: run `manage.py side_by_side --write`")
            )
