"""The last sentence: how much it claims, and that a failure of the program accuses nobody."""

import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from audit.verifier import __main__ as started
from audit.verifier import command
from audit.verifier.report import Report
from audit.verifier.words import COPY_DAMAGED, POOL_BROKEN, RECEIPT_DENIED, VERDICTS
from tests.gate import ROOT
from tests.verifier.maker import Book, canonical, key, play

ENGLISH = ("--language", "en")


@pytest.fixture(scope="module")
def book() -> Book:
    made = play(Book(seed=8, quorum="srij", step=timedelta(seconds=4)), 90, every=30)
    made.sign(seen=True)
    return made


@pytest.fixture(scope="module")
def bundle(book: Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return book.write(tmp_path_factory.mktemp("verdicts") / "bundle")


@pytest.fixture
def kept(book: Book, tmp_path: Path) -> dict[str, list[str]]:
    """What an inspector has in his drawer, as words of the command."""
    sizes = sorted(book.notes)
    texts = {
        "policy": book.policy(quorum="none"),
        "witnessed": book.policy(quorum="srij"),
        "older": book.notes[sizes[0]],
        "newest": book.notes[sizes[-1]],
        "slips": f"{book.receipt(3)}\n{book.receipt(5)}\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    option = {"older": "--older-checkpoint", "newest": "--older-checkpoint", "slips": "--receipt"}
    return {name: [option.get(name, "--policy"), str(tmp_path / name)] for name in texts}


def last(capsys: pytest.CaptureFixture[str], *asked: object) -> tuple[int, str]:
    """How it ends, and the last line."""
    code = command.main([*map(str, asked), *ENGLISH])
    return code, capsys.readouterr().out.splitlines()[-1]


# What it proves hangs on what was brought along.


@pytest.mark.parametrize(
    ("brought", "begins"),
    [
        ([], "AGREES WITH ITSELF: nothing contradicts the book, but nothing was brought"),
        (["policy"], "SIGNED AND WHOLE: a key of your list signed it"),
        (["slips"], "INTACT where your receipts (2) reach: "),
        (["policy", "slips"], "INTACT where your receipts (2) reach: "),
        (
            ["older"],
            "INTACT in its first {kept} of {size} entries, which are those of the checkpoint",
        ),
        (["policy", "older", "slips"], "INTACT in its first {kept} of {size} entries, "),
        (["older", "newest"], "INTACT: the book's {size} entries are those of the checkpoint"),
        (["witnessed"], "INTACT: the witnesses of your list confirmed the book's {size} entries"),
        (["witnessed", "older"], "INTACT: the witnesses of your list confirmed"),
    ],
)
def test_how_much_is_claimed(
    brought: list[str],
    begins: str,
    book: Book,
    bundle: Path,
    kept: dict[str, list[str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, said = last(capsys, bundle, *(word for name in brought for word in kept[name]))
    assert code == 0
    assert said.startswith(begins.format(kept=min(book.notes), size=max(book.notes)))
    assert ("INTACT" in said) == begins.startswith("INTACT")


def test_of_a_history_written_anew_with_the_true_key_it_is_not_said_to_be_intact(
    book: Book, kept: dict[str, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def change(index: int, body: dict[str, Any]) -> dict[str, Any]:
        return body | {"occurred": "2026-11-20T10:00:00.000000Z"} if index < 9 else body

    place = book.rewritten(change).write(tmp_path / "other")
    for brought in ([], kept["policy"]):
        code, said = last(capsys, place, *brought)
        assert code == 0
        assert "INTACT" not in said
    # The house's own witnesses are no one's from outside.
    assert "INTACT" not in last(capsys, place)[1]
    code, said = last(capsys, place, *kept["older"])
    assert (code, said) == (1, VERDICTS[1][1])


def test_of_a_part_it_says_as_much(
    book: Book, kept: dict[str, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = book.write(tmp_path / "part", {"kind": "table", "table": "BJ-01"})
    assert last(capsys, part)[1].startswith("AGREES WITH ITSELF")
    code, said = last(capsys, part, *kept["policy"], *kept["newest"])
    assert code == 0
    assert said.startswith(f"INTACT: the book's {len(book.entries)} entries")


# A receipt bears no signature.


def test_a_receipt_that_contradicts_the_book_accuses_nobody_by_itself(
    book: Book, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for changed in ({"leaf": "ab" * 32}, {"n": 500, "recorded": "2026-11-20T19:00:01.000000Z"}):
        made_up = canonical(json.loads(book.receipt(20)) | changed).decode()
        assert last(capsys, bundle, "--receipt", made_up) == (1, RECEIPT_DENIED[1])
        assert command.main([str(bundle), "--receipt", made_up, "--json"]) == 1
        assert json.loads(capsys.readouterr().out)["sentence"] == RECEIPT_DENIED[0]


def test_beside_a_receipt_what_cannot_happen_to_a_sound_book_is_said(
    book: Book, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = book.write(tmp_path / "altered")
    name = next(place.glob("tile/entries/*.p/*"))
    name.write_bytes(name.read_bytes().replace(b'"shoe":1', b'"shoe":2', 1))
    made_up = canonical(json.loads(book.receipt(20)) | {"leaf": "ab" * 32}).decode()
    assert last(capsys, place, "--receipt", made_up) == (1, VERDICTS[1][1])


def test_receipts_and_pools_keep_their_own_sentences() -> None:
    report = Report()
    report("receipt-wrong", n=1)
    report("pool-seal-wrong", index=1)
    assert command._verdict(1, report)[1] == f"{RECEIPT_DENIED[1]} {POOL_BROKEN[1]}"
    report("entry-altered", index=1)
    assert command._verdict(1, report)[1] == VERDICTS[1][1]
    assert command._verdict(3, report)[0] == VERDICTS[3][0]


@pytest.mark.parametrize(
    "damage", ["lines of the checkpoint", "a link", "a short file", "a tile", "a linked folder"]
)
def test_damage_of_the_copy_says_nothing_of_the_book(
    damage: str, book: Book, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = book.write(tmp_path / "bundle")
    note, ids = place / "checkpoint", place / "ids"
    tile = next(place.glob("tile/0/*.p/*"))
    if damage == "lines of the checkpoint":
        note.write_bytes(note.read_bytes().replace(b"\n", b"\r\n"))
    elif damage == "a link":
        note.rename(tmp_path / "elsewhere")
        note.symlink_to(tmp_path / "elsewhere")
    elif damage == "a short file":
        ids.write_bytes(ids.read_bytes()[:-1])
    elif damage == "a tile":
        tile.write_bytes(bytes(32) + tile.read_bytes()[32:])
    else:
        (place / "tile").rename(tmp_path / "tiles")
        (place / "tile").symlink_to(tmp_path / "tiles")
    code, said = last(capsys, place)
    assert (code, said) == (1, COPY_DAMAGED[1])
    entries = next(place.glob("tile/entries/*.p/*"))
    entries.write_bytes(entries.read_bytes().replace(b'"shoe":1', b'"shoe":2', 1))
    if "folder" not in damage:  # what lies behind a link was not looked at
        assert last(capsys, place) == (1, VERDICTS[1][1])


# Keys, and what was not looked at.


def test_a_key_that_is_not_in_his_list_is_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = Book()
    old, new = book.keys[0], key(book.origin, 2)
    values = {"vkey": new.verifier().text(), "replaces": old.verifier().text(), "reason": "yearly"}
    book.add("signing-key-named/1", values, stream="house", staff="A-0001")
    book.sign()
    book.add("card-burned/1", {"cards": 1})
    book.sign(keys=[new])
    place = book.write(tmp_path / "bundle")
    (tmp_path / "policy").write_text(book.policy([old]), "utf-8")
    asked = [str(place), "--policy", str(tmp_path / "policy"), *ENGLISH]
    assert command.main(asked) == 2
    text = capsys.readouterr().out
    assert f"{new.verifier().text()} (NOT IN YOUR LIST)\n" in text
    assert "take the new key into your list" in text
    # Who asked for what matters only is reported of the key all the same.
    assert command.main([*asked, "--quiet"]) == 2
    text = capsys.readouterr().out
    assert "note: index 0, house/1: ANOTHER KEY: from the checkpoint of 1 entries on" in text
    assert f"named by A-0001 in the place of {old.verifier().text()}." in text
    # The bundle's own list may lack it as well.
    book.known_keys = [old]
    assert command.main([str(book.write(tmp_path / "own")), *ENGLISH]) == 0
    text = capsys.readouterr().out
    assert f"{new.verifier().text()} (not in the list the bundle brings)\n" in text


@pytest.mark.parametrize("count", [0, 1, 3])
def test_confirmations_by_passkey_are_counted_as_not_looked_at(
    count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = Book()
    for _ in range(count):
        act = book.add("cut-made/1", {"table": "BJ-06"}, staff="S-1")
        values = {"witnessed": act, "act": "cut-made/1", "staff": "S-2", "passkey": {}}
        book.add("witnessed/1", values, staff="S-2")
    act = book.add("cut-made/1", {"table": "BJ-06"}, staff="S-1")
    values = {"witnessed": act, "act": "cut-made/1", "staff": "S-2"}
    book.add("witnessed/1", values, staff="S-2")  # by password
    book.sign()
    assert command.main([str(book.write(tmp_path / "bundle")), "--quiet", *ENGLISH]) == 0
    text = capsys.readouterr().out
    assert (f"Confirmations by passkey: {count}. " in text) == bool(count)
    assert ("audit.attested" in text) == bool(count)


# What nobody foresaw ends with 3.


def test_a_failure_nobody_foresaw_ends_with_three(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for trouble in (RuntimeError("one\nand\x1bmore"), KeyboardInterrupt(), RecursionError()):

        def broken(*_: Any, _recorded: BaseException = trouble, **__: Any) -> None:
            raise _recorded

        monkeypatch.setattr(command, "_print", broken)
        monkeypatch.setattr(sys, "argv", ["verifier", str(bundle)])
        assert started.run() == 3
        said = capsys.readouterr().err
        assert said.startswith("verifier: ")
        assert said.count("\n") == 1
        assert "\x1b" not in said
        assert type(trouble).__name__ in said


@pytest.mark.parametrize("program", ["audit.verifier", "audit.attested"])
@pytest.mark.parametrize("out", ["full", "closed pipe", "closed", "all closed"])
def test_what_cannot_be_printed_ends_with_three(program: str, out: str, bundle: Path) -> None:
    if out == "full" and not Path("/dev/full").exists():
        pytest.skip("this system has no full device")
    run: list[str] = [sys.executable, "-m", program, str(bundle)]
    if out.endswith("closed"):
        run = ["sh", "-c", f'"$@" >&-{" 2>&-" * (out == "all closed")}', "sh", *run]
    if out == "full":
        stream = os.open("/dev/full", os.O_WRONLY)
    else:
        reading, stream = os.pipe()
        os.close(reading)
    try:
        done = subprocess.run(run, cwd=ROOT, stdout=stream, stderr=subprocess.PIPE, text=True)
    finally:
        os.close(stream)
    assert done.returncode == 3
    assert done.stderr.count("\n") == (out != "all closed")
    assert "Traceback" not in done.stderr
