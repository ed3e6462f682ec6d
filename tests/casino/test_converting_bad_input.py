"""Mapping files that are not right, files that are no CSV, and the command that meets both."""

import io
import json
import random
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from casino.converting.convert import Refused, convert
from casino.converting.csv_rows import MAX_LINE
from casino.converting.grouping import MAX_ROWS
from casino.converting.mapping import MappingError
from casino.converting.mapping_file import load_mapping
from casino.converting.round_grouping import Built
from casino.reading.round_reader import read_round
from tests.factories.foreign_tables import NARROW, NARROW_ROWS, WIDE, WIDE_HEAD, WIDE_ROWS

pytestmark = pytest.mark.share


@pytest.fixture(autouse=True)
def portuguese() -> Generator[None]:
    """The commands speak the house's first language, whatever was spoken here before."""
    with translation.override("pt-pt"):
        yield


def loaded(tmp_path: Path, text: str) -> object:
    path = tmp_path / "m.toml"
    path.write_text(text, "utf-8")
    return load_mapping(path)


def answers(tmp_path: Path, text: str, content: bytes) -> list[Built | Refused]:
    path = tmp_path / "m.toml"
    path.write_text(text, "utf-8")
    return list(convert(io.BytesIO(content), load_mapping(path)))


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("[source]", "[sources]", "sources"),
        ('name = "narrow"', "", "source.name"),
        ("header = false", "", "csv.header"),
        ("header = false", 'header = "no"', "csv.header"),
        ("header = false", "header = false\ndelimiter = ''", "csv.delimiter"),
        ("header = false", "header = false\nquote = ','", "csv.quote"),
        ("header = false", "header = false\nencoding = 'klingon'", "csv.encoding"),
        ("header = false", "header = false\ncolumns = 0", "csv.columns"),
        ("rows = 2", "", "rounds.rows"),
        ('by = "count"', 'by = "luck"', "rounds.by"),
        ('by = "count"', 'by = "key"', "rounds.column"),
        ('incomplete = "refuse"', "", "rounds.incomplete"),
        ('incomplete = "refuse"', 'incomplete = "guess"', "rounds.incomplete"),
        ("day = 2026-11-20", 'day = "2026-11-20"', "round.day"),
        ("day = 2026-11-20", 'day = { column = 1, format = "%d/%m" }', "round.day.format"),
        ("game = 1", "game = 1.5", "round.game"),
        ("game = 1", "game = true", "round.game"),
        ("cards = [3, 4, 5]", "cards = []", "hand.cards"),
        ("cards = [3, 4, 5]", "cards = [3, 0]", "hand.cards"),
        ("{ column = 1, plus = 1 }", "{ colum = 1 }", "box.number.colum"),
        ('"5" = "5?"', '"5" = "15"', "cards.codes.5"),
        ("gaps = true", "", "cards.gaps"),
        ('blank = ["0"]', "blank = 0", "cards.blank"),
        ('by = "cards"', 'by = "column"', "actions.column"),
        ("stand = true", 'stand = true\nwords = { H = "hit" }', "actions.words"),
        ("cents_per_unit = 100", "cents_per_unit = 0", "money.cents_per_unit"),
        ("cents_per_unit = 100", "cents_per_unit = 100\ndecimal = '-'", "money.decimal"),
        ("cents_per_unit = 100", "cents_per_unit = 100\nthousands = '.'", "money.thousands"),
        ('kind = "main"', 'kind = "jackpot"', "wager[0].kind"),
        ("stake = 1000", "stake = -1", "wager[0].stake"),
        ("stake = 1000", "stake = 10.0", "wager[0].stake"),
        ("returned = { column = 9 }", "", "wager[0].returned"),
        ("returned = { column = 9 }", "returned = 0\nnet = 0", "wager[0].returned"),
        ("player_total = { column = 10 }", "player_total = 10", "check.player_total"),
        ("player_total = { column = 10 }", "luck = { column = 10 }", "check.luck"),
        ("[source]", "[source", "(file)"),
    ],
)
def test_a_wrong_mapping_is_refused_by_key(tmp_path: Path, old: str, new: str, key: str) -> None:
    assert NARROW.count(old) >= 1
    with pytest.raises(MappingError) as refused:
        loaded(tmp_path, NARROW.replace(old, new, 1))
    assert (refused.value.file, refused.value.key) == (str(tmp_path / "m.toml"), key)
    assert refused.value.asked


def test_a_mapping_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    with pytest.raises(MappingError) as refused:
        load_mapping(path)
    assert str(refused.value) == (
        f"{path}: there is no such file or folder; asked: a mapping file that can be read"
    )
    (tmp_path / "latin.toml").write_bytes(b'[source]\nname = "caf\xe9"\n')
    with pytest.raises(MappingError, match="UTF-8"):
        load_mapping(tmp_path / "latin.toml")


@pytest.mark.parametrize(
    ("text", "content", "key"),
    [
        (NARROW, b"0,Ana,10,7\n", "hand.cards"),
        (WIDE, b"Rodada;Dia\n1;2\n", "rows"),
        (
            NARROW.replace("column = 9", 'column = "Paid"'),
            b"1,2,3,4,5,6,7,8,9,10",
            "wager[0].returned",
        ),
        (WIDE, f"{WIDE_HEAD};Quem\n".encode("cp1252"), "header"),
    ],
)
def test_a_mapping_that_does_not_fit_its_file(
    tmp_path: Path, text: str, content: bytes, key: str
) -> None:
    with pytest.raises(MappingError) as refused:
        answers(tmp_path, text, content)
    assert refused.value.key == key


def test_bytes_of_another_encoding_cost_their_round(tmp_path: Path) -> None:
    rows = [NARROW_ROWS[0].replace("Ana", "Zé"), NARROW_ROWS[1], *NARROW_ROWS]
    bad, good = answers(tmp_path, NARROW, "\n".join(rows).encode("cp1252"))
    assert isinstance(bad, Refused)
    assert [(p.row, p.column) for p in bad.problems] == [(1, 2)]
    assert isinstance(good, Built)


def test_byte_order_marks_and_utf_16(tmp_path: Path) -> None:
    text = "\n".join(NARROW_ROWS)
    (with_mark,) = answers(tmp_path, NARROW, text.encode("utf-8-sig"))
    wide = NARROW.replace("header = false", 'header = false\nencoding = "utf-16"')
    (utf_16,) = answers(tmp_path, wide, text.encode("utf-16"))
    assert isinstance(with_mark, Built)
    assert isinstance(utf_16, Built)
    assert with_mark.round == utf_16.round


@pytest.mark.parametrize("seed", range(5))
def test_junk_is_refused_and_raises_nothing_else(tmp_path: Path, seed: int) -> None:
    junk = random.Random(seed).randbytes(20_000)
    fixed = NARROW.replace("header = false", "header = false\ncolumns = 10")
    found = answers(tmp_path, fixed, junk)
    assert found
    assert all(isinstance(answer, Refused) for answer in found)


def test_a_huge_field_costs_its_own_round(tmp_path: Path) -> None:
    huge = b"0," + b"A" * (3 * MAX_LINE) + b"\n"
    rows = "\n".join([NARROW_ROWS[1], *NARROW_ROWS]).encode()
    fixed = NARROW.replace("header = false", "header = false\ncolumns = 10")
    bad, good = answers(tmp_path, fixed, huge + rows)
    assert isinstance(bad, Refused)
    assert bad.problems[0].row == 1
    assert isinstance(good, Built)
    assert good.round.device is not None
    assert good.round.device.sequence == 3


def test_a_quote_that_is_never_closed_ends_with_a_refusal(tmp_path: Path) -> None:
    content = b'0,"Ana,' + b"10,7,0,10,9,0,0,17\n" * 20_000
    fixed = NARROW.replace("header = false", "header = false\ncolumns = 10")
    found = answers(tmp_path, fixed, content)
    assert all(isinstance(answer, Refused) for answer in found)


def test_a_round_without_end_is_bounded(tmp_path: Path) -> None:
    text = NARROW.replace('by = "count"\nrows = 2\nincomplete = "refuse"', 'by = "key"\ncolumn = 6')
    (bad,) = answers(tmp_path, text, "\n".join(NARROW_ROWS * MAX_ROWS).encode())
    assert isinstance(bad, Refused)
    assert bad.rows == 2 * MAX_ROWS
    assert bad.problems[0].row == MAX_ROWS + 1


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """A mapping, a good file and one whose second round cannot be read."""
    contents = {
        "mapping.toml": NARROW,
        "good.csv": "\n".join(NARROW_ROWS),
        "bad.csv": "\n".join([*NARROW_ROWS, NARROW_ROWS[0], "1,Rui,?,0,6,10,9,0,0,11"]),
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content, "utf-8")
    return {name: str(tmp_path / name) for name in contents}


def test_the_command_converts(files: dict[str, str], tmp_path: Path) -> None:
    out, notes, trace = tmp_path / "out.jsonl", tmp_path / "notes.jsonl", tmp_path / "trace.jsonl"
    call_command(
        "convert_rounds",
        files["good.csv"],
        mapping=Path(files["mapping.toml"]),
        output=out,
        notes=notes,
        trace=trace,
        stderr=io.StringIO(),
    )
    (line,) = out.read_bytes().splitlines()
    played = read_round(line)
    assert notes.read_text() == ""
    (traced,) = map(json.loads, trace.read_text().splitlines())
    assert traced["round"] == played.round
    assert traced["rows"][1] == {"box": 2, "hand": 1, "row": 2}
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("all_or_nothing", [False, True])
def test_the_command_ends_with_2_where_a_row_is_refused(
    files: dict[str, str], tmp_path: Path, all_or_nothing: bool
) -> None:
    out, notes, said = tmp_path / "out.jsonl", tmp_path / "notes.jsonl", io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command(
            "convert_rounds",
            files["bad.csv"],
            mapping=Path(files["mapping.toml"]),
            output=out,
            notes=notes,
            all_or_nothing=all_or_nothing,
            stderr=said,
        )
    assert ended.value.code == 2
    assert len(out.read_text().splitlines()) == (0 if all_or_nothing else 1)
    (noted,) = map(json.loads, notes.read_text().splitlines())
    assert noted["refused"]["row"] == 4
    assert noted["refused"]["column"] == 3
    assert noted["refused"]["rows"] == {"first": 3, "last": 4}
    assert "'?'" in said.getvalue()


def test_the_command_reads_standard_input(
    files: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join(NARROW_ROWS).encode())))
    call_command("convert_rounds", "-", mapping=Path(files["mapping.toml"]))
    assert read_round(capsys.readouterr().out.encode()).table == "T-1"


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        (
            "mapping.toml",
            "{path}: não existe tal ficheiro ou pasta;"
            " pede-se: um ficheiro de correspondência que se possa ler",
        ),
        ("good.csv", "não se consegue abrir {path}: não existe tal ficheiro ou pasta"),
    ],
)
def test_the_command_ends_with_2_where_a_file_is_missing(
    files: dict[str, str], missing: str, said: str
) -> None:
    Path(files[missing]).unlink()
    with pytest.raises(CommandError) as ended:
        call_command("convert_rounds", files["good.csv"], mapping=Path(files["mapping.toml"]))
    assert str(ended.value) == said.format(path=files[missing])
    assert ended.value.returncode == 2


@pytest.mark.parametrize(
    ("place", "why"), [("none/out", "não existe tal ficheiro ou pasta"), ("", "é uma pasta")]
)
def test_the_command_names_the_output_it_cannot_write(
    files: dict[str, str], tmp_path: Path, place: str, why: str
) -> None:
    with pytest.raises(CommandError) as ended:
        call_command(
            "convert_rounds",
            files["good.csv"],
            mapping=Path(files["mapping.toml"]),
            output=tmp_path / place,
        )
    assert str(ended.value) == f"não se consegue escrever {tmp_path / place}: {why}"
    assert ended.value.returncode == 2


def test_the_command_says_whole_lines_in_portuguese(files: dict[str, str], tmp_path: Path) -> None:
    said, notes = io.StringIO(), tmp_path / "notes.jsonl"
    with pytest.raises(SystemExit):
        call_command(
            "convert_rounds",
            files["bad.csv"],
            mapping=Path(files["mapping.toml"]),
            output=tmp_path / "out.jsonl",
            notes=notes,
            stderr=said,
        )
    assert said.getvalue().splitlines()[0] == (
        "linha 4, coluna 3: encontrado: '?'; pede-se: uma das palavras de [cards.codes],"
        " ou a de uma posição vazia"
    )
    # Whoever reads the notes with a program finds one language, whatever the screen speaks.
    (noted,) = map(json.loads, notes.read_text().splitlines())
    assert noted["refused"]["asked"] == "one of the words of [cards.codes], or an empty slot's"


def test_the_command_speaks_the_language_that_is_asked_for(files: dict[str, str]) -> None:
    said = io.StringIO()
    with pytest.raises(SystemExit):
        call_command(
            "convert_rounds",
            files["bad.csv"],
            mapping=Path(files["mapping.toml"]),
            language="en",
            stderr=said,
        )
    assert said.getvalue().startswith("row 4, column 3: found '?'; asked: one of the words")


def test_the_wide_shape_survives_every_cut(tmp_path: Path) -> None:
    """Whatever byte a transfer stops at, the converter answers and never raises another error."""
    content = "\n".join([WIDE_HEAD, *WIDE_ROWS]).encode("cp1252")
    whole_head = len(WIDE_HEAD) + 1
    for cut in range(whole_head, len(content), 7):
        answers(tmp_path, WIDE, content[:cut])
