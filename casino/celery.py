"""The house's jobs run here: ``celery -A casino.celery worker``; settings.py says how."""

import logging
import os
from logging.config import dictConfig
from pathlib import Path

from celery import Celery, signals
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

# The queue of `make run`; a casino in earnest uses RabbitMQ (amqp://).
TRANSPORT_ALIASES["pgmq"] = "casino.broker:Transport"

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(related_name="document_tasks")


@app.task(name="casino.heartbeat", expires=60)  # type: ignore[untyped-decorator]
def heartbeat() -> None:
    """Work that is no work: while nothing else happens it shows that jobs are still done."""


def show_life(**_: object) -> None:
    """Tell the launcher that a job was done. A worker can hang with its process alive."""
    file = os.environ.get("HEARTBEAT_FILE")
    if file:
        Path(file).touch()


def log_as_everywhere(loglevel: int | str | None = None, **_: object) -> None:
    """The lines of a worker and of beat are those of the house, not Celery's own."""
    dictConfig(settings.LOGGING)
    logging.getLogger().setLevel(loglevel or "INFO")


signals.task_postrun.connect(show_life)
signals.setup_logging.connect(log_as_everywhere)
