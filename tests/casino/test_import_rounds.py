"""Rounds from a file into the book: each line a record or a refusal, a file read twice no news."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from casino.importing.intake import happened_at
from casino.models import BookEntry, Round
from casino.reading.payload import event_in_book
from casino.reading.round_reader import read_round
from casino.reading.round_writer import round_as_json
from casino.simulation import evening

pytestmark = pytest.mark.django_db

DAY = date(2026, 11, 12)


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """Forty rounds of an evening at two tables."""
    return [round_as_json(record) for record, _ in evening(5, 2, 20, 0.0, DAY)]


@pytest.fixture
def file(tmp_path: Path, lines: list[str]) -> Path:
    path = tmp_path / "evening.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def imported(file: Path, *options: str) -> tuple[int, str, str]:
    """The command's exit code, what it printed, and what it complained about."""
    out, complaints = StringIO(), StringIO()
    try:
        with translation.override("en"):
            call_command("import_rounds", str(file), *options, stdout=out, stderr=complaints)
    except SystemExit as end:
        return int(end.code or 0), out.getvalue(), complaints.getvalue()
    return 0, out.getvalue(), complaints.getvalue()


def test_every_round_is_an_entry_that_tells_the_whole_record(file: Path, lines: list[str]) -> None:
    assert imported(file)[0] == 0
    listed = [
        event_in_book(
            type(read_round(lines[0].encode())), json.loads(bytes(entry.entry))["payload"]
        )
        for entry in BookEntry.objects.order_by("stream", "n")
    ]
    assert {round_as_json(each) for each in listed} == set(lines)


def test_every_round_stands_on_the_shelf_of_its_month(file: Path, lines: list[str]) -> None:
    imported(file)
    assert Round.objects.filter(gaming_day=DAY).count() == len(lines) == 40
    first = read_round(lines[0].encode())
    row = Round.objects.get(gaming_day=DAY, round=first.round)
    wagers = [wager for box in first.boxes for wager in box.wagers]
    assert row.bank == " ".join(first.bank.cards)
    assert row.staked_cents == sum(wager.stake_cents for wager in wagers)
    assert (row.table_code, row.partida_id) == (first.table, first.partida)


def test_a_file_read_twice_changes_nothing(file: Path) -> None:
    imported(file)
    heads = list(BookEntry.objects.order_by("id").values_list("id", "leaf_hash"))
    code, said, _ = imported(file)
    assert code == 0
    assert "40" in said
    assert list(BookEntry.objects.order_by("id").values_list("id", "leaf_hash")) == heads


def spoilt(lines: list[str]) -> Iterator[tuple[int, str]]:
    """A line that is no JSON, one with an unknown field, one changed after it was recorded."""
    yield 3, lines[2][:-1]
    yield 7, lines[6].replace('"schema"', '"skema"', 1)


def test_a_line_that_cannot_be_is_refused_with_its_place_and_the_others_go_on(
    file: Path, lines: list[str]
) -> None:
    bad = dict(spoilt(lines))
    file.write_text(
        "\n".join(bad.get(number, line) for number, line in enumerate(lines, 1)), "utf-8"
    )
    code, _, complaints = imported(file)
    assert code == 2
    assert [line.split(",")[0] for line in complaints.splitlines()] == ["line 3", "line 7"]
    assert BookEntry.objects.count() == 38


def test_a_round_of_a_day_the_book_has_no_room_for_is_refused_alone(
    file: Path, lines: list[str]
) -> None:
    before = lines[4].replace("/2026-11-12/", "/1989-11-12/")
    file.write_text("\n".join([*lines[:4], before, *lines[5:]]), "utf-8")
    code, _, complaints = imported(file)
    assert (code, complaints.splitlines()[0].split(":")[0]) == (2, "line 5, $.partida")
    assert BookEntry.objects.count() == 39


def test_all_or_nothing_records_nothing_where_one_line_is_refused(
    file: Path, lines: list[str]
) -> None:
    file.write_text("\n".join([*lines, "{}"]), "utf-8")
    code, _, complaints = imported(file, "--all-or-nothing")
    assert (code, complaints.count("line 41")) == (2, 1)
    assert not BookEntry.objects.exists()
    file.write_text("\n".join(lines), "utf-8")
    assert imported(file, "--all-or-nothing")[0] == 0
    assert BookEntry.objects.count() == 40


def test_a_round_that_was_recorded_otherwise_is_refused_alone(file: Path, lines: list[str]) -> None:
    imported(file)
    other = read_round(lines[4].encode())
    changed = lines[4].replace(f'"dealer":"{other.dealer}"', '"dealer":"P-999"', 1)
    assert changed != lines[4]
    file.write_text("\n".join([*lines[:4], changed, *lines[5:]]), "utf-8")
    code, _, complaints = imported(file)
    assert code == 2
    assert complaints.startswith("line 5, $.round: ")
    assert BookEntry.objects.count() == 40


def test_an_import_is_answered_for_by_somebody_who_holds_an_office(file: Path) -> None:
    with pytest.raises(CommandError, match="S-404"):
        imported(file, "--by", "S-404")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"gone\.jsonl"):
        imported(tmp_path / "gone.jsonl")


@pytest.mark.usefixtures("from_eight")
def test_a_round_happened_when_it_was_paid_or_at_the_earliest_when_its_day_began(
    lines: list[str],
) -> None:
    played = read_round(lines[0].encode())
    assert played.times is not None
    assert happened_at(played) == played.times.paid
    silent = json.loads(lines[0])
    del silent["times"]
    assert happened_at(read_round(json.dumps(silent).encode())) == datetime(
        2026, 11, 12, 8, tzinfo=UTC
    )
