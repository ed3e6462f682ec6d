"""Lines of the log: for people or as JSON, of a request and of the jobs it decided on, and of
nobody's person.
"""

import json
import logging
import os
import subprocess
import sys
from typing import Any

import pytest
from django.test import Client

from casino import tasks
from casino.logs.log_lines import JsonLines, TextLines, at_work
from casino.models import JobOutbox
from casino.recording.writing import add_job
from tests.gate import ROOT
from tests.jobs_inline import do_jobs
from tests.patience import PATIENCE

pytestmark = pytest.mark.share

ASKED = "till-7.2026-11-20"


def record(message: str, *args: object, **more: Any) -> logging.LogRecord:
    """A line before it is written."""
    made = logging.LogRecord("casino.somewhere", logging.INFO, "x.py", 1, message, args, None)
    made.__dict__.update(more)
    return made


def test_a_line_is_one_object_however_its_message_is_broken() -> None:
    line = JsonLines().format(record("two\nlines %s", "\u2028"))
    assert "\n" not in line
    assert line.isascii()
    found = json.loads(line)
    assert found.pop("at").endswith("Z")
    assert found == {
        "level": "INFO", "logger": "casino.somewhere", "message": "two\nlines \u2028",
    }  # fmt: skip


def test_a_line_is_of_its_request_and_its_job() -> None:
    with at_work(request=ASKED, job="report/1"):
        inside = json.loads(JsonLines().format(record("x", figures={"ms": 3})))
        plain = TextLines().format(record("x"))
    assert (inside["request"], inside["job"], inside["ms"]) == (ASKED, "report/1", 3)
    assert plain.endswith(f"INFO casino.somewhere: x [{ASKED}]")
    assert "request" not in json.loads(JsonLines().format(record("x")))
    assert TextLines().format(record("x")).endswith("INFO casino.somewhere: x")


def test_a_fault_brings_its_traceback_in_the_same_line() -> None:
    try:
        _ = 1 // 0
    except ZeroDivisionError:
        made = record("failed", exc_info=sys.exc_info())
    line = JsonLines().format(made)
    assert "\n" not in line
    assert json.loads(line)["fault"].endswith(
        "ZeroDivisionError: integer division or modulo by zero"
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "kept"),
    [(ASKED, True), ("a" * 8, True), ("a" * 7, False), ("a" * 65, False), ("", False),
     ('x","level":"', False), ("-starts-wrong", False), ("número-ordinal", False)],
)  # fmt: skip
def test_a_request_is_named_by_whoever_asks_if_that_is_a_name(sent: str, kept: bool) -> None:
    named = Client().get("/healthz-none", headers={"X-Request-ID": sent})["X-Request-ID"]
    assert (named == sent) is kept
    assert kept or len(named) == 32


@pytest.mark.django_db
def test_its_line_says_which_page_and_never_what_was_asked(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO, "casino.logs.request_log"):
        Client().get("/law/pt/21/?q=Maria+Silva", headers={"X-Request-ID": ASKED})
        Client().get("/static/casino/tokens.css").close()
    (line,) = [one for one in caplog.records if one.name == "casino.logs.request_log"]
    assert line.getMessage().startswith("GET /law/<str:rulebook>/<path:article>/ 302 ")
    figures = json.loads(JsonLines().format(line))
    assert (figures["status"], figures["method"]) == (302, "GET")
    assert "Maria" not in json.dumps(figures)


@pytest.mark.django_db
def test_what_django_says_of_a_refusal_is_of_the_request_too() -> None:
    written: list[str] = []

    class Written(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(JsonLines().format(record))

    handler = Written()
    logging.getLogger().addHandler(handler)
    try:
        Client().get("/nowhere/", headers={"X-Request-ID": ASKED})
        logging.getLogger("casino.x").warning("afterwards")
    finally:
        logging.getLogger().removeHandler(handler)
    found = [json.loads(line) for line in written]
    named = {one["logger"]: one.get("request") for one in found}
    assert named == {"casino.logs.request_log": ASKED, "django.request": ASKED, "casino.x": None}


@pytest.mark.django_db
def test_a_job_carries_the_request_that_decided_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "holding", Remembering())
    form = "0193479e-7777-7c3e-9a54-0c6f2b1d7e10"
    with at_work(request=ASKED):
        add_job("held-record", "held/1", {"form": form})
    add_job("held-record", "held/2", {"form": form})
    assert JobOutbox.objects.get(key="held/1").args == {"form": form, "request_id": ASKED}
    assert JobOutbox.objects.get(key="held/2").args == {"form": form}
    assert do_jobs(topic="held-record") == ["held/1", "held/2"]
    said = [json.loads(line) for line in Remembering.lines]
    assert [(one.get("request"), one["job"]) for one in said] == [
        (ASKED, "held/1"),
        (None, "held/2"),
    ]


class Remembering:
    """In the place of what writes held records: what a line of that job would be."""

    lines: list[str] = []  # noqa: RUF012 - one test

    def write(self, form: object) -> None:
        """As casino.holding has it."""
        self.lines.append(JsonLines().format(record("wrote")))


SAYS = (
    "import django; from django.conf import settings; django.setup();"
    "import logging; logging.getLogger('casino.x').warning('said')"
)
WORKER = (
    "from casino.celery import app; app.log.setup('WARNING');"
    "import logging; logging.getLogger('casino.x').warning('said');"
    "logging.getLogger('casino.x').info('not said')"
)
GUNICORN = (
    "from gunicorn.config import Config; from casino.web_worker import HouseLogger;"
    "HouseLogger(Config()).error('said')"
)
SIGNER = (
    "import logging; from casino.signer import __main__ as signer;"
    "signer.obey = lambda _: logging.getLogger('casino.x').warning('said');"
    "signer.main(['status'])"
)


@pytest.mark.parametrize("code", [SAYS, WORKER, GUNICORN, SIGNER])
def test_every_program_of_the_house_writes_such_lines(code: str) -> None:
    line = json.loads(run(code, LOG_FORMAT="json"))
    assert line["message"] == "said"
    assert set(line) == {"at", "level", "logger", "message"}


def test_people_read_text_where_nothing_is_said() -> None:
    assert run(SAYS).endswith("WARNING casino.x: said")


def test_another_form_of_lines_is_refused() -> None:
    with pytest.raises(AssertionError, match="LOG_FORMAT: found 'xml'; it is json or text"):
        run(SAYS, LOG_FORMAT="xml")


def run(code: str, **more: str) -> str:
    """What a program says on stderr."""
    values = {
        **os.environ,
        "SECRET_KEY": "one-of-its-own",
        "DJANGO_SETTINGS_MODULE": "casino.settings",
    }
    values.pop("LOG_FORMAT", None)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={**values, **more},
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stderr.strip()
