"""``manage.py import_rounds FILE|- [--mapping FILE.toml]``: rounds from a file into the book."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from casino import clock
from casino.converting.mapping import MappingError
from casino.converting.mapping_file import load_mapping
from casino.events.phrases import said
from casino.importing.imported_lines import Placed, rounds_in_lines, rounds_in_table
from casino.importing.intake import Intake
from casino.management.ending import ends_with
from casino.queries import office_at
from casino.reading.file_trouble import why
from casino.reading.refusal import Refused
from casino.recording import Actor, Busy

NOT_ALL: Final = 2
SHOWN: Final = 100  # refusals on the screen; beyond it they are only counted


class Command(BaseCommand):
    """Ends with 0 where every line is in the book, else with 2."""

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Record the rounds of a file in the book. A file read twice changes nothing.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line; docs/import-rounds.md explains it."""
        parser.add_argument("file", help=_("the file, or - for standard input"))
        parser.add_argument(
            "--mapping",
            type=Path,
            metavar="FILE.toml",
            help=_("the file is another house's CSV; this says how to read it"),
        )
        parser.add_argument(
            "--by",
            metavar="STAFF",
            help=_("the staff number of whoever answers for the import (default: the program)"),
        )
        parser.add_argument(
            "--all-or-nothing",
            action="store_true",
            help=_("record nothing unless every line can be recorded"),
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Read, record, say what was refused, and end with the right number."""
        began = monotonic()
        with ends_with(NOT_ALL), _opened(options["file"]) as stream:
            intake = Intake(_actor(options["by"]), _digest(stream))
            try:
                self._take(intake, stream, options)
            except MappingError as error:
                raise CommandError(error.text(_), returncode=NOT_ALL) from error
            except Busy as error:
                raise CommandError(_(error.template), returncode=NOT_ALL) from error
        self._sum_up(intake, monotonic() - began)
        if intake.tally.refused:
            sys.exit(NOT_ALL)

    def _take(self, intake: Intake, stream: BinaryIO, options: dict[str, Any]) -> None:
        listed: Iterator[Placed | Refused]
        if options["mapping"]:
            listed = rounds_in_table(stream, load_mapping(options["mapping"]))
        else:
            listed = rounds_in_lines(stream)
        if options["all_or_nothing"]:
            self._say(intake.take_all_or_none(list(listed)))
        else:
            self._say(intake.take(listed))

    def _say(self, refusals: Iterator[Refused] | list[Refused]) -> None:
        for number, refused in enumerate(refusals):
            if number < SHOWN:
                reason = said(refused.reason, _)
                self.stderr.write(
                    _("line %(line)d, %(path)s: %(reason)s")
                    % {"line": refused.line, "path": refused.path, "reason": reason}
                )
            elif number == SHOWN:
                self.stderr.write(_("... further refusals are only counted"))

    def _sum_up(self, intake: Intake, seconds: float) -> None:
        tally = intake.tally
        self.stdout.write(
            _(
                "rounds recorded: %(recorded)d; in the book already: %(repeated)d;"
                " lines refused: %(refused)d (%(rate)d lines/s)"
            )
            % {
                "recorded": tally.recorded,
                "repeated": tally.repeated,
                "refused": tally.refused,
                "rate": int(tally.read / max(seconds, 0.001)),
            }
        )


def _actor(staff: str | None) -> Actor:
    if staff is None:
        return Actor("import", "sistema", "import")
    office = office_at(staff, clock.now())
    if office is None:
        text = _("%(staff)s holds no office at this moment; whoever imports holds one")
        raise CommandError(text % {"staff": staff}, returncode=NOT_ALL)
    return Actor(staff, office, "import")


def _digest(stream: BinaryIO) -> str | None:
    """The SHA-256 of a file that can be read twice; None for a pipe."""
    if not stream.seekable():
        return None
    digest = file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type] # a file all the same
    stream.seek(0)
    return digest


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = Path(name).open("rb")  # noqa: SIM115 - closed below, whatever happens
    except OSError as error:
        text = _("%(path)s cannot be opened: %(reason)s")
        values = {"path": name, "reason": said(why(error), _)}
        raise CommandError(text % values, returncode=NOT_ALL) from error
    with stream:
        yield stream
