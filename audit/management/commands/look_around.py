"""`manage.py look_around`: what beat's job does every few minutes, once and at once.

For the start of the house: days that nobody reconciled are recorded, what is due is decided on.
"""

from typing import Any

from django.core.management.base import BaseCommand

from audit.watch.watching import look_around


class Command(BaseCommand):
    """Records what never came about; ends with 0."""

    help = "Records gaming days that were never reconciled and decides on what is due."

    def handle(self, *args: Any, **options: Any) -> None:
        """Look around once."""
        self.stdout.write(f"look_around: {look_around()} new findings about the auditing itself")
