"""Look after look: one that dies or is cut short, one that meets a fault, and beat, which asks."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from audit.runs.current_findings import standing
from audit.tasks import look_at_the_floor
from audit.watch import floor
from audit.watch.floor_overdue import PATIENCE
from casino import clock
from casino.models import BookEntry
from tests.factories.tonight import MINUTE, Table, look_at
from tests.gate import ROOT

pytestmark = [pytest.mark.django_db, pytest.mark.share]
LATER = PATIENCE + MINUTE / 2
BEAT = "from casino.settings import *; print(CELERY_BEAT_SCHEDULE['look-at-the-floor']['schedule'])"


def unburnt(*codes: str) -> list[Table]:
    """Tables at each of which a shoe is dealt of which no card was burnt."""
    tables = [Table(code) for code in codes]
    for table in tables:
        table.prepared("burnt")
        table.played()
    return tables


def look() -> int:
    """One look when it is due; how many findings it raised."""
    return look_at(clock.now() + LATER)


def open_checks() -> list[str]:
    """The checks of the findings that stand."""
    return sorted(standing().values_list("check_name", flat=True))


def recorded_of_findings() -> int:
    """How much the auditor wrote into the book."""
    return BookEntry.objects.filter(kind__startswith="finding-").count()


def test_a_look_that_died_half_way_is_made_up_for_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unburnt("BJ-01", "BJ-02", "BJ-03")
    seen: list[str] = []
    see = floor._Desk.see

    def dies(desk: Any, partida: str) -> int:
        if seen:
            raise SystemExit
        seen.append(partida)
        return see(desk, partida)

    monkeypatch.setattr(floor._Desk, "see", dies)
    with pytest.raises(SystemExit):
        look()
    assert len(open_checks()) == 1
    monkeypatch.undo()
    assert look() == 2
    assert open_checks() == ["shoe_is_burnt"] * 3
    assert recorded_of_findings() == 3


def test_a_look_cut_short_is_gone_on_with_at_the_next_turns() -> None:
    tables = unburnt("BJ-01", "BJ-02", "BJ-03")
    now = clock.now() + LATER
    assert look_at(now, until=0.0) == 0
    begun = {
        floor._from_another(
            [t.partida for t in tables], now + turn * timedelta(seconds=floor.TURN)
        )[0]
        for turn in range(3)
    }
    assert len(begun) == 3


def test_what_one_game_breaks_does_not_cost_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    unburnt("BJ-01", "BJ-02")
    ask = floor.look_at

    def breaks(dossier: Any, law: Any) -> Any:
        if dossier.table == "BJ-01":
            raise RuntimeError("a fault of the program")
        return ask(dossier, law)

    monkeypatch.setattr(floor, "look_at", breaks)
    assert look() == 1
    assert standing().get().table_code == "BJ-02"


def test_beats_job_lives_by_the_houses_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unburnt("BJ-01")
    look_at_the_floor()
    assert recorded_of_findings() == 0
    file = tmp_path / "clock"
    file.write_text(str(int(LATER.total_seconds())), "ascii")
    monkeypatch.setenv("CLOCK_FILE", str(file))
    look_at_the_floor()
    look_at_the_floor()
    assert open_checks() == ["shoe_is_burnt"]
    assert recorded_of_findings() == 1


def test_beat_asks_often_enough(settings: Any) -> None:
    beat = settings.CELERY_BEAT_SCHEDULE["look-at-the-floor"]
    assert beat["task"] == look_at_the_floor.name
    assert timedelta(seconds=beat["schedule"]) + PATIENCE < timedelta(minutes=5)
    assert settings.CELERY_TASK_ROUTES[beat["task"]]["queue"] == "book"


@pytest.mark.parametrize(("asked", "beats"), [("", 120), ("60", 60), ("600", 150)])
def test_however_seldom_it_is_asked_to_beat_stays_within_five_minutes(
    asked: str, beats: int
) -> None:
    environment = {**os.environ, "FLOOR_SECONDS": asked, "DEBUG": "1"}
    data = subprocess.check_output([sys.executable, "-c", BEAT], cwd=ROOT, env=environment)
    assert int(data) == beats
    assert timedelta(seconds=beats) + PATIENCE < timedelta(minutes=5)
