"""``manage.py sequencer``: the loop that gives every entry its place in the tree.

It does not begin above a book without its guards.
"""

import signal
from types import FrameType

from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from casino import sequencer
from casino.guards import Unguarded, refuse_unguarded


class Command(BaseCommand):
    """Runs until it is told to stop (SIGTERM, Ctrl-C); ends with 0 then, with 1 without guards."""

    help = "Gives the book's entries their places in the tree, until stopped."

    def handle(self, *args: object, **options: object) -> None:
        stopping = False
        try:
            refuse_unguarded(connections[sequencer.ALIAS])
        except Unguarded as unguarded:
            raise CommandError(str(unguarded)) from unguarded

        def stop(_signal: int, _frame: FrameType | None) -> None:
            nonlocal stopping
            stopping = True

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        self.stdout.write("sequencer: at work")
        sequencer.run(lambda: stopping)
        self.stdout.write("sequencer: stopped")
