"""A witness's signature is brought as a file: taken where it is valid, else put aside, and why."""

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from casino.signer import cosigning
from casino.tlog.checkpoint import cosign
from casino.tlog.note import (
    COSIGNATURE,
    MOST_SHOWN,
    SigningKey,
    parse_note,
    valid_signatures,
    with_signatures,
)
from casino.tlog.policy import Policy
from tests.casino.signer_paper import PaperHouse

pytestmark = pytest.mark.share

WITNESS = SigningKey.generate("witness.example/regulator")
AUDITOR = SigningKey.generate("witness.example/auditor")
STRANGER = SigningKey.generate("witness.example/stranger")


@pytest.fixture
def house(tmp_path: Path) -> PaperHouse:
    """Two checkpoints, of 1 and 3 entries; two witnesses are known, one of them is enough."""
    known = tmp_path / "witnesses"
    known.write_text(
        f"witness regulator {WITNESS.verifier(COSIGNATURE).text()}\n"
        f"witness auditor {AUDITOR.verifier(COSIGNATURE).text()}\n"
        "group either any regulator auditor\nquorum either\n"
    )
    one = PaperHouse(tmp_path, WITNESSES=str(known))
    one.book.grow()
    one.signer().turn()
    one.book.grow()
    one.book.grow()
    one.signer().turn()
    return one


def line(note: str, key: SigningKey = WITNESS, seconds: int = 0) -> str:
    """What a witness signs now, or so many seconds from now."""
    return cosign(key, parse_note(note).text, int(time.time()) + seconds)


def brought(house: PaperHouse, text: str | bytes, name: str = "answer", age: float = 60) -> Path:
    """Lay a file into the drop folder and let the signer look."""
    file = house.at.drop / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    os.utime(file, (time.time() - age, time.time() - age))
    house.signer().turn()
    return file


def why(house: PaperHouse, name: str = "answer") -> str:
    """Why a file was refused; nothing of it was taken."""
    assert not (house.at.drop / name).exists()
    assert os.path.lexists(house.at.drop / "refused" / name)
    assert house.book.lines == {}
    return (house.at.drop / "refused" / f"{name}.why").read_text()


def test_the_policy_that_is_published_names_the_witnesses(house: PaperHouse) -> None:
    policy = Policy.parse(house.at.policy.read_text())
    assert list(policy.witnesses) == ["regulator", "auditor"]
    assert policy.quorum == "either"
    note = parse_note(house.note())
    assert not policy.satisfied_by(valid_signatures(note, policy.keys())), "nobody cosigned yet"


@pytest.mark.parametrize("form", ["note", "line", "lines", "windows"])
def test_a_valid_signature_is_published(house: PaperHouse, form: str) -> None:
    note = house.note()
    signed = line(note)
    text = {
        "note": with_signatures(note, [signed]),
        "line": f"{signed}\n",
        "lines": f"{signed}\n{line(note, STRANGER)}\n",
        "windows": with_signatures(note, [signed]).replace("\n", "\r\n"),
    }[form]
    brought(house, text)
    assert house.note() == f"{note}{signed}\n"
    policy = Policy.parse(house.at.policy.read_text())
    assert policy.satisfied_by(valid_signatures(parse_note(house.note()), policy.keys()))
    ((size, kept),) = house.book.lines
    assert (size, kept) == (3, signed)
    assert (house.at.drop / "taken" / "answer").read_bytes() == text.encode()
    house.must_agree()


def test_what_the_houses_own_job_laid_is_removed_once_it_is_taken(house: PaperHouse) -> None:
    """Some thousand a night: each stands in the database."""
    brought(house, line(house.note()), "5f.line")
    assert len(house.book.lines) == 1
    assert list(house.at.drop.rglob("*.line")) == []
    brought(house, line(house.note(), STRANGER), "6f.line")
    assert (house.at.drop / "refused" / "6f.line").exists(), "what is refused is kept, with its why"


def test_two_witnesses_are_better_than_one(house: PaperHouse) -> None:
    note = house.note()
    brought(house, line(note), "one")
    brought(house, line(note, AUDITOR), "other")
    assert len(parse_note(house.note()).signatures) == 3
    brought(house, with_signatures(note, [line(note)]), "one")
    assert (house.at.drop / "taken" / "one.1").exists(), "nothing taken is overwritten"


def test_a_signature_under_an_older_checkpoint_is_kept(house: PaperHouse) -> None:
    """A witness is slower than the house: what is published now stays as it is."""
    older = house.book.signed[1][0]
    brought(house, with_signatures(older, [line(older)]), "whole")
    brought(house, line(older, AUDITOR), "bare")
    assert sorted(size for size, _ in house.book.lines) == [1, 1]
    assert len(parse_note(house.note()).signatures) == 1


def test_it_is_published_again_after_a_restart(house: PaperHouse) -> None:
    brought(house, line(house.note()))
    shown = house.note()
    house.at.checkpoint.unlink()
    house.signer().turn()
    assert house.note() == shown
    house.book.grow()
    house.signer().turn()
    assert len(parse_note(house.note()).signatures) == 1, "a new checkpoint is not cosigned yet"


def as_witness(note: str) -> str:
    """A line that bears the witness's name and key id over another checkpoint."""
    return line(note.replace("\n3\n", "\n4\n"))


@pytest.mark.parametrize("name", ["taken", "refused"])
def test_a_link_in_the_drop_leads_nothing_elsewhere(house: PaperHouse, name: str) -> None:
    """Others write to the drop: what they bring never lands among the signer's own files."""
    (house.at.drop / name).symlink_to(house.at.keys)
    before = sorted(house.at.keys.iterdir())
    good = line(house.note()) if name == "taken" else "hello"
    brought(house, good, "new.key")
    assert sorted(house.at.keys.iterdir()) == before
    assert (house.at.drop / "new.key").exists()
    assert house.book.lines == {}
    (house.at.drop / name).unlink()
    house.signer().turn()
    assert (house.at.drop / name / "new.key").exists()


UNFIT: dict[str, tuple[Callable[[str], str | bytes], str]] = {
    "junk": (lambda note: b"\xff\xfe", "no text in UTF-8"),
    "words": (lambda note: "hello\n", "neither a signed note nor lines"),
    "nothing": (lambda note: "", "neither a signed note nor lines"),
    "long": (lambda note: "x" * 70_000, "longer than"),
    "stranger": (lambda note: line(note, STRANGER), "none of its 1 signatures"),
    "ours": (lambda note: note, "none of its 1 signatures"),
    "another-tree": (as_witness, "no witness's signature in it is valid"),
    "future": (lambda note: line(note, seconds=200), "clock"),
    "past": (lambda note: line(note, seconds=-200), "clock"),
    "far": (lambda note: line(note, seconds=2**61), "no moment of our time"),
}


@pytest.mark.parametrize("name", UNFIT)
def test_what_is_not_valid_is_put_aside(house: PaperHouse, name: str) -> None:
    before = house.note()
    made, reason = UNFIT[name]
    brought(house, made(before), name)
    assert reason in why(house, name)
    assert house.note() == before


def test_a_size_that_was_never_signed_is_put_aside(house: PaperHouse) -> None:
    note = house.note().replace("\n3\n", "\n2\n")
    brought(house, with_signatures(note, [line(note)]))
    assert "we signed no checkpoint of 2 entries" in why(house)


def test_another_root_than_ours_is_put_aside(house: PaperHouse) -> None:
    """Somebody else's log, or a fork: the one thing a witness is there to see."""
    other = PaperHouse(house.at.home.parent / "other")
    for _ in range(3):
        other.book.grow(b'{"kind":"forged/1"}')
    other.signer().turn()
    note = other.note()
    brought(house, with_signatures(note, [line(note)]))
    assert "another checkpoint of 3 entries than the one we signed" in why(house)


def test_the_skew_of_two_clocks_is_borne(house: PaperHouse) -> None:
    brought(house, line(house.note(), seconds=100), "ahead")
    brought(house, line(house.note(), AUDITOR, seconds=-100), "behind")
    assert len(house.book.lines) == 2


def test_a_date_before_the_checkpoint_is_refused_however_old_it_is(house: PaperHouse) -> None:
    note, at = house.book.signed[3]
    house.book.signed[3] = (note, at - timedelta(days=9))
    brought(house, line(note, seconds=-10 * 24 * 3600), "before")
    assert "clock" in why(house, "before")
    brought(house, line(note, seconds=-8 * 24 * 3600), "after")
    assert len(house.book.lines) == 1


def test_what_is_no_file_is_put_aside(house: PaperHouse) -> None:
    os.mkfifo(house.at.drop / "pipe")
    (house.at.drop / "link").symlink_to("/etc/hostname")
    (house.at.drop / "folder").mkdir()
    for name in ("pipe", "link"):
        os.utime(house.at.drop / name, (0, 0), follow_symlinks=False)
    house.signer().turn()
    assert "no file" in why(house, "pipe")
    assert "cannot be opened" in why(house, "link")
    assert (house.at.drop / "folder").exists()


def test_what_is_still_being_brought_is_left(house: PaperHouse) -> None:
    text = line(house.note())
    file = brought(house, text[:40], age=0)
    hidden = brought(house, text, ".answer.part")
    assert (file.exists(), hidden.exists()) == (True, True)
    brought(house, text)
    assert len(house.book.lines) == 1


def test_without_witnesses_none_is_taken(tmp_path: Path) -> None:
    house = PaperHouse(tmp_path)
    house.book.grow()
    house.signer().turn()
    assert Policy.parse(house.at.policy.read_text()).quorum == "none"
    brought(house, line(house.note()))
    assert "no witness is known" in why(house)


def test_signing_does_not_wait_for_a_file_of_witnesses(
    house: PaperHouse, caplog: pytest.LogCaptureFixture
) -> None:
    assert house.at.witnesses is not None
    policy = house.at.policy.read_text()
    house.at.witnesses.write_text("witness nobody\n")
    house.book.grow()
    signer = house.signer()
    file = house.at.drop / "answer"
    file.write_text(line(house.note()))
    os.utime(file, (0, 0))
    assert signer.turn().size == 4
    signer.turn()
    assert [record.levelname for record in caplog.records].count("ERROR") == 1, "it is told once"
    assert house.at.policy.read_text() == policy
    assert file.exists(), "nobody is refused because of our own file"


def test_signing_does_not_wait_for_the_drop_folder(
    house: PaperHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cosigning, "move", full)
    signed = line(house.note())
    brought(house, signed)
    house.book.grow()
    assert house.signer().turn().size == 4
    monkeypatch.undo()
    house.signer().turn()
    assert [kept for _, kept in house.book.lines] == [signed], "kept once, however often tried"


def test_only_so_many_at_a_time(house: PaperHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cosigning, "MOST_FILES", 2)
    for number in range(3):
        (house.at.drop / str(number)).write_text("junk")
        os.utime(house.at.drop / str(number), (0, 0))
    house.signer().turn()
    assert [file.name for file in house.at.drop.iterdir() if file.is_file()] == ["2"]


def test_the_moment_is_the_witness_s(house: PaperHouse) -> None:
    brought(house, line(house.note(), seconds=-30))
    (at,) = house.book.lines.values()
    assert abs(at - (datetime.now(UTC) - timedelta(seconds=30))) < timedelta(seconds=10)


def test_a_witness_who_signs_often_is_kept_once(house: PaperHouse) -> None:
    note = house.note()
    first = line(note, seconds=-60)
    often = "\n".join([line(note, seconds=-second) for second in range(50)] + [first])
    brought(house, f"{often}\n", "often")
    brought(house, line(note, seconds=5), "again")
    assert (house.at.drop / "taken" / "again").exists()
    assert list(house.book.lines) == [(3, first)]
    brought(house, line(note, AUDITOR), "other")
    assert len(house.book.lines) == 2


def test_lines_of_too_many_keys_are_not_kept(
    house: PaperHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cosigning, "MOST_KEYS", 1)
    brought(house, line(house.note()), "one")
    brought(house, line(house.note(), AUDITOR), "two")
    assert len(house.book.lines) == 1


@pytest.mark.parametrize("keys", [1, 120])
def test_many_lines_in_the_book_do_not_stop_the_signer(house: PaperHouse, keys: int) -> None:
    """As a book holds them that was written before they were kept once."""
    from casino.sealed import with_lines  # the planted bugs run the others without Django

    note = house.note()
    known = [SigningKey.generate(f"witness.example/{n}") for n in range(keys)]
    for second in range(120):
        signed = line(note, known[second % keys], seconds=-second)
        house.book.lines[3, signed] = datetime.now(UTC) - timedelta(seconds=second)
    house.signer().turn()
    assert len(parse_note(house.note()).signatures) == (2 if keys == 1 else MOST_SHOWN)
    assert with_lines(note, house.book.cosignatures(3)) == house.note()
    house.book.grow()
    assert house.signs(house.signer()).size == 4


def test_an_unreadable_line_in_the_book_does_not_stop_the_signer(
    house: PaperHouse, caplog: pytest.LogCaptureFixture
) -> None:
    house.book.lines[3, "no line"] = datetime.now(UTC)
    house.signer().turn()
    assert "no witness's line is shown" in caplog.text
    house.book.grow()
    assert house.signs(house.signer()).size == 4
