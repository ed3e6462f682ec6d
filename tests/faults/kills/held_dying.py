"""The web server and the worker, each dying once by kill -9 at a step of what is held.

    gunicorn tests.faults.kills.held_dying:application
    celery -A tests.faults.kills.held_dying worker

DIE_AT names the step, DIED the file that says it has happened: who comes after goes on.
DAY_STARTS is when the house's day begins for the test: in a morning not as the settings say.
"""

import os
import signal
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

from casino.celery import app  # noqa: F401 - what `celery -A` looks for
from casino.wsgi import application  # noqa: F401

from django.conf import settings  # isort: skip - Django is set up by the lines above
from casino import holding  # isort: skip - Django is set up by the line above
from casino.floor import floor_access  # isort: skip

settings.HOUSE_DAY_STARTS = os.environ["DAY_STARTS"]
settings.SHIELD_SECONDS = 0  # as in the tests: a form may come back within its first second
BEFORE, AFTER = "before", "after"
STEPS: Final[dict[str, tuple[Any, str, str]]] = {
    "held, not committed": (holding, "add_job", AFTER),
    "held, not answered": (floor_access, "followed", BEFORE),
    "taken in hand, not written": (holding, "record_many", BEFORE),
    "written, not committed": (holding, "record_many", AFTER),
    "written, not answered": (holding, "write", AFTER),
    "taken back, not committed": (holding.HeldRecord, "delete", AFTER),
    "taken back, not answered": (holding, "take_back", AFTER),
}


def die() -> None:
    """The first time, end as by kill -9."""
    try:
        os.close(os.open(os.environ["DIED"], os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def dying(whole: Callable[..., Any], when: str) -> Callable[..., Any]:
    """A function before or after which one dies; not where a page is only asked for."""

    @wraps(whole)
    def run(*args: Any, **known: Any) -> Any:
        if args and getattr(args[0], "method", "POST") != "POST":
            return whole(*args, **known)
        if when == BEFORE:
            die()
        answer = whole(*args, **known)
        if when == AFTER:
            die()
        return answer

    return run


_where, _name, _when = STEPS[os.environ["DIE_AT"]]
setattr(_where, _name, dying(getattr(_where, _name), _when))
