"""The program that is read: how long it is, that it stands alone, what it prints."""

import ast
import json
import os
import shutil
import string
import subprocess
import sys
import zipapp
from pathlib import Path

import pytest

from audit.verifier import command
from audit.verify import __main__ as plain
from audit.verify.words import SAID, SOUND, VERDICTS, WORDS
from tests.gate import ROOT
from tests.verifier.maker import Book, canonical, key, play, put

HOME = ROOT / "audit" / "verify"
MOST_FILES, MOST_LINES = 6, 700


@pytest.fixture(scope="module")
def book() -> Book:
    return play(Book(seed=21), 300, every=40)


@pytest.fixture(scope="module")
def bundle(book: Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return book.write(tmp_path_factory.mktemp("plain") / "bundle")


def code_lines(source: str) -> int:
    """Lines of code: blank lines, comments, docstrings and imports left out."""
    skipped = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    return sum(
        bool(line.strip()) and not line.strip().startswith("#") and number not in skipped
        for number, line in enumerate(source.splitlines(), 1)
    )


def said(capsys: pytest.CaptureFixture[str], *asked: object) -> tuple[int, list[str]]:
    """How it ends, and what it prints, in English."""
    code = plain.main([*map(str, asked), "--language", "en"])
    return code, capsys.readouterr().out.splitlines()


def test_it_is_short_enough_to_be_read() -> None:
    files = sorted(HOME.glob("*.py"))
    assert len(files) <= MOST_FILES
    lines = {path.stem: code_lines(path.read_text("utf-8")) for path in files}
    assert sum(n for name, n in lines.items() if name != "words") <= MOST_LINES


def test_nothing_clever_is_in_it_and_nothing_of_the_house() -> None:
    allowed = {"cryptography", *sys.stdlib_module_names} - {
        *("marshal", "multiprocessing", "threading", "concurrent", "asyncio", "subprocess"),
        *("pickle", "ctypes", "importlib", "inspect", "array", "struct"),
    }
    for path in HOME.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                assert {each.name.split(".")[0] for each in node.names} <= allowed, path
            if isinstance(node, ast.ImportFrom):
                assert node.level <= 1, path
                assert node.level or (node.module or "").split(".")[0] in allowed, path
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", "")
                assert name not in {"eval", "exec", "__import__", "getattr", "setattr"} or (
                    name == "getattr" and isinstance(node.args[0], ast.Name)
                ), path


def test_every_code_has_words_in_both_languages_and_every_word_a_use() -> None:
    sources = [path for path in HOME.glob("*.py") if path.stem != "words"]
    texts = {
        node.value
        for path in sources
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert WORDS.keys() - texts == set()
    for code, (_, pt, en) in WORDS.items():
        fields = [{each[1] for each in string.Formatter().parse(text)} for text in (pt, en)]
        assert fields[0] == fields[1], code
        assert pt != en
    for words in (*SOUND.values(), *VERDICTS.values(), *SAID.values()):
        assert len(words) == 2


@pytest.mark.parametrize("packed", [False, True])
def test_it_runs_where_nothing_of_this_project_is(
    packed: bool, book: Book, bundle: Path, tmp_path: Path
) -> None:
    shutil.copytree(HOME, tmp_path / "alone" / "verify", ignore=shutil.ignore_patterns("__py*"))
    run = [sys.executable, "-m", "verify"]
    if packed:
        started = "import sys\n\nfrom verify.__main__ import run\n\nsys.exit(run())\n"
        (tmp_path / "alone" / "__main__.py").write_text(started)
        zipapp.create_archive(tmp_path / "alone", tmp_path / "verify.pyz")
        run = [sys.executable, str(tmp_path / "verify.pyz")]
    home = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    where = tmp_path if packed else tmp_path / "alone"
    for asked, code in ((str(bundle), 0), (str(tmp_path), 3), ("--nothing", 3)):
        done = subprocess.run([*run, asked], cwd=where, env=home, capture_output=True, text=True)
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), done
        assert "CONCORDA CONSIGO PRÓPRIO" in done.stdout or code


def test_it_claims_what_was_brought_and_says_what_it_did_not_judge(
    book: Book, bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = sorted(book.notes)
    files = {"policy": book.policy(), "old": book.notes[sizes[1]], "new": book.notes[sizes[-1]]}
    for name, text in files.items():
        (tmp_path / name).write_text(text.replace("\n", "\r\n"), newline="")
    policy, older = ["--policy", tmp_path / "policy"], "--older-checkpoint"
    for brought, begins in (
        ([], "AGREES WITH ITSELF"),
        (policy, "SIGNED AND WHOLE"),
        (["--receipt", book.receipt(7)], "INTACT where your receipts (1) reach"),
        ([*policy, older, tmp_path / "old"], f"INTACT in its first {sizes[1]} of {sizes[-1]}"),
        ([older, tmp_path / "new"], f"INTACT: the book's {sizes[-1]} entries are those of"),
    ):
        code, lines = said(capsys, bundle, *brought)
        assert (code, lines[-1].startswith(begins)) == (0, True), lines[-1]
        text = "\n".join(lines)
        assert "NOT JUDGED: draws and cards, the text of the law" in text
        for elsewhere in ("pools", "who corrected", "private values", "epochs", "--compare"):
            assert elsewhere in text


def test_damage_of_the_copy_is_not_said_of_the_book(
    book: Book, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, change in (
        ("checkpoint", lambda data: data.replace(b"\n", b"\r\n")),
        ("ids", lambda data: data[:-1]),
        ("tile/0/000", lambda data: b"\0" + data[1:]),
    ):
        files = book.files_of()
        place = put(tmp_path / name.replace("/", "-"), files | {name: change(files[name])})
        code, lines = said(capsys, place)
        assert (code, lines[-1].startswith("THIS COPY IS DAMAGED")) == (1, True), lines
        assert not any(line.startswith("PROBLEM") for line in lines)
    entries = next(name for name in files if name.startswith("tile/entries/"))
    changed = files[entries].replace(b'"shoe":1', b'"shoe":2', 1)
    code, lines = said(capsys, put(tmp_path / "altered", files | {entries: changed}))
    assert (code, lines[-1].startswith("TAMPERED")) == (1, True)


def test_what_is_not_here_is_named_and_is_no_accusation(
    book: Book, bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = book.write(tmp_path / "part", {"kind": "table", "table": "BJ-01"})
    code, lines = said(capsys, part)
    assert (code, "judges whole copies only" in "\n".join(lines)) == (2, True)
    files = book.files_of()
    del files["tile/0/000"]
    code, lines = said(capsys, put(tmp_path / "hole", files))
    assert (code, "MISSING: tile/0/000: This file is missing." in lines) == (2, True)


def test_a_false_receipt_accuses_nobody(
    book: Book, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Book(seed=22)
    other.add("card-burned/1", {"cards": 9}, stream="table/BJ-01")
    code, lines = said(capsys, bundle, "--receipt", other.receipt(0))
    assert (code, lines[-1].startswith("RECEIPT AND BOOK CONTRADICT")) == (1, True)


@pytest.mark.parametrize(
    ("recorded", "code"),
    [({}, 0), ({"origin": None}, 3), ({"origin": []}, 3), ({"n": True}, 3), ({"more": 1}, 3)],
)
def test_a_receipt_of_another_form_is_none(
    recorded: dict[str, object],
    code: int,
    book: Book,
    bundle: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = canonical(json.loads(book.receipt(7)) | recorded).decode()
    ended, lines = said(capsys, bundle, "--receipt", text)
    assert (ended, any("Not a receipt" in line for line in lines)) == (code, code == 3)
    assert command.main([str(bundle), "--receipt", text]) == code


@pytest.mark.parametrize("recorded", [{"origin": 7}, {"more": 1}, {"scope": "full"}, {"size": "1"}])
def test_what_a_copy_says_of_itself_has_one_form(
    recorded: dict[str, object], book: Book, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = book.files_of()
    manifest = canonical(json.loads(files["bundle.json"]) | recorded)
    place = put(tmp_path / "bundle", files | {"bundle.json": manifest})
    code, lines = said(capsys, place)
    assert (code, "Not a bundle" in "\n".join(lines)) == (3, True)
    assert command.main([str(place)]) == code


def test_evidence_of_a_finding_is_the_entry_that_was_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for wrong, code, word in (
        ({}, 0, "AGREES"),
        ({"leaf": "ab" * 32}, 1, "is another entry"),
        ({"n": 9}, 1, "table/BJ-06/9, is not there"),
    ):
        book = Book()
        act = book.add("round-played/1", {"number": 1}, stream="table/BJ-06")
        values = {"evidence": [act | wrong], "key": "ab" * 32}
        book.add("finding-raised/2", values, stream="reconciler")
        book.sign()
        ended, lines = said(capsys, book.write(tmp_path / f"{code}{word[:5]}"))
        assert (ended, word in "\n".join(lines)) == (code, True), lines


def test_a_key_of_its_own_is_told_and_not_believed_by_a_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = Book()
    old, new = book.keys[0], key(book.origin, 2)
    values = {"vkey": new.verifier().text(), "replaces": old.verifier().text(), "reason": "yearly"}
    book.add("signing-key-named/1", values, stream="house", staff="A-0001")
    book.sign()
    book.add("card-burned/1", {"cards": 1})
    book.sign(keys=[new])
    (tmp_path / "policy").write_text(book.policy([old]))
    place = book.write(tmp_path / "bundle")
    code, lines = said(capsys, place, "--policy", tmp_path / "policy")
    assert (code, "ANOTHER KEY" in "\n".join(lines)) == (2, True)


def test_a_failure_of_its_own_ends_with_three(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("one\nand\x1bmore")

    monkeypatch.setattr(plain, "last_sentence", broken)
    monkeypatch.setattr(plain.os, "dup2", lambda *_: None)
    monkeypatch.setattr(sys, "argv", ["verify", str(bundle)])
    assert plain.run() == 3
    text = capsys.readouterr().err
    assert text.startswith("verify: RuntimeError")
    assert "\x1b" not in text
    assert text.count("\n") == 1
