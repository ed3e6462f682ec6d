"""``manage.py export_bundle PLACE``: a copy of the book that anybody can verify offline.

Ends with 0 when it is made, 2 where it is not, with the reason; nothing is left behind then.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from audit.exporting import ExportRefused, Made, Scope, export_bundle, export_record
from audit.exporting.export_refusals import NO_SUCH_ENTRY
from audit.rounds_file.progress import Progress
from casino import clock
from casino.events import Malformed
from casino.models import BookEntry
from casino.queries import offices_at
from casino.recording import Actor, Refused
from casino.sealed import NotSealed

REFUSED: Final = 2
LANGUAGES: Final = {"pt": "pt-pt", "en": "en"}
DOOR: Final = "local"
HOUSE: Final = Actor("export", "sistema", DOOR)  # the author: nobody is asked who he is here
# Who may be named as having asked: those of the house who work here. Nobody takes a copy in the
# name of an inspector who was not asked.
OPERATORS: Final = ("chefia_da_sala", "administrador")
OPENERS: Final = ("chefia_da_sala",)  # of these, who may read every private value


class Command(BaseCommand):
    """Writes a bundle, or the proof of one record, and says so in the book."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Set up the command."""
        super().__init__(*args, **options)
        self.help = _("Write a copy of the book that can be verified without the house.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        add = parser.add_argument
        add("place", type=Path, help=_("the folder to be made; with --record the file"))
        add("--from", dest="first", type=int, metavar="I", help=_("first index, counted from 0"))
        add("--to", dest="end", type=int, metavar="J", help=_("the index before which it ends"))
        add("--table", metavar="CODE", help=_("the records of one table alone"))
        add("--record", metavar="STREAM/N", help=_("the proof of one record: table/BJ-06/12"))
        add("--openings", action="store_true", help=_("with names and other private values"))
        add("--by", metavar="STAFF", help=_("who of the house has it made"))
        add("--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written"))
        add("--no-progress", action="store_true", help=_("no progress line on a terminal"))

    def handle(self, *args: object, **options: Any) -> None:
        """Make the copy, and say what was made."""
        with translation.override(LANGUAGES[options["language"]]):
            place = options["place"].absolute()
            asked_by = _asked_by(options["by"], openings=options["openings"])
            try:
                made = self._make(place, asked_by, options)
            except (ExportRefused, NotSealed, Refused, Malformed) as refused:
                raise CommandError(str(refused), returncode=REFUSED) from refused
            self.stdout.write(
                _("{place}: {entries} entries under the signed tree of {size}, root {root}").format(
                    place=made.place, entries=made.entries, size=made.size, root=made.root.hex()
                )
            )

    def _make(self, place: Path, asked_by: str, options: dict[str, Any]) -> Made:
        if options["record"]:
            if any(options[each] is not None for each in ("first", "end", "table")):
                raise CommandError(_("Give one scope, not two."), returncode=REFUSED)
            entry = _entry(options["record"])
            values = {"openings": options["openings"], "asked_by": asked_by}
            return export_record(place, entry, HOUSE, **values)
        shown = self.stderr if sys.stderr.isatty() and not options["no_progress"] else None
        drawn: list[Progress] = []

        def progress(done: int, total: int) -> None:
            if not drawn:
                drawn.append(Progress(shown, total))  # type: ignore[arg-type]
            drawn[0].reached(done, done)

        try:
            values = {"openings": options["openings"], "asked_by": asked_by}
            return export_bundle(place, _scope(options), HOUSE, progress=progress, **values)
        finally:
            for each in drawn:
                each.clear()


def _scope(options: dict[str, Any]) -> Scope:
    """Which entries are asked for. Raises: CommandError."""
    first, end, table = options["first"], options["end"], options["table"]
    if (first is None) != (end is None) or (table is not None and first is not None):
        raise CommandError(_("Give --from and --to, or --table, or none."), returncode=REFUSED)
    if table is not None:
        return Scope("table", table=table)
    return Scope() if first is None else Scope("range", first=first, end=end)


def _entry(named: str) -> UUID:
    """The entry that is named by its stream and number. Raises: CommandError, ExportRefused."""
    stream, _slash, n = named.rpartition("/")
    if not stream or not n.isdecimal():
        raise CommandError(_("A record is named STREAM/N: table/BJ-06/12."), returncode=REFUSED)
    entry = BookEntry.objects.filter(stream__name=stream, n=int(n)).first()
    if entry is None:
        raise ExportRefused(NO_SUCH_ENTRY, stream=stream, n=n)
    return entry.pk


def _asked_by(staff: str | None, *, openings: bool) -> str:
    """Whom the copy is told to have been made for, '' for nobody. Raises: CommandError.

    The entry's author is the house all the same: whoever types here says a number, no more.
    """
    if staff is None:
        return ""
    allowed = OPENERS if openings else OPERATORS
    if not set(allowed) & set(offices_at(staff, clock.now())):
        raise CommandError(
            _("{staff} holds none of the offices that may have this copy: {offices}.").format(
                staff=staff, offices=", ".join(allowed)
            ),
            returncode=REFUSED,
        )
    return staff
