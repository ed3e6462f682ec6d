"""`manage.py withdraw_run`: ask that a run be withdrawn that wrote findings under another law.

Without a run it lists those there are. It only asks: another person decides, logged in. Ends with 0
when that is done, 2 where it is refused.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audit import queries
from audit.models import Reconciliation
from audit.pages.runs import scope_of
from casino import clock
from casino.admin.field_words import RUN_WITHDRAWAL_REASONS
from casino.admin.record_form import told_refusal
from casino.admin.withdrawing import asked_facts
from casino.facts import Malformed
from casino.ids import uuid7
from casino.management.ending import ends_with
from casino.models import BookEntry
from casino.queries import offices_at
from casino.recording import Actor, Receipt, Refused, Source, record
from casino.recording.authority import withdrawers_of
from casino.recording.withdrawing import Resting

REFUSED: Final = 2
LANGUAGES: Final = {"pt": "pt-pt", "en": "en"}


class Command(BaseCommand):
    """Asks for the withdrawal of a run, or lists the runs that could be withdrawn."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Set up the command."""
        super().__init__(*args, **options)
        self.help = _(
            "Ask that a run be withdrawn that wrote findings under another rulebook; without one,"
            " list them. Another person decides in the admin."
        )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        add = parser.add_argument
        add("run", nargs="?", type=UUID, metavar="RUN", help=_("the run, as the list names it"))
        add("--by", metavar="STAFF", help=_("who asks: of the chefia da sala, or an auditor"))
        add(
            "--reason",
            choices=sorted(RUN_WITHDRAWAL_REASONS),
            default="other_law",
            help=_("why it is withdrawn"),
        )
        add("--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written"))

    def handle(self, *args: Any, **options: Any) -> None:
        """List, or ask."""
        with translation.override(LANGUAGES[options["language"]]), ends_with(REFUSED):
            if options["run"] is None:
                self.stdout.write("\n".join(_listed()) or _("No such run wrote findings."))
                return
            receipt = _ask(options["run"], options["by"] or "", options["reason"])
            self.stdout.write(
                _(
                    "The withdrawal is asked for (record {n} of the auditor's stream). Nothing has"
                    " changed yet: another person of the chefia da sala, or an auditor, decides on"
                    " it in the admin, under what waits to be decided."
                ).format(n=receipt.n)
            )


def _listed() -> Iterator[str]:
    """The runs under another rulebook that wrote findings which stand, a line each."""
    told = queries.open_findings().filter(
        run__in=Reconciliation.objects.exclude(rulebook="").values("run")
    )
    counted = told.order_by().values("run").annotate(number=Count("pk"))
    numbers = {one["run"]: one["number"] for one in counted}
    for run in Reconciliation.objects.filter(run__in=numbers).order_by("n"):
        number = numbers[run.run]
        yield ngettext(
            "{run}  {scope}: {number} finding stands",
            "{run}  {scope}: {number} findings stand",
            number,
        ).format(run=run.run, scope=scope_of(run), number=number)


def _ask(named: UUID, staff: str, reason: str) -> Receipt:
    """Record that somebody asks. Raises: CommandError."""
    run = Reconciliation.objects.filter(run=named).order_by("-pk").first()
    if run is None:
        raise CommandError(
            _("No run is called {run}; without one, this command lists them.").format(run=named),
            returncode=REFUSED,
        )
    entry = BookEntry.objects.select_related("stream").get(pk=run.entry_id)
    allowed = withdrawers_of(entry.kind)
    office = min(allowed & offices_at(staff, clock.now()), default=None)
    if office is None:
        raise CommandError(
            _("Say with --by who asks. {staff} holds none of these offices: {offices}.").format(
                staff=staff or "–", offices=", ".join(sorted(allowed))
            ),
            returncode=REFUSED,
        )
    (fact,) = asked_facts(entry, reason, Resting())
    try:
        return record(
            fact,
            key=uuid7(),
            by=Actor(staff, office, "local"),
            occurred_at=clock.now(),
            source=Source(),
        )
    except (Refused, Malformed) as refused:
        raise CommandError(told_refusal(refused), returncode=REFUSED) from refused
