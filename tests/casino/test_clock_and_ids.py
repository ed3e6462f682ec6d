"""The time and the names that are given out."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from casino import clock
from casino.ids import uuid7


def test_the_clock_tells_the_present_in_utc() -> None:
    before = datetime.now(UTC)
    moment = clock.now()
    assert before <= moment <= datetime.now(UTC)
    assert moment.utcoffset() == timedelta(0)


def test_a_test_can_live_in_another_hour(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CLOCK_OFFSET", "-86400")
    assert timedelta(hours=23, minutes=59) < datetime.now(UTC) - clock.now() < timedelta(hours=25)
    moved = tmp_path / "clock"
    monkeypatch.setenv("CLOCK_FILE", str(moved))
    assert abs(clock.now() - datetime.now(UTC)) < timedelta(minutes=1)  # no file, not moved
    moved.write_text("3600\n")
    assert timedelta(minutes=59) < clock.now() - datetime.now(UTC) < timedelta(minutes=61)


def test_names_are_of_version_7_and_rise_with_time() -> None:
    names = [uuid7() for _ in range(1_000)]
    assert len(set(names)) == len(names)
    for name in names:
        assert (name.version, name.variant) == (7, "specified in RFC 4122")
    stamps = [name.int >> 80 for name in names]
    assert stamps == sorted(stamps)
    moment = datetime.fromtimestamp(stamps[0] / 1000, UTC)
    assert abs(moment - datetime.now(UTC)) < timedelta(seconds=10)
    parts = [name.int >> 64 & 0xFFF for name in names]
    assert len(set(parts)) > 1, "a millisecond is told apart"
