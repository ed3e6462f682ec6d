"""The administrador's page of the machine: what the doctor kept, and the house at this moment."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from casino import clock
from casino.machine.host_findings import Finding, Report, Text, keep
from casino.models import JobTry
from casino.recording.writing import add_job
from tests.factories.findings import client_of, people

HOST = "/host/"
DISK = Finding(check="disk", what=Text("Disco", "Disk"), state="ok", found=Text("9 GB", "9 GB"))
CLOCK = Finding(
    check="clock",
    what=Text("Relógio", "Clock"),
    state="wrong",
    found=Text("parado", "stopped <b>"),
    expected=Text("acertado", "synchronised"),
    remedy=Text("veja o chrony", "see to chrony"),
)


@pytest.fixture
def reader(db: None) -> Client:
    """An administrador."""
    people()
    return client_of("administrador")


def page(reader: Client, language: str = "en") -> str:
    answer = reader.get(HOST, headers={"accept-language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def looked(settings: Any, folder: Path, *findings: Finding, at: datetime | None = None) -> None:
    """The doctor kept a report."""
    settings.HOST_REPORT = str(folder / "report.json")
    keep(Report(at or clock.now(), findings), folder / "report.json")


def test_what_is_wrong_stands_first_with_what_to_do(
    reader: Client, settings: Any, tmp_path: Path
) -> None:
    looked(settings, tmp_path, DISK, CLOCK)
    english = page(reader)
    assert english.index("see to chrony") < english.index("At this moment") < english.index("Disk")
    assert "stopped &lt;b&gt;" in english
    assert "Nobody has looked" not in english
    portuguese = page(reader, "pt-PT")
    assert "veja o chrony" in portuguese
    assert "see to chrony" not in portuguese
    assert "Falta ou está errado" in portuguese


def test_where_all_is_well_it_says_so(reader: Client, settings: Any, tmp_path: Path) -> None:
    looked(settings, tmp_path, DISK)
    assert "Nothing is missing or wrong." in page(reader)


def test_a_look_of_long_ago_is_no_comfort(reader: Client, settings: Any, tmp_path: Path) -> None:
    looked(settings, tmp_path, DISK, at=clock.now() - timedelta(minutes=14))
    assert "Nobody has looked since" not in page(reader)
    looked(settings, tmp_path, DISK, at=clock.now() - timedelta(minutes=16))
    assert "Nobody has looked since" in page(reader)


def test_without_a_report_the_page_says_why(reader: Client, settings: Any, tmp_path: Path) -> None:
    settings.HOST_REPORT = ""
    assert "opened by hand" in page(reader)
    settings.HOST_REPORT = str(tmp_path / "report.json")
    assert "Nobody has looked at the machine since it was started" in page(reader)
    for broken in (b"", b"\xff", b'{"at": "then"}', b"[" * 100_000):
        (tmp_path / "report.json").write_bytes(broken)
        assert "cannot be" in page(reader)


def test_what_waits_is_counted(reader: Client) -> None:
    add_job("held-record", "one", {}, due_at=clock.now() - timedelta(minutes=5))
    said = " ".join(page(reader).split())
    assert "Jobs that are due and were not sent</th><td>1</td>" in said
    assert "a job was due at" in said  # the readiness of the outbox
    JobTry.objects.create(key="given up", tries=3, began_at=clock.now(), failed_at=clock.now())
    assert "Jobs given up" in page(reader)


def test_it_is_the_administradors_alone(db: None) -> None:
    people()
    for office in ("fiscal_chefe", "chefia_da_sala", "inspetor", "auditor"):
        assert client_of(office).get(HOST).status_code == 403
    assert Client().get(HOST).status_code == 302
    assert client_of("administrador").post(HOST).status_code == 405
