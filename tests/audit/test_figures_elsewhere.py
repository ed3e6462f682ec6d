"""Figures set in a book, taken from a copy of it: whoever judges elsewhere comes to the same."""

import json
from base64 import b64encode
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest

from audit.inspectorate.second_judgement import compare
from audit.reports.report_entries import Asked
from audit.reports.report_reading import draft_of
from audit.rounds_file import Unusable
from audit.rounds_file.recorded_entries import sets_of
from casino import clock
from casino.house_day import day_begins
from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry
from casino.reading.round_writer import round_as_json
from tests.audit import round_lines
from tests.audit.reconciling import reconcile
from tests.factories.evenings import opened, partida_of, record_all
from tests.factories.figures_set import ASKER, DECIDER, asked_for, days_from_now, set_by_two
from tests.factories.people import appoint
from tests.factories.rounds import a_round, box, main
from tests.factories.tonight import at

pytestmark = [pytest.mark.share, pytest.mark.django_db]
FIRST: Final = 2  # days from now


@pytest.fixture(autouse=True)
def night() -> Any:
    """On its first night a reading was switched, and a round was paid as it was read before."""
    for one in (ASKER, DECIDER):
        appoint(one.staff, one.office)
    day = days_from_now(FIRST)
    set_by_two(asked_for(since=day, bank__bust="nearer_wins"))
    played = busted(day.isoformat())
    with at(day_begins(day) + timedelta(hours=9)):
        record_all([opened(day=day.isoformat()), played], clock.now())
        reconcile("night", partida=partida_of(day=day.isoformat()))
    return played


def busted(day: str) -> Any:
    """A bank that went over 21 pays a hand of 12."""
    one = a_round(box(1, "8S 4D", main(1000, 2000)), bank="TH 6C TD", day=day)
    where = {"table": "BJ-01", "partida": partida_of(day=day)}
    return replace(one, round=str(uuid4()), shoe=1, number=1, **where)


def entries() -> list[bytes]:
    rows = BookEntry.objects.order_by("recorded_at", "stream__name", "n")
    return [bytes(row.entry) for row in rows]


def of_a_log(listed: list[bytes]) -> Any:
    def read(first: int, wanted: Any) -> Any:
        for index, one in enumerate(listed):
            if index >= first and (wanted is None or index in wanted):
                yield index, one

    return read


def test_the_inspectorate_judges_by_the_sets_of_the_log() -> None:
    found = compare(of_a_log(entries()))
    assert (found["alike"], found["missing"], found["unfounded"]) == (1, 0, 0)
    assert found["editions"] == []
    without = [one for one in entries() if b'"kind":"figures-set/1"' not in one]
    found = compare(of_a_log(without))
    assert (found["alike"], found["missing"], found["unfounded"]) == (0, 0, 1)
    assert found["editions"] == ["pt"]


def test_a_set_one_person_made_is_none_for_the_inspectorate_either() -> None:
    altered = []
    for one in entries():
        body = json.loads(one)
        if body["kind"] == "figures-asked/1":
            body["who"] |= {"staff": DECIDER.staff}
        altered.append(json.dumps(body).encode())
    assert compare(of_a_log(altered))["unfounded"] == 1


def test_a_file_of_rounds_is_judged_by_the_sets_of_a_copy(tmp_path: Path, night: Any) -> None:
    copy, rounds = tmp_path / "book.jsonl", tmp_path / "rounds.jsonl"
    copy.write_bytes(b"\n".join(entries()))
    rounds.write_text(round_as_json(night), "utf-8")
    lines = str(rounds), "--rulebook", "pt", "--format", "jsonl"
    judged = round_lines.reconcile(*lines, "--figures-of", str(copy))
    (law,) = judged.summary["rulebooks"]
    assert (judged.code, law["law_sha256"]) == (1, load_law("pt").digest)
    assert round_lines.reconcile(*lines).code == 0
    other = round_lines.reconcile(*lines, "--figures-of", str(tmp_path / "none"))
    assert other.code == 2
    assert "none" in other.err


def test_of_an_unpacked_pack_the_proofs_of_its_reports_name_the_sets(tmp_path: Path) -> None:
    """Its stretch of the book begins after the set: the entries come with what the reports cite."""
    (tmp_path / "livro").mkdir()
    bundle = {"scope": {"kind": "range"}, "entries": 0, "size": 0}
    (tmp_path / "livro" / "bundle.json").write_text(json.dumps(bundle))
    (tmp_path / "relatorios").mkdir()
    kinds = (b"figures-asked/1", b"request-decided/1", b"figures-set/1")
    cited = [one for one in entries() if any(b'"kind":"' + kind in one for kind in kinds)]
    assert len(cited) == 3
    extra = [b64encode(json.dumps({"entry": one.decode()}).encode()).decode() for one in cited]
    proofs = [{"proof": f"c2sp.org/tlog-proof@v1\nextra {one}\nindex 1"} for one in extra]
    (tmp_path / "relatorios" / "r.proofs.json").write_text(json.dumps({"proofs": proofs}))
    assert [one.leaf for one in sets_of(tmp_path)] == [one.leaf for one in load_law("pt").sets]
    (tmp_path / "relatorios" / "r.proofs.json").unlink()
    assert sets_of(tmp_path) == ()


def test_what_is_no_copy_of_the_book_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("no entry\n")
    with pytest.raises(Unusable, match="no copy of the book"):
        sets_of(tmp_path / "x.jsonl")


def test_a_report_cites_the_entries_that_set_its_rulebooks_figures() -> None:
    day = days_from_now(FIRST)
    draft = draft_of(Asked("nonconformity", day, day), "inspetor")
    (one,) = load_law("pt").sets
    cited = {("house", n) for n in (one.event.asked.n, one.n - 1, one.n)}
    assert cited <= draft.cited
