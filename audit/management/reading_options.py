"""Readings on a command line, and what is said where there is no such one."""

from argparse import ArgumentTypeError
from textwrap import fill
from typing import Final

from django.utils.translation import gettext as _

from audit.rounds_file import Unusable
from audit.rounds_file.file_wording import one_line
from casino.events.phrases import said

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
