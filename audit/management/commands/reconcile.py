"""`manage.py reconcile`: what lies in the book before the law. docs/operations.md explains it.

Ends with 0 where nothing stands against what was looked at, 1 where something does, 2 where the run
could not end. Workers of the house help; without any, the command does all of it.
"""

import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Sum
from django.utils import translation
from django.utils.translation import gettext as _

from audit.events import RunWhy
from audit.management.reading_options import add_taken_otherwise, taken_otherwise
from audit.models import ReconciliationResult, RunPart, RunSheet
from audit.models.audit_jobs import DONE, FAILED, FINISHED, OPEN
from audit.reconcile.concluding import conclude
from audit.reconcile.opening import Asked, open_run
from audit.reconcile.request_run import ask_for
from audit.reconcile.working import next_part
from audit.rounds_file.progress import Progress
from audit.watch.watching import look_around
from casino.events import Malformed
from casino.management.command_days import a_day
from casino.management.ending import ends_with
from casino.queries import day_of
from casino.web.display.money_and_time import money

FINDINGS, NOT_ENDED = 1, 2
LANGUAGES: Final = {"pt": "pt-pt", "en": "en"}
PAUSE: Final = 0.2  # seconds between two looks while others have the last parts in hand


class Command(BaseCommand):
    """Reconciles a partida, a gaming day or a range of them, and waits for the end."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Set up the command."""
        super().__init__(*args, **options)
        self.help = _("Judge what lies in the book and record what was found.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        add = parser.add_argument
        add("--from", dest="from_day", type=a_day, metavar="DAY", help=_("first gaming day"))
        add("--to", dest="to_day", type=a_day, metavar="DAY", help=_("last one"))
        add("--partida", metavar="TABLE/DAY/N", help=_("one partida alone"))
        add("--rulebook", metavar="ID", help=_("what would hold under this one: a comparison"))
        add_taken_otherwise(parser)
        add("--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written"))
        add("--no-progress", action="store_true", help=_("no progress line on a terminal"))

    def handle(self, *args: object, **options: Any) -> None:
        """Reconcile, and end with the right number."""
        with translation.override(LANGUAGES[options["language"]]), ends_with(NOT_ENDED):
            asked = _asked(options)
            look_around()
            sheet = open_run(ask_for(asked), asked)
            shown = self.stderr if sys.stderr.isatty() and not options["no_progress"] else None
            self._see_through(sheet, Progress(shown, sheet.rounds_count or None))  # type: ignore[arg-type]
            sheet.refresh_from_db()
            if sheet.state != FINISHED:
                raise CommandError(self._failed(sheet), returncode=NOT_ENDED)
            result = ReconciliationResult.objects.get(run=sheet.run)
            self.stdout.write(_summary(result, sheet))
        if result.findings:
            sys.exit(FINDINGS)

    def _see_through(self, sheet: RunSheet, progress: Progress) -> None:
        """Do parts, or watch others do them, until the run has ended."""
        state = OPEN
        while state == OPEN:
            try:
                step = next_part(sheet)
            except Exception as trouble:  # it is tried again, and given up in the end
                step = "nothing"
                progress.clear()
                self.stderr.write(f"{type(trouble).__name__}: {trouble}")
            if step == "nothing":
                time.sleep(PAUSE)
            state = conclude(sheet.run)
            done = RunPart.objects.filter(run=sheet, state=DONE).aggregate(
                rounds=Sum("rounds_count")
            )
            progress.reached(done["rounds"] or 0, done["rounds"] or 0)
        progress.clear()

    def _failed(self, sheet: RunSheet) -> str:
        part = RunPart.objects.filter(run=sheet, state=FAILED).first()
        return _("The run {run} could not end: {trouble}").format(
            run=sheet.run, trouble=(part.trouble if part else "") or sheet.state
        )


def _asked(options: dict[str, Any]) -> Asked:
    """What the command line wants. Raises: CommandError, for what there is not."""
    partida, rulebook = options["partida"] or "", options["rulebook"] or ""
    first = options["from_day"]
    last = options["to_day"] or first
    if bool(partida) == (first is not None):
        raise CommandError(_("Give --from and --to, or --partida."), returncode=NOT_ENDED)
    if first is not None and last < first:
        raise CommandError(_("--to lies before --from."), returncode=NOT_ENDED)
    otherwise = taken_otherwise(rulebook, options, NOT_ENDED)
    if partida:
        try:
            day_of(partida)
        except Malformed as malformed:
            raise CommandError(str(malformed), returncode=NOT_ENDED) from malformed
        return Asked(reason="asked", partida=partida, rulebook=rulebook, **otherwise)
    why: RunWhy = "asked" if first == last else "range"
    return Asked(reason=why, from_day=first, to_day=last, rulebook=rulebook, **otherwise)


def _summary(result: ReconciliationResult, sheet: RunSheet) -> str:
    lines = [
        _("Run {run}: {entries} records read, {rounds} rounds among them judged."),
        _(
            "Findings that hold: {findings}, {raised} of them new."
            " Earlier ones that hold no more: {superseded}."
        ),
        _(
            "Questions answered: {lawful} lawful, {undecided} that the records do not decide."
            " Rounds not judged, for want of a rulebook: {not_judged}."
        ),
        _("Digest: {digest}"),
    ]
    if sheet.compared:
        lines[1:2] = _compared(sheet.compared)
    figures = {
        name: getattr(result, name)
        for name in (
            *("run", "rounds", "entries", "findings", "raised", "superseded", "lawful"),
            *("undecided", "not_judged", "digest"),
        )
    }
    return "\n".join(line.format(**figures) for line in lines)


def _compared(values: Mapping[str, Any]) -> Iterator[str]:
    """What a comparison came to: nothing of it was written among the findings."""
    yield _("A comparison: no finding was written, and none was changed.")
    yield _(
        "Findings that hold now and would no longer: {vanish}; said otherwise: {change};"
        " new: {appear}; the same: {same}."
    ).format(**values["counts"])
    for whom, text in (
        ("player", _("Owed to players: {now} now, {then} then.")),
        ("house", _("Owed to the house: {now} now, {then} then.")),
    ):
        if values["owed_now"][whom] or values["owed_then"][whom]:
            yield text.format(
                now=money(values["owed_now"][whom]), then=money(values["owed_then"][whom])
            )
    yield _("Every difference stands on the run's page.")
