"""Writes docs/findings.md, every sentence a finding can show, or says whether it is up to date."""

import gettext
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from audit.pages.law.sentences import sentences_page
from casino.law.rulebook.rulebook_file import law_of_file, rulebook_ids


class Command(BaseCommand):
    """Prints the page, unless told to write it or to compare it."""

    requires_system_checks = ()

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Show every sentence a finding can say, in both languages.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--write", action="store_true", help=_("write docs/findings.md"))
        how.add_argument(
            "--check", action="store_true", help=_("fail where docs/findings.md is out of date")
        )

    def handle(self, *args: object, **options: object) -> None:
        base = Path(settings.BASE_DIR)
        catalogue = gettext.translation("django", base / "locale", ["pt_PT"])
        page = sentences_page([law_of_file(book) for book in rulebook_ids()], catalogue.gettext)
        path = base / "docs" / "findings.md"
        if options["write"]:
            path.write_text(page, encoding="utf-8")
            self.stdout.write(_("Written: %(path)s") % {"path": "docs/findings.md"})
        elif not options["check"]:
            self.stdout.write(page, ending="")
        elif not path.exists() or path.read_text(encoding="utf-8") != page:
            raise CommandError(
                _("docs/findings.md is out of date: run `manage.py finding_sentences --write`")
            )
