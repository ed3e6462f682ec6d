"""`manage.py simulate --procedures`: an evening written to files, or recorded in a book."""

import json
from collections import Counter
from contextlib import suppress
from datetime import date, timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from casino.simulation.procedures import BREACHES, MOST
from tests.gate import drawn

pytestmark = pytest.mark.share

DAY = date(2026, 11, 2)


def simulate(*words: str, day: date = DAY) -> str:
    """Call the command; what it said."""
    said = StringIO()
    call_command("simulate", "--procedures", f"--day={day}", *words, stderr=said)
    return said.getvalue()


def test_it_writes_entries_and_labels(tmp_path: Path) -> None:
    entries, labels = tmp_path / "evening.jsonl", tmp_path / "mistakes.jsonl"
    said = simulate("--seed=3", "--breaches=4", f"--output={entries}", f"--labels={labels}")
    lines = [json.loads(line) for line in entries.read_text("utf-8").splitlines()]
    listed = [json.loads(line) for line in labels.read_text("utf-8").splitlines()]
    assert str(len(lines)) in said
    partidas = {each["payload"].get("partida") for each in lines}
    assert partidas >= {each.get("partida") for each in listed}
    assert len({each["kind"] for each in listed}) == 4
    for stream in {each["stream"] for each in lines}:
        numbers = [each["n"] for each in lines if each["stream"] == stream]
        assert numbers == list(range(1, len(numbers) + 1))


def test_named_breaches_are_those_that_are_made(tmp_path: Path) -> None:
    labels = tmp_path / "mistakes.jsonl"
    named = ["--breach=two_cards_burnt", "--breach=one_packet"]
    simulate(*named, f"--labels={labels}", f"--output={tmp_path / 'evening'}")
    kinds = {json.loads(line)["kind"] for line in labels.read_text("utf-8").splitlines()}
    assert kinds == {"two_cards_burnt", "one_packet"}


@pytest.mark.parametrize(
    "words",
    [
        ["--breaches=1", "--breach=one_packet"],
        [f"--breaches={MOST + 1}"],
        ["--breach=no_such_breach"],
        ["--breach=five_decks", *(f"--breach={each.kind}" for each in BREACHES[:20])],
    ],
)
def test_what_cannot_be_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError):
        simulate(*words)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("word", ["--breaches=1", "--breach=one_packet", "--record"])
def test_rounds_alone_have_no_procedures(word: str) -> None:
    with pytest.raises(CommandError, match="--procedures"):
        call_command("simulate", word, stderr=StringIO())


# In a book


def entries() -> int:
    """How many entries the book has."""
    from casino.models import BookEntry

    return BookEntry.objects.count()


def test_an_evening_through_the_whole_house(
    fresh_db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from audit.models import Finding
    from casino.rebuilding import compare, projection_models

    labels = tmp_path / "mistakes.jsonl"
    words = ["--record", "--seed=17", f"--breaches={MOST}", f"--labels={labels}"]
    simulate(*words)
    assert [row for model in projection_models().values() for row in compare(model)] == []
    monkeypatch.setenv("CLOCK_OFFSET", "660")  # later than the ten minutes a witness has
    reconciled()
    replayed()
    planted = planted_in(labels)
    assert found() == planted
    count = entries()
    with pytest.raises(CommandError, match=str(DAY)):
        simulate(*words)
    assert entries() == count
    # Another day's evening finds the house as it is.
    simulate("--record", "--seed=13", day=DAY + timedelta(days=1))
    with pytest.raises(SystemExit):
        call_command(
            "reconcile",
            "--from",
            str(DAY),
            "--to",
            str(DAY + timedelta(days=1)),
            "--no-progress",
            stdout=StringIO(),
        )
    assert Finding.objects.count() == sum(planted.values())


TOGETHER = [
    ("display_misread", "unequal_shares", "win_not_told"),
    # Told at once, a book has no quarter of an hour without a start: not "never_started_again".
    ("seal_of_another_meter",),
    ("claim_without_ground", "paid_by_an_untold_meter"),
]


@pytest.mark.parametrize("kinds", drawn(TOGETHER, 1), ids=lambda kinds: kinds[0])
def test_prizes_through_the_whole_house(
    fresh_db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: tuple[str, ...]
) -> None:
    labels = tmp_path / "mistakes.jsonl"
    named = [f"--breach={kind}" for kind in kinds]
    simulate("--record", "--seed=5", *named, f"--labels={labels}")
    monkeypatch.setenv("CLOCK_OFFSET", "660")
    reconciled()
    replayed()
    assert found() == planted_in(labels)


def reconciled() -> None:
    """Have the day judged."""
    words = ["--from", DAY.isoformat(), "--no-progress"]
    with suppress(SystemExit):  # which says that there is a finding
        call_command("reconcile", *words, stdout=StringIO())


def replayed() -> None:
    """Have every prize made again from its entries, as is done by night."""
    from audit.pools.replaying import POOL_REPLAY
    from audit.pools.replays_due import ask_for_replay, pools

    for pool in pools():
        run, part = ask_for_replay(pool), 0
        while POOL_REPLAY.do_part(run, part):
            part += 1
        assert part > 0


def found() -> Counter[tuple[str, str, str, str | None]]:
    """What was found, as labels tell it."""
    from audit.models import Finding

    return Counter(
        (row.partida_id, row.article, row.check_name, None if _of_a_round(row) else _at(row.where))
        for row in Finding.objects.all()
    )


def planted_in(labels: Path) -> Counter[tuple[str, str, str, str | None]]:
    """What a file of labels says has to be found."""
    return Counter(_planted(json.loads(line)) for line in labels.read_text().splitlines())


def _planted(label: dict[str, Any]) -> tuple[str, str, str, str | None]:
    where = None if "round" in label else _at(label.get("where", {}))
    return label.get("partida", ""), label["article"], label["check"], where


def _at(where: dict[str, Any]) -> str:
    return str(sorted(where.items()))


def _of_a_round(finding: Any) -> bool:
    from casino.law.check_registry import ALL_CHECKS

    check = ALL_CHECKS[finding.check_name]
    return check.scope not in (
        "partida",
        "deck",
        "shoe_on_record",
        "load",
        "unload",
        "lid",
        "incident",
        "damage",
        "replacement",
        "spread",
        "deferral",
        "complaint",
        "shoe",
        "jackpot",
    )


def test_a_book_of_somebodys_is_left_alone(fresh_db: str) -> None:
    from casino.events.staff import StaffRegistered
    from casino.recording import Actor, Source, record
    from tests.factories.records import EVENING

    record(
        StaffRegistered(staff="S-9"),
        key=uuid4(),
        by=Actor("S-1", "administrador", "admin"),
        occurred_at=EVENING - timedelta(days=400),
        source=Source(),
    )
    count = entries()
    with pytest.raises(CommandError):
        simulate("--record")
    assert entries() == count


def test_an_evening_that_is_not_over_is_not_recorded(fresh_db: str) -> None:
    from casino import clock

    count = entries()
    with pytest.raises(CommandError, match="--day"):
        simulate("--record", day=clock.now().date())
    assert entries() == count
