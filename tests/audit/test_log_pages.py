"""The log as files that others mirror: who may read what, and that they are the book's bytes."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from casino import sealed
from casino.models import BookLeaf
from casino.tlog.merkle import leaf_hash
from casino.tlog.note import COSIGNATURE
from casino.tlog.proof import TileTree
from casino.tlog.tiles import hashes_in, tile_path, unpack_entries
from tests.factories.findings import client_of, people
from tests.factories.sealed_book import Connect, Seal, seal_events

pytestmark = pytest.mark.share

TOKEN = "t" * 43
MIRROR = {"HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}


@pytest.fixture
def seal(fresh_db: str, connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    """700 entries under two checkpoints, of 300 and of 700; one mirror has a token."""
    settings.MIRROR_TOKENS = {"regulator": TOKEN, "other": "o" * 43}
    seal = Seal(connect_as, tmp_path / "public", settings)
    seal_events(300)
    seal.sign()
    seal_events(400, "BJ-07")
    seal.cosign(seal.sign(), 1_790_000_000)
    return seal


def got(path: str, **headers: Any) -> Any:
    return Client().get(f"/log/{path}", **(headers or MIRROR))


def body(answer: Any) -> bytes:
    assert answer.status_code == 200
    return bytes(answer.content)


def test_a_foreign_reader_makes_the_whole_tree_of_what_is_served(seal: Seal) -> None:
    note = got("checkpoint")
    assert (note["Content-Type"], note["Cache-Control"]) == (
        "text/plain; charset=utf-8",
        "no-store",
    )
    text = note.content.decode()
    assert text == sealed.latest().note
    assert seal.witness.verifier(COSIGNATURE).name in text
    tree = TileTree(700, lambda level, n, width: body(got(tile_path(level, n, width))))
    assert tree.root() == sealed.latest().root
    leaves: list[bytes] = []
    for n, width in ((0, 256), (1, 256), (2, 188)):
        tile = got(tile_path("entries", n, width))
        assert tile["Content-Type"] == "application/octet-stream"
        assert tile["Cache-Control"] == "private, max-age=31536000, immutable"
        leaves += map(leaf_hash, unpack_entries(body(tile)))
        assert hashes_in(body(got(tile_path(0, n, width)))) == leaves[n * 256 :]
    assert leaves == [bytes(leaf.entry.leaf_hash) for leaf in BookLeaf.objects.order_by("idx")]


def test_partial_tiles_are_those_of_sizes_that_were_signed(seal: Seal) -> None:
    seal_events(20)  # have no checkpoint yet
    there = ["0/002.p/188", "entries/002.p/188", "0/001.p/44", "1/000.p/1", "1/000.p/2", "0/001"]
    for path in there:
        assert body(got(f"tile/{path}"))
    gone = [
        "0/002.p/189",
        "entries/002.p/187",
        "0/001.p/45",
        "1/000.p/3",
        "1/000",
        "0/002",
        "2/000",
    ]
    forms = ["0/x000/001", "0/1", "8/000", "00/000", "0/001.p/0", "0/001.p/256", "0/001.p/044", "x"]
    far = ["7/x999/x999/x999/x999/999", "7/x999/x999/x999/x999/999.p/255", "0/x999/999/../000"]
    for path in [*gone, *forms, *far]:
        assert got(f"tile/{path}").status_code == 404, path


def test_closed_to_whoever_brings_no_token(seal: Seal, settings: Any) -> None:
    people()
    for path in ("checkpoint", "tile/0/000", "tile/entries/000"):
        for headers in (
            {"HTTP_AUTHORIZATION": "Bearer " + "u" * 43},
            {"HTTP_AUTHORIZATION": "Bearer "},
            {"HTTP_AUTHORIZATION": f"Basic {TOKEN}"},
            {"HTTP_ACCEPT": "*/*"},
        ):
            answer = got(path, **headers)
            assert (answer.status_code, answer["WWW-Authenticate"]) == (401, 'Bearer realm="log"')
            assert not answer.cookies
        assert client_of("inspetor").get(f"/log/{path}").status_code == 401
        assert Client().post(f"/log/{path}", **MIRROR).status_code == 405
    settings.MIRROR_TOKENS = {}
    assert got("checkpoint").status_code == 401, "closed, where nobody has a token"


def test_hashes_may_be_open_to_everybody_and_entries_never_are(seal: Seal, settings: Any) -> None:
    settings.MIRROR_OPEN = True
    settings.MIRROR_TOKENS = {}
    nobody = {"HTTP_ACCEPT": "*/*"}
    assert got("checkpoint", **nobody).status_code == 200
    tile = got("tile/0/000", **nobody)
    assert tile["Cache-Control"] == "public, max-age=31536000, immutable"
    assert got("tile/entries/000", **nobody).status_code == 401


def test_before_anything_is_signed_there_is_nothing(fresh_db: str, settings: Any) -> None:
    settings.MIRROR_TOKENS = {"regulator": TOKEN}
    assert got("checkpoint").status_code == 404
    assert got("tile/0/000.p/1").status_code == 404


def test_who_read_entries_is_in_the_security_log(seal: Seal, caplog: Any) -> None:
    with caplog.at_level("INFO", "casino.security_log"):
        got("tile/entries/000")
        got("tile/entries/000", HTTP_AUTHORIZATION="Bearer nobody")
    said = [
        record.getMessage() for record in caplog.records if record.name.endswith("security_log")
    ]
    assert said == [
        'mirrored who="regulator" from="127.0.0.1" what="/log/tile/entries/000"',
        'mirror-refused who="" from="127.0.0.1" what="/log/tile/entries/000"',
    ]
