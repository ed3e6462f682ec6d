"""What the house exports, the inspector's own program accepts; altered, it says what and where."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from audit.exporting import Scope, bundle_export, export_bundle
from casino import sealed, sequencer
from casino.events.event import EntryRef
from casino.models import BookEntry, BookLeaf
from casino.recording import Actor
from tests.factories.erasures import erased
from tests.factories.records import MANAGER, hired, recorded
from tests.factories.sealed_book import Connect, Seal, seal_events
from tests.gate import ROOT
from tests.patience import PATIENCE

pytestmark = [pytest.mark.usefixtures("fresh_db", "english"), pytest.mark.share]
HOUSE = Actor("export", "sistema", "local")
INTACT, TAMPERED = 0, 1


@pytest.fixture
def seal(connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    return Seal(connect_as, tmp_path / "public", settings)


def verified(place: Path, *words: object) -> tuple[int, dict[str, Any]]:
    """How the verifier ends, run as an inspector runs it, and what it found."""
    command = [sys.executable, "-m", "audit.verifier", place, "--json", "--quiet", *words]
    done = subprocess.run(
        list(map(str, command)), cwd=ROOT, env={}, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("size", [1, 255, 256, 257, 700])
def test_a_full_copy_is_intact(seal: Seal, tmp_path: Path, size: int) -> None:
    seal_events((size + 1) // 2)
    if size > 2:
        seal.sign()
    seal_events(size // 2, "BJ-07")
    seal.sign()
    bundle = export_bundle(tmp_path / "bundle", Scope(), HOUSE).place
    code, found = verified(bundle, "--policy", seal.public / "policy")
    assert code == INTACT, found


@pytest.mark.parametrize(
    "scope",
    [
        Scope("range", first=0, end=1),
        Scope("range", first=250, end=260),
        Scope("range", first=256, end=512),
        Scope("range", first=0, end=700),
        Scope("range", first=699, end=700),
        Scope("table", table="BJ-06"),
        Scope("table", table="BJ-07"),
    ],
)
def test_part_of_the_book_is_intact(seal: Seal, tmp_path: Path, scope: Scope) -> None:
    for count, table in ((200, "BJ-06"), (100, "BJ-07"), (213, "BJ-06"), (187, "BJ-07")):
        seal_events(count, table)
        seal.sign()
    bundle = export_bundle(tmp_path / "bundle", scope, HOUSE).place
    code, found = verified(bundle, "--policy", seal.public / "policy")
    assert code == INTACT, found


@pytest.fixture
def recorded_book(seal: Seal) -> Seal:
    """People with names, one of them erased; the last checkpoint is cosigned."""
    first = recorded(hired("Ana Matos"), by=MANAGER)
    seal_events(5, people=3)
    seal.sign()
    named = EntryRef(stream=first.stream, n=first.n, leaf=first.leaf)
    erased(named, "name")
    seal.cosign(seal.sign(), 1_890_000_000)
    return seal


def test_private_values_are_withheld_or_opened(recorded_book: Seal, tmp_path: Path) -> None:
    shut = export_bundle(tmp_path / "shut", Scope(), HOUSE).place
    opened = export_bundle(tmp_path / "opened", Scope(), HOUSE, openings=True).place
    assert verified(shut)[0] == verified(opened)[0] == INTACT
    lines = opened / "private/openings.jsonl"
    lines.write_bytes(lines.read_bytes().replace(b"Ana Matos 1", b"Ana Matos 7"))
    assert verified(opened)[0] == TAMPERED


def test_receipts_and_older_checkpoints_hold_the_house_to_it(
    seal: Seal, tmp_path: Path, connect_as: Connect
) -> None:
    seal_events(300)
    seal.sign()
    older = tmp_path / "older"
    older.write_bytes((seal.public / "checkpoint").read_bytes())
    seal_events(10)
    seal.sign()
    entry = BookEntry.objects.get(stream__name="table/BJ-06", n=7)
    receipt = tmp_path / "receipt"
    receipt.write_text(sealed.receipt_text(entry))
    asked = ("--receipt", receipt, "--older-checkpoint", older)
    bundle = export_bundle(tmp_path / "bundle", Scope(), HOUSE).place
    assert verified(bundle, *asked)[0] == INTACT
    false = tmp_path / "false"
    false.write_text(receipt.read_text().replace('"n":7', '"n":8'))
    assert verified(bundle, "--receipt", false)[0] == TAMPERED


@pytest.mark.parametrize("openings", [False, True])
def test_the_proof_of_one_record_is_intact(
    recorded_book: Seal, tmp_path: Path, openings: bool
) -> None:
    for index in (0, 3, 8):
        place = tmp_path / f"{index}.tlog-proof"
        entry = BookLeaf.objects.get(idx=index).entry_id
        place.write_text(sealed.record_proof(entry, openings=openings))
        code, found = verified(place, "--policy", recorded_book.public / "policy")
        assert code == INTACT, found


def test_what_a_superuser_altered_is_found_in_a_copy(
    seal: Seal, tmp_path: Path, connect_as: Connect
) -> None:
    seal_events(300)
    seal.sign()
    with connect_as("postgres") as superuser:
        superuser.execute("ALTER TABLE book_entry DISABLE TRIGGER ALL")
        superuser.execute(
            "UPDATE book_entry SET entry = convert_to(replace(convert_from(entry, 'UTF8'),"
            " '\"cards\":3', '\"cards\":5'), 'UTF8') WHERE n = 8"
        )
    for name, scope in (("full", Scope()), ("part", Scope("table", table="BJ-06"))):
        code, found = verified(export_bundle(tmp_path / name, scope, HOUSE).place)
        assert code == TAMPERED
        assert '"index": 7' in json.dumps(found)


def test_part_of_the_book_brings_the_checkpoints_that_witnesses_signed(
    seal: Seal, tmp_path: Path
) -> None:
    """Else nobody but the house says when what is shown was there."""
    checkpoints = []
    for _ in range(5):
        seal_events(130)
        checkpoints.append(seal.sign())
    seal_events(1, "BJ-07")
    seal.sign()
    for each in checkpoints[1:4]:
        seal.cosign(each, int(time.time()))
    seal.publish(seal.witnessed_policy())
    scope = Scope("range", first=200, end=300)
    bundle = export_bundle(tmp_path / "bundle", scope, HOUSE).place
    notes = [json.loads(line) for line in (bundle / "checkpoints.jsonl").read_text().splitlines()]
    sizes = [int(note.split("\n")[1]) for note in notes]
    # 130 is named by a cp; 260 and 390 are the first cosigned over 200..259 and 260..299.
    assert {260, 390, 520, 651} <= set(sizes)
    assert 650 not in sizes, "nobody cosigned it, nor is it the newest"
    assert sizes == sorted(set(sizes))
    code, found = verified(bundle)
    assert code == INTACT, found
    uncovered = export_bundle(tmp_path / "late", Scope("range", first=600, end=610), HOUSE).place
    code, found = verified(uncovered)
    assert code == INTACT, found


@pytest.mark.check
def test_the_checkpoints_of_witnesses_are_bounded(
    seal: Seal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle_export, "COSIGNED", 2)
    seal_events(10)  # before the first checkpoint: none of them names one
    for _ in range(5):
        sequencer.integrate(2)
        with monkeypatch.context() as waiting:
            waiting.setattr(sequencer, "integrate", lambda: None)
            seal.cosign(seal.sign(), int(time.time()))
    bundle = export_bundle(tmp_path / "bundle", Scope("range", first=0, end=10), HOUSE).place
    notes = [json.loads(line) for line in (bundle / "checkpoints.jsonl").read_text().splitlines()]
    assert [int(note.split("\n")[1]) for note in notes] == [2, 4, 10]
    code, found = verified(bundle)
    assert code == INTACT, found
