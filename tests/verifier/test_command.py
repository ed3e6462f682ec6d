"""The command an inspector types: what it prints, in both languages, and how it ends."""

import ast
import json
import os
import re
import string
import subprocess
import sys
import zipapp
from pathlib import Path

import pytest

from audit.verifier import command
from audit.verifier.words import EVENTS, LABELS, SOUND, VERDICTS, WORDS
from tests.gate import ROOT
from tests.verifier.maker import Book, play

HOME = ROOT / "audit" / "verifier"


@pytest.fixture(scope="module")
def book() -> Book:
    return play(Book(origin="demo.invalid/0123456789ab", seed=9), 100, every=20)


@pytest.fixture(scope="module")
def bundle(book: Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return book.write(tmp_path_factory.mktemp("command") / "bundle")


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    code = command.main([str(each) for each in arguments])
    return code, capsys.readouterr().out


def test_it_speaks_portuguese_first(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = said(capsys, bundle)
    assert code == 0
    assert text.splitlines()[-1].startswith("CONCORDA CONSIGO PRÓPRIO: ")
    assert "DEMO KEY" in text
    assert "AS CHAVES VÊM DO PRÓPRIO PACOTE" in text
    code, text = said(capsys, bundle, "--language", "en")
    assert text.splitlines()[-1].startswith("AGREES WITH ITSELF: ")
    assert "THE KEYS WERE BROUGHT BY THE BUNDLE ITSELF" in text


def test_it_names_the_entry_and_the_reason(
    book: Book, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = book.write(tmp_path / "altered")
    name = next(place.glob("tile/entries/*.p/*"))
    name.write_bytes(name.read_bytes().replace(b'"shoe":1', b'"shoe":2', 1))
    index = next(i for i, entry in enumerate(book.entries) if b'"shoe":1' in entry)
    body = json.loads(book.entries[index])
    code, text = said(capsys, place, "--language", "en", "--quiet")
    assert code == 1
    assert f"index {index}, {body['stream']}/{body['n']}" in text
    # Quiet keeps to what matters; that the verdict hangs on the bundle's own keys does.
    notes = [line for line in text.splitlines() if line.startswith("note:")]
    assert [("KEYS WERE BROUGHT" in line, "DEMO KEY" in line) for line in notes] == [
        (True, False),
        (False, True),
    ]


def test_as_json(bundle: Path, book: Book, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = said(capsys, bundle, "--json", "--receipt", book.receipt(3))
    value = json.loads(text)
    assert (code, value["verdict"]) == (0, 0)
    assert value["facts"]["entries"] == len(book.entries)
    kept = next(each for each in value["found"] if each["code"] == "receipt-kept")
    assert (kept["severity"], kept["n"]) == ("note", json.loads(book.entries[3])["n"])


@pytest.mark.parametrize(
    "arguments", [[], ["/nowhere"], ["--language", "fr", "."], ["."], ["x", "y"]]
)
def test_what_cannot_be_read_ends_with_three(arguments: list[str], tmp_path: Path) -> None:
    run = [sys.executable, "-m", "audit.verifier", *arguments]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


def test_what_is_printed_moves_no_cursor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = Book(origin="livro.example/\u202esala\u200b".replace("\u200b", ""))
    book.add("card-burned/1", {"cards": 1})
    book.sign()
    place = book.write(tmp_path / "bundle")
    (place / "x\x1b[2J\u202e").write_bytes(b"")
    _, text = said(capsys, place)
    assert all(each.isprintable() or each == "\n" for each in text)


# The words.


def codes_in(source: str) -> set[str]:
    """Every code a module reports."""
    called = {"report", "say", "BadInput", "append"}
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in WORDS:
            found.add(node.value)
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            first = node.args[0]
            if name in called - {"append"} and isinstance(first, ast.Constant):
                found.add(first.value)
    return found


def test_there_are_words_for_every_code_and_no_code_without_use() -> None:
    sources = [path for path in HOME.glob("*.py") if not path.name.startswith("sentences")]
    used = set().union(*(codes_in(path.read_text("utf-8")) for path in sources))
    assert used == set(WORDS)


def test_both_languages_say_the_same_things() -> None:
    for code, (_, pt, en) in WORDS.items():
        names = [
            {each[1] for each in string.Formatter().parse(text) if each[1]} for text in (pt, en)
        ]
        assert names[0] == names[1], code
        assert pt != en
        assert len(pt) > 10
    for words in (*VERDICTS.values(), *SOUND.values(), *EVENTS.values(), *LABELS.values()):
        assert len(words) == 2


# Standing alone.

# What the word "intact" rests on in the first place: bytes, hashes, chain, signatures.
CORE = ("canonical", "entries", "envelope", "notes", "tree")
# What makes the pools of a progressive prize again; the first of them their meter and payouts.
OF_POOLS = ("meter", "pools", "pool_entries", "terms")
OF_DISPLAYS = ("displays",)  # what was said of a pool's display, held against its meter
OF_FINDINGS = ("findings",)
# What only prints, or only keeps a state for the online twin.
BESIDES = ("__init__", "__main__", "command", "compare", "report", "resume", "severity", "words")


def code_lines(path: Path) -> int:
    """Lines of code: blank lines, comments, docstrings and imports left out."""
    source = path.read_text("utf-8")
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


def test_it_stays_small_enough_to_be_read() -> None:
    lines = {path.stem: code_lines(path) for path in HOME.glob("*.py")}
    assert sum(lines[name] for name in CORE) <= 600
    values = {name: n for name, n in lines.items() if not name.startswith("sentences")}
    assert lines["pack"] <= 130, "what lies around the book in an evidence pack"
    assert lines["series"] <= 50, "numbers without gaps"
    beside = (*BESIDES, *OF_POOLS, *OF_DISPLAYS, *OF_FINDINGS, "pack", "series")
    assert sum(n for name, n in values.items() if name not in beside) <= 2110
    assert sum(lines[name] for name in OF_POOLS) <= 400
    assert sum(lines[name] for name in OF_DISPLAYS) <= 120
    assert sum(lines[name] for name in OF_FINDINGS) <= 100
    assert len((HOME / "meter.py").read_text("utf-8").splitlines()) <= 200


def test_it_imports_nothing_but_python_and_cryptography() -> None:
    allowed = {"cryptography", "orjson", *sys.stdlib_module_names}
    for path in HOME.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                assert {each.name.split(".")[0] for each in node.names} <= allowed, path
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert (node.module or "").split(".")[0] in allowed, path


def alone(tmp_path: Path, run: list[object], bundle: Path) -> tuple[int, str]:
    """Run it where nothing of this project is to be found, and without orjson."""
    (tmp_path / "orjson.py").write_text("raise ImportError\n")
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(tmp_path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, *map(str, run), str(bundle), "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


def test_a_copy_of_the_folder_or_one_file_is_all_it_takes(
    book: Book, bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import shutil

    copy = shutil.copytree(
        HOME, tmp_path / "verifier", ignore=shutil.ignore_patterns("__pycache__")
    )
    zipapp.create_archive(copy, tmp_path / "verifier.pyz")
    altered = book.write(tmp_path / "altered")
    name = next(altered.glob("tile/entries/*.p/*"))
    name.write_bytes(name.read_bytes().replace(b'"shoe":1', b'"shoe":2', 1))
    for place in (bundle, altered):
        code, text = said(capsys, place, "--json")
        for run in ([copy], [tmp_path / "verifier.pyz"]):
            assert alone(tmp_path, run, place) == (code, text)


def test_without_cryptography_it_says_what_is_missing(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "cryptography.py").write_text("raise ModuleNotFoundError(name='cryptography')\n")
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    run = [sys.executable, "-m", "audit.verifier", str(bundle)]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (3, "pip install cryptography\n")


def test_it_shows_how_far_it_has_come_only_to_a_person(bundle: Path) -> None:
    run = [sys.executable, "-m", "audit.verifier", str(bundle)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^registos mostrados e verificados: \d+$", done.stdout, re.MULTILINE)
