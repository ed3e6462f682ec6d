"""``manage.py demo [--logins FILE]``: an evening that never was, told into an empty book."""

from argparse import ArgumentParser
from pathlib import Path
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from casino.api.machine_tokens import make_machine
from casino.demo.accounts import write_logins
from casino.demo.cast import DEVICES, MANAGER
from casino.demo.load_demo import AnothersBook, load
from casino.demo.training_book import TALE, training_pin


class Command(BaseCommand):
    """Ends with 0 where the demo is in the book, 1 where the book is somebody's."""

    @property
    def help(self) -> str:  # type: ignore[override]
        return _("Tell an invented evening into an empty book, unlawful acts included.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.add_argument(
            "--logins",
            type=Path,
            metavar="FILE",
            help=_("write who may log in to this file instead of the screen"),
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Load the demo and say who may log in."""
        file: Path | None = options["logins"]
        began = monotonic()
        try:
            training = {"tale": TALE, "pin": training_pin()} if settings.TRAINING else {}
            wanted = lambda: file is not None and not _holds_something(file)  # noqa: E731
            done = load(logins_wanted=wanted, **training)
            if file is not None and done.logins:
                write_logins(file, done.logins)
        except AnothersBook as refusal:
            raise CommandError(
                _("The book holds entries that are not the demo's; nothing was changed.")
            ) from refusal
        except OSError as trouble:
            raise CommandError(f"{trouble.filename}: {trouble.strerror}") from trouble
        if done.entries:
            for table, device in DEVICES.items():  # whoever tries the API gives one a new secret
                make_machine(device.number, [table], ["rounds", "records"], MANAGER.number)
            said = _("%(entries)d entries of %(day)s recorded in %(seconds).1f s.")
            values = {
                "entries": done.entries,
                "day": done.day.isoformat(),
                "seconds": monotonic() - began,
            }
            self.stdout.write(said % values)
        else:
            said = _("The demo of %(day)s is in the book already.")
            self.stdout.write(said % {"day": done.day.isoformat()})
        if file is None:
            for login in done.logins:
                self.stdout.write(str(login))


def _holds_something(file: Path) -> bool:
    return file.exists() and file.stat().st_size > 0
