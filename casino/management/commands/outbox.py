"""``manage.py outbox``: the loop that sends decided jobs to the broker."""

import signal
import threading
from types import FrameType

from django.core.management.base import BaseCommand

from casino import tasks
from casino.celery import app


class Command(BaseCommand):
    """Runs until it is told to stop (SIGTERM, Ctrl-C); ends with 0 then."""

    help = "Sends the jobs of the outbox to the broker, until stopped."

    def handle(self, *args: object, **options: object) -> None:
        stopped = threading.Event()

        def stop(_signal: int, _frame: FrameType | None) -> None:
            stopped.set()

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        app.set_default()
        self.stdout.write("outbox: at work")
        tasks.run_outbox(stopped.is_set, stopped.wait)
        self.stdout.write("outbox: stopped")
