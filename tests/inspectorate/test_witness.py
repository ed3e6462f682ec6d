"""The inspectorate as a witness (C2SP tlog-witness): what it cosigns, what it answers otherwise."""

import http.client
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from audit.inspectorate.__main__ import turn
from audit.inspectorate.supervised import Inspectorate
from casino.bounded_http import Answer, Site
from casino.tlog.note import COSIGNATURE, SigningKey, parse_note, valid_signatures
from casino.tlog.witness import SIZE_TYPE, AddCheckpoint, cosignature_in, origin_hash, size_in
from tests.factories.served_log import (
    LOG,
    codes,
    entries,
    inspectorate,
    served,
    witnessing,
)
from tests.foreign.written import note_at, tiles_of

LISTED = entries(700)
FORKED = entries(700, "another")


@pytest.fixture
def of(tmp_path: Path) -> Inspectorate:
    return inspectorate(tmp_path / "one", "https://book.example/log")


@pytest.fixture
def address(of: Inspectorate) -> Iterator[str]:
    with witnessing(of) as one:
        yield one


def note(size: int, listed: list[bytes] = LISTED, key: SigningKey = LOG) -> str:
    return note_at(tiles_of(listed[:size]).tree(), size, key)


def proof(old: int, size: int, listed: list[bytes] = LISTED) -> tuple[bytes, ...]:
    return tuple(tiles_of(listed[:size]).tree().consistency(old)) if old else ()


def send(address: str, old: int, path: tuple[bytes, ...], signed: str) -> Answer:
    body = AddCheckpoint(old, path, signed).text().encode()
    with Site(address) as site:
        return site.post("add-checkpoint", body, 65_536)


def test_what_continues_is_cosigned_and_shown(of: Inspectorate, address: str) -> None:
    key = of.key.verifier(COSIGNATURE)
    for old, size in ((0, 300), (300, 700), (700, 700)):
        answer = send(address, old, proof(old, size), note(size))
        assert answer.status == 200
        line, moment = cosignature_in(answer.body, note(size), key)
        assert abs(moment - time.time()) < 300
        with Site(address) as site:
            shown = site.get(f"{origin_hash(LOG.name)}/checkpoint", 65_536)
        assert shown.body.decode() == note(size) + line + "\n"
        both = [LOG.verifier(), key]
        assert len(valid_signatures(parse_note(shown.body), both)) == 2
    assert codes(of) == []


def test_the_size_it_knows_is_said(address: str) -> None:
    assert send(address, 5, proof(5, 300), note(300)).body == b"0\n"
    assert send(address, 0, (), note(300)).status == 200
    for old in (0, 299):
        answer = send(address, old, proof(old, 700), note(700))
        assert (answer.status, answer.content_type, size_in(answer.body)) == (409, SIZE_TYPE, 300)


def test_what_is_no_proof_is_not_cosigned_and_accuses_nobody(
    of: Inspectorate, address: str
) -> None:
    """Anybody can send a casino's checkpoint with a bad path."""
    assert send(address, 0, proof(3, 300), note(300)).status == 422
    assert send(address, 0, (), note(300)).status == 200
    for path in ((), proof(299, 700), proof(300, 700)[:-1], (*proof(300, 700), bytes(32))):
        assert send(address, 300, path, note(700)).status == 422
    assert codes(of) == []
    assert send(address, 300, proof(300, 700), note(700)).status == 200


def test_two_trees_of_one_size_are_a_split_view(of: Inspectorate, address: str) -> None:
    assert send(address, 0, (), note(300)).status == 200
    assert send(address, 300, (), note(300, FORKED)).status == 422
    ((code, details),) = codes(of)
    assert (code, details["size"]) == ("split-view", 300)


@pytest.mark.parametrize(
    ("status", "old", "signed"),
    [
        (404, 0, note(3, key=SigningKey.generate("stranger.example/log"))),
        (403, 0, note(3, key=SigningKey.generate(LOG.name))),
        (403, 0, note(3).replace("\n3\n", "\n4\n")),
        (400, 4, note(3)),
        (400, 0, "book.example/sala/1\n3\n"),
        (400, 0, note(3).replace("\n3\n", "\n03\n")),
    ],
)
def test_what_is_refused(address: str, status: int, old: int, signed: str) -> None:
    assert send(address, old, (), signed).status == status


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"old 0", b"old 0\n\n", b"old -1\n\nx", b"new 0\n\nx\n1\nAA==\n\n", b"\xff" * 50),
        b"old 3\n" + b"A" * 44 + b"\n\n" + note(3).encode(),
        b"old 3\n" + (b"A" * 43 + b"=\n") * 64 + b"\n" + note(3).encode(),
    ],
)
def test_what_cannot_be_read_is_a_bad_request(address: str, body: bytes) -> None:
    with Site(address) as site:
        assert site.post("add-checkpoint", body, 65_536).status in (400, 404)


def test_its_server_is_bounded(address: str) -> None:
    with Site(address) as site:
        assert site.post("elsewhere", b"x", 65_536).status == 404
        assert site.get("no/such/page", 65_536).status == 404
        assert site.get(f"{origin_hash(LOG.name)}/checkpoint", 65_536).status == 404
    place = urlsplit(address)
    for length in ("65537", "-1", "1e3", "", None):
        raw = http.client.HTTPConnection(str(place.hostname), place.port)
        raw.putrequest("POST", "/add-checkpoint")
        if length is not None:
            raw.putheader("Content-Length", length)
        raw.endheaders()
        assert raw.getresponse().status == 413, length
        raw.close()


def test_two_at_once_are_cosigned_one_after_the_other(of: Inspectorate, address: str) -> None:
    """The same old size sent twice at once: one is cosigned, the other is told the size."""
    assert send(address, 0, (), note(300)).status == 200
    answers: list[int] = []
    sizes = (400, 500, 600, 700)
    senders = [
        Thread(
            target=lambda size=size: answers.append(
                send(address, 300, proof(300, size), note(size)).status
            )
        )
        for size in sizes
    ]
    for one in senders:
        one.start()
    for one in senders:
        one.join()
    assert sorted(answers) == [200, 409, 409, 409]


def test_a_split_view_shown_to_two_witnesses_is_found(tmp_path: Path) -> None:
    """To one the house shows its book, to the other one with another round in it. Each by itself
    sees a lawful log; the first that asks the other has both signatures in hand.
    """
    with served() as to_one, served() as to_other:
        to_one.show(LISTED)
        to_other.show(FORKED)
        other = inspectorate(tmp_path / "other", to_other.url)
        with witnessing(other) as other_address:
            one = inspectorate(tmp_path / "one", to_one.url, witnesses=(other_address,))
            with witnessing(one) as one_address:
                assert send(one_address, 0, (), note(700)).status == 200
                assert send(other_address, 0, (), note(700, FORKED)).status == 200
                turn(other, "en")
                assert codes(other) == [], "it was shown one book alone"
                turn(one, "en")
    ((code, details),) = codes(one)
    assert (code, details["size"]) == ("split-view", 700)


@pytest.mark.parametrize("size", [650, 699, 700])
def test_a_split_view_of_two_sizes_is_found_too(tmp_path: Path, size: int) -> None:
    with served() as to_one, served() as to_other:
        to_one.show(LISTED)
        to_other.show(FORKED[:size])
        other = inspectorate(tmp_path / "other", to_other.url)
        with witnessing(other) as address:
            assert send(address, 0, (), note(size, FORKED)).status == 200
            one = inspectorate(tmp_path / "one", to_one.url, witnesses=(address,))
            turn(one, "en")
    assert [code for code, _ in codes(one)] == ["split-view" if size == 700 else "another-tree"]


def test_a_witness_that_is_away_accuses_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served() as log:
        log.show(LISTED)
        of = inspectorate(tmp_path / "one", log.url, witnesses=("http://127.0.0.1:9",))
        turn(of, "en")
    assert codes(of) == []
    assert "http://127.0.0.1:9/" in capsys.readouterr().out


def test_the_report_is_a_plain_page(of: Inspectorate, address: str) -> None:
    send(address, 0, (), note(300))
    with Site(address) as site:
        page = site.get("", 65_536)
        text = site.get("report.txt", 65_536).body.decode()
    assert page.content_type == "text/html"
    assert b"<script" not in page.body
    assert "Cosigned as a witness: the checkpoint of 300 entries." in text
    assert of.key.verifier(COSIGNATURE).text() in text
