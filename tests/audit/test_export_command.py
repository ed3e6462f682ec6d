"""`manage.py export_bundle`: who may have a copy, and how it ends."""

import errno
import json
import os
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from audit.exporting import folder
from audit.models.verification_projections import Export
from casino import clock
from casino.events.staff import OfficeGranted
from casino.recording import Actor
from casino.tlog.proof_file import ProofFile
from tests.factories.records import hired, recorded
from tests.factories.sealed_book import Connect, Seal, seal_events
from tests.gate import ROOT

pytestmark = [pytest.mark.usefixtures("fresh_db", "english"), pytest.mark.share]
ADMIN = Actor("S-0001", "administrador", "admin")


@pytest.fixture
def seal(connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    return Seal(connect_as, tmp_path / "public", settings)


def appointed(staff: str, office: str) -> None:
    now = clock.now()
    event = OfficeGranted(staff=staff, office=office, valid_from=now, granted_by=ADMIN.staff)
    recorded(event, by=replace(ADMIN, door="local"), occurred_at=now)


def exported(*words: str) -> str:
    said = StringIO()
    call_command("export_bundle", *words, "--language=en", stdout=said)
    return said.getvalue()


def refused(*words: str) -> str:
    with pytest.raises(CommandError) as error:
        exported(*words)
    assert error.value.returncode == 2
    return str(error.value)


def test_it_says_what_was_made_and_by_whom(seal: Seal, tmp_path: Path) -> None:
    appointed("S-0777", "administrador")
    seal_events(4)
    signed = seal.sign()
    place = tmp_path / "bundle"
    said = exported(str(place), "--by=S-0777", "--from=1", "--to=3")
    assert said == (f"{place}: 2 entries under the signed tree of 5, root {signed.root.hex()}\n")
    export = Export.objects.get()
    # Whoever types a number is not that person: the author is the house.
    assert (export.staff, export.office) == ("export", "sistema")
    assert export.asked_by == "S-0777"
    exported(str(tmp_path / "house"), "--table=BJ-06")
    assert Export.objects.filter(staff="export", office="sistema", of_table="BJ-06").exists()


@pytest.mark.parametrize(
    ("office", "shut", "opened"),
    [
        ("inspetor", False, False),  # nobody takes a copy in his name who was not asked
        ("auditor", False, False),
        ("chefia_da_sala", True, True),
        ("administrador", True, False),
        ("fiscal_chefe", False, False),
        ("fiscal_de_banca", False, False),
    ],
)
def test_who_may_have_a_copy_and_who_the_private_values(
    seal: Seal, tmp_path: Path, office: str, shut: bool, opened: bool
) -> None:
    appointed("S-0777", office)
    recorded(hired("Ana Matos"), by=ADMIN)
    seal.sign()
    for openings, may in (((), shut), (("--openings",), opened)):
        words = (str(tmp_path / f"b{len(openings)}"), "--by=S-0777", *openings)
        if may:
            exported(*words)
        else:
            assert "holds none of the offices" in refused(*words)
    assert Export.objects.count() == shut + opened


def test_the_proof_of_one_record_is_one_file(seal: Seal, tmp_path: Path) -> None:
    seal_events(3)
    signed = seal.sign()
    place = tmp_path / "two.tlog-proof"
    exported(str(place), "--record=table/BJ-06/2")
    proof = ProofFile.parse(place.read_bytes())
    assert json.loads(json.loads(proof.extra or b"")["entry"])["n"] == 2
    export = Export.objects.get()
    assert (export.extent, export.from_index, export.to_index) == ("record", 1, 2)
    assert export.root == signed.root.hex()
    assert "is there already" in refused(str(place), "--record=table/BJ-06/2")
    assert Export.objects.count() == 1


@pytest.mark.parametrize(("words", "mode"), [((), 0o644), (("--openings",), 0o600)])
def test_a_proof_is_written_whole_and_private_values_for_their_owner_alone(
    seal: Seal,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    mode: int,
) -> None:
    recorded(hired("Ana Matos"), by=ADMIN)
    seal.sign()
    place = tmp_path / "kept" / "one.tlog-proof"
    place.parent.mkdir()
    before = os.umask(0o022)
    try:
        with monkeypatch.context() as full:
            full.setattr(folder.os, "fsync", _disk_full)
            assert "disk is full" in refused(str(place), "--record=house/1", *words)
        assert not os.listdir(place.parent), "no half file is left"
        exported(str(place), "--record=house/1", *words)
    finally:
        os.umask(before)
    assert os.listdir(place.parent) == [place.name]
    assert place.stat().st_mode & 0o777 == mode
    extra = ProofFile.parse(place.read_bytes()).extra or b""
    assert (b"Ana Matos" in extra) == bool(words)


def _disk_full(held: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_record_that_is_not_sealed_says_so(seal: Seal, tmp_path: Path) -> None:
    seal_events(1)
    place = tmp_path / "one.tlog-proof"
    assert "waits for its place" in refused(str(place), "--record=table/BJ-06/1")
    assert "There is no entry 2 of the stream table/BJ-06" in refused(
        str(place), "--record=table/BJ-06/2"
    )
    assert not place.exists()


@pytest.mark.parametrize(
    "words",
    [
        ("--from=1",),
        ("--to=1",),
        ("--from=1", "--to=2", "--table=BJ-06"),
        ("--record=house/1", "--table=BJ-06"),
        ("--record=house",),
        ("--record=house/one",),
    ],
)
def test_one_scope_is_asked_for(seal: Seal, tmp_path: Path, words: tuple[str, ...]) -> None:
    seal_events(3)
    seal.sign()
    refused(str(tmp_path / "bundle"), *words)
    assert not (tmp_path / "bundle").exists()


def test_as_a_program_it_ends_with_its_number_and_a_sentence(
    seal: Seal, tmp_path: Path, database_environment: dict[str, str]
) -> None:
    seal_events(3)
    seal.sign()
    recorded_to = {**database_environment, "DEBUG": "1", "BOOK_PUBLIC": str(seal.public)}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", "export_bundle", *words]
        return subprocess.run(command, cwd=ROOT, env=recorded_to, capture_output=True, text=True)

    done = run(str(tmp_path / "bundle"))
    assert (done.returncode, done.stderr) == (0, "")
    assert os.listdir(tmp_path / "bundle")
    again = run(str(tmp_path / "bundle"), "--language=en")
    assert again.returncode == 2
    assert again.stderr.strip().endswith("a copy is never written over another.")
    assert "Traceback" not in again.stderr
