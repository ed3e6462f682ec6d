"""The security log on a page: whose it is, what stands out, that it is kept and forgotten."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from casino import clock, security_log
from casino.admin.security_events import WORDS
from casino.models import Account, SecurityEvent
from casino.tasks import forget_done_jobs
from tests.factories.people import PASSWORD, somebody

pytestmark = pytest.mark.django_db
PAGE = "/admin/casino/securityevent/"
LOGIN = "/admin/login/"


def row(event: str = "login-failed", staff: str = "S-0187", address: str = "10.0.0.7") -> None:
    SecurityEvent.objects.create(
        at=clock.now(), event=event, staff=staff, address=address, about=""
    )


def shown(client: Client, query: str = "") -> str:
    answer = client.get(f"{PAGE}{query}")
    assert answer.status_code == 200
    return str(answer.content.decode())


def listed(client: Client, query: str = "") -> list[str]:
    rows = client.get(f"{PAGE}{query}").context["cl"].result_list
    return sorted({one.staff for one in rows})


def test_what_happens_at_the_entrance_is_kept() -> None:
    Account.objects.create_user("S-0187", PASSWORD)
    browser = Client(REMOTE_ADDR="10.0.0.66")
    browser.post(LOGIN, {"username": "S-0187", "password": "wrong"})
    browser.post(LOGIN, {"username": "my secret password", "password": "wrong"})
    browser.post(LOGIN, {"username": "S-0187", "password": PASSWORD})
    browser.get("/admin/sessions/?of=S-0001")
    kept = SecurityEvent.objects.order_by("pk").values_list("event", "staff", "address", "about")
    assert list(kept) == [
        ("login-failed", "S-0187", "10.0.0.66", ""),
        ("login-failed", "(no number)", "10.0.0.66", ""),
        ("login", "S-0187", "10.0.0.66", ""),
        ("refused", "S-0187", "10.0.0.66", 'what="GET /admin/sessions/"'),
    ]


def test_everybody_reads_his_own_and_auditor_and_administrator_all() -> None:
    for number in ("S-0187", "S-0003", "s-0187", "A-0001"):
        row(staff=number)
    fiscal, auditor = somebody("fiscal_de_banca"), somebody("auditor")
    assert listed(fiscal) == ["S-0187", "s-0187"]
    assert listed(fiscal, "?staff=S-0003") == []
    assert "S-0003" not in shown(fiscal)
    for client in (auditor, somebody("administrador")):
        assert listed(client, "?event=login-failed") == ["A-0001", "S-0003", "S-0187", "s-0187"]
    assert listed(auditor, "?staff=s-0003&address=10.0.0.7&event=login-failed") == ["S-0003"]
    today = clock.now().date()
    assert listed(auditor, f"?from={today + timedelta(days=2)}") == []
    assert "security log" in shown(auditor)
    assert auditor.get("/security-log/")["Location"] == PAGE
    assert Client().get("/security-log/")["Location"].startswith(LOGIN)


def test_a_file_of_it_holds_what_the_list_shows() -> None:
    row(staff="S-0187")
    row(staff="=cmd", address="fd00::1")
    auditor = somebody("auditor")
    answer: Any = auditor.get(f"{PAGE}csv/?event=login-failed")
    text = b"".join(answer.streaming_content).decode()
    assert text.count("login-failed") == 2
    assert "fd00::1" in text
    assert "S-0187" in text
    assert somebody("fiscal_chefe").get(f"{PAGE}csv/").status_code == 403
    assert auditor.get(f"{PAGE}csv/?nothing=1").status_code == 400


@pytest.mark.parametrize(("tries", "stands_out"), [(9, False), (10, True)])
def test_many_wrong_tries_at_one_number_stand_out(tries: int, stands_out: bool) -> None:
    for number in range(tries):
        row(address=f"10.0.0.{number}")
    for _ in range(20):
        row("login", "S-0021")
    text = shown(somebody("auditor"))
    assert ("Many wrong tries at one number" in text) is stands_out
    assert (f"{tries} wrong tries, from {tries} addresses" in text) is stands_out
    assert "Many numbers tried" not in text


@pytest.mark.parametrize(("numbers", "stands_out"), [(4, False), (5, True)])
def test_one_address_that_tries_many_numbers_stands_out(numbers: int, stands_out: bool) -> None:
    for number in range(numbers):
        row(staff=f"S-{number:04}")
    auditor = somebody("auditor")
    assert ("Many numbers tried from one address" in shown(auditor)) is stands_out
    portuguese = auditor.get(PAGE, headers={"accept-language": "pt-pt"}).content.decode()
    assert ("Muitos números tentados do mesmo endereço" in portuguese) is stands_out
    fiscal = somebody("fiscal_de_banca", "S-0005")
    assert "Many numbers tried" not in shown(fiscal)


def test_of_one_address_no_more_is_kept_than_a_page_can_bear() -> None:
    for _ in range(70):
        security_log.note("login-refused", None, "S-0187")
    security_log.note("login-failed", None, "S-0187\0")
    assert SecurityEvent.objects.filter(event="login-refused").count() == 60
    assert SecurityEvent.objects.get(event="login-failed").staff == "S-0187"


@contextmanager
def as_app() -> Iterator[Any]:
    """A cursor of the application's own role."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE app")
        yield cursor


def test_the_application_changes_no_row_and_forgets_old_ones_alone() -> None:
    row(staff="S-0001")
    SecurityEvent.objects.create(
        at=clock.now() - timedelta(days=366), event="login", staff="S-0002", address="", about=""
    )
    for statement in (
        "UPDATE casino_security_event SET staff = ''",
        "DELETE FROM casino_security_event",
    ):
        with pytest.raises(DatabaseError, match="permission denied"), as_app() as cursor:
            cursor.execute(statement)
    with pytest.raises(DatabaseError, match="three months"), as_app() as cursor:
        cursor.execute("SELECT security_log_forget(now())")
    forget_done_jobs()
    assert list(SecurityEvent.objects.values_list("staff", flat=True)) == ["S-0001"]


def test_every_event_that_is_noted_has_its_word() -> None:
    """Names of events are literals where they are noted."""
    root = Path(security_log.__file__).parent.parent
    noted: set[str] = set()
    for package in ("casino", "audit", "jackpot"):
        for path in (root / package).rglob("*.py"):
            noted |= set(re.findall(r"\bnote\(\s*\"([a-z-]+)\"", path.read_text("utf-8")))
    assert noted <= WORDS.keys()
    assert len(noted) > 15
    assert reverse("security-log")
