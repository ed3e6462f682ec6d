"""Draws made again from a copy of the book: the same, otherwise, or not to be said."""

import json
import os
import shutil
import subprocess
import sys
import zipapp
from collections.abc import Callable
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from audit.sampling.__main__ import main, run
from audit.sampling.draw_words import VERDICTS, WORDS
from tests.factories import draws_by_hand as by_hand
from tests.gate import ROOT
from tests.verifier.maker import Book, put

SECRET = "5f" * 32
WANTED = {"tables_wanted": 2, "tables_in_reserve": 1, "rounds_wanted": 5, "rounds_in_reserve": 2}
ASKED = {"draw": 1, "from_day": "2026-11-19", "to_day": "2026-11-20", "tables": [], **WANTED}
DAYS = ("2026-11-18", "2026-11-19", "2026-11-20")

Change = Callable[[dict[str, Any]], object]


class Evening:
    """A book with rounds of four tables and three days, and a draw of two of the days."""

    def __init__(self, asked: dict[str, Any] | None = None, secret: str = SECRET) -> None:
        self.book, self.secret = Book(seed=4), secret
        self.asked = {**ASKED, **(asked or {}), "commitment": by_hand.committed(secret)}
        self.rounds: list[tuple[str, dict[str, Any]]] = []
        for n in range(60):
            self.play(f"table/BJ-0{n % 4}", DAYS[n % 3])
        self.book.sign()
        # A correction is no second round; what it corrects stays.
        _, corrected = self.rounds[0]
        self.book.add("round-played/1", {"number": 1}, stream="table/BJ-00", supersedes=corrected)
        self.book.sign()

    def play(self, stream: str, day: str) -> None:
        ref = self.book.add("round-played/1", {"number": 1}, stream=stream, day=day)
        self.rounds.append((day, ref))

    def commit(self, **otherwise: Any) -> None:
        """The commitment, and the checkpoint over it."""
        values = self.asked | otherwise
        self.committed = self.book.add("draw-committed/1", values, stream="house", staff="I-0007")
        self.play("table/BJ-01", DAYS[1])  # still before the root
        self.book.sign()
        self.head: Any = self.book.newest()
        self.by_then = [*self.rounds]
        self.play("table/BJ-01", DAYS[1])  # and this one after
        self.book.sign()

    def result(self) -> dict[str, Any]:
        """What is to be recorded, by another hand."""
        tables = self.asked["tables"]
        among = [
            ref
            for day, ref in self.by_then
            if self.asked["from_day"] <= day <= self.asked["to_day"]
            and (not tables or ref["stream"][6:] in tables)
        ]
        seed = by_hand.seeded(self.secret, self.head["root"])
        wanted = [self.asked[name] for name in WANTED]
        return {
            "draw": 1,
            "committed": self.committed,
            "secret": self.secret,
            **self.head,
            **by_hand.drawn(seed, among, (wanted[0], wanted[1], wanted[2], wanted[3])),
        }

    def reveal(self, change: Change = lambda payload: None) -> None:
        """The result, changed."""
        payload = self.result()
        change(payload)
        self.book.add("draw-made/1", payload, stream="house", staff="I-0007")
        self.book.sign()


def drawn(asked: dict[str, Any] | None = None, change: Change = lambda payload: None) -> Book:
    evening = Evening(asked)
    evening.commit()
    evening.reveal(change)
    return evening.book


def said(capsys: pytest.CaptureFixture[str], *asked: object) -> tuple[int, str]:
    code = main([*map(str, asked), "--language", "en"])
    return code, capsys.readouterr().out


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"tables": ["BJ-02", "BJ-03"]},
        {"tables_wanted": 0, "tables_in_reserve": 0},
        {"rounds_wanted": 0, "rounds_in_reserve": 0},
        {"rounds_wanted": 300, "rounds_in_reserve": 0},  # more than there are
        {"from_day": "2025-01-01", "to_day": "2025-01-01"},  # none
    ],
)
def test_a_draw_comes_out_the_same(
    asked: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = drawn(asked).write(tmp_path / "bundle")
    code, text = said(capsys, place)
    assert (code, "draw 1: THE SAME" in text) == (0, True), text
    assert said(capsys, place, "--draw", 1)[0] == 0
    assert main([str(place)]) == 0
    assert "O MESMO" in capsys.readouterr().out


def other(value: str) -> str:
    """Another value of the same form."""
    return ("a" if value[0] != "a" else "b") + value[1:]


def altered(name: str) -> Change:
    return lambda payload: payload.__setitem__(name, other(payload[name]))


def swapped(name: str) -> Change:
    return lambda payload: payload[name].insert(0, payload[name].pop())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (altered("secret"), "does not fit the commitment"),
        (altered("root"), "first checkpoint after the commitment"),
        (lambda payload: payload.update(size=payload["size"] + 1), "first checkpoint after"),
        (lambda payload: payload.update(population=payload["population"] - 1), "population: the"),
        (lambda payload: payload.update(population_tables=3), "population_tables"),
        (altered("digest"), "digest"),
        (swapped("tables"), "table drawn no. 1"),
        (lambda payload: payload.update(reserve_tables=["BJ-09"]), "reserve table no. 1"),
        (swapped("rounds"), "round drawn no. 1"),
        (lambda payload: payload["rounds"].pop(), "round drawn no. 5: the book says –"),
        (lambda payload: payload["rounds"][3].update(n=1), "round drawn no. 4: the book says"),
        (lambda payload: payload["rounds"][2].update(leaf="a" * 64), "round drawn no. 3"),
        (swapped("reserve_rounds"), "reserve round no. 1"),
        (lambda payload: payload["committed"].update(leaf="a" * 64), "another entry"),
    ],
)
def test_whatever_is_recorded_otherwise_is_named(
    change: Change, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = said(capsys, drawn(change=change).write(tmp_path / "bundle"))
    assert (code, words in text, "THE SAME" in text) == (1, True, False), text


def test_a_secret_that_was_exchanged_with_its_result_does_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever would rather have another draw has no second secret for his commitment."""
    evening = Evening()
    evening.commit()
    evening.secret = "6a" * 32
    evening.reveal()
    code, text = said(capsys, evening.book.write(tmp_path / "bundle"))
    assert (code, "does not fit" in text) == (1, True)


def test_a_later_checkpoint_is_not_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever waits for a root he likes better is found: the first one counts."""
    evening = Evening()
    evening.commit()
    first = evening.head
    evening.head = evening.book.newest()
    assert evening.head["size"] > first["size"]
    evening.reveal()
    code, text = said(capsys, evening.book.write(tmp_path / "bundle"))
    assert (code, f"is that of {first['size']} entries" in text) == (1, True), text


def test_entries_that_do_not_make_the_root_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A round made another one after the draw: the copy no longer makes the signed root."""
    files = drawn().files_of()
    name = next(name for name in files if name.startswith("tile/entries/"))
    files[name] = files[name].replace(b'"number":1', b'"number":2', 1)
    code, text = said(capsys, put(tmp_path / "bundle", files))
    assert (code, "do not make the signed root" in text) == (1, True)


def test_a_commitment_made_twice_or_used_before_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = Evening()
    evening.commit()
    evening.reveal()
    evening.commit(draw=2)  # the same secret, which everybody knows by now
    payload = evening.result() | {"draw": 2}
    evening.book.add("draw-made/1", payload, stream="house")
    evening.book.sign()
    code, text = said(capsys, evening.book.write(tmp_path / "used"), "--draw", 2)
    assert (code, "commitment was that of draw 1" in text) == (1, True), text
    evening.commit()
    code, text = said(capsys, evening.book.write(tmp_path / "twice"), "--draw", 1)
    assert (code, "2 commitments and 1 results" in text) == (1, True), text


def test_what_is_not_there_differs_from_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = Evening()
    code, text = said(capsys, evening.book.write(tmp_path / "none"))
    assert (code, "no draw in this copy" in text) == (2, True)
    evening.commit()
    files = evening.book.files_of()
    first, *_ = files["checkpoints.jsonl"].splitlines(keepends=True)
    code, text = said(capsys, put(tmp_path / "waits", files | {"checkpoints.jsonl": first}))
    assert (code, "covers the commitment" in text) == (2, True), text
    code, text = said(capsys, evening.book.write(tmp_path / "not-revealed"))
    assert (code, "NOT REVEALED: I-0007" in text) == (2, True), text
    evening.reveal()
    code, text = said(capsys, evening.book.write(tmp_path / "other"), "--draw", 7)
    assert (code, "draw 7: MISSING" in text) == (2, True)
    part = evening.book.write(tmp_path / "part", {"kind": "table", "table": "BJ-01"})
    code, text = said(capsys, part)
    assert (code, "only a whole copy" in text) == (2, True)
    files = evening.book.files_of()
    del files["checkpoints.jsonl"]
    code, text = said(capsys, put(tmp_path / "hole", files))
    assert (code, "checkpoints.jsonl: This file is missing." in text) == (2, True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bundle.json", b"{}"),
        ("bundle.json", b"\xff"),
        ("checkpoints.jsonl", b'"one line"\n'),
        ("checkpoints.jsonl", b"[]\n"),
        ("tile/entries/000.p/", b"\0"),
    ],
)
def test_what_cannot_be_read_ends_with_three(
    name: str, content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = drawn().files_of()
    name = next(one for one in files if one.startswith(name))
    code, text = said(capsys, put(tmp_path / "bundle", files | {name: content}))
    assert (code, "BAD INPUT" in text) == (3, True), text


@pytest.mark.parametrize(
    "told", [{"rounds": 5}, {"rounds": [{"n": 1}]}, {"size": "x"}, {"draw": None}]
)
def test_a_result_of_another_form_ends_with_three(
    told: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = drawn(change=lambda payload: payload.update(told)).write(tmp_path / "bundle")
    code, text = said(capsys, place)
    assert (code, "cannot be read" in text) == (3, True), text


def test_every_sentence_says_the_same_in_both_languages() -> None:
    for code, (_, pt, en) in WORDS.items():
        fields = [{part[1] for part in Formatter().parse(text)} for text in (pt, en)]
        assert fields[0] == fields[1], code
    assert all(len(words) == 2 for words in VERDICTS.values())


def test_it_runs_packed_where_nothing_of_this_project_is(tmp_path: Path) -> None:
    """What `make verifier` packs: these folders alone, and Python without any package."""
    home = tmp_path / "alone" / "audit"
    for folder in ("sampling", "verify"):
        (home / folder).mkdir(parents=True)
    shutil.copy(ROOT / "audit" / "__init__.py", home)
    for name in ("verify/__init__.py", "verify/tree.py", *_sources()):
        shutil.copy(ROOT / "audit" / name, home / name)
    (tmp_path / "alone" / "__main__.py").write_text(
        "import sys\n\nfrom audit.sampling.__main__ import run\n\nsys.exit(run())\n"
    )
    zipapp.create_archive(tmp_path / "alone", tmp_path / "draw.pyz")
    bundle = drawn().write(tmp_path / "bundle")
    environment = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    for asked, code in ((str(bundle), 0), (str(tmp_path), 2), ("--nothing", 3)):
        command = [sys.executable, "-I", "-S", str(tmp_path / "draw.pyz"), asked]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), done


def _sources() -> list[str]:
    return [f"sampling/{path.name}" for path in (ROOT / "audit" / "sampling").glob("*.py")]


def test_a_failure_of_its_own_ends_with_three(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("one\nand\x1bmore")

    monkeypatch.setattr("audit.sampling.__main__.read_copy", broken)
    monkeypatch.setattr("audit.sampling.__main__.os.dup2", lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["draw", "nowhere"])
    assert run() == 3
    text = capsys.readouterr().err
    assert text.startswith("draw: RuntimeError")
    assert "\x1b" not in text


def test_the_payload_of_these_tests_is_that_of_the_events() -> None:
    from tests.factories.events.draws import FULL

    evening = Evening()
    evening.commit()
    for event, payload in zip(FULL, (evening.asked, evening.result()), strict=True):
        assert {*payload} <= {*type(event).__dataclass_fields__}
    assert json.dumps(evening.result())
