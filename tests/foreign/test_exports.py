"""What the casino exports, accepted by Go's packages; and tampered with, rejected."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from audit.exporting import Scope, export_bundle
from casino import sealed
from casino.models import BookLeaf
from casino.recording import Actor
from casino.tlog.note import COSIGNATURE, SigningKey
from casino.tlog.proof_file import ProofFile
from casino.tlog.tiles import tile_path
from tests.factories.sealed_book import ORIGIN, Connect, Seal, seal_events
from tests.foreign.conftest import Reader
from tests.foreign.written import tiles_for, write, write_head

pytestmark = [pytest.mark.needs_tool("go"), pytest.mark.usefixtures("fresh_db")]
HOUSE = Actor("export", "sistema", "local")


@pytest.fixture
def seal(connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    """A book of 703 entries at two tables, three checkpoints, the second by two keys."""
    seal = Seal(connect_as, tmp_path / "public", settings)
    seal_events(300)
    seal.sign()
    seal_events(400, "BJ-07")
    seal.sign(seal.key, SigningKey.generate(ORIGIN))
    seal_events(1, people=2)
    seal.cosign(seal.sign(), 1_790_000_000)
    return seal


@pytest.mark.parametrize(
    ("scope", "shown"),
    [
        (Scope(), 703),
        (Scope("range", first=295, end=310), 15),
        (Scope("table", table="BJ-06"), 301),
    ],
)
def test_an_export_is_accepted_until_it_is_tampered_with(
    seal: Seal, tmp_path: Path, go_reader: Reader, scope: Scope, shown: int
) -> None:
    bundle = export_bundle(tmp_path / "bundle", scope, HOUSE).place
    key = seal.key.verifier().text()
    held, said = go_reader("bundle", bundle, key)
    assert (held, said.startswith(f"{shown} entries of 703, ")) == (True, True), said
    assert not go_reader("bundle", bundle, SigningKey.generate(ORIGIN).verifier().text())[0]
    witness = seal.witness.verifier(COSIGNATURE).text()
    assert go_reader("cosignature", bundle / "checkpoint", witness)[0]
    # A digit of one entry, wherever it is shown.
    place = bundle / ("tile/entries/001" if scope == Scope() else "shown/000000")
    data = place.read_bytes()
    at = data.index(b'"cards":') + len(b'"cards":')
    place.write_bytes(data[:at] + (b"9" if data[at : at + 1] != b"9" else b"8") + data[at + 1 :])
    assert not go_reader("bundle", bundle, key)[0]


def test_a_records_proof_is_accepted_for_its_entry_alone(
    seal: Seal, tmp_path: Path, go_reader: Reader
) -> None:
    key = seal.key.verifier().text()
    for index in (0, 299, 300, 511, 702):
        entry = BookLeaf.objects.get(idx=index).entry
        proof = sealed.record_proof(entry.id, openings=False)
        extra = ProofFile.parse(proof).extra
        assert extra is not None
        value = json.loads(extra)["entry"]
        for name, text in (("proof", proof), ("entry", value), ("other", value.replace("1", "2"))):
            (tmp_path / name).write_text(text, "utf-8")
        held, said = go_reader("inclusion", tmp_path / "proof", tmp_path / "entry", key)
        assert (held, said.startswith(f"entry {index} of ")) == (True, True), said
        assert not go_reader("inclusion", tmp_path / "proof", tmp_path / "other", key)[0]


def test_the_log_as_it_is_served_is_accepted_until_a_tile_is_altered(
    seal: Seal, tmp_path: Path, go_reader: Reader, settings: Any
) -> None:
    """Go's sumdb makes the tree of what a mirror fetches, and holds every tile against it."""
    settings.MIRROR_TOKENS = {"go": "g" * 40}
    size = sealed.latest().size
    paths = [tile_path(level, n, width) for level, n, width in tiles_for(size)]
    paths += [path.replace("tile/0/", "tile/entries/") for path in paths if "tile/0/" in path]
    for path in paths:
        answer = Client().get(f"/log/{path}", HTTP_AUTHORIZATION=f"Bearer {'g' * 40}")
        assert answer.status_code == 200, path
        write(tmp_path / "copy", path, answer.content)
    notes = [one.note for one in sealed.all_checkpoints()]
    write_head(tmp_path / "copy", notes, {"kind": "full"}, size)
    key = seal.key.verifier().text()
    held, said = go_reader("bundle", tmp_path / "copy", key)
    assert (held, said) == (True, f"{size} entries of {size}, {len(notes)} checkpoints"), said
    for path in paths:
        place = tmp_path / "copy" / path
        data = place.read_bytes()
        place.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        assert not go_reader("bundle", tmp_path / "copy", key)[0], path
        place.write_bytes(data)
