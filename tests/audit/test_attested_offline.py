"""An inspector verifies passkeys' answers with a bundle and nothing of the house."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from audit.exporting import Scope, export_bundle
from casino.models import Account, BookEntry, BookLeaf
from casino.recording import Actor
from tests.casino.passkey_device import Device
from tests.factories.passkeys import HEAD, confirmed, registered
from tests.factories.people import PASSWORD, appoint
from tests.factories.records import loaded, recorded
from tests.factories.sealed_book import Connect, Seal, seal_events
from tests.gate import ROOT
from tests.patience import PATIENCE

pytestmark = [pytest.mark.usefixtures("fresh_db", "english"), pytest.mark.share]
HOUSE = Actor("export", "sistema", "local")
RIGHT, WRONG, UNSEEN, NOTHING = 0, 1, 2, 3


@pytest.fixture
def seal(connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    return Seal(connect_as, tmp_path / "public", settings)


@pytest.fixture
def carried(tmp_path: Path) -> Path:
    """The one file an inspector takes with him, in a folder of its own."""
    return Path(shutil.copy(ROOT / "audit" / "attested.py", tmp_path / "attested.py"))


def judged(carried: Path, place: Path, *asked: str) -> tuple[int, str]:
    """How it ends where there is neither database nor house, and what it says."""
    done = subprocess.run(
        [sys.executable, "-I", str(carried), str(place), *(asked or ("--language", "en"))],
        cwd=carried.parent,
        env={},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.fixture
def confirmation(seal: Seal) -> BookEntry:
    """A loading, confirmed by a passkey, in a signed book of some hundred entries."""
    appoint(HEAD, "fiscal_chefe")
    own = Device()
    registered(Account.objects.create_user(HEAD, PASSWORD), own)
    seal_events(300, "BJ-07")
    confirmed(recorded(loaded()), own)
    seal.sign()
    return BookEntry.objects.get(kind="witnessed/1")


def test_a_whole_book_proves_who_confirmed(
    confirmation: BookEntry, carried: Path, tmp_path: Path
) -> None:
    bundle = export_bundle(tmp_path / "bundle", Scope(), HOUSE).place
    code, said = judged(carried, bundle)
    assert code == RIGHT, said
    assert "1 confirmations by passkey, 0 wrong, 0 not to be seen; 1 by a key" in said
    code, said = judged(carried, bundle, "--language", "pt")
    assert code == RIGHT
    assert "1 confirmações por chave de acesso, 0 erradas" in said


def test_a_byte_of_the_answer_changed_in_the_bundle_is_found(
    confirmation: BookEntry, carried: Path, tmp_path: Path
) -> None:
    bundle = export_bundle(tmp_path / "bundle", Scope(), HOUSE).place
    signature = json.loads(bytes(confirmation.entry))["payload"]["passkey"]["signature"].encode()
    other = signature[:9] + (b"B" if signature[9:10] == b"A" else b"A") + signature[10:]
    (file,) = (
        one
        for one in (bundle / "tile/entries").rglob("*")
        if one.is_file() and signature in one.read_bytes()
    )
    file.write_bytes(file.read_bytes().replace(signature, other))
    code, said = judged(carried, bundle)
    assert code == WRONG
    assert f"table/BJ-06 {confirmation.n} ({HEAD}): the passkey did not sign this" in said


def test_a_part_of_the_book_without_the_keys_says_so(
    confirmation: BookEntry, carried: Path, tmp_path: Path
) -> None:
    table = export_bundle(tmp_path / "table", Scope("table", table="BJ-06"), HOUSE).place
    code, said = judged(carried, table)
    assert code == UNSEEN
    assert "does not show his passkey" in said
    assert "0 wrong, 1 not to be seen" in said
    size = BookLeaf.objects.count()
    most = export_bundle(tmp_path / "most", Scope("range", first=0, end=size), HOUSE).place
    assert judged(carried, most)[0] == RIGHT


@pytest.mark.parametrize("asked", [[], ["a", "b"], ["a", "--language", "fr"]])
def test_whoever_asks_wrongly_is_told_how_to_ask(carried: Path, asked: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-I", str(carried), *asked],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == NOTHING
    assert "usage: python -m audit.attested" in done.stderr


@pytest.mark.parametrize("rubbish", [b"", b"\x00\x09{}", b"\x00\x02[]", b"\x00\x02{x"])
def test_what_is_no_bundle_is_said_to_be_none(
    carried: Path, tmp_path: Path, rubbish: bytes
) -> None:
    assert judged(carried, tmp_path / "none")[0] == NOTHING
    bundle = tmp_path / "bundle"
    (bundle / "tile/entries").mkdir(parents=True)
    assert judged(carried, bundle)[0] == NOTHING
    (bundle / "bundle.json").write_bytes(b'{"scope":{"kind":"full"}}')
    assert judged(carried, bundle)[0] == NOTHING
    (bundle / "bundle.json").write_bytes(b'{"entries":1,"scope":{"kind":"full"},"size":1}')
    assert judged(carried, bundle)[0] == UNSEEN
    (bundle / "tile/entries/000.p").mkdir()
    (bundle / "tile/entries/000.p/1").write_bytes(rubbish)
    code, said = judged(carried, bundle)
    assert code == NOTHING, said
    (bundle / "tile/entries/000.p/1").write_bytes(b"\x00\x02{}")
    assert judged(carried, bundle)[0] == RIGHT
