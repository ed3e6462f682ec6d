"""`manage.py simulate`: an evening with known errors, to try everything else on.

Rounds alone, or everything a house tells of an evening (``--procedures``).
"""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import IO, Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from casino.extensions import event_kinds
from casino.management.command_days import a_day
from casino.reading.round_writer import round_as_json
from casino.simulation import evening
from casino.simulation.fault_labels import label_as_json
from casino.simulation.procedures import (
    BREACHES,
    MOST,
    ProceduralEvening,
    evening_with,
    procedural_evening,
)
from casino.simulation.procedures.simulated_book import entries_of, entry_as_json

STANDARD: Final = "-"
DAY: Final = date(2026, 11, 20)


class Command(BaseCommand):
    """Writes one round record a line, and one label a line for each error that was planted."""

    requires_system_checks = ()

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Play an evening of blackjack under the Portuguese rules, with errors.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line; docs/simulation.md explains it."""
        parser.add_argument("--seed", type=int, default=0, metavar="N")
        parser.add_argument("--tables", type=a_count, default=3, metavar="N")
        parser.add_argument(
            "--rounds", type=a_count, default=400, metavar="N", help=_("at each table")
        )
        parser.add_argument(
            "--error-rate",
            type=a_share,
            default=0.0,
            metavar="0..1",
            help=_("the share of rounds with one error"),
        )
        parser.add_argument("--day", type=a_day, default=DAY, metavar="YYYY-MM-DD")
        parser.add_argument(
            "--output", default=STANDARD, metavar="FILE", help=_("- is standard output")
        )
        parser.add_argument("--labels", type=Path, metavar="FILE", help=_("which errors, where"))
        floor = parser.add_argument_group(_("Everything a house tells of an evening"))
        floor.add_argument(
            "--procedures", action="store_true", help=_("decks, cuts, loads, incidents, complaints")
        )
        floor.add_argument(
            "--breaches",
            type=a_count,
            default=0,
            metavar="N",
            help=_("how many rules of procedure are broken, 0 to %(most)d") % {"most": MOST},
        )
        floor.add_argument(
            "--breach",
            action="append",
            choices=[each.kind for each in BREACHES],
            metavar="KIND",
            default=[],
            help=_("break this one (docs/simulation.md lists them)"),
        )
        floor.add_argument(
            "--record",
            action="store_true",
            help=_("tell it to a book that is the demo's, or empty"),
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Play, write, and say how many."""
        if options["procedures"]:
            self._procedures(options)
            return
        if options["breaches"] or options["breach"] or options["record"]:
            raise CommandError(_("--breaches, --breach and --record go with --procedures."))
        played = errors = 0
        try:
            with _written(options["output"]) as output, _written(options["labels"]) as labels:
                for record, label in evening(
                    options["seed"],
                    options["tables"],
                    options["rounds"],
                    options["error_rate"],
                    options["day"],
                ):
                    played += 1
                    if output is not None:
                        output.write(round_as_json(record) + "\n")
                    if label is not None:
                        errors += 1
                        if labels is not None:
                            labels.write(label_as_json(label) + "\n")
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        said = _("%(rounds)d rounds played, %(errors)d of them with an error planted")
        self.stderr.write(said % {"rounds": played, "errors": errors}, self.style.SUCCESS)

    def _procedures(self, options: dict[str, Any]) -> None:
        """One evening of procedures, written or recorded."""
        evening = _evening(options)
        try:
            if options["record"]:
                _record(evening)
            else:
                with _written(options["output"]) as output:
                    for entry in entries_of(evening.acts, event_kinds()):
                        if output is not None:
                            output.write(entry_as_json(entry) + "\n")
            with _written(options["labels"]) as labels:
                if labels is not None:
                    labels.writelines(label_as_json(label) + "\n" for label in evening.labels)
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        said = _("%(games)d games told in %(acts)d entries, %(breaches)d breaches to be found")
        values = {
            "games": len(evening.partidas),
            "acts": len(evening.acts),
            "breaches": len(evening.labels),
        }
        self.stderr.write(said % values, self.style.SUCCESS)


def _evening(options: dict[str, Any]) -> ProceduralEvening:
    """The evening asked for. Raises: CommandError."""
    seed, day, kinds = options["seed"], options["day"], options["breach"]
    if options["breaches"] and kinds:
        raise CommandError(_("Name the breaches, or say how many: not both."))
    try:
        if kinds:
            named = [each for each in BREACHES if each.kind in kinds]
            return procedural_evening(seed, day, named)
        return evening_with(seed, day, options["breaches"])
    except ValueError as error:
        raise CommandError(_("This evening has no room for these: %s") % error) from error


def _record(evening: ProceduralEvening) -> None:
    """Tell it to the book. Raises: CommandError, and nothing is recorded then."""
    # A file is written without any database.
    from casino.demo.load_demo import AnothersBook
    from casino.demo.simulated import AlreadyRecorded, NotOver, record_evening

    try:
        record_evening(evening)
    except AnothersBook as refusal:
        raise CommandError(
            _("The book holds entries that are not the demo's; nothing was changed.")
        ) from refusal
    except AlreadyRecorded as refusal:
        raise CommandError(
            _("The book tells of an evening of %s already; nothing was changed.") % evening.day
        ) from refusal
    except NotOver as refusal:
        raise CommandError(
            _("The evening of %s is not over; choose an earlier --day.") % evening.day
        ) from refusal


@contextmanager
def _written(name: str | Path | None) -> Iterator[IO[str] | None]:
    """The file to write, standard output for ``-``, None for none."""
    if name is None:
        yield None
    elif name == STANDARD:
        yield sys.stdout
    else:
        with Path(name).open("w", encoding="utf-8", newline="\n") as file:
            yield file


def a_count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ArgumentTypeError(_("found %(found)s; asked is 0 or more") % {"found": text})
    return number


def a_share(text: str) -> float:
    number = float(text)
    if not 0.0 <= number <= 1.0:
        raise ArgumentTypeError(_("found %(found)s; asked is 0 to 1") % {"found": text})
    return number
