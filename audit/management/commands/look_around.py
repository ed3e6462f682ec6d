"""`manage.py look_around`: what beat's jobs do every few minutes, once and at once.

For the start of the house: days that nobody reconciled are recorded, what is due is decided on, and
what the games under way owe since somebody last looked is said.
"""

from django.core.management.base import BaseCommand

from audit.watch.floor import watch_floor
from audit.watch.watching import look_around
from casino import clock


class Command(BaseCommand):
    """Records what never came about; ends with 0."""

    help = (
        "Records gaming days that were never reconciled and what the floor owes, and decides on"
        " what is due."
    )

    def handle(self, *args: object, **options: object) -> None:
        """Look around once."""
        found, owed = look_around(), watch_floor(clock.now())
        self.stdout.write(
            f"look_around: {found} new findings about the auditing itself, {owed} about the floor"
        )
