"""Jobs that leave a line in a file: what a worker started, and what it finished.

An application of its own, told everything the house's is recorded, without the house's jobs.
"""

import os
import time
from pathlib import Path

from celery import Celery

import casino.celery  # noqa: F401  (names the transport of pgmq://, and shows that jobs are done)

app = Celery("errands")
app.config_from_object("django.conf:settings", namespace="CELERY")


@app.task(name="errands.run")
def run(book: str, name: str, seconds: float) -> None:
    """Write when it starts and when it ends; in between it takes its time."""
    note(book, f"start {name} {os.getpid()}")
    time.sleep(seconds)
    note(book, f"end {name}")


def note(book: str, line: str) -> None:
    """Add a line, in one piece."""
    with Path(book).open("a") as file:
        file.write(line + "\n")
