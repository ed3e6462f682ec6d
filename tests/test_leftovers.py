"""A test that leaves a process behind fails, by the process's name; its neighbours do not."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import leftovers

ROOT = Path(__file__).resolve().parent.parent
SLEEP = "import time; time.sleep(600)"
SAMPLE = f"""
import subprocess, sys
import pytest

SLEEPER = [sys.executable, "-c", {SLEEP!r}]
remembered = []

def test_before():
    subprocess.run([sys.executable, "-c", ""])

def test_leaves_a_child():
    remembered.append(subprocess.Popen(SLEEPER))

def test_after_a_child():
    assert remembered.pop().returncode == -9

def test_leaves_a_grandchild_that_has_lost_its_parent():
    subprocess.run([sys.executable, "-c", f"import subprocess; subprocess.Popen({{SLEEPER!r}})"])

def test_leaves_one_of_another_session():
    remembered.append(subprocess.Popen(SLEEPER, env={{}}, start_new_session=True))

def test_forgets_to_wait():
    child = subprocess.Popen([sys.executable, "-c", "print(1)"], stdout=subprocess.PIPE, text=True)
    child.communicate()
    remembered.append(subprocess.Popen([sys.executable, "-c", ""]))

def test_fails_by_itself_too():
    remembered.append(subprocess.Popen(SLEEPER))
    raise ValueError("its own reason")

@pytest.fixture
def ended():
    child = subprocess.Popen(SLEEPER)
    yield
    child.kill()
    child.wait()

def test_whose_fixture_ends_what_it_started(ended): ...

@pytest.fixture(scope="module")
def ended_late():
    child = subprocess.Popen(SLEEPER)
    yield child
    child.kill()
    child.wait()

def test_one(ended_late): ...

def test_two(ended_late):
    assert ended_late.poll() is None

@pytest.fixture(scope="module")
def never_ended():
    remembered.append(subprocess.Popen(SLEEPER))

def test_three(never_ended): ...

def test_four(never_ended):
    assert remembered[-1].poll() is None

def test_last(): ...
"""


def sleepers(folder: Path) -> list[str]:
    """What still runs of the sample."""
    word = f"{folder}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if word in (entry / "environ").read_bytes():
                    found.append((entry / "cmdline").read_text("utf-8"))
            except OSError:
                continue
    return found


def test_what_is_left_behind_fails_its_own_test_and_is_ended(tmp_path: Path) -> None:
    (tmp_path / "test_sample.py").write_text(SAMPLE, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings =\n  error\n", "utf-8")
    plugins = ["-p", "tests.leftovers", "-p", "no:randomly", "-p", "no:django", "-p", "no:xdist"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "-p", "no:cacheprovider", "-ra"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LIVRO_GRACE": "0.2", "OF": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert sorted(re.findall(r"^(ERROR|FAILED) \S+::(\w+)", run.stdout, re.MULTILINE)) == [
        ("ERROR", "test_fails_by_itself_too"),
        ("ERROR", "test_forgets_to_wait"),
        ("ERROR", "test_last"),
        ("ERROR", "test_leaves_a_child"),
        ("ERROR", "test_leaves_a_grandchild_that_has_lost_its_parent"),
        ("ERROR", "test_leaves_one_of_another_session"),
        ("FAILED", "test_fails_by_itself_too"),
    ]
    assert "test_sample.py::test_leaves_a_child left processes behind:\n" in run.stdout
    assert run.stdout.count(f"-c {SLEEP}\n") >= 5
    assert run.stdout.count("(ended, and not waited for)") >= 1
    assert "or a fixture of its session, left processes behind" in run.stdout
    assert sleepers(tmp_path) == []


def test_a_test_without_processes_has_no_other_process_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten thousand tests start none: for them the kernel is asked two things."""
    asked: list[str] = []
    monkeypatch.setattr(leftovers, "marked", lambda *_: asked.append("marked") or [])
    monkeypatch.setattr(leftovers, "described", lambda _: asked.append("described") or "")
    monkeypatch.setattr(leftovers, "children", lambda _: [])
    assert leftovers.left_by_a_test(last=False) == ""
    assert asked == []
    subprocess.run([sys.executable, "-c", ""])
    assert leftovers.left_by_a_test(last=False) == ""
    assert asked == ["marked"]
