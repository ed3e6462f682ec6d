"""Files made to harm their reader: said what is wrong, in bounds, and nothing of them is taken in
as something else.
"""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from casino.importing import judging, parse_file, staging
from casino.models import StagedImport
from tests.factories.foreign_tables import NARROW
from tests.factories.hostile_files import HEAVY, LAWFUL, Hostile, quick, workbook
from tests.factories.people import somebody
from tests.gate import drawn
from tests.jobs_inline import do_jobs

ROOT: Final = Path(__file__).resolve().parents[2]
QUICK: Final = list(quick())
# Drawn by name: what an archive holds differs from one second to the next.
NAMED: Final = {one.name: one for one in QUICK}
# Of these a line can be read whose cells are what they say: they are records, or faults by line.
HARMLESS: Final = {"ends.csv"}


def parsed(tmp_path: Path, hostile: Hostile) -> list[str]:
    """What the reader says, line by line."""
    file, mapping = tmp_path / "file", tmp_path / "mapping.toml"
    file.write_bytes(hostile.content)
    mapping.write_text(hostile.mapping, "utf-8")
    named = [str(file), *([str(mapping)] if hostile.mapping else [])]
    ran = subprocess.run(
        [sys.executable, "-m", "casino.importing.parse_file", *named],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout.splitlines()


def test_there_are_forty_of_them_at_least() -> None:
    assert len(QUICK) >= 40
    assert len(NAMED) == len(QUICK)


@pytest.mark.parametrize("name", drawn(NAMED, 14))
def test_a_hostile_file_is_refused_with_its_reason(tmp_path: Path, name: str) -> None:
    hostile = NAMED[name]
    said = parsed(tmp_path, hostile)
    taken = [line for line in said if line.startswith("R ")]
    assert hostile.name in HARMLESS or not taken, taken[0][:200]
    assert hostile.name in HARMLESS or any(line.startswith(("F ", "U ")) for line in said)
    assert said[-1][0] in "UE"


@pytest.mark.check
@pytest.mark.parametrize("name", HEAVY)
def test_a_heavy_file_ends_within_its_bounds(tmp_path: Path, name: str) -> None:
    hostile = HEAVY[name]()
    said = parsed(tmp_path, hostile)
    # The kernel ends it beyond 280 MB, or 28 seconds of a processor: then its last word is missing.
    assert parse_file.MEMORY <= 300 * 2**20
    assert name == "strings" or not [line for line in said if line.startswith("R ")]
    assert len(said) <= 2 * parse_file.MOST_FAULTS


@pytest.mark.django_db
@pytest.mark.parametrize("name", drawn(NAMED, 6))
def test_its_page_says_so_and_nothing_can_be_confirmed(name: str) -> None:
    hostile = NAMED[name]
    client = somebody("chefia_da_sala")
    sent = {"file": SimpleUploadedFile(hostile.name, hostile.content)}
    if hostile.mapping:
        sent["mapping_file"] = SimpleUploadedFile("m.toml", hostile.mapping.encode())
    answer = client.post(reverse("imports"), sent)
    assert answer.status_code in (302, 400)
    do_jobs(topic=staging.JUDGE)
    if answer.status_code == 302:
        row = StagedImport.objects.get()
        assert row.state == ("waiting" if hostile.name in HARMLESS else "faulty")
        assert client.get(reverse("import", args=[row.pk])).status_code == 200
        faults = client.get(reverse("import-faults", args=[row.pk]))
        assert faults.status_code == 200
        assert b"\n=" not in faults.getvalue()


@pytest.mark.check
def test_a_file_that_takes_too_long_is_ended_without_a_last_word(tmp_path: Path) -> None:
    # What is spent of the second before the file is read makes the rest too short on any machine.
    source = """
import time
import casino.importing.parse_file as p
p.SECONDS = 1
while time.process_time() < 0.95:
    pass
p.main(['{}', '{}'])
"""
    file, mapping = tmp_path / "file", tmp_path / "mapping.toml"
    file.write_bytes(HEAVY["rows"]().content)
    mapping.write_text(NARROW, "utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", source.format(file, mapping)],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert ran.returncode < 0  # by the kernel
    assert not ran.stdout.rstrip().rpartition(b"\n")[2].startswith((b"E ", b"U "))


@pytest.mark.django_db
def test_what_was_said_without_a_last_word_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    client = somebody("chefia_da_sala")
    monkeypatch.setattr(judging, "PROGRAM", ("-c", "print('R 1 {}')"))
    client.post(reverse("imports"), {"file": SimpleUploadedFile("a.jsonl", b"{}")})
    do_jobs(topic=staging.JUDGE)
    row = StagedImport.objects.get()
    assert (row.state, row.records) == ("faulty", 0)
    assert (
        "takes more memory or time" in client.get(reverse("import", args=[row.pk])).content.decode()
    )


def test_a_sheet_is_read_as_the_same_table_saved_as_text(tmp_path: Path) -> None:
    said = parsed(tmp_path, Hostile("plain.xlsx", workbook(LAWFUL)))
    assert [line[:2] for line in said] == ["R ", "B ", "E "]
    as_text = parsed(
        tmp_path, Hostile("plain.csv", b"0,Ana,10,7,0,10,9,0,0,17\n1,Rui,5,0,6,10,9,0,0,11")
    )
    assert said[0] == as_text[0]


@pytest.mark.parametrize(
    ("stored", "cents"),
    [("10.1", 1010), ("10.100000000000001", 1010), ("0.30000000000000004", 30), ("1.01E1", 1010)],
)
def test_a_number_is_what_the_sheet_shows_to_the_cent(
    tmp_path: Path, stored: str, cents: int
) -> None:
    # The ninth cell of the first row: what was handed back.
    first, second = LAWFUL.split("</row>")[:2]
    whole = first.rsplit("<c><v>0</v></c>", 1)
    rows = f"<c><v>{stored}</v></c>".join(whole) + "</row>" + second + "</row>"
    said = parsed(tmp_path, Hostile("money.xlsx", workbook(rows)))
    assert f'"returned_cents":{cents}' in said[0]
