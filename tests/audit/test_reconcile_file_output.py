"""What `reconcile_file` writes: three formats, and a file that is whole or not there at all."""

import csv
import errno
import io
import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.rounds_file import output
from audit.rounds_file.file_wording import Wording, one_line
from audit.rounds_file.judge_lines import Row
from audit.rounds_file.listing import COLUMNS, Table, neutral
from casino.law.rulebook.rulebook_file import DATA
from tests.audit.round_lines import (
    ROOT,
    a_round,
    breach_of_play,
    command,
    reconcile,
    round_id,
    run_process,
    surroundings,
    undecided_round,
    written,
)
from tests.patience import PATIENCE

pytestmark = pytest.mark.share


@pytest.fixture
def rounds(tmp_path: Path) -> str:
    """One lawful round and each kind of finding."""
    return written(
        tmp_path / "r.jsonl", a_round(1), a_round(2, 500), breach_of_play(3), undecided_round(4)
    )


def test_json_lines_and_csv_say_the_same(rounds: str) -> None:
    as_json = reconcile(rounds, "--format", "jsonl", "--list", "all")
    as_csv = reconcile(rounds, "--format", "csv", "--list", "all")
    rows = list(csv.DictReader(io.StringIO(as_csv.out, newline=""), strict=True))

    assert as_json.code == as_csv.code == 1
    assert len(rows) == len(as_json.records) >= 4
    for row, record in zip(rows[:-1], as_json.records[:-1], strict=True):
        assert tuple(row) == COLUMNS
        for name, cell in row.items():
            value = record[name]
            if value is None:
                assert cell == ""
            elif isinstance(value, list | dict):
                assert json.loads(cell) == value
            else:
                assert cell == str(value)
    assert rows[-1]["record"] == "summary"
    assert json.loads(rows[-1]["observed"])["findings_money"] >= 1
    assert rows[-1]["text"] == "complete: yes"


def test_a_finding_names_the_act_it_cites(rounds: str) -> None:
    ran = reconcile(rounds, "--format", "jsonl", "--language", "en")
    act = "Portaria n.º 217/2007 of 26/02/2007 (not confirmed by a lawyer yet)"
    assert {row["instrument"] for row in ran.of("finding")} == {act}
    [book] = ran.records[-1]["rulebooks"]
    assert book["instrument"]["en"] == act
    assert act in reconcile(rounds, "--language", "en").out


def test_csv_is_rfc_4180(rounds: str) -> None:
    out = reconcile(rounds, "--format", "csv").out

    assert out.endswith("\r\n")
    assert "\n" not in out.replace("\r\n", "")
    assert {len(row) for row in csv.reader(io.StringIO(out, newline=""))} == {len(COLUMNS)}


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert neutral(text) == "'" + text


@pytest.mark.parametrize("text", ["", "J4", "1=1", "'=", "ação"])
def test_other_cells_stand_as_they_are(text: str) -> None:
    assert neutral(text) == text


def test_an_owner_who_looks_like_a_formula_is_neutralised(tmp_path: Path) -> None:
    record = a_round(1, 0)
    record["boxes"][0]["holder"] = record["boxes"][0]["wagers"][0]["owner"] = "-2"
    out = reconcile(written(tmp_path / "r.jsonl", record), "--format", "csv").out
    first = next(csv.DictReader(io.StringIO(out, newline="")))

    assert first["owner"] == "'-2"
    assert first["difference_cents"] == "2000"


class Terminal(io.StringIO):
    """Somebody watches."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", [60, 80, 100, 132, 200])
@pytest.mark.parametrize("language", ["pt", "en"])
def test_a_table_fits_the_terminal(
    rounds: str, monkeypatch: pytest.MonkeyPatch, columns: int, language: str
) -> None:
    from django.core.management import call_command

    monkeypatch.setenv("COLUMNS", str(columns))
    out = Terminal()
    with pytest.raises(SystemExit):
        call_command("reconcile_file", rounds, "--language", language, "--workers=1", stdout=out)
    table = out.getvalue().split("\n\n")[0].splitlines()

    assert len(table) >= 3
    assert max(map(len, table)) <= columns
    if columns >= 80:
        assert round_id(2)[-12:] in table[1]
        assert "25" in table[1].split()


def test_a_table_in_a_file_is_not_cut(rounds: str) -> None:
    out = reconcile(rounds, "--language", "en").out

    assert "(winning hand): 5.00 was handed over where 20.00 was due" in out
    assert "…" not in out.split("\n\n")[0]


def test_an_article_with_a_long_name_is_shown_whole(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", a_round(1, 0))
    article = reconcile(path, "--rulebook", "fr", "--format", "jsonl").of("finding")[0]["article"]

    assert len(article) > 4
    assert article in reconcile(path, "--rulebook", "fr").out.splitlines()[1]
    # Without the option nobody knows beforehand how long the names are.
    path = written(tmp_path / "fr.jsonl", a_round(1, 0, rulebook="fr"))
    assert article in reconcile(path).out.splitlines()[1]


def test_the_refusals_stand_in_the_order_of_the_lines(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", a_round(1, 0), b"[]", a_round(3, 0), b"{}", a_round(5, 0))

    assert [r["line"] for r in reconcile(path, "--format", "jsonl").records[:-1]] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("how", ["table", "jsonl", "csv"])
def test_a_file_gets_what_the_screen_would_and_the_screen_the_summary(
    rounds: str, tmp_path: Path, how: str
) -> None:
    target = tmp_path / "out"
    on_screen = reconcile(rounds, "--format", how)
    to_file = reconcile(rounds, "--format", how, "--output", str(target))

    assert target.read_bytes().decode() == on_screen.out
    assert to_file.code == on_screen.code == 1
    assert to_file.out.endswith("complete: yes\n")
    assert "r.jsonl" not in to_file.out
    assert sorted(os.listdir(tmp_path)) == ["out", "r.jsonl"]


def test_what_was_refused_does_not_keep_the_file_from_being_written(tmp_path: Path) -> None:
    target = tmp_path / "out"
    path = written(tmp_path / "r.jsonl", a_round(1, 0), b"{}")
    ran = reconcile(path, "--format", "jsonl", "--output", str(target))

    assert ran.code == 2
    kinds = [json.loads(line)["record"] for line in target.read_text("utf-8").splitlines()]
    assert kinds == ["finding", "refused", "summary"]


def test_all_or_nothing_writes_no_file_when_a_line_was_refused(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_text("before")
    path = written(tmp_path / "r.jsonl", a_round(1, 0), b"{}")
    ran = reconcile(path, "--output", str(target), "--all-or-nothing", "--language", "en")

    assert ran.code == 2
    assert "was not written" in ran.err
    assert target.read_text() == "before"
    assert sorted(os.listdir(tmp_path)) == ["out", "r.jsonl"]


@pytest.mark.check
@pytest.mark.parametrize("link", [os.symlink, os.link, None])
def test_the_input_is_never_overwritten(tmp_path: Path, link: Any) -> None:
    path = written(tmp_path / "r.jsonl", a_round(1, 0))
    before = Path(path).read_bytes()
    target = path
    if link is not None:
        target = str(tmp_path / "other")
        link(path, target)
    ran = reconcile(path, "--output", target, "--language", "en")
    with open(path, "rb") as file:
        redirected = run_process("-", "--output", target, stdin=file)

    assert (ran.code, redirected.code) == (2, 2)
    assert "is the file being read" in ran.err
    assert Path(path).read_bytes() == before


def test_a_link_is_followed_and_rights_are_kept(rounds: str, tmp_path: Path) -> None:
    target, link = tmp_path / "out", tmp_path / "link"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    reconcile(rounds, "--output", str(link))

    assert link.is_symlink()
    assert target.read_text("utf-8").endswith("complete: yes\n")
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("place", [".", "missing/out", "/dev/null"])
def test_a_place_that_cannot_be_written_is_said(rounds: str, tmp_path: Path, place: str) -> None:
    ran = reconcile(rounds, "--output", str(tmp_path / place))

    assert ran.code == 2
    assert ran.out == ""
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_disk_that_fails_leaves_what_was_there(
    rounds: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    target = tmp_path / "out"
    target.write_text("before")
    monkeypatch.setattr(output.os, call, fail)
    ran = reconcile(rounds, "--output", str(target))

    assert ran.code == 2
    assert "o disco assinala um erro" in ran.err
    assert target.read_text() == "before"
    assert sorted(os.listdir(tmp_path)) == ["out", "r.jsonl"]


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KiB; only root may have one."""
    place = tmp_path / "tiny"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a disk that fills up can only be made by root")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.check
@pytest.mark.parametrize("how", [[], ["--all-or-nothing"]])
def test_a_full_disk_leaves_what_was_there(tiny_disk: Path, tmp_path: Path, how: list[str]) -> None:
    target = tiny_disk / "out"
    target.write_text("before")
    path = written(tmp_path / "r.jsonl", *(a_round(n, 0) for n in range(600)))
    ran = run_process(path, "--format", "jsonl", "--output", str(target), *how)

    assert ran.code == 2
    assert "o disco está cheio" in ran.err
    assert "Traceback" not in ran.err
    assert target.read_text() == "before"
    assert os.listdir(tiny_disk) == ["out"]


def test_a_full_disk_for_what_is_held_back_shows_nothing(tiny_disk: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", *(a_round(n, 0) for n in range(600)))
    ran = run_process(
        path, "--format", "jsonl", "--all-or-nothing", env=surroundings(TMPDIR=str(tiny_disk))
    )

    assert ran.code == 2
    assert "o disco está cheio" in ran.err
    assert '"record":"finding"' not in ran.out
    assert os.listdir(tiny_disk) == []


@pytest.mark.check
@pytest.mark.parametrize("how", [["--format", "jsonl"], [], ["--explain", round_id(2)]])
def test_a_full_standard_output_ends_with_2(rounds: str, how: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        ran = run_process(rounds, *how, stdout=full)

    assert ran.code == 2
    assert "o disco está cheio" in ran.err
    assert "Traceback" not in ran.err
    assert "Exception ignored" not in ran.err


def test_a_reader_who_leaves_is_no_error(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", *(a_round(n, 0) for n in range(2000)))
    with subprocess.Popen(
        command(path, "--format", "jsonl", "--workers", "2"),
        cwd=ROOT,
        env=surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"record":"finding"')
        process.stdout.close()
        err = process.stderr.read()
        assert process.wait(PATIENCE) == 141
    assert err == b""


def test_json_is_utf_8_whatever_the_terminal_speaks(rounds: str) -> None:
    ascii_only = surroundings(PYTHONIOENCODING="ascii")
    as_json = run_process(rounds, "--format", "jsonl", env=ascii_only)
    as_table = run_process(rounds, env=ascii_only)

    assert as_json.code == as_table.code == 1
    assert "n.º 23" in as_json.out
    assert "Traceback" not in as_table.err


@pytest.mark.parametrize(
    ("cents", "pt", "en"),
    [
        (0, "0,00", "0.00"),
        (5, "0,05", "0.05"),
        (123_456, "1 234,56", "1,234.56"),
        (10**12, "10 000 000 000,00", "10,000,000,000.00"),
        (-150, "-1,50", "-1.50"),
    ],
)
def test_money_is_written_as_the_language_does(cents: int, pt: str, en: str) -> None:
    assert Wording(str, "pt").money(cents) == pt
    assert Wording(str, "en").money(cents) == en


def test_what_is_not_printable_is_shown_as_its_code() -> None:
    assert one_line("a\nb\x1b[2J\u202eç") == "a\\nb\\x1b[2J\\u202eç"


def test_an_unknown_check_and_an_unknown_reason_are_still_told() -> None:
    row: Row = {
        "record": "undecided", "check": "of_tomorrow", "why": "new_reason", "article": None,
        "observed": {}, "expected": {},
    }  # fmt: skip
    assert "new_reason (of_tomorrow)" in Wording(str, "en").text(row)


def test_a_list_in_portuguese_has_no_english_left(tmp_path: Path) -> None:
    examples = (DATA / "examples").glob("*.jsonl")
    lines = [line for file in sorted(examples) for line in file.read_bytes().splitlines()]
    path = written(tmp_path / "r.jsonl", *dict.fromkeys(lines))
    ran = reconcile(path, "--rulebook", "pt", "--list", "all", "--format", "jsonl")
    texts = " | ".join(row["text"] for row in ran.records[:-1] if row["record"] != "refused")

    assert "desistiu-se contra um ás da banca" in texts
    assert "faltam no registo" in texts or "a banca ficou cedo de mais" in texts
    left = re.findall(r"\b(?:one at least|no ace|ace and ten|[a-z]+_[a-z_]+)\b", texts)
    assert left == []


def test_the_sums_name_no_currency(rounds: str) -> None:
    assert "EUR" not in reconcile(rounds).out


def test_a_narrow_table_leaves_out_the_line() -> None:
    wording = Wording(str, "en")
    assert "line" not in Table(wording, 80).head()
    assert "line" in Table(wording, 120).head()
