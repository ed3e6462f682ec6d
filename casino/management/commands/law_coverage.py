"""Writes docs/coverage.md from the rulebooks and the checks, or says whether it is up to date."""

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from casino.law.check_registry import ALL_CHECKS
from casino.law.rulebook.coverage import coverage_page, faults, uncited
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import law_of_file, rulebook_ids


class Command(BaseCommand):
    """Prints the page, unless told to write it or to compare it."""

    requires_system_checks = ()

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Show which check upholds which article, from the rulebooks and the checks.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--write", action="store_true", help=_("write docs/coverage.md"))
        how.add_argument(
            "--check",
            action="store_true",
            help=_("fail where docs/coverage.md is out of date or a rulebook is not covered"),
        )
        how.add_argument(
            "--rulebook",
            metavar="FILE.toml",
            type=Path,
            help=_("this file alone: its page, and what is at fault with it"),
        )

    def handle(self, *args: object, **options: object) -> None:
        if isinstance(options["rulebook"], Path):
            self._one(options["rulebook"])
            return
        laws = [law_of_file(book) for book in rulebook_ids()]
        page = coverage_page(laws, ALL_CHECKS)
        path = Path(settings.BASE_DIR) / "docs" / "coverage.md"
        if options["write"]:
            path.write_text(page, encoding="utf-8")
            self.stdout.write(_("Written: %(path)s") % {"path": "docs/coverage.md"})
            return
        if not options["check"]:
            self.stdout.write(page, ending="")
            return
        found = [fault for law in laws for fault in faults(law, ALL_CHECKS)]
        found += [_("no rulebook asks %(check)s") % {"check": n} for n in uncited(laws, ALL_CHECKS)]
        if not path.exists() or path.read_text(encoding="utf-8") != page:
            found.append(_("docs/coverage.md is out of date: run `manage.py law_coverage --write`"))
        if found:
            raise CommandError("\n".join(found))
        self.stdout.write(_("docs/coverage.md is up to date and every rulebook is covered."))

    def _one(self, file: Path) -> None:
        """The page of one rulebook, wherever it lies. Raises: CommandError, with its faults."""
        try:
            law = law_of_file(file)
        except LawError as error:
            raise CommandError(error.text(_)) from error
        self.stdout.write(coverage_page([law], ALL_CHECKS), ending="")
        found = faults(law, ALL_CHECKS)
        if found:
            raise CommandError("\n".join(found))
