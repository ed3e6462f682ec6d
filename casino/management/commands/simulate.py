"""`manage.py simulate`: an evening of rounds with known errors, to try everything else on."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import IO, Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from casino.reading.round_writer import round_as_json
from casino.simulation import evening
from casino.simulation.labels import label_as_json

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
        parser.add_argument("--tables", type=_count, default=3, metavar="N")
        parser.add_argument(
            "--rounds", type=_count, default=400, metavar="N", help=_("at each table")
        )
        parser.add_argument(
            "--error-rate",
            type=_share,
            default=0.0,
            metavar="0..1",
            help=_("the share of rounds with one error"),
        )
        parser.add_argument("--day", type=_day, default=DAY, metavar="YYYY-MM-DD")
        parser.add_argument(
            "--output", default=STANDARD, metavar="FILE", help=_("- is standard output")
        )
        parser.add_argument("--labels", type=Path, metavar="FILE", help=_("which errors, where"))

    def handle(self, *args: Any, **options: Any) -> None:
        """Play, write, and say how many."""
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


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ArgumentTypeError(_("found %(found)s; asked is 0 or more") % {"found": text})
    return number


def _share(text: str) -> float:
    number = float(text)
    if not 0.0 <= number <= 1.0:
        raise ArgumentTypeError(_("found %(found)s; asked is 0 to 1") % {"found": text})
    return number


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(
            _("found %(found)s; asked is a day as YYYY-MM-DD") % {"found": text}
        ) from None
