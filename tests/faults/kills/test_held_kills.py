"""kill -9 of the web server and of a worker at each step of what is held: nothing is lost, nothing
is there twice, and what was taken back is never written.
"""

import http.client
import socket
from collections.abc import Callable, Generator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from casino import clock, holding
from casino.models import BookEntry, HeldRecord, JobOutbox
from tests.casino.sala_forms import form_on
from tests.factories.floor import SHOE_TABLE, house, opened, yesterday
from tests.factories.people import somebody
from tests.faults.kills.stack import Stack
from tests.patience import PATIENCE

pytestmark = [pytest.mark.check, pytest.mark.usefixtures("fresh_db")]
DYING: Final = "tests.faults.kills.held_dying"
TABLE: Final = f"/sala/{SHOE_TABLE}/"
BACK: Final = f"{TABLE}take-back/"
TOKEN: Final = "a" * 32  # against forged forms: the cookie and the field tell the same


class Act(NamedTuple):
    """What is sent: the screen that is shown, what is tapped there, where it goes, what it records.

    `sees` is the page that writes it once its time is over, `back` where it is taken back.
    """

    begins: Callable[[], object]
    screen: str
    tapped: dict[str, str]
    kind: str
    sees: str = TABLE
    back: str = BACK

    @property
    def goes_to(self) -> str:
        """The address of the form: what is asked of the page is the page's own."""
        return self.screen if "category" in self.screen else self.screen.partition("?")[0]


ACTS: Final = {
    "cut": Act(opened, f"{TABLE}cut/?seats=1+2+5", {}, "cut-made/1"),
    "opening": Act(yesterday, f"{TABLE}open/", {}, "partida-opened/1"),
    "incident": Act(
        opened,
        f"{TABLE}incident/?category=conduct",
        {"reason": "linguagem"},
        "incident-reported/1",
    ),
    "duty": Act(
        opened,
        "/sala/duty/",
        {"do": "begin", "one": SHOE_TABLE},
        "duty-begun/1",
        "/sala/",
        "/sala/take-back/",
    ),
}
EACH: Final = pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
WRITING: Final = ("taken in hand, not written", "written, not committed", "written, not answered")
There = Callable[[], tuple[int, int]]


class Web:
    """The web server, with one process that answers; killed, it is started again by its master."""

    def __init__(self, stack: Stack, client: Client) -> None:
        self.stack, self.session = stack, client.cookies["sessionid"].value
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    def start(self, step: str, died: Path) -> None:
        """Serve, and die at that step."""
        self.stack.start(
            "web",
            "-m",
            "gunicorn",
            f"{DYING}:application",
            f"--bind=127.0.0.1:{self.port}",
            "--workers=1",
            "--no-control-socket",
            DIE_AT=step,
            DIED=str(died),
            DAY_STARTS=settings.HOUSE_DAY_STARTS,
            DEBUG="1",
            SECRET_KEY="only for tests",
            SALA_HOLD_SECONDS="600",
        )
        self.stack.wait("a page", lambda: self.ask("/sala/") == 200)

    def ask(self, url: str, fields: dict[str, Any] | None = None) -> int | None:
        """The status of an answer; None where there is none."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        cookies = {"Cookie": f"sessionid={self.session}; csrftoken={TOKEN}"}
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        try:
            if fields is None:
                link.request("GET", url, headers=cookies)
            else:
                body = urlencode({**fields, "csrfmiddlewaretoken": TOKEN})
                link.request("POST", url, body, cookies | form)
            return link.getresponse().status
        except OSError:
            return None
        finally:
            link.close()


@pytest.fixture
def act() -> Act:
    """Shuffle and cut, where a test is asked of nothing else."""
    return ACTS["cut"]


@pytest.fixture
def client(settings: Any, act: Act) -> Client:
    """The fiscal de banca, as the act begins: at his open table nothing is shuffled yet."""
    settings.SALA_HOLD_SECONDS = 600  # over when a test says so
    house()
    act.begins()
    return somebody("fiscal_de_banca")


@pytest.fixture
def form(client: Client, act: Act) -> dict[str, Any]:
    """The act, filled in and not sent."""
    return form_on(client.get(act.screen)) | act.tapped


@pytest.fixture
def there(form: dict[str, Any], act: Act) -> There:
    """How many acts are held, and how many records of it the book was given since it began."""
    rows = BookEntry.objects.filter(kind=act.kind)
    before = rows.count()
    return lambda: (HeldRecord.objects.count(), rows.all().count() - before)


@pytest.fixture
def web(client: Client, database_environment: dict[str, str], tmp_path: Path) -> Generator[Web]:
    """Not started yet."""
    with Stack(tmp_path, database_environment) as stack:
        yield Web(stack, client)
        connection.close()


def is_over() -> None:
    """Its time has passed."""
    HeldRecord.objects.update(due_at=clock.now() - timedelta(seconds=1))


def answered(web: Web, url: str, fields: dict[str, Any] | None = None) -> Callable[[], bool]:
    """Ask until there is an answer."""
    return lambda: web.ask(url, fields) in (200, 303)


@EACH
@pytest.mark.parametrize(
    ("step", "left"), [("held, not committed", (0, 0)), ("held, not answered", (1, 0))]
)
def test_the_web_server_dies_with_what_was_sent(
    web: Web,
    form: dict[str, Any],
    act: Act,
    there: There,
    tmp_path: Path,
    step: str,
    left: tuple[int, int],
) -> None:
    web.start(step, tmp_path / "died")
    assert web.ask(act.goes_to, form) is None
    assert (tmp_path / "died").exists()
    assert there() == left
    web.stack.wait("the same form's answer", answered(web, act.goes_to, form))
    assert there() == (1, 0)
    is_over()
    web.stack.wait("the page", answered(web, act.sees))
    assert there() == (0, 1)


@EACH
@pytest.mark.parametrize("step", WRITING)
def test_the_web_server_dies_while_it_writes(
    web: Web,
    client: Client,
    form: dict[str, Any],
    act: Act,
    there: There,
    tmp_path: Path,
    step: str,
) -> None:
    client.post(act.goes_to, form)
    web.start(step, tmp_path / "died")
    is_over()
    assert web.ask(act.sees) is None
    assert there() == ((0, 1) if step == "written, not answered" else (1, 0))
    web.stack.wait("the page", answered(web, act.sees))
    assert there() == (0, 1)


@EACH
@pytest.mark.parametrize(
    ("step", "left", "after"),
    [
        ("taken back, not committed", (1, 0), (0, 1)),
        ("taken back, not answered", (0, 0), (0, 0)),
    ],
)
def test_the_web_server_dies_while_it_is_taken_back(
    web: Web,
    client: Client,
    form: dict[str, Any],
    act: Act,
    there: There,
    tmp_path: Path,
    step: str,
    left: tuple[int, int],
    after: tuple[int, int],
) -> None:
    client.post(act.goes_to, form)
    web.start(step, tmp_path / "died")
    assert web.ask(act.back, {"key": form["key"]}) is None
    assert there() == left
    is_over()
    web.stack.wait("the page", answered(web, act.sees))
    assert there() == after


@pytest.mark.parametrize("step", WRITING)
def test_a_worker_dies_while_it_writes(
    client: Client,
    form: dict[str, Any],
    act: Act,
    there: There,
    database_environment: dict[str, str],
    queue: str,
    tmp_path: Path,
    settings: Any,
    step: str,
) -> None:
    """The message comes back to whoever is left, or is sent again; nobody need look."""
    settings.SALA_HOLD_SECONDS = 1
    client.post(act.goes_to, form)
    assert there() == (1, 0)
    values = {
        "BROKER_URL": queue,
        "BROKER_VISIBILITY": "5",
        "DIE_AT": step,
        "DIED": str(tmp_path / "died"),
        "DAY_STARTS": settings.HOUSE_DAY_STARTS,
        "DEBUG": "1",
        "SECRET_KEY": "only for tests",
    }
    with Stack(tmp_path, database_environment | values) as stack:
        stack.start(
            "worker",
            "-m",
            "celery",
            "-A",
            DYING,
            "worker",
            "--queues=book,default,reports",
            "--concurrency=1",
            "--loglevel=WARNING",
        )
        stack.start_outbox()
        stack.wait("its death", (tmp_path / "died").exists)
        stack.wait("it in the book", lambda: there() == (0, 1))
        jobs = JobOutbox.objects.filter(topic=holding.TOPIC)
        stack.wait("the job's end", lambda: not jobs.filter(done_at=None).exists())
        assert there() == (0, 1)
        connection.close()
