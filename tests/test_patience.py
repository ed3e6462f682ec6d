"""Waiting ends by what is seen, not by the clock; and says what it saw."""

import subprocess
import sys
import threading

import pytest

from tests import patience
from tests.patience import InVain, joined, wait_until


def test_the_condition_is_given_back_when_it_holds() -> None:
    answers = iter([0, "", "there"])
    assert wait_until(lambda: next(answers), pause=0) == "there"


def test_each_change_begins_the_patience_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(patience, "PATIENCE", 10.0)
    monkeypatch.setattr(patience.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(patience.time, "sleep", lambda _: now.__setitem__(0, now[0] + 6))
    rows = [0]

    def five_rows() -> bool:
        rows[0] += 1
        return rows[0] == 5

    assert wait_until(five_rows, seen=lambda: rows[0])
    assert now[0] > 2 * patience.PATIENCE


def test_without_a_change_it_gives_up_and_says_what_was_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(patience, "PATIENCE", 0.05)
    with pytest.raises(InVain, match=r"(?s)the fifth row: in vain, nothing changed.*4 rows"):
        wait_until(lambda: False, "the fifth row", seen=lambda: "4 rows")


def test_it_gives_up_at_once_when_a_process_it_needs_has_ended() -> None:
    ending = [sys.executable, "-c", "raise SystemExit(3)"]
    with (
        subprocess.Popen(ending) as process,
        pytest.raises(InVain, match=r"there ended .* with 3"),
    ):
        wait_until(lambda: False, needs=[process])


def test_the_last_thing_a_process_did_counts() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
        assert wait_until(lambda: process.poll() is not None, needs=[process])


def test_a_thread_that_does_not_end_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "PATIENCE", 0.05)
    asked = threading.Event()
    thread = threading.Thread(target=asked.wait, name="the idle one")
    thread.start()
    with pytest.raises(InVain, match="the idle one"):
        joined(thread)
    asked.set()
    thread.join()
