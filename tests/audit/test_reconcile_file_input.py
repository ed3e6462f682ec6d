"""`reconcile_file` on input that is not what it should be: it says so, and ends with 2."""

import gzip
import json
import os
import re
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.rounds_file import Unusable, line_source
from audit.rounds_file.line_source import Part, Source
from casino.reading.json_lines import MAX_LINE
from tests.audit.round_lines import ROOT, a_round, command, reconcile, run_process, written
from tests.patience import PATIENCE

pytestmark = pytest.mark.share

LINE = json.dumps(a_round()).encode() + b"\n"


def spreadsheet() -> bytes:
    """The beginning of any .xlsx."""
    from io import BytesIO

    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return made.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty: it holds no rounds"),
        (gzip.compress(LINE), "gzip"),
        (spreadsheet(), "spreadsheet"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "PDF"),
        (LINE.decode().encode("utf-16"), "UTF-16"),
        (LINE.decode().encode("utf-16-le"), "UTF-16"),
        (LINE.decode().encode("utf-16-be"), "UTF-16"),
        (LINE.decode().encode("utf-32"), "UTF-32"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "old Office document"),
        (bytes(range(256)) * 8, "binary data"),
    ],
)
def test_a_wrong_type_of_file_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "rounds"
    path.write_bytes(content)
    ran = reconcile(str(path), "--language", "en")

    assert ran.code == 2
    assert said in ran.err
    assert ran.out.endswith("complete: no\n")
    assert "Rounds judged         0" in ran.out


@pytest.mark.parametrize("content", [b"\n", b"\n \n\r\n\t\n"])
def test_a_file_of_blank_lines_holds_no_rounds(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rounds"
    path.write_bytes(content)
    ran = reconcile(str(path), "--language", "en")

    assert ran.code == 2
    assert "it holds no rounds" in ran.err
    assert ran.out.endswith("complete: no\n")


def test_a_csv_file_is_pointed_to_the_converter(tmp_path: Path) -> None:
    ran = reconcile(written(tmp_path / "r.csv", b"date,hand", b"1,2"), "--language", "en")

    assert ran.code == 2
    assert "convert_rounds" in ran.err


def test_binary_junk_between_rounds_is_refused_line_by_line(tmp_path: Path) -> None:
    junk = bytes(n for n in range(256) if n != 10)
    path = written(tmp_path / "r.jsonl", a_round(1), junk, b'{"a": \xff}', a_round(2, 0))
    ran = reconcile(path, "--format", "jsonl")

    assert ran.code == 2
    assert [refused["line"] for refused in ran.of("refused")] == [2, 3]
    assert ran.summary["rounds"] == 2


def test_what_a_line_holds_cannot_steer_the_terminal(tmp_path: Path) -> None:
    evil = a_round(1, dealer="\x1b]0;owned\x07\x1b[2J")
    ran = reconcile(written(tmp_path / "r.jsonl", evil, a_round(2)))

    assert ran.code == 2
    assert "\x1b" not in ran.out + ran.err


@pytest.mark.parametrize("size", [MAX_LINE + 1, 10 * 1024 * 1024])
def test_a_line_too_long_is_refused_and_the_next_one_judged(tmp_path: Path, size: int) -> None:
    path = written(tmp_path / "r.jsonl", a_round(1), b"x" * size, a_round(2, 0))
    ran = reconcile(path, "--format", "jsonl")

    assert ran.code == 2
    (refused,) = ran.of("refused")
    assert refused["line"] == 2
    assert str(size) in refused["reason"]
    assert [finding["line"] for finding in ran.of("finding")] == [3]


def test_a_file_of_one_endless_line_is_one_refusal(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"{" + b" " * (3 * MAX_LINE))
    ran = reconcile(str(path), "--format", "jsonl")

    assert ran.code == 2
    assert (ran.summary["lines"], ran.summary["refused_lines"]) == (1, 1)


def test_no_more_than_a_hundred_refusals_are_printed(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", *[b"{}"] * 130)
    ran = reconcile(path, "--language", "en", "--format", "jsonl")

    assert len(re.findall("^line [0-9]+, ", ran.err, re.MULTILINE)) == 100
    assert "and 30 more lines refused" in ran.err
    assert len(ran.of("refused")) == 130


def test_a_byte_order_mark_blank_lines_and_windows_line_ends_are_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    lines = [json.dumps(a_round(n)).encode() for n in (1, 2)]
    path.write_bytes(b"\xef\xbb\xbf" + lines[0] + b"\r\n\r\n" + lines[1])
    ran = reconcile(str(path), "--format", "jsonl")

    assert ran.code == 0
    assert (ran.summary["rounds"], ran.summary["lines"], ran.summary["blank_lines"]) == (2, 3, 1)


def test_a_second_mark_and_a_form_feed_are_no_blanks(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    mark = b"\xef\xbb\xbf"
    path.write_bytes(mark + mark + json.dumps(a_round(1)).encode() + b"\n\x0c\n \t\r\n")
    ran = reconcile(str(path), "--format", "jsonl")

    assert [refused["line"] for refused in ran.of("refused")] == [1, 2]
    assert (ran.summary["lines"], ran.summary["blank_lines"]) == (3, 1)


def test_a_file_of_a_mark_alone_holds_no_rounds(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"\xef\xbb\xbf")
    ran = reconcile(str(path), "--language", "en")

    assert ran.code == 2
    assert "the file is empty" in ran.err


def test_the_end_of_a_line_does_not_count_against_its_length(tmp_path: Path) -> None:
    record = json.dumps(a_round(1)).encode()
    path = tmp_path / "r.jsonl"
    path.write_bytes(record + b" " * (MAX_LINE - len(record)) + b"\r\n")

    assert reconcile(str(path)).code == 0


@pytest.mark.parametrize("place", ["", "missing.jsonl", "nul\0.jsonl"])
def test_a_folder_and_a_missing_file_are_said(tmp_path: Path, place: str) -> None:
    ran = reconcile(f"{tmp_path}/{place}", "--language", "en")

    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_one_may_not_read_is_said(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", a_round())
    os.chmod(path, 0)

    assert reconcile(path).code == 2


def test_a_refusal_of_the_system_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(line_source.os, "open", refuse)
    ran = reconcile(written(tmp_path / "r.jsonl", a_round()), "--language", "en")

    assert ran.code == 2
    assert "permission was refused" in ran.err


def test_standard_input_and_a_pipe_are_read_as_a_file_is(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", a_round(1), a_round(2, 0))
    from_file = run_process(path)
    with open(path, "rb") as file:
        redirected = run_process("-", stdin=file)
    piped = run_process("-", input=Path(path).read_bytes())

    assert from_file.code == 1
    assert from_file == redirected == piped


def test_an_empty_pipe_holds_no_rounds() -> None:
    assert run_process("-", stdin=subprocess.DEVNULL).code == 2


def test_a_pipe_that_gives_a_little_at_a_time_is_read_whole(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)

    def feed() -> None:
        with open(fifo, "wb", buffering=0) as end:
            for n in range(5):
                line = json.dumps(a_round(n)).encode() + b"\n"
                end.writelines(line[start : start + 100] for start in range(0, len(line), 100))

    feeder = threading.Thread(target=feed)
    feeder.start()
    ran = reconcile(str(fifo), "--format", "jsonl")
    feeder.join()

    assert ran.code == 0
    assert ran.summary["rounds"] == 5


class Disturbed(Source):
    """A file to which something happens after its first part was read."""

    def parts(self) -> Iterator[Part]:
        for part in super().parts():
            yield part
            self.disturb()

    def disturb(self) -> None:
        assert self.path is not None
        path = Path(self.path)
        if path.name == "grows":
            with path.open("ab") as file:
                file.write(LINE)
        elif path.name == "shrinks":
            os.truncate(path, 10)
        elif path.name == "rewritten":
            path.write_bytes(path.read_bytes())
            os.utime(path, ns=(1, 1))
        elif path.name == "replaced":
            other = path.with_name("other")
            other.write_bytes(path.read_bytes())
            other.replace(path)
        else:
            path.unlink()


@pytest.mark.parametrize("name", ["grows", "shrinks", "rewritten", "replaced", "removed"])
@pytest.mark.parametrize("rounds", [1, 500])
def test_a_file_that_changes_while_it_is_read_is_not_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, rounds: int
) -> None:
    from audit.management.commands import reconcile_file

    monkeypatch.setattr(reconcile_file, "Source", Disturbed)
    path = written(tmp_path / name, *(a_round(n, 0) for n in range(rounds)))
    output = tmp_path / "out.jsonl"
    ran = reconcile(path, "--language", "en", "--output", str(output))

    assert ran.code == 2
    assert ran.out.endswith("complete: no\n")
    assert "while it was being read" in ran.err
    assert "was not written" in ran.err
    assert not output.exists()


@pytest.mark.parametrize("cut", range(1, 40))
def test_wherever_the_parts_are_cut_the_lines_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    monkeypatch.setattr(line_source, "PART", cut)
    monkeypatch.setattr(line_source, "MAX_LINE", 16)
    path = tmp_path / "lines"
    path.write_bytes(b"{1}\n\n{333333333333}\n" + b"7" * 17 + b"\n" + b"8" * 60 + b"\n{9}")
    listed: list[tuple[int, bytes | int]] = []
    reader = Source(str(path))
    for part in reader.parts():
        if part.too_long:
            listed.append((part.first_line, part.too_long))
        else:
            lines = part.data.removesuffix(b"\n").split(b"\n")
            listed += enumerate(lines, part.first_line)
    reader.close()

    # A line over the limit is recorded by its length, or whole where it fitted into one part.
    lengths = [(n, line if isinstance(line, int) else len(line)) for n, line in listed]
    assert lengths == [(1, 3), (2, 0), (3, 14), (4, 17), (5, 60), (6, 3)]


def test_a_read_error_on_the_way_is_said(tmp_path: Path) -> None:
    class Failing:
        def __init__(self, path: Path) -> None:
            self._file = path.open("rb", buffering=0)
            self._reads = 0

        def fileno(self) -> int:
            return self._file.fileno()

        def tell(self) -> int:
            return 0

        def close(self) -> None:
            self._file.close()

        def read(self, size: int) -> bytes:
            self._reads += 1
            if self._reads > 1:
                raise OSError(5, "Input/output error")
            return self._file.read(100)

    path = tmp_path / "r.jsonl"
    path.write_bytes(LINE)
    reader = Source(None, Failing(path))  # type: ignore[arg-type]
    with pytest.raises(Unusable, match="the disk reports an error"):
        list(reader.parts())
    reader.close()


def test_the_help_names_every_option() -> None:
    done = subprocess.run(
        command("--help"), cwd=ROOT, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    for option in ("--rulebook", "--reading", "--list", "--output", "--explain", "--workers"):
        assert option in done.stdout
