"""The proof of one record: one text file, verified without the rest of the book."""

import json
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pytest

from casino.tlog.merkle import leaf_hash
from casino.tlog.proof import TileTree
from casino.tlog.proof_file import ProofFile
from tests.gate import CHECK, SEED, size
from tests.verifier.checked import Found, checked
from tests.verifier.maker import Book, canonical, key, play

INDEX = 137


@pytest.fixture(scope="module")
def book() -> Book:
    book = play(Book(seed=8), INDEX, every=25)
    book.add("incident-reported/1", {"table": "BJ-06"}, private={"text": "ª", "name": "José"})
    return play(book, 250, every=25)


def proof_of(book: Book, index: int, **extra: Any) -> str:
    leaves = [leaf_hash(entry) for entry in book.entries]
    tree = TileTree(
        len(leaves), lambda level, n, width: b"".join(_row(leaves, level)[n * 256 :][:width])
    )
    openings = [
        {"field": each["field"], "salt": each["salt"], "value": each["value"]}
        for each in book.openings
        if each["index"] == index
    ]
    values = {
        "entry": book.entries[index].decode(),
        "format": "livro-da-sala-record/1",
        "openings": openings,
        "policy": book.policy(),
    } | extra
    note = book.notes[len(leaves)]
    return ProofFile(index, tuple(tree.inclusion(index)), note, canonical(values)).text()


def _row(leaves: list[bytes], level: int) -> list[bytes]:
    from audit.verifier.tree import rows_of

    for _ in range(level):
        leaves = [
            rows_of(leaves[at : at + 256])[8][0] for at in range(0, len(leaves) // 256 * 256, 256)
        ]
    return leaves


def looked_at(text: str, tmp_path: Path, **also: Any) -> Found:
    file = tmp_path / "record.tlog-proof"
    file.write_text(text, "utf-8", newline="")
    return checked(file, **also)


def test_every_record_has_a_proof(book: Book, tmp_path: Path) -> None:
    for index in [0, 1, 2, INDEX, 255, 256, len(book.entries) - 1]:
        found = looked_at(proof_of(book, index), tmp_path, policy=book.policy(quorum="srij"))
        assert (found.code, found.lines) == (0, []), index
        assert found.report.figures["index"] == index
    small = Book()
    small.add("card-burned/1", {"cards": 1})
    small.sign()
    assert looked_at(proof_of(small, 0), tmp_path).code == 0


def test_another_record_or_place_or_path_proves_nothing(book: Book, tmp_path: Path) -> None:
    text = proof_of(book, INDEX)
    extra = json.loads(b64decode(text.split("\n")[1].removeprefix("extra ")))
    forged = json.loads(extra["entry"])
    forged["who"]["staff"] = "S-0999"
    lines = text.split("\n")
    others = {
        "another entry": proof_of(book, INDEX, entry=canonical(forged).decode(), openings=[]),
        "another index": text.replace(f"index {INDEX}", f"index {INDEX + 1}"),
        "a shorter path": "\n".join(lines[:3] + lines[4:]),
        "a longer path": "\n".join([*lines[:3], lines[3], *lines[3:]]),
        "another path": "\n".join([*lines[:3], lines[4], lines[3], *lines[5:]]),
        "an index beyond": text.replace(f"index {INDEX}", "index 9999999"),
    }
    for name, other in others.items():
        found = looked_at(other, tmp_path)
        assert (found.code, "record-not-in-tree" in found.codes) == (1, True), name


def test_any_byte_of_it_altered_is_noticed(book: Book, tmp_path: Path) -> None:
    """By whoever asks for the witness, or else by whoever believes the keys it brings along."""
    policy = f"log {book.keys[0].verifier().text()}\nquorum none\n"
    data = proof_of(book, INDEX, policy=policy).encode()
    file = tmp_path / "record.tlog-proof"
    missed = []
    for at in range(0 if CHECK else SEED % 16, len(data), size(16, 3, 1)):
        altered = bytearray(data)
        altered[at] ^= 1
        file.write_bytes(altered)
        if checked(file, policy=book.policy(quorum="srij")).code == checked(file).code == 0:
            missed.append((at, data[max(0, at - 9) : at + 9]))
    assert not missed, missed[:5]


def test_openings_must_fit(book: Book, tmp_path: Path) -> None:
    found = looked_at(proof_of(book, INDEX, openings=[]), tmp_path)
    assert (found.code, found.report.figures["withheld"]) == (0, 2)
    right = next(each for each in book.openings if each["index"] == INDEX)
    values = {name: right[name] for name in ("field", "salt", "value")}
    assert looked_at(proof_of(book, INDEX, openings=[values]), tmp_path).code == 0
    wrong = looked_at(proof_of(book, INDEX, openings=[values | {"value": "x"}]), tmp_path)
    assert (wrong.code, wrong.codes) == (1, {"opening-wrong"})
    twice = looked_at(proof_of(book, INDEX, openings=[values, values]), tmp_path)
    assert (twice.code, twice.codes) == (1, {"opening-unasked"})


def test_what_was_kept_outside_is_compared(book: Book, tmp_path: Path) -> None:
    text = proof_of(book, INDEX)
    assert looked_at(text, tmp_path, receipts=[book.receipt(INDEX)]).code == 0
    found = looked_at(text, tmp_path, receipts=[book.receipt(3)])
    assert (found.code, found.codes) == (2, {"receipt-not-shown"})
    newest = book.notes[len(book.entries)]
    assert looked_at(text, tmp_path, older=[newest]).code == 0
    earlier = book.notes[min(book.notes)]
    assert looked_at(text, tmp_path, older=[earlier]).codes == {"older-not-shown"}
    forged = book.rewritten(
        lambda index, body: body | {"day": "2026-11-19"} if index == 9 else body
    )
    found = looked_at(text, tmp_path, older=[forged.notes[len(book.entries)]])
    assert (found.code, found.codes) == (1, {"older-differs"})


def test_whose_keys_count(book: Book, tmp_path: Path) -> None:
    text = proof_of(book, INDEX)
    other = book.policy([key(book.origin, 5)])
    found = looked_at(text, tmp_path, policy=other)
    assert (found.code, found.codes) == (2, {"key-unknown"})
    forged = text.replace(text[-60:-50], text[-50:-40])
    assert looked_at(forged, tmp_path).code == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: text + "\n",
        lambda text: text.replace("tlog-proof@v1", "tlog-proof@v2"),
        lambda text: "\n".join(each for each in text.split("\n") if not each.startswith("extra")),
        lambda text: text.replace(f"index {INDEX}", f"index 0{INDEX}"),
        lambda text: text.replace(f"index {INDEX}", "index " + "9" * 50),
        lambda text: text.replace("\nindex", "\n\nindex"),
        lambda text: text.replace(
            f"index {INDEX}\n", f"index {INDEX}\n" + (b64encode(bytes(32)).decode() + "\n") * 64
        ),
        lambda text: text.replace(
            f"index {INDEX}\n", f"index {INDEX}\n" + b64encode(bytes(31)).decode() + "\n"
        ),
        lambda text: text.replace(
            text.split("\n")[1], "extra " + b64encode(b'{"entry":1}').decode()
        ),
        lambda text: text.replace(text.split("\n")[1], "extra " + b64encode(b"[]").decode()),
        lambda text: text.replace(text.split("\n")[1], "extra " + b64encode(b"[" * 9999).decode()),
        lambda text: "x" * 5_000_000,
    ],
)
def test_what_is_no_proof_is_bad_input(book: Book, change: Any, tmp_path: Path) -> None:
    assert looked_at(change(proof_of(book, INDEX)), tmp_path).code == 3


@pytest.mark.parametrize(("mark", "end"), [("\ufeff", "\n"), ("", "\r\n"), ("\ufeff", "\r\n")])
def test_how_its_lines_end_after_the_mail_is_forgiven(
    mark: str, end: str, book: Book, tmp_path: Path
) -> None:
    assert looked_at(mark + proof_of(book, INDEX).replace("\n", end), tmp_path).code == 0
