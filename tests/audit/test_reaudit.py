"""A period under another law beside the official one: its sums, its digest, its sealed sheet, and
the same made again from the evidence pack, without the house.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db.backends.base.base import BaseDatabaseWrapper
from django.urls import reverse

from audit.events import MOST_EVIDENCE
from audit.models import ReportRequest, RunSheet
from audit.reconcile import comparison_sums as sums
from audit.reconcile import opening
from audit.reconcile.compare_laws import compared as compare
from audit.reconcile.compare_laws import compared_of, kept_whole, shortened
from audit.reports.check_report import report_of
from audit.reports.packs import reaudit_pack
from audit.reports.readers import read_reaudit
from audit.reports.report_entries import Asked, TooMuch
from audit.reports.report_reading import _tables, draft_of
from casino import clock
from casino.demo.cast import INSPECTOR
from casino.events.round.round_played import RoundPlayed
from casino.house_day import day_begins
from casino.recording.writing import add_job
from tests.audit.packed import made_pack, unpacked
from tests.audit.reconciling import reconcile
from tests.casino.signer_house import SignerHouse
from tests.factories.evenings import DAY as DAY_TEXT
from tests.factories.evenings import opened, partida_of, record_all
from tests.factories.figures_set import (
    ASKER,
    DECIDER,
    asked_for,
    days_from_now,
    set_by_two,
)
from tests.factories.findings import DAY, client_of, people
from tests.factories.people import appoint, somebody
from tests.factories.reported import Desk, a_night, sent_by
from tests.factories.rounds import a_round, box, main
from tests.factories.tonight import at
from tests.jobs_inline import do_jobs
from tests.stages import recorded_once

pytestmark = pytest.mark.share

Connect = Callable[..., psycopg.Connection]
BUST = ("bank-bust", "nearer_wins")
DAYS: dict[str, Any] = {"partida": "", "from_day": DAY, "to_day": DAY}


def bank_busts(place: int, returned: int, *boxes: int) -> RoundPlayed:
    """A bank that went over 21 pays hands of 12, as the adopted reading has it."""
    seats = [box(number, "8S 4D", main(1000, returned)) for number in boxes or (1,)]
    one = a_round(*seats, bank="TH 6C TD", day=DAY_TEXT)
    return replace(
        one, round=str(uuid4()), table="BJ-02", partida=partida_of("BJ-02"), shoe=1, number=place
    )


@recorded_once
def night() -> None:
    """Two tables: at the second the bank went over 21 five times, and twice took the stakes."""
    a_night()
    paid = [bank_busts(1, 2000, 1, 3), bank_busts(2, 2000), bank_busts(3, 2000)]
    record_all([opened("BJ-02"), *paid, bank_busts(4, 0), bank_busts(5, 0)])
    reconcile("own", **DAYS)


def compared(job: str = "what if", **more: Any) -> RunSheet:
    asked = {"rulebook": "pt", "readings": (BUST,), **DAYS, **more}
    return RunSheet.objects.get(run=reconcile(job, **asked).run)


@pytest.mark.django_db
@pytest.mark.usefixtures("english")
class TestSums:
    def test_rounds_boxes_and_owners_are_counted_once(self, night: None) -> None:
        value = compared_of(compared())
        differ = value["whole"]["differ"]
        # Six stakes in five rounds: three rounds of four boxes paid too much, two not paid.
        assert (differ["findings"], differ["rounds"], differ["boxes"]) == (6, 5, 6)
        assert (differ["to_players"], differ["to_house"]) == (-4000, 8000)
        assert value["looked_at"]["rounds"] == 10
        assert value["looked_at"]["rounds_of_other_money"] == 5
        then, now = value["whole"]["then"], value["whole"]["now"]
        assert then["to_house"] - now["to_house"] == 8000
        assert sum(one["differ"]["to_house"] for one in value["sums"]) == 8000
        of = [one for one in value["touched"] if one["change"] == "appear" and not one["check"]]
        assert [one["touched"]["rounds"] for one in of] == [3]

    def test_a_finding_without_a_box_is_not_guessed(self) -> None:
        one = {
            **dict.fromkeys(("article", "check", "owed_to", "rulebook", "severity"), ""),
            "expected": {},
            "observed": {},
            "owed_cents": 0,
            "partida": partida_of(),
            "evidence": [],
            "where": {},
        }
        tally = sums.Tally()
        tally.add([sums.spelled(one, {})])
        found = tally.as_json()
        assert [found[name] for name in ("rounds", "boxes", "owners")] == [0, 0, 0]
        assert [found[f"without_{name}"] for name in ("round", "box", "owner")] == [1, 1, 1]
        # A box is one of a single round: of two nobody can say of which it is.
        two = {
            f"{n}": sums.NamedEntry("table/BJ-01", n, "0" * 64, RoundPlayed.kind) for n in (1, 2)
        }
        tally.add([sums.spelled(one | {"evidence": ["1", "2"], "where": {"box": 3}}, two)])
        found = tally.as_json()
        assert (found["rounds"], found["boxes"], found["without_box"]) == (2, 0, 2)

    def test_a_finding_on_more_entries_than_the_book_names_is_itself(self) -> None:
        by_id = {
            f"{n}": sums.NamedEntry("table/BJ-01", n, "0" * 64, RoundPlayed.kind)
            for n in range(1, MOST_EVIDENCE + 2)
        }
        alike = {"observed": {}, "expected": {}, "where": {}, "partida": partida_of()}
        alike |= dict.fromkeys(("article", "check", "rulebook", "severity", "owed_to"), "")
        alike |= {"owed_cents": 0}
        first = sorted(by_id, key=int)[:MOST_EVIDENCE]
        stands = alike | {"evidence": sorted(first), "finding": "", "n": 1}
        for evidence, same in ((by_id, 1), (first, 1), (first[:-1], 0)):
            found = shortened([alike | {"evidence": sorted(evidence)}], by_id)
            assert compare(found, [stands]).counts["same"] == same

    def test_what_is_owed_of_a_breach_does_not_take_its_place(self) -> None:
        breach = {
            **dict.fromkeys(("article", "check", "owed_to", "rulebook", "severity"), ""),
            "evidence": [],
            "where": {"box": 3},
            "partida": partida_of(),
            "owed_cents": 0,
            "observed": {"bank_shows": "KS"},
            "expected": {"bank_shows": "ace"},
        }
        other = {"observed": {"returned_cents": 0}, "expected": {"returned_cents": 2500}}
        owed = breach | other | {"owed_cents": 2500, "owed_to": "player"}
        stands = breach | {"finding": "", "n": 1}
        found = compare([breach, owed], [stands]).counts
        assert (found["same"], found["appear"], found["change"]) == (1, 1, 0)
        # Of the same figures it is one finding, said otherwise.
        ten = breach | {"observed": {"bank_shows": "TS"}}
        assert compare([ten], [stands]).counts["change"] == 1

    def test_the_digest_is_the_same_however_the_run_was_cut(
        self, night: None, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = compared()
        settings.ROUNDS_IN_PART = 2
        cut = compared("cut small")
        assert cut.parts.count() > whole.parts.count()
        assert compared_of(cut)["digest"] == compared_of(whole)["digest"]
        assert sums.digest_of(kept_whole(cut)) == compared_of(cut)["digest"]
        other = compared("as it is", readings=(("bank-bust", "loses"),))
        assert compared_of(other)["digest"] != compared_of(whole)["digest"]

    def test_its_page_and_its_file_say_them(self, night: None) -> None:
        sheet = compared()
        client = somebody("inspetor")
        page = client.get(reverse("run", args=[sheet.run]))
        value = page.context["comparison"]
        (appear,) = dict(value["groups"])["Would appear"]
        assert (appear.all.number, appear.all.rounds, appear.all.boxes) == (4, "3", "4")
        assert compared_of(sheet)["digest"] in page.text
        # Each difference names its round, and leads to it.
        ((name, url),) = value["differences"][0].rests_on
        assert name.startswith("entry "), name
        assert name.endswith(" of table BJ-02"), name
        assert client.get(url).status_code == 200
        assert page.context["would_hold"] == compared_of(sheet)["whole"]["then"]["findings"]
        rows = client.get(f"{reverse('run-csv', args=[sheet.run])}?sums=1")
        text = b"".join(rows.streaming_content).decode("utf-8-sig")  # type: ignore[arg-type]
        assert ",differ," in text
        each = client.get(reverse("run-csv", args=[sheet.run]))
        text = b"".join(each.streaming_content).decode("utf-8-sig")  # type: ignore[arg-type]
        assert text.splitlines()[0].endswith("finding,rounds,box,owner")

    def test_a_sheet_is_of_the_tables_its_run_was_asked_of(self, night: None) -> None:
        for named in ((), ("BJ-01", "BJ-02")):
            run = compared(f"of {named}", tables=named).run
            assert _tables(Asked("reaudit", DAY, DAY, findings=(str(run),))) == list(named)

    def test_a_run_of_an_earlier_version_says_so(self, night: None) -> None:
        sheet = compared()
        names = ("counts", "owed_now", "owed_then")
        sheet.compared = {name: compared_of(sheet)[name] for name in names}
        sheet.save()
        page = somebody("inspetor").get(reverse("run", args=[sheet.run]))
        assert "Made by an earlier version" in page.text
        (group, *_) = dict(page.context["comparison"]["groups"]).values()
        assert group[0].all.rounds == ""

    def test_a_sheet_says_what_it_does_not_show(
        self, night: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sheet = compared()

        def sections() -> dict[str, Any]:
            asked = Asked("reaudit", DAY, DAY, findings=(str(sheet.run),))
            return {str(one["heading"]): one for one in draft_of(asked, "inspetor").sections}

        shown = sections()["One by one"]
        assert (len(shown["rows"]), shown["texts"]) == (6, [])
        where = shown["rows"][0]["cells"][1]["text"]
        assert where.startswith(f"{partida_of('BJ-02')}; entry "), where
        monkeypatch.setattr(read_reaudit, "MOST_SHOWN", 5)
        shown = sections()["One by one"]
        assert (len(shown["rows"]), len(shown["texts"])) == (5, 1)
        assert [one["value"]["n"] for one in shown["pairs"]] == [6, 5]
        monkeypatch.setattr(read_reaudit, "MOST_DIFFERENCES", 6)
        assert sections()
        monkeypatch.setattr(read_reaudit, "MOST_DIFFERENCES", 5)
        with pytest.raises(TooMuch, match="fewer days"):
            sections()
        monkeypatch.undo()
        names = ("counts", "owed_now", "owed_then")
        sheet.compared = {name: compared_of(sheet)[name] for name in names}
        sheet.save()
        before = sections()
        assert "Sums by article" not in before
        assert before["How to make it again"]["texts"][0].startswith("Made by an earlier version")
        sheet.differences.all().delete()
        assert "no longer kept" in sections()["One by one"]["texts"][0]


# The sheet.


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


def made(desk: Desk, sheet: RunSheet, **more: str) -> ReportRequest:
    desk.sign()
    row = desk.make("reaudit", finding=str(sheet.run), **more)
    assert (row.state, row.refusal) == ("finished", "")
    return row


def again(*words: object) -> tuple[int, str]:
    """What the command says and with which number it ends."""
    said = StringIO()
    try:
        call_command("reaudit", *map(str, words), "--language", "en", stdout=said, stderr=said)
    except SystemExit as end:
        return int(end.code or 0), said.getvalue()
    return 0, said.getvalue()


def sheet_file(desk: Desk, row: ReportRequest, place: Path) -> Path:
    file = place / "sheet.pdf"
    file.write_bytes(desk.download(row))
    return file


def test_whoever_holds_the_pack_comes_to_the_same_digest(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = compared()
    row = made(desk, sheet)
    pdf = sheet_file(desk, row, tmp_path)
    document, _digest = report_of(pdf.read_bytes())
    reaudit: Any = document["reaudit"]  # type: ignore[typeddict-item]
    assert reaudit["digest"] == compared_of(sheet)["digest"]
    assert sums.digest_of(reaudit["comparison"]) == compared_of(sheet)["digest"]
    (command,) = (
        text for section in document["sections"] for text in section["texts"] if "manage.py" in text
    )
    assert command.endswith("--rulebook pt --reading bank-bust=nearer_wins")
    pack = unpacked(desk, made_pack(desk, "days"), tmp_path / "pack")

    def refused(*_args: object, **_named: object) -> None:
        raise AssertionError("a database was asked")

    with monkeypatch.context() as patch:
        for name in ("ensure_connection", "cursor", "connect"):
            patch.setattr(BaseDatabaseWrapper, name, refused)
        code, said = again(pack, pdf, "--rulebook", "pt", "--reading", "bank-bust=nearer_wins")
        assert (code, "THE SAME" in said, compared_of(sheet)["digest"] in said) == (
            0,
            True,
            True,
        ), said
        assert again(pack, pdf)[0] == 0  # as the sheet was asked
        code, said = again(pack, pdf, "--rulebook", "pt", "--reading", "cut-wraps=fiscal_de_banca")
        assert (code, "Another question" in said) == (0, True)
        _tampered(pack, pdf, tmp_path, sheet)
        _left_out(pack, pdf)


def _tampered(pack: Path, pdf: Path, tmp_path: Path, sheet: RunSheet) -> None:
    """A stake of the copy altered: the verifier says so; who passes over that is told another."""
    bad = tmp_path / "bad"
    shutil.copytree(pack, bad)
    files = sorted((bad / "livro/shown").iterdir())
    for file in files:
        data = file.read_bytes()
        if b'"returned_cents":2000' in data:
            file.write_bytes(data.replace(b'"returned_cents":2000', b'"returned_cents":2001', 1))
            break
    else:
        raise AssertionError("no such stake")
    code, said = again(bad, pdf)
    assert (code, "THE SAME" in said) == (1, False), said
    read = reaudit_pack.read_sheet(pdf.read_bytes(), (bad / "livro/policy").read_bytes())
    other = reaudit_pack.make_again(bad, read, read.asked)
    assert other.digest != compared_of(sheet)["digest"]


def _left_out(pack: Path, pdf: Path) -> None:
    """A finding that stood and that the sheet does not name; an entry of a game that is not there;
    a copy another key signed.
    """
    policy = (pack / "livro/policy").read_bytes()
    read = reaudit_pack.read_sheet(pdf.read_bytes(), policy)
    assert reaudit_pack.make_again(pack, read, read.asked).unnamed == []
    left_out = read.reaudit["standing"].pop()
    made = reaudit_pack.make_again(pack, read, read.asked)
    assert (made.unnamed, made.digest == read.reaudit["digest"]) == ([left_out], False)
    read.reaudit["games"][0]["own"] += 1
    with pytest.raises(reaudit_pack.NotMadeAgain, match="own"):
        reaudit_pack.make_again(pack, read, read.asked)
    with pytest.raises(reaudit_pack.NotMadeAgain, match="another-book"):
        reaudit_pack.read_sheet(pdf.read_bytes(), b"quorum none\n")


def test_a_finding_superseded_since_stays_in_the_sheet(desk: Desk, tmp_path: Path) -> None:
    sheet = compared()
    client = desk.client
    assert client.get(reverse("run", args=[sheet.run])).status_code == 200
    before = made(desk, sheet)
    record_all([bank_busts(6, 0)])
    reconcile("later", **DAYS)
    later = made(desk, sheet, language="en")
    values = [
        json.loads(bytes(row.document or b""))["reaudit"]["comparison"] for row in (before, later)
    ]
    assert values[0] == values[1]
    pack = unpacked(desk, made_pack(desk, "days"), tmp_path / "pack")
    code, said = again(pack, sheet_file(desk, later, tmp_path))
    assert code == 0, said
    code, said = again(pack, sheet_file(desk, desk.make("owed"), tmp_path))
    assert (code, "holds no comparison" in said) == (3, True)
    (tmp_path / "no.pdf").write_bytes(b"%PDF-1.7 nothing")
    assert again(pack, tmp_path / "no.pdf")[0] == 3
    assert again(tmp_path, tmp_path / "no.pdf")[0] == 3
    for words, refusal in (
        ((pack, tmp_path / "none.pdf"), "none.pdf cannot be opened"),
        ((tmp_path / "no.pdf", tmp_path / "no.pdf"), "unpack the pack"),
    ):
        with pytest.raises(CommandError, match=refusal) as refused:
            again(*words)
        assert refused.value.returncode == 3


def test_what_no_sheet_can_be_of_is_refused_in_words(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**more: str) -> str:
        answer = sent_by(desk.client, report="reaudit", language="en", **more)
        assert answer.status_code == 400
        return str(answer.text)

    assert "nenhuma comparação" in refused()
    own = RunSheet.objects.get(rulebook="")
    assert "nenhuma comparação" in refused(finding=str(own.run))
    going = opening.open_run(
        "going", opening.Asked(reason="asked", rulebook="pt", readings=(BUST,), **DAYS)
    )
    assert "não terminou" in refused(finding=str(going.run))
    going.state = "failed"
    going.save()
    assert "não chegou ao fim" in refused(finding=str(going.run))
    nothing = compared("nothing", rulebook="es", readings=())
    assert compared_of(nothing)["looked_at"]["games"] == 2
    empty = compared(
        "none",
        rulebook="es",
        readings=(),
        from_day=DAY.replace(year=2020),
        to_day=DAY.replace(year=2020),
    )
    assert "nenhuma partida" in refused(finding=str(empty.run))


def test_only_whoever_may_ask_sees_the_way_to_the_sheet(desk: Desk) -> None:
    sheet = compared()
    url = reverse("run", args=[sheet.run])
    assert f"report=reaudit&amp;finding={sheet.run}" in desk.client.get(url).text
    assert "report=reaudit" not in client_of("chefia_da_sala").get(url).text
    assert sent_by(client_of("chefia_da_sala"), report="reaudit").status_code == 403


@pytest.mark.django_db
def test_the_demo_asks_for_one_once_its_comparison_ended(night: None) -> None:
    add_job("demo-reaudit", "demo-reaudit/1", {"day": str(DAY)})
    do_jobs(topic="demo-reaudit")
    assert not ReportRequest.objects.exists(), "not compared yet"
    sheet = compared(asked_by=INSPECTOR.number)
    for hours in (1, 2):
        do_jobs(topic="demo-reaudit", now=clock.now() + timedelta(hours=hours))
        row = ReportRequest.objects.get()
        assert (row.report, row.findings) == ("reaudit", [str(sheet.run)])


def test_figures_set_in_the_book_hold_in_the_copy_too(
    fresh_db: str,
    tmp_path: Path,
    database_environment: dict[str, str],
    connect_as: Connect,
    settings: Any,
) -> None:
    people()
    for one in (ASKER, DECIDER):
        appoint(one.staff, one.office)
    day = days_from_now(2)
    set_by_two(asked_for(since=day, bank__bust="nearer_wins"))
    played = replace(bank_busts(1, 2000), table="BJ-01", partida=partida_of(day=str(day)))
    with at(day_begins(day) + timedelta(hours=9)):
        record_all([opened(day=str(day)), played], clock.now())
        reconcile("own", partida="", from_day=day, to_day=day)
        desk = Desk(SignerHouse(tmp_path, database_environment, connect_as), settings)
        asked = {"readings": (("odd-cent", "house"),), "from_day": day, "to_day": day}
        sheet = compared(**asked)
        assert compared_of(sheet)["counts"]["same"] > 0, "what the figure that was set finds"
        days = {"from": str(day), "to": str(day)}
        pdf = sheet_file(desk, made(desk, sheet, **days), tmp_path)
        pack = unpacked(desk, made_pack(desk, "days", **days), tmp_path / "pack")
        code, said = again(pack, pdf)
    assert (code, "another edition" in said) == (0, False), said
