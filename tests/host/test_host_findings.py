"""A report of the machine is kept and read back; anything else is refused."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from casino.machine.host_findings import Finding, Report, Text, keep, kept, lines

NOW = datetime(2026, 11, 26, 20, 0, tzinfo=UTC)
WELL = Finding(check="disk", what=Text("Disco", "Disk"), state="ok", found=Text("9 GB", "9 GB"))
WRONG = Finding(
    check="clock",
    what=Text("Relógio", "Clock"),
    state="wrong",
    found=Text("parado", "stopped"),
    expected=Text("acertado", "synchronised"),
    remedy=Text("veja", "look"),
)


def test_a_report_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    assert kept(file) is None
    report = Report(NOW, (WELL, WRONG))
    keep(report, file)
    assert kept(file) == report
    assert report.state == "wrong"
    assert file.stat().st_mode & 0o777 == 0o644
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    "change",
    [{"at": "today"}, {"at": "2026-11-26T20:00:00"}, {"findings": [{}]}, {"findings": None}],
)
def test_what_is_no_report_is_refused(change: dict[str, object]) -> None:
    value = {**json.loads(Report(NOW, (WELL,)).to_json()), **change}
    with pytest.raises(ValueError, match=r"report|isoformat|argument"):
        Report.of(json.dumps(value))
    for text in ("", "[]", "null", '{"at": 1}'):
        with pytest.raises(ValueError, match=r"report|Expecting|argument"):
            Report.of(text)


def test_a_state_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="state"):
        Report.of(Report(NOW, (WELL,)).to_json().replace('"ok"', '"fine"'))


def test_a_terminal_shows_portuguese_first_and_what_to_do() -> None:
    said = lines([WELL, WRONG])
    assert said[0] == "  ok    Disco / Disk: 9 GB"
    assert said[1:] == [
        "ERRADO  Relógio / Clock",
        "        parado",
        "        esperado: acertado",
        "        a fazer: veja",
        "        stopped",
        "        expected: synchronised",
        "        to do: look",
    ]
