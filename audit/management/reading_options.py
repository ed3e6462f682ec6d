"""How a rulebook is taken on a command line, and what is said where there is no such one."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from textwrap import fill
from typing import Any, Final

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from audit.rounds_file import Unusable
from audit.rounds_file.file_wording import one_line
from audit.rounds_file.laws import Laws
from casino.events.phrases import said
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook_file import load_law, rulebook_ids
from casino.management.command_days import a_day

SCREEN: Final = 80  # columns of a list that is wrapped


def reading_named(text: str) -> tuple[str, str]:
    """A reading and its choice. Raises: ArgumentTypeError."""
    name, equals, choice = text.partition("=")
    if not (name and equals and choice):
        raise ArgumentTypeError(_("a reading is written id=choice, like bank-bust=nearer_wins"))
    return name, choice


def worded(unusable: Unusable) -> str:
    """The reason, on one line."""
    return one_line(said(unusable.reason, _))


def in_full(unusable: Unusable) -> str:
    """The reason, and below it what there is to choose from."""
    if not unusable.there:
        return worded(unusable)
    there = fill(
        ", ".join(unusable.there),
        SCREEN,
        initial_indent="  ",
        subsequent_indent="  ",
        break_on_hyphens=False,
    )
    return f"{worded(unusable)}\n{there}"


def add_taken_otherwise(parser: ArgumentParser) -> None:
    """The options `taken_otherwise` reads."""
    parser.add_argument(
        "--reading",
        action="append",
        default=[],
        type=reading_named,
        metavar="NAME=CHOICE",
        help=_("with --rulebook: what would hold with this reading of it (repeatable)"),
    )
    parser.add_argument(
        "--law-day",
        type=a_day,
        metavar="DAY",
        help=_("with --rulebook: what would hold by it as it stood on this day"),
    )


def taken_otherwise(rulebook: str, options: Mapping[str, Any], refused: int) -> dict[str, Any]:
    """How a rulebook is to be taken: its `readings` by name, its `law_day`.

    Raises: CommandError, which ends with `refused`, for what there is not.
    """
    readings, law_day = dict(options["reading"]), options["law_day"]
    if rulebook and rulebook not in rulebook_ids():
        raise CommandError(
            _("no rulebook is called {rulebook}; there are:").format(rulebook=rulebook)
            + " "
            + ", ".join(rulebook_ids()),
            returncode=refused,
        )
    if not rulebook and (readings or law_day):
        raise CommandError(
            _("A reading, or a day, is of a rulebook: name it with --rulebook."),
            returncode=refused,
        )
    if readings:
        try:
            Laws(rulebook, readings).check()
        except Unusable as unusable:
            raise CommandError(in_full(unusable), returncode=refused) from unusable
    if law_day:
        try:
            load_law(rulebook).as_on(law_day).with_readings(readings)
        except LawError as error:
            raise CommandError(error.text(_), returncode=refused) from error
    return {"readings": tuple(sorted(readings.items())), "law_day": law_day}
