"""Files of rounds in the web: judged before anything is recorded, confirmed by a second person."""

import csv
import io
import json
from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from casino import clock
from casino.events.keeping import ImportConfirmed
from casino.importing import staging, write_confirmed
from casino.importing.imported_lines import Placed
from casino.importing.judging import faults_of
from casino.models import BookEntry, ImportConfirmation, JobOutbox, Round, StagedImport, StagedPiece
from casino.reading.round_writer import round_as_json
from casino.recording import Actor, WitnessRefused
from casino.simulation import evening
from casino.tasks import forget_done_jobs
from tests.casino.import_steps import page, staged, step
from tests.factories.foreign_tables import NARROW, NARROW_ROWS
from tests.factories.people import somebody, write
from tests.jobs_inline import do_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.share]
DAY = date(2026, 11, 12)
JUDGE, WRITE = staging.JUDGE, staging.WRITE


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """Forty rounds of an evening at two tables, nothing unlawful in them."""
    return [round_as_json(record) for record, _ in evening(5, 2, 20, 0.0, DAY)]


@pytest.fixture
def brings() -> Client:
    return somebody("chefia_da_sala")


@pytest.fixture
def confirms() -> Client:
    return somebody("fiscal_chefe")


def brought(client: Client, content: str | bytes, name: str = "evening.jsonl", **more: object):
    """The answer to a file that is sent, once it was judged."""
    raw = content.encode() if isinstance(content, str) else content
    sent = {"file": SimpleUploadedFile(name, raw), **more}
    answer = client.post(reverse("imports"), sent)
    do_jobs(topic=JUDGE)
    return answer


def test_a_file_is_recorded_whole_once_a_second_person_has_confirmed_it(
    lines: list[str], brings: Client, confirms: Client
) -> None:
    assert brought(brings, "\n".join(lines)).status_code == 302
    assert (staged().state, staged().records, staged().faulty) == ("waiting", 40, 0)
    assert not Round.objects.exists()
    assert "another person confirms it" in page(brings)
    assert "Nothing, of the rounds by themselves." in page(confirms)
    step(confirms, "confirm", read="1")
    do_jobs(topic=WRITE)
    assert (staged().state, staged().written, staged().refused) == ("done", 40, 0)
    assert Round.objects.count() == 40
    said = ImportConfirmation.objects.get()
    assert (said.staff, said.brought_by, said.records) == ("S-0021", "S-0003", 40)
    assert said.file_sha256 == staged().file_sha256
    entry = BookEntry.objects.filter(kind="round-played/1").first()
    assert entry is not None
    who = json.loads(bytes(entry.entry))["who"]
    assert (who["staff"], who["office"]) == ("S-0003", "chefia_da_sala")
    assert not StagedPiece.objects.exists()


def test_nothing_can_be_confirmed_while_one_line_is_faulty(
    lines: list[str], brings: Client, confirms: Client
) -> None:
    spoilt = [*lines[:3], "{}", *lines[3:], "{}", lines[0], lines[7][:-1]]
    brought(brings, "\n".join(spoilt))
    assert (staged().state, staged().faulty) == ("faulty", 4)
    shown = page(confirms)
    assert "4, 42" in shown  # one cause, its lines
    assert "the round stands in line 1 already" in shown
    assert "Have it recorded" not in shown
    step(confirms, "confirm", read="1")
    assert staged().state == "faulty"
    assert not BookEntry.objects.filter(kind="import-confirmed/1").exists()
    answer = confirms.get(reverse("import-faults", args=[staged().pk]))
    rows = list(csv.reader(io.StringIO(answer.getvalue().decode("utf-8-sig"))))
    assert rows[0] == ["line", "place in it", "reason"]
    assert [row[0] for row in rows[1:]] == ["4", "42", "43", "44"]


def test_what_would_be_found_is_said_by_article_and_is_no_obstacle(
    brings: Client, confirms: Client
) -> None:
    rounds = [round_as_json(record) for record, _ in evening(5, 1, 30, 1.0, DAY)]
    brought(brings, "\n".join(rounds))
    assert staged().state == "waiting"
    findings = staged().judged["findings"]
    assert sum(one["count"] for one in findings.values()) >= 20
    first = next(iter(findings.values()))
    shown = page(confirms)
    assert f"line {first['examples'][0][0]}" in shown
    assert first["article"] in shown
    step(confirms, "confirm", read="1")
    do_jobs(topic=WRITE)
    assert Round.objects.count() == 30


def test_whoever_brought_a_file_confirms_nothing_of_it_by_no_door(
    lines: list[str], brings: Client
) -> None:
    brought(brings, "\n".join(lines))
    answer = step(brings, "confirm", read="1")
    assert "does not confirm it: another does" in answer.content.decode()
    assert staged().state == "waiting"
    own = ImportConfirmed(content="rounds", file_sha256="a" * 64, records=1, brought_by="s-0003")
    with pytest.raises(WitnessRefused):
        write(own, by=Actor("S-0003", "chefia_da_sala", "job"))


def test_nothing_is_confirmed_that_was_not_looked_at(
    lines: list[str], brings: Client, confirms: Client
) -> None:
    brought(brings, "\n".join(lines))
    assert "tick that you have looked at it" in step(confirms, "confirm").content.decode()
    assert staged().state == "waiting"


def test_the_same_file_twice_is_refused_and_leads_to_the_first(
    lines: list[str], brings: Client, confirms: Client
) -> None:
    brought(brings, "\n".join(lines))
    first = staged()
    answer = brought(brings, "\n".join(lines), "the same under another name.jsonl")
    assert answer.status_code == 400
    assert reverse("import", args=[first.pk]) in answer.content.decode()
    assert StagedImport.objects.count() == 1
    step(confirms, "confirm", read="1")
    do_jobs(topic=WRITE)
    assert brought(brings, "\n".join(lines)).status_code == 400
    StagedImport.objects.all().delete()  # the book knows it still
    answer = brought(brings, "\n".join(lines))
    assert (answer.status_code, StagedImport.objects.count()) == (400, 0)
    assert str(ImportConfirmation.objects.get().pk) in answer.content.decode()


def test_what_was_thrown_away_can_be_brought_again(lines: list[str], brings: Client) -> None:
    brought(brings, "\n".join([*lines, "{}"]))
    step(brings, "discard")
    assert (staged().state, StagedPiece.objects.count()) == ("discarded", 0)
    assert brought(brings, "\n".join([*lines, "{}"])).status_code == 302
    assert staged().state == "faulty"


def test_a_round_the_book_holds_otherwise_is_a_fault_and_the_same_is_not(
    lines: list[str], brings: Client, confirms: Client
) -> None:
    brought(brings, lines[0])
    step(confirms, "confirm", read="1")
    do_jobs(topic=WRITE)
    brought(brings, "\n".join(lines[:3]))
    assert (staged().state, staged().repeated) == ("waiting", 1)
    other = json.loads(lines[0])
    other["boxes"][0]["wagers"][0]["stake_cents"] += 100
    brought(brings, json.dumps(other) + "\n" + lines[1])
    assert (staged().state, staged().faulty) == ("faulty", 1)
    assert "already names another record" in page(confirms)


def test_a_round_of_a_moment_to_come_is_a_fault_before_it_is_confirmed(
    lines: list[str], brings: Client
) -> None:
    later = (clock.now() + timedelta(days=40)).date().isoformat()
    played = json.loads(lines[1])
    played["partida"] = f"{played['table']}/{later}/1"
    played.pop("times", None)
    brought(brings, lines[0] + "\n" + json.dumps(played))
    assert (staged().state, staged().faulty) == ("faulty", 1)
    assert [line for line, _ in faults_of(staged())] == [2]


def test_writing_goes_on_where_it_was_cut_short(
    lines: list[str], brings: Client, confirms: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.importing.judging.BATCH", 10)
    brought(brings, "\n".join(lines))
    step(confirms, "confirm", read="1")
    done: list[int] = []
    whole = write_confirmed.write_piece

    def killed_after_two(row: StagedImport, piece: StagedPiece, placed: list[Placed]) -> None:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(piece.number)
        whole(row, piece, placed)

    monkeypatch.setattr(write_confirmed, "write_piece", killed_after_two)
    with pytest.raises(KeyboardInterrupt):
        write_confirmed.write(staged().pk, float("inf"))
    assert (Round.objects.count(), staged().state, staged().written) == (20, "writing", 20)
    monkeypatch.setattr(write_confirmed, "write_piece", whole)
    # A part whose rounds stand, but which was not marked before the end came.
    StagedPiece.objects.filter(number=1).delete()
    assert write_confirmed.write(staged().pk, float("inf"))
    assert (Round.objects.count(), staged().state, staged().written) == (40, "done", 40)


def test_two_write_a_file_and_whoever_ends_last_closes_it(
    lines: list[str], brings: Client, confirms: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.importing.judging.BATCH", 10)
    brought(brings, "\n".join(lines))
    step(confirms, "confirm", read="1")
    assert sorted(one.args["seat"] for one in JobOutbox.objects.filter(topic=WRITE)) == [0, 1]
    assert write_confirmed.write(staged().pk, float("inf"), 1)
    assert (Round.objects.count(), staged().state, staged().written) == (20, "writing", 20)
    assert write_confirmed.write(staged().pk, float("inf"), 1)  # sent again: nothing is left of it
    assert staged().state == "writing"
    assert write_confirmed.write(staged().pk, float("inf"), 0)
    assert (Round.objects.count(), staged().state, staged().written) == (40, "done", 40)


def test_the_days_of_a_file_that_was_written_are_reconciled(
    lines: list[str], brings: Client, confirms: Client
) -> None:
    brought(brings, "\n".join(lines))
    step(confirms, "confirm", read="1")
    wanted = JobOutbox.objects.filter(topic="reconciliation", args__reason="nightly")
    assert not wanted.exists()
    do_jobs(topic=WRITE)
    do_jobs(topic=write_confirmed.WRITTEN)
    days = {day.isoformat() for day in Round.objects.values_list("gaming_day", flat=True)}
    assert [one.args["from_day"] for one in wanted] == sorted(days)


def test_a_turn_leaves_the_rest_to_the_next_job(
    lines: list[str], brings: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.importing.judging.BATCH", 10)
    monkeypatch.setattr("casino.tasks.TURN", -1.0)
    file = SimpleUploadedFile("evening.jsonl", "\n".join(lines).encode())
    brings.post(reverse("imports"), {"file": file})
    done = do_jobs(topic=JUDGE)
    assert [key.split("/")[3:] for key in done] == [[], ["1"], ["2"], ["3"], ["4"]]
    assert (staged().state, staged().records) == ("waiting", 40)


def test_a_table_of_another_house_comes_in_by_its_mapping_which_is_kept(brings: Client) -> None:
    mapping = SimpleUploadedFile("narrow.toml", NARROW.encode())
    brought(brings, "\n".join(NARROW_ROWS), "hands.csv", mapping_file=mapping)
    assert (staged().state, staged().records, staged().mapping_name) == (
        "waiting",
        1,
        "narrow.toml",
    )
    kept = str(staged().pk)
    again = [row.replace("Ana", "Eva") for row in NARROW_ROWS]
    brought(brings, "\n".join(again), "more.csv", mapping=kept)
    assert (staged().state, staged().mapping) == ("waiting", NARROW)


def test_a_table_without_its_mapping_says_what_is_missing(brings: Client) -> None:
    brought(brings, "\n".join(NARROW_ROWS), "hands.csv")
    assert staged().state == "faulty"
    assert "other tables with their mapping" in page(brings)


def test_files_nobody_confirmed_are_forgotten(
    lines: list[str], brings: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought(brings, "\n".join(lines))
    forget_done_jobs()
    assert staged().state == "waiting"
    later = clock.now() + staging.WAITS + timedelta(minutes=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    forget_done_jobs()
    assert (staged().state, StagedPiece.objects.count()) == ("discarded", 0)
