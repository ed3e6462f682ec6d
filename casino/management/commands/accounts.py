"""``manage.py accounts FILE.csv [--write --by STAFF]``: accounts as the directory has them."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino import clock
from casino.events.event_policy import DIRECTION
from casino.events.phrases import said
from casino.management.accounts_from_file import Faulty, Person, not_named, people_in, take
from casino.management.ending import ends_with
from casino.queries import offices_at
from casino.reading.file_trouble import why
from casino.recording import Actor
from casino.web.forms.people_choices import can_be_number

REFUSED: Final = 2


class Command(BaseCommand):
    """Ends with 0, or with 2 and the reason; nothing changes then."""

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Opens and closes accounts as a file of the house's directory says.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line; docs/operations.md explains it."""
        parser.add_argument("file", type=Path, help="number,name,active[,groups]")
        parser.add_argument("--write", action="store_true", help=_("do it; else it is only said"))
        parser.add_argument("--by", metavar="STAFF", help=_("who answers for it"))

    def handle(self, *args: object, **options: Any) -> None:
        """Say what the file does, and do it where that is asked."""
        with ends_with(REFUSED):
            try:
                people = people_in(options["file"].read_text("utf-8"))
                steps = take(people, _answers(options["by"]) if options["write"] else None)
            except OSError as error:
                reason = f"{options['file']}: {said(why(error), _)}"
                raise CommandError(reason, returncode=REFUSED) from error
            except UnicodeDecodeError as error:
                reason = _("%(file)s is no text in UTF-8") % {"file": options["file"]}
                raise CommandError(reason, returncode=REFUSED) from error
            except Faulty as error:
                place = _("line %(line)d: ") % {"line": error.line} if error.line else ""
                raise CommandError(f"{place}{error.why}", returncode=REFUSED) from error
            for step in steps:
                if step.done:
                    self.stdout.write(f"{step.number}: {', '.join(map(str, step.done))}")
            self._sum_up(people, sum(1 for step in steps if step.done), write=options["write"])

    def _sum_up(self, people: Sequence[Person], count: int, *, write: bool) -> None:
        text = ngettext("%(n)d person of %(of)d.", "%(n)d people of %(of)d.", count)
        self.stdout.write(text % {"n": count, "of": len(people)})
        left = not_named(people)
        if left:
            text = _("Open accounts that are not in the file, and stay so: %(listed)s")
            self.stdout.write(text % {"listed": ", ".join(left)})
        if not write:
            self.stdout.write(_("Nothing was changed: --write --by STAFF does it."))


def _answers(staff: str | None) -> Actor:
    """Who records the new numbers, as one of the direction. Raises: CommandError."""
    named = staff if staff and can_be_number(staff) else ""
    held = offices_at(named, clock.now()) & DIRECTION
    if not held:
        text = _("--by: found %(found)s; expected is who is administrador or chefia da sala")
        raise CommandError(text % {"found": staff}, returncode=REFUSED)
    return Actor(named, min(held), "local")
