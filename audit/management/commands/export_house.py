"""``manage.py export_house FOLDER``: everything the house has, in open forms, for one that leaves.

With ``--private`` names, notes, files and documents are in it too; two persons confirm that, each
with his own code or password. Ends with 0 when it is made, 2 where it is not, with the reason.
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from getpass import getpass
from pathlib import Path
from typing import Final

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from audit.exporting import ExportRefused
from audit.exporting.house_export import export_house
from audit.management.commands.export_bundle import HOUSE, LANGUAGES, OPENERS, OPERATORS, REFUSED
from casino import clock
from casino.events import Malformed
from casino.queries import offices_at
from casino.recording import Refused
from casino.sealed import NotSealed
from casino.witnessing import one_try
from casino.witnessing.proving import how_proved

LOGIN: Final = "export_house"  # under which wrong codes are counted here


class Command(BaseCommand):
    """Writes the copy, and says so in the book."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.description = _("Write everything the house has into a new folder, in open forms.")
        add = parser.add_argument
        add("place", type=Path, help=_("the folder to be made"))
        add("--private", nargs=2, metavar="STAFF", help=_("with private values: two persons"))
        add("--language", choices=sorted(LANGUAGES), default="pt", help=_("of what is written"))

    def handle(
        self,
        *args: object,
        place: Path,
        private: Sequence[str] | None,
        language: str,
        **options: object,
    ) -> None:
        """Make the copy, and say what was made."""
        with translation.override(LANGUAGES[language]):
            persons = private or ()
            if persons:
                _must_be_two(*persons)
            try:
                made = export_house(place.absolute(), HOUSE, private=persons)
            except (ExportRefused, NotSealed, Refused, Malformed) as refused:
                raise CommandError(str(refused), returncode=REFUSED) from refused
            self.stdout.write(
                _(
                    "{place}: {entries} entries under the signed tree of {size}, {rows} rows in"
                    " {tables} tables. {not_signed} entries recorded since are not in it; one of"
                    " them says that this copy was made.\n"
                    "SHA-256 of SHA256SUMS, to be kept elsewhere: {sums}"
                ).format(
                    place=made.made.place,
                    entries=made.made.entries,
                    size=made.made.size,
                    rows=made.rows,
                    tables=made.tables,
                    not_signed=made.not_signed,
                    sums=made.sums,
                )
            )
            if not persons:
                self.stdout.write(
                    _(
                        "Without private values: names, notes, files, reports and letters are not"
                        " in it. With them: --private STAFF STAFF, two persons."
                    )
                )


def _must_be_two(first: str, second: str) -> None:
    """Raises: CommandError, where these are not two who may, or a code is not his."""
    now = clock.now()
    held = [set(offices_at(staff, now)) for staff in (first, second)]
    if first == second or not all(each & set(OPERATORS) for each in held):
        raise CommandError(
            _(
                "Private values leave the house by two persons, each of them {offices}; found are"
                " {first} and {second}."
            ).format(offices=" / ".join(OPERATORS), first=first, second=second),
            returncode=REFUSED,
        )
    if not any(each & set(OPENERS) for each in held):
        raise CommandError(
            _("One of the two persons is of the direction ({offices}); none of these is.").format(
                offices=", ".join(OPENERS)
            ),
            returncode=REFUSED,
        )
    for staff in (first, second):
        asked = _("Personal code or password of {staff}: ").format(staff=staff)
        secret = getpass(asked)
        tried = one_try(LOGIN, staff, partial(how_proved, staff, secret))
        if tried.found is None:
            raise CommandError(
                _(
                    "The code of {staff} is not right, or too many were wrong (then nobody looks"
                    " for some minutes). Nothing was made."
                ).format(staff=staff),
                returncode=REFUSED,
            )
