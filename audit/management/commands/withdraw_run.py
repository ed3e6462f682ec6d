"""`manage.py withdraw_run`: the runs that wrote findings under another rulebook, to be withdrawn.

It only lists them: two people withdraw one, each logged in, from the run's page. Ends with 0, or 2
where it cannot be said.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.db.models import Count
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audit import audit_queries
from audit.models import Reconciliation
from audit.pages.run_pages import scope_of
from casino.management.ending import ends_with

REFUSED: Final = 2
LANGUAGES: Final = {"pt": "pt-pt", "en": "en"}


class Command(BaseCommand):
    """Lists the runs that could be withdrawn."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Set up the command."""
        super().__init__(*args, **options)
        self.help = _(
            "List the runs that wrote findings under another rulebook. Two people withdraw one,"
            " each logged in, from its page."
        )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.add_argument(
            "--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written")
        )

    def handle(self, *args: object, **options: Any) -> None:
        """List them."""
        with translation.override(LANGUAGES[options["language"]]), ends_with(REFUSED):
            self.stdout.write("\n".join(_listed()) or _("No such run wrote findings."))


def _listed() -> Iterator[str]:
    """The runs under another rulebook that wrote findings which stand, a line each."""
    rows = audit_queries.open_findings().filter(
        run__in=Reconciliation.objects.exclude(rulebook="").values("run")
    )
    counted = rows.order_by().values("run").annotate(number=Count("pk"))
    numbers = {one["run"]: one["number"] for one in counted}
    for run in Reconciliation.objects.filter(run__in=numbers).order_by("n"):
        number = numbers[run.run]
        yield ngettext(
            "{page}  {scope}: {number} finding stands",
            "{page}  {scope}: {number} findings stand",
            number,
        ).format(page=reverse("run", args=[run.run]), scope=scope_of(run), number=number)
