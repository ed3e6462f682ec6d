"""A report whole: asked for in a session, read, numbered, made, sealed by the signer's account,
downloaded, and verified with nothing of the house.
"""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import openpyxl
import psycopg
import pypdf
import pytest
from django.db.models import Max
from django.test import Client

from audit.events import BookVerified
from audit.models import Export, ReportFile, ReportIssue, ReportRequest
from audit.reports import check_report
from audit.reports.typesetting import typeset_volumes
from casino import clock, sealed
from casino.models import BookEntry, BookLeaf, DocumentSeal, DocumentSignature
from casino.tlog.note import valid_signatures
from casino.tlog.policy import Policy
from casino.tlog.proof_file import ProofFile
from tests.audit.reconciling import reconcile
from tests.casino.signer_house import SignerHouse
from tests.factories.findings import DAY, client_of, write
from tests.factories.reported import LIST, Desk, a_night, sent_by
from tests.gate import ROOT
from tests.jobs_inline import do_jobs
from tests.stages import recorded_once

Connect = Callable[..., psycopg.Connection]
pytestmark = pytest.mark.share


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


def body(entry: BookEntry) -> dict[str, Any]:
    return dict(json.loads(bytes(entry.entry)))


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    else:
        yield str(value)


def test_a_report_is_asked_for_made_and_sealed(desk: Desk) -> None:
    row = desk.ask()
    assert (row.state, row.number, row.by_staff) == ("open", "", "I-0021")
    do_jobs(topic="report")
    row.refresh_from_db()
    assert row.state == "open"
    assert "Espera pelo selo do assinador" in row.refusal
    assert desk.client.get(f"{LIST}{row.request}/1/").status_code == 404, "nothing half-published"
    desk.sign()
    do_jobs(topic="report")
    row.refresh_from_db()
    assert (row.state, row.refusal, row.number) == (
        "finished",
        "",
        f"REL-{clock.now().year}-000001",
    )
    pdf = desk.download(row)
    report, digest = check_report.report_of(pdf)
    certificate = (desk.house.at.seal / "certificate.pem").read_bytes()
    from audit.reports.pdf_seal import SealCertificate

    seal = check_report.seal_of(pdf, SealCertificate.of_pem(certificate).chain)
    assert (seal.state, seal.name, seal.whole) == ("valid", "TEST sala.example", True)
    issue = ReportIssue.objects.get()
    assert (issue.json_sha256, str(issue)) == (digest, row.number)
    entry = body(BookEntry.objects.get(pk=issue.pk))
    assert entry["who"] == {"door": "admin", "office": "inspetor", "staff": "I-0021"}
    assert entry["payload"]["size"] == report["checkpoint"]["size"]["n"]
    asked = DocumentSeal.objects.get()
    assert (asked.document, asked.sha256) == (f"{row.number}/1", row.files.get().unsealed_sha256)
    assert row.files.get().sha256 == sha256(pdf).hexdigest()


@pytest.mark.check
def test_every_number_of_its_pages_stands_in_its_json(desk: Desk) -> None:
    for language, report in (("pt", "game"), ("en", "nonconformity"), ("pt", "articles")):
        pdf = desk.download(desk.make(report, language=language))
        value, digest = check_report.report_of(pdf)
        frame = f"{digest} " + " ".join(map(str, range(1, 60)))
        there = re.sub(r"\s", "", " ".join([*texts(value), frame]))
        for page in pypdf.PdfReader(io.BytesIO(pdf)).pages:
            shown = page.extract_text().replace("\u200b", "")
            for number in re.findall(r"[0-9][0-9.,:/\u00a0]*[0-9]|[0-9]", shown):
                assert re.sub(r"\s", "", number) in there, number


def test_the_same_request_gives_the_same_bytes_before_the_seal(desk: Desk) -> None:
    row = desk.make()
    first = row.files.get()
    sealed = bytes(first.content or b"")
    document, proofs = bytes(row.document or b""), bytes(row.proofs or b"")
    again = next(typeset_volumes(document, proofs, sha256(document).hexdigest(), sealed=True)).pdf
    assert sha256(again).hexdigest() == first.unsealed_sha256
    assert sealed.startswith(again), "the seal is put after the pages, and changes none of them"


def test_its_file_expires_and_is_made_again(desk: Desk) -> None:
    row = desk.make()
    first = row.files.get().unsealed_sha256
    ReportRequest.objects.update(expires_at=clock.now() - timedelta(seconds=1))
    answer = desk.client.get(f"{LIST}{row.request}/1/", follow=True)
    assert "Este ficheiro expirou" in answer.text
    assert desk.client.post(f"{LIST}{row.request}/again/").status_code == 302
    row = desk.work(row)
    assert (row.state, row.files.get().unsealed_sha256) == ("finished", first)
    assert check_report.seal_of(desk.download(row)).state == "unknown"
    assert ReportIssue.objects.count() == 1, "its number and its entry are those it had"


@pytest.mark.needs_tool("pdfsig")
def test_one_flipped_byte_is_found_by_us_and_by_poppler(desk: Desk, tmp_path: Path) -> None:
    pdf = bytearray(desk.download(desk.make()))

    def poppler() -> str:
        file = tmp_path / "report.pdf"
        file.write_bytes(pdf)
        ran = subprocess.run(["pdfsig", "-nocert", file], capture_output=True, text=True)
        return ran.stdout

    assert "Signature is Valid" in poppler()
    assert "Total document signed" in poppler()
    start = pdf.index(b"stream", len(pdf) // 3) + 40
    pdf[start] ^= 1
    assert check_report.seal_of(bytes(pdf)).state == "altered"
    assert "Digest Mismatch" in poppler()


@pytest.mark.check
def test_its_proofs_verify_with_nothing_of_the_house(desk: Desk, tmp_path: Path) -> None:
    pdf = desk.download(desk.make("nonconformity"))
    value, _digest = check_report.report_of(pdf)
    proofs = check_report.proofs_of(pdf)
    point = value["checkpoint"]
    found = check_report.prove(proofs)
    assert (found.proved, found.refused) == (len(value["entries"]), ())
    assert found.roots == {(point["size"]["n"], point["root"])}
    policy = Policy.parse((desk.house.at.public / "policy").read_text())
    assert valid_signatures(ProofFile.parse(proofs[0]["proof"]).note, policy.keys())
    shutil.copytree(ROOT / "audit" / "verifier", tmp_path / "verifier")
    (tmp_path / "policy").write_text((desk.house.at.public / "policy").read_text())
    for place, one in enumerate(proofs):
        (tmp_path / f"{place}.tlog-proof").write_text(one["proof"])
        ran = subprocess.run(
            [sys.executable, "-m", "verifier", f"{place}.tlog-proof", "--policy", "policy"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_proof_that_was_exchanged_is_named(desk: Desk) -> None:
    proofs = check_report.proofs_of(desk.download(desk.make()))
    proofs[0]["proof"] = proofs[1]["proof"]
    found = check_report.prove(proofs)
    assert found.refused == (f"{proofs[0]['entry']['stream']} {proofs[0]['entry']['n']}",)


def test_numbers_have_no_gaps_whatever_fails(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    first = desk.make()
    desk.send("game", table="BJ-77")  # refused: no such table
    with monkeypatch.context() as away:
        away.setattr("audit.reports.typesetting.SECONDS", 0)
        failed = desk.make()
    assert failed.state == "failed"
    assert "Não foi possível fazer as páginas" in failed.refusal
    third = desk.make()
    numbers = [first.number, failed.number, third.number]
    assert [one[-6:] for one in numbers] == ["000001", "000002", "000003"]
    desk.client.post(f"{LIST}{failed.request}/again/")
    again = desk.work(failed)
    assert (again.state, again.number) == ("finished", numbers[1])


def test_without_a_seal_every_page_says_so(house: SignerHouse, settings: Any) -> None:
    desk = Desk(house, settings, seal=False)
    assert "são feitos sem selo" in desk.client.get(LIST).text
    row = desk.make()
    assert row.state == "finished"
    pdf = desk.download(row)
    assert check_report.seal_of(pdf).state == "none"
    for page in pypdf.PdfReader(io.BytesIO(pdf)).pages:
        assert page.extract_text().count("SEM SELO") >= 2
    assert not DocumentSignature.objects.exists()


def test_the_signer_signs_nothing_the_book_does_not_name(desk: Desk) -> None:
    row = desk.ask()
    do_jobs(topic="report")
    asked = DocumentSeal.objects.get()
    desk.signing.turn()  # the entry has no place in the tree yet
    assert not DocumentSignature.objects.exists()
    desk.house.forge(
        "casino_document_seal",
        f"UPDATE casino_document_seal SET digest = '{'0' * 64}'",
    )
    desk.sign()
    do_jobs(topic="report")
    row.refresh_from_db()
    assert row.state == "finished", "what is signed is what the entry says, not what a row says"
    assert asked.digest != "0" * 64


def test_only_an_inspector_or_an_auditor_and_each_his_own(desk: Desk) -> None:
    row = desk.make()
    auditor = client_of("auditor")
    assert auditor.get(f"{LIST}{row.request}/").status_code == 404
    assert auditor.get(f"{LIST}{row.request}/1/").status_code == 404
    assert row.number not in auditor.get(LIST).text
    for office in ("fiscal_de_banca", "fiscal_chefe", "chefia_da_sala", "administrador"):
        assert client_of(office).get(LIST).status_code == 403
        assert desk.send(client=client_of(office)).status_code == 403
    assert Client().get(LIST).status_code == 302


def test_two_at_once_and_no_third(desk: Desk) -> None:
    rows = [desk.ask(), desk.ask()]
    answer = desk.send()
    assert answer.status_code == 400
    assert "Dois dos seus relatórios" in answer.text
    do_jobs(topic="report")
    desk.sign()
    do_jobs(topic="report")
    made = {ReportRequest.objects.get(pk=row.pk).number[-6:] for row in rows}
    assert made == {"000001", "000002"}


def test_a_form_sent_twice_is_one_report(desk: Desk) -> None:
    key = "0193479e-7777-4c3e-9a54-0c6f2b1d7e10"
    assert desk.ask(request=key).pk == desk.ask(request=key).pk
    assert ReportRequest.objects.count() == 1
    # Gone back to and changed, the form that has the same key asks for something else.
    other = desk.ask(request=key, language="en")
    assert ReportRequest.objects.count() == 2
    assert desk.ask(request=key, language="en").pk == other.pk


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"report": "everything"}, "Escolha um dos relatórios"),
        ({"from": "", "to": ""}, "Indique de que dia"),
        ({"from": "2025-11-21", "to": "2025-11-20"}, "é posterior ao último"),
        ({"from": "2025-01-01", "to": "9999-12-31"}, "ainda não começou"),
        ({"from": "0001-01-01", "to": "2025-11-20"}, "não tem dias anteriores"),
        ({"from": "2025-11-01", "to": "2025-11-20"}, "no máximo, 7 dias"),
        ({"table": "BJ-77"}, "nenhuma mesa BJ-77"),
        ({"table": "\0"}, "nenhuma mesa"),
        ({"report": "jackpot"}, "Indique o prémio acumulado"),
        ({"language": "de"}, "Escolha uma das línguas"),
        ({"report": "nonconformity", "finding": "x"}, "Não há tal constatação"),
        ({"request": "no uuid"}, "Escolha um dos relatórios"),
    ],
)
def test_what_no_report_can_be_of_is_refused_in_words(
    night: None, sent: dict[str, str], said: str
) -> None:
    answer = sent_by(client_of("inspetor"), **sent)
    assert answer.status_code == 400
    assert said in answer.text
    assert not ReportRequest.objects.exists()


def test_days_without_anything_are_a_report_that_says_so(desk: Desk) -> None:
    before = str(DAY - timedelta(days=30))
    for report in ("game", "decks", "complaints", "nonconformity", "incidents"):
        row = desk.make(report, **{"from": before, "to": before})
        assert row.state == "finished", row.refusal
        value, _digest = check_report.report_of(desk.download(row))
        assert value["sections"]


def test_a_findings_page_leads_to_its_report_at_once(desk: Desk) -> None:
    from audit.models import Finding

    finding = Finding.objects.first()
    assert finding is not None
    page = desk.client.get(f"/admin/audit/finding/{finding.pk}/change/").text
    form = page[page.index('action="/audit/reports/"') :]
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[: form.index("</form>")]))
    sent.pop("csrfmiddlewaretoken")
    answer = desk.client.post(LIST, sent)
    assert answer.status_code == 302
    row = desk.work(ReportRequest.objects.get())
    value, _digest = check_report.report_of(desk.download(row))
    assert {
        "leaf": bytes(finding.entry.leaf_hash).hex(),
        "n": finding.n,
        "stream": "reconciler",
    } in (value["entries"])
    about = {one["name"]: one["value"]["text"] for one in value["about"]}
    assert about["Mesa"] == finding.table_code == "BJ-01"
    timeline = desk.client.get(f"/timelines/partidas/{finding.partida_id}/").text
    assert f"/audit/reports/?report=game&amp;table=BJ-01&amp;from={DAY}&amp;to={DAY}" in timeline
    asked = client_of("fiscal_chefe").get(f"/timelines/partidas/{finding.partida_id}/").text
    assert "report=game" not in asked


def test_the_pages_of_a_report_show_its_digests(desk: Desk) -> None:
    row = desk.make()
    page = desk.client.get(f"{LIST}{row.request}/").text
    file = ReportFile.objects.get()
    for said in (row.number, file.sha256, file.unsealed_sha256, "Descarregar o PDF"):
        assert said in page
    assert row.number in desk.client.get(LIST).text
    assert desk.client.get(f"{LIST}{row.request}/progress/").json()["state"] == "ended"


def test_its_tables_and_its_json_are_files_too(desk: Desk) -> None:
    row = desk.make("owed")
    page = desk.client.get(f"{LIST}{row.request}/").text
    addresses = re.findall(rf'href="({LIST}{row.request}/tables/\d+/)"', page)
    assert len(addresses) >= 5
    text = b"".join(desk.client.get(addresses[0])).decode("utf-8-sig")  # type: ignore[call-overload]
    head, line, *_more = csv.reader(text.splitlines())
    assert head[:3] == ["jogador", "partida", "constatacoes"]
    assert line[2:] == ["1", "500", "0", "0", "500"], "amounts in cents"
    told = json.loads(b"".join(desk.client.get(f"{addresses[0]}?as=json")))  # type: ignore[call-overload]
    assert told["header"]["list"] == "report"
    assert told["rows"][0]["aos_jogadores"] == 500
    sheet = openpyxl.load_workbook(
        io.BytesIO(b"".join(desk.client.get(f"{addresses[0]}?as=xlsx")))  # type: ignore[call-overload]
    ).worksheets[0]
    assert sheet["D1"].value == "Aos jogadores"
    assert (sheet["D2"].value, sheet["D2"].number_format) == (5, '#,##0.00 "€"')
    whole = desk.client.get(f"{LIST}{row.request}/report.json").content
    assert whole == bytes(row.document or b"")
    assert Export.objects.filter(of_list="report", extent="list").count() == 4
    assert desk.client.get(f"{LIST}{row.request}/tables/0/").status_code == 404
    assert desk.client.get(f"{LIST}{row.request}/tables/999/").status_code == 404
    assert client_of("auditor").get(addresses[0]).status_code == 404, "each his own"


def test_a_certificate_names_who_signed_and_what_verified(desk: Desk) -> None:
    def verified(size: int, problems: int) -> None:
        run = "01934700-0000-7000-8000-00000000000" + str(problems)
        result = BookVerified(size=size, entries=size, problems=problems, why="asked", run=run)
        write([result])
        desk.sign()

    def certificate() -> dict[str, Any]:
        row = desk.make("integrity")
        value, _digest = check_report.report_of(desk.download(row))
        return {one["heading"]: one for one in value["sections"]}

    newest = sealed.latest()
    assert newest is not None
    last = BookLeaf.objects.filter(entry__gaming_day=DAY).aggregate(last=Max("idx"))["last"]
    verified(last, 0)  # one entry too short: the last of these days was not read
    shown = certificate()
    assert shown["Resultado"]["texts"] == ["Ainda nenhuma verificação leu estes dias até ao fim."]
    pairs = {one["name"]: one["value"]["text"] for one in shown["Selo"]["pairs"]}
    assert pairs["Raiz"] == newest.root.hex()
    assert pairs["Assinado pelas chaves de"] == newest.origin
    verified(last + 1, 0)
    (text,) = certificate()["Resultado"]["texts"]
    assert "nada contradiz o livro" in text.lower()
    assert "fora da casa" in text, "no more than was brought"
    verified(last + 1, 2)
    shown = certificate()
    assert "encontrou 2 problemas" in shown["Resultado"]["texts"][0]
    assert len(shown["Verificações que leram estes dias até ao fim"]["rows"]) == 2
