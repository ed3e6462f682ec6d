"""An evidence pack: asked for in a session, made whole or not at all, and verified offline with
nothing of the house but what lies in it.
"""

import errno
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import cryptography
import psycopg
import pytest

from audit import document_tasks, offline_programs
from audit.models import Finding, PackPiece, ReportIssue, ReportRequest
from audit.models.verification_projections import Export
from audit.reports import check_report
from audit.reports.packs import pack_making, pack_plan
from casino import clock
from casino.recording.writing import add_job
from tests.audit.packed import made_pack, unpacked
from tests.audit.reconciling import reconcile
from tests.casino.signer_house import SignerHouse
from tests.factories.findings import DAY, client_of
from tests.factories.reported import LIST, Desk, a_night, sent_by
from tests.gate import drawn
from tests.jobs_inline import do_jobs
from tests.stages import recorded_once

Connect = Callable[..., psycopg.Connection]
pytestmark = pytest.mark.share
PARTIDA = f"BJ-01/{DAY}/1"


@recorded_once
def night() -> None:
    a_night()
    reconcile("night")


@pytest.fixture
def house(
    night: None,
    fresh_db: str,
    tmp_path: Path,
    database_environment: dict[str, str],
    connect_as: Connect,
) -> SignerHouse:
    return SignerHouse(tmp_path, database_environment, connect_as)


@pytest.fixture
def desk(house: SignerHouse, settings: Any) -> Desk:
    return Desk(house, settings)


@pytest.fixture
def alone(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Runs the verifier of a pack in a process that has `cryptography` and nothing else."""
    packages = tmp_path / "packages"
    packages.mkdir()
    root = Path(cryptography.__file__).parents[1]
    for each in [*root.glob("cryptography*"), *root.glob("*cffi*")]:
        os.symlink(each, packages / each.name)

    def run(
        place: Path, *more: str, what: str = ".", by: str = "livro-verifier"
    ) -> tuple[int, str]:
        start = f"import sys, runpy; sys.path.append({str(packages)!r}); sys.argv = sys.argv[1:]; "
        start += "runpy.run_path(sys.argv[0], run_name='__main__')"
        program = f"programas/{by}.pyz"
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", start, program, what, "--language", "en", *more],
            cwd=place,
            env={},
            capture_output=True,
            text=True,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stdout + done.stderr

    return run


Alone = Callable[..., tuple[int, str]]


def test_the_pack_of_a_finding_is_verified_with_nothing_but_itself(
    desk: Desk, alone: Alone, tmp_path: Path
) -> None:
    row = made_pack(desk)
    place = unpacked(desk, row, tmp_path / "pack")
    code, text = alone(place)
    assert code == 0, text
    assert "AGREES WITH ITSELF" in text
    names = {one.relative_to(place).as_posix() for one in place.rglob("*") if one.is_file()}
    numbers = [str(one) for one in ReportIssue.objects.order_by("number")]
    assert len(numbers) == 3
    assert numbers[-1] == row.number
    assert names >= {
        *("LEIA-ME.txt", "README.txt", "SHA256SUMS", "listas/findings.csv", "listas/findings.xlsx"),
        *("livro/bundle.json", "livro/checkpoint", "livro/policy", "manifesto/manifesto.pdf"),
        *(f"relatorios/{number}.pdf" for number in numbers[:2]),
    }
    manifest, digest = check_report.report_of((place / "manifesto/manifesto.pdf").read_bytes())
    assert digest == ReportIssue.objects.get(report="manifest").json_sha256
    files = json.loads((place / "manifesto/manifesto.json").read_bytes())["files"]
    assert {one["name"] for one in files} == names - {"SHA256SUMS"} - {
        f"manifesto/manifesto.{end}" for end in ("pdf", "json", "proofs.json")
    }
    for one in files:
        data = (place / one["name"]).read_bytes()
        assert (len(data), sha256(data).hexdigest()) == (one["size"], one["sha256"])
    kinds = {one["stream"] for one in manifest["entries"]}
    assert kinds == {"house"}, "the entries that say that the copy and the reports were made"
    export = Export.objects.get()
    assert (export.staff, export.office, export.openings) == ("I-0021", "inspetor", False)
    shown = json.loads((place / "livro/bundle.json").read_bytes())
    assert shown["scope"]["kind"] == "range"
    policy = str(desk.house.at.public / "policy")
    code, text = alone(place, "--policy", policy)
    assert (code, "SIGNED AND WHOLE" in text) == (0, True), text


def test_one_flipped_byte_anywhere_is_named(desk: Desk, alone: Alone, tmp_path: Path) -> None:
    place = unpacked(desk, made_pack(desk), tmp_path / "pack")
    names = sorted(one.relative_to(place) for one in place.rglob("*") if one.is_file())
    for file in (place / one for one in drawn(names, 2, kind=lambda one: (one.parent, one.suffix))):
        if file.name == "livro-verifier.pyz":
            continue  # the program itself: whoever doubts it takes his own
        data = bytearray(file.read_bytes())
        if not data:
            continue
        data[len(data) // 2] ^= 1
        kept = file.read_bytes()
        file.write_bytes(data)
        code, text = alone(place)
        file.write_bytes(kept)
        name = file.relative_to(place).as_posix()
        assert code in (1, 3), (name, text)
        assert name in text, text
    (place / "listas" / "more.csv").write_text("one more")
    (place / "listas" / "findings.json").unlink()
    code, text = alone(place)
    assert code == 1
    assert "listas/more.csv: The file is not in the manifest" in text
    assert "MISSING: listas/findings.json" in text


def test_a_report_of_another_book_is_no_part_of_it(
    desk: Desk, alone: Alone, tmp_path: Path
) -> None:
    """Lists that were made anew, too: what the PDF carries and what the book's root is, hold."""
    place = unpacked(desk, made_pack(desk), tmp_path / "pack")
    file = next(place.glob("relatorios/*2.json"))
    value = json.loads(file.read_bytes())
    value["checkpoint"]["root"] = "0" * 64
    file.write_text(json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")))
    code, text = alone(place)
    assert code == 1
    assert "was exchanged" in text
    assert "is not of the book that is in the archive" in text


def test_a_pack_is_whole_or_not_there(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    row = desk.ask("manifest", pack="game", partida=PARTIDA)
    do_jobs(topic="report")
    row.refresh_from_db()
    assert row.state == "open"
    assert "Espera pelo selo do assinador" in row.refusal
    assert desk.client.get(f"{LIST}{row.request}/0/").status_code == 404
    full = OSError(errno.ENOSPC, "no room")

    def no_room(*_: object, **__: object) -> None:
        raise full

    with monkeypatch.context() as away:
        away.setattr(pack_making, "_write_report", no_room)
        row = desk.work(row)
    assert row.state == "failed"
    assert "está cheio" in row.refusal
    assert (PackPiece.objects.count(), Export.objects.count()) == (0, 0)
    assert desk.client.get(f"{LIST}{row.request}/0/").status_code == 404
    desk.client.post(f"{LIST}{row.request}/again/")
    for _turn in range(4):
        row = desk.work(row)
    assert (row.state, row.refusal) == ("finished", "")
    assert Export.objects.count() == 1
    assert not list(Path(tempfile.gettempdir()).glob("pack-*"))
    page = desk.client.get(f"{LIST}{row.request}/").text
    assert "Descarregar" in page
    assert ReportIssue.objects.count() == row.members.count() + 1


def test_an_expired_pack_is_asked_for_anew(desk: Desk) -> None:
    row = made_pack(desk, "days")
    ReportRequest.objects.filter(pack=None).update(expires_at=clock.now() - timedelta(seconds=1))
    answer = desk.client.get(f"{LIST}{row.request}/0/", follow=True)
    assert "expirou" in answer.text
    answer = desk.client.post(f"{LIST}{row.request}/again/")
    assert str(row.request) not in answer["Location"]
    assert ReportRequest.objects.filter(pack=None).count() == 2
    do_jobs(topic="report")
    assert not PackPiece.objects.filter(request=row).exists()


@pytest.mark.parametrize(
    ("pack", "kind", "reports"),
    [
        ("days", "range", 4),
        ("game", "range", 2),
        ("copy_days", "range", 0),
        ("copy_table", "table", 0),
        ("copy_book", "full", 0),
    ],
)
def test_each_pack_verifies(
    desk: Desk, alone: Alone, tmp_path: Path, pack: str, kind: str, reports: int
) -> None:
    more = {"partida": PARTIDA} if pack == "game" else {}
    more |= {"table": "BJ-01"} if pack == "copy_table" else {}
    row = made_pack(desk, pack, **more)
    place = unpacked(desk, row, tmp_path / "pack")
    code, text = alone(place)
    assert code == 0, text
    assert json.loads((place / "livro/bundle.json").read_bytes())["scope"]["kind"] == kind
    if kind == "full":
        assert alone(place, what="livro", by="livro-verify")[0] == 0
    assert row.members.count() == reports
    assert (place / "listas").exists() == bool(reports)
    assert Export.objects.get().extent == kind


def test_a_pack_is_held_against_a_checkpoint_he_kept(
    desk: Desk, alone: Alone, tmp_path: Path
) -> None:
    kept = (desk.house.at.public / "checkpoint").read_text()
    size = int(kept.split("\n")[1])
    made_pack(desk, "copy_days")  # the book goes on
    row = made_pack(desk, "copy_days", checkpoint=kept.replace("\n", "\r\n"))
    place = unpacked(desk, row, tmp_path / "pack")
    assert (place / "guardado/checkpoint").read_text() == kept
    code, text = alone(place, "--older-checkpoint", "guardado/checkpoint")
    assert code == 0, text
    assert f"INTACT in its first {size} of" in text
    manifest = json.loads((place / "manifesto/manifesto.json").read_bytes())
    section = next(one for one in manifest["sections"] if "Confronto" in one["heading"])
    assert f"os seus primeiros {size} registos são os de então" in section["texts"][1]


def test_what_no_pack_can_be_of_is_refused_in_words(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for sent, words in (
        ({"pack": "everything"}, "Escolha de que é o dossiê"),
        ({"pack": "finding", "finding": "x"}, "Não há tal constatação"),
        ({"pack": "game", "partida": "BJ-01/2026-01-01/9"}, "Não existe a partida"),
        ({"pack": "copy_table"}, "Diga que mesa"),
        ({"pack": "days", "table": "BJ-77"}, "BJ-77"),
        ({"pack": "days", "from": str(DAY - timedelta(days=31))}, "no máximo, 31 dias"),
        ({"pack": "days", "checkpoint": "mine"}, "Isso não é um ponto de controlo"),
        ({"pack": ""}, "Escolha um dos relatórios"),
    ):
        answer = desk.send("manifest", **sent)
        assert answer.status_code == 400
        assert words in answer.text, (sent, words)
    assert not ReportRequest.objects.exists()
    monkeypatch.setattr(pack_plan, "MOST_ENTRIES", 3)
    row = made_pack(desk, "copy_book")
    assert row.state == "failed"
    assert "no máximo, 3" in row.refusal


def test_who_may_ask_and_two_at_once(desk: Desk) -> None:
    for office in ("fiscal_de_banca", "chefia_da_sala", "administrador"):
        client = client_of(office)
        assert sent_by(client, "manifest", pack="days").status_code == 403
    assert [desk.send("manifest", pack="days").status_code for _ in range(3)] == [302, 302, 400]


def test_the_programs_are_those_of_the_recipe(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "audit.offline_programs", str(tmp_path)]
    subprocess.run(run, check=True, capture_output=True, env={**os.environ, "TZ": "Asia/Tokyo"})
    there = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    assert there == offline_programs.programs()


def test_the_demo_asks_for_one_pack(night: None, monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Finding.objects.order_by("n")[0]
    monkeypatch.setattr(document_tasks, "CHECK", finding.check_name)
    monkeypatch.setattr(document_tasks, "WORKED", "BJ-77")
    add_job("demo-pack", "demo-pack/1", {"day": str(DAY)})
    do_jobs(topic="demo-pack")
    assert not ReportRequest.objects.exists(), "not reconciled yet"
    monkeypatch.setattr(document_tasks, "WORKED", finding.table_code)
    do_jobs(topic="demo-pack", now=clock.now() + timedelta(hours=1))
    assert ReportRequest.objects.get().findings == [str(finding.pk)]
    do_jobs(topic="demo-pack", now=clock.now() + timedelta(hours=1))
    assert ReportRequest.objects.count() == 1


def test_the_pages_lead_to_a_pack(desk: Desk) -> None:
    finding = Finding.objects.order_by("n")[0]
    page = desk.client.get(f"/admin/audit/finding/{finding.pk}/change/").text
    assert 'name="pack" value="finding"' in page
    assert 'name="pack" value="days"' in desk.client.get(f"/audit/night/{DAY}/").text
    assert 'value="game" selected' in desk.client.get(f"{LIST}?pack=game&partida={PARTIDA}").text
    assert 'name="pack"' not in client_of("chefia_da_sala").get(f"/audit/night/{DAY}/").text
