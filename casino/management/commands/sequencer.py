"""``manage.py sequencer``: the loop that gives every entry its place in the tree."""

import signal
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand

from casino import sequencer


class Command(BaseCommand):
    """Runs until it is told to stop (SIGTERM, Ctrl-C); ends with 0 then."""

    help = "Gives the book's entries their places in the tree, until stopped."

    def handle(self, *args: Any, **options: Any) -> None:
        stopping = False

        def stop(_signal: int, _frame: FrameType | None) -> None:
            nonlocal stopping
            stopping = True

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        self.stdout.write("sequencer: at work")
        sequencer.run(lambda: stopping)
        self.stdout.write("sequencer: stopped")
