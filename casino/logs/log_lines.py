"""One line an event, for people or for programs (LOG_FORMAT), and what a line is of.

A line as JSON has `at` (UTC), `level`, `logger` and `message`; of a request or of a job its name
(`request`, `job`), and of a fault the traceback (`fault`). A job carries on the name of the request
that decided on it. Of a person there is what the message says: nobody hands bodies or what was
asked with an address to the log.
"""

import json
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final

REQUEST: Final = ContextVar("request", default="")
JOB: Final = ContextVar("job", default="")
CARRIED: Final = "request_id"  # among the arguments of a job
SANE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")  # the name of a request
AS_JSON: Final = "json"
FORMATS: Final = (AS_JSON, "text")
_PLAIN: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


@contextmanager
def at_work(request: str = "", job: str = "") -> Iterator[None]:
    """What is logged meanwhile is of this request, of this job."""
    of_request, of_job = REQUEST.set(request), JOB.set(job)
    try:
        yield
    finally:
        JOB.reset(of_job)
        REQUEST.reset(of_request)


class JsonLines(logging.Formatter):
    """One JSON object a line; what a record brings as `figures` stands beside the message."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as one line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {
            "at": at.replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request": REQUEST.get(),
            "job": JOB.get(),
            "fault": self.formatException(record.exc_info) if record.exc_info else "",
            **getattr(record, "figures", {}),
        }
        return json.dumps({name: value for name, value in line.items() if value != ""})


class TextLines(logging.Formatter):
    """As the house always wrote them; the name of the request stands last."""

    def __init__(self) -> None:
        super().__init__(_PLAIN)

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """The first line of a record."""
        of = REQUEST.get()
        return super().formatMessage(record) + (f" [{of}]" if of else "")


def lines() -> logging.Formatter:
    """How lines are written here: LOG_FORMAT, "text" where nothing is said."""
    return JsonLines() if os.environ.get("LOG_FORMAT") == AS_JSON else TextLines()
