"""What an inspector is handed: only files that the bundle's size and scope name are believed."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from audit import attested
from audit.attested import challenge_of, judge
from casino.tlog.tiles import pack_entries
from tests.gate import ROOT
from tests.patience import PATIENCE
from tests.verifier.maker import Book, canonical, put
from tests.verifier.mutations import replaced

RIGHT, WRONG, UNSEEN, NOTHING = 0, 1, 2, 3
CHIEF, FORGER = generate_private_key(SECP256R1()), generate_private_key(SECP256R1())
SITE = "livro.example"


def b64(data: bytes) -> str:
    from base64 import urlsafe_b64encode

    return urlsafe_b64encode(data).rstrip(b"=").decode()


def registration(key: EllipticCurvePrivateKey) -> dict[str, Any]:
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    values = {"staff": "S-0200", "credential": "cred-1", "rp_id": SITE, "second": "S-0300"}
    return values | {"public_key": b64(public)}


def confirmed(book: Book, signer: EllipticCurvePrivateKey) -> None:
    """A loading, and the fiscal-chefe's word for it as some passkey signed it."""
    at = {"table": "BJ-06", "partida": "BJ-06/2026-11-20/1"}
    act = book.add("shuffler-loaded/1", at | {"packets": 1, "decks": ["D-1"]})
    values = at | {
        "witnessed": act, "act": "shuffler-loaded/1", "staff": "S-0200", "nonce": "ab",
        "expires_at": "2026-11-20T23:00:00.000000Z", "text_sha256": "0" * 64, "method": "passkey",
    }  # fmt: skip
    asked = {"type": "webauthn.get", "challenge": b64(challenge_of(values))}
    client = json.dumps(asked | {"origin": f"https://{SITE}"}).encode()
    data = hashlib.sha256(SITE.encode()).digest() + bytes([5, 0, 0, 0, 1])
    signature = signer.sign(data + hashlib.sha256(client).digest(), ECDSA(SHA256()))
    values["passkey"] = {
        "credential": "cred-1",
        "client_data": b64(client),
        "authenticator_data": b64(data),
        "signature": b64(signature),
    }
    book.add("witnessed/1", values, staff="S-0200")


def book_of(signer: EllipticCurvePrivateKey, before: int = 2, after: int = 600) -> Book:
    """The chief's key is registered; somewhat later somebody confirms with some key."""
    book = Book(seed=5)
    book.add("passkey-registered/1", registration(CHIEF), stream="house", staff="S-0200")
    for _ in range(before):
        book.add("card-burned/1", {"cards": 1}, stream="table/BJ-01")
    confirmed(book, signer)
    for _ in range(after):
        book.add("card-burned/1", {"cards": 1}, stream="table/BJ-01")
    book.sign()
    return book


def judged(place: Path) -> tuple[int, str]:
    said: list[str] = []
    return judge(place, said.append, "en"), "\n".join(map(str, said))


def earlier_key() -> bytes:
    """A packed entry that registers the forger's key for the chief's, before his own was."""
    values = {
        "at": "2026-11-20T01:00:00.000000Z",
        "kind": "passkey-registered/1",
        "n": 1,
        "payload": registration(FORGER),
        "stream": "house",
    }
    return pack_entries([canonical(values)])


PART = {"kind": "range", "from": 0, "to": 300}
STRANGERS = [
    "tile/entries/README", "tile/entries/000.p/1", "tile/entries/003", "tile/entries/x000/000",
    "shown/000000", "shown/000001",
]  # fmt: skip


@pytest.mark.parametrize("scope", [None, PART])
def test_a_bundle_proves_who_confirmed_and_who_did_not(
    scope: dict[str, Any] | None, tmp_path: Path
) -> None:
    assert judged(book_of(CHIEF).write(tmp_path / "good", scope)) == (
        RIGHT,
        "attested: 1 confirmations by passkey, 0 wrong, 0 not to be seen;"
        " 0 by a key that was registered without a second person",
    )
    code, said = judged(book_of(FORGER).write(tmp_path / "forged", scope))
    assert code == WRONG
    assert "table/BJ-06 2 (S-0200): the passkey did not sign this" in said


@pytest.mark.parametrize(
    ("scope", "name"),
    [(None, name) for name in STRANGERS]
    + [(PART, name) for name in STRANGERS if name != "shown/000000"],
)
def test_a_file_the_bundle_does_not_name_is_not_read(
    scope: dict[str, Any] | None, name: str, tmp_path: Path
) -> None:
    files = book_of(FORGER).files_of(scope)
    assert name not in files
    head = bytes(8) if name.startswith("shown") else b""
    place = put(tmp_path / "bundle", files | {name: head + earlier_key()})
    code, said = judged(place)
    assert (code, "the passkey did not sign this" in said) == (WRONG, True)
    assert "registered before" not in said


@pytest.mark.parametrize(
    "name", ["bundle.json", "tile/entries/000", "tile/entries/002.p/93", "tile", "tile/entries"]
)
def test_no_link_is_followed(name: str, tmp_path: Path) -> None:
    place = book_of(CHIEF).write(tmp_path / "bundle")
    assert judged(place)[0] == RIGHT
    (place / name).rename(tmp_path / "elsewhere")
    (place / name).symlink_to(tmp_path / "elsewhere")
    assert judged(place)[0] == NOTHING


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    place = book_of(CHIEF).write(tmp_path / "bundle")
    (place / "tile/entries/000").unlink()
    os.mkfifo(place / "tile/entries/000")
    assert judged(place)[0] == NOTHING


def test_a_missing_file_is_told_and_what_is_there_is_looked_at(tmp_path: Path) -> None:
    last = "tile/entries/003.p/135"
    place = book_of(FORGER, before=300).write(tmp_path / "bundle")
    (place / last).unlink()
    code, said = judged(place)
    assert (code, f"{last} is missing" in said) == (WRONG, True)
    place = book_of(CHIEF, before=300).write(tmp_path / "right")
    assert judged(place)[0] == RIGHT
    (place / last).unlink()
    code, said = judged(place)
    assert (code, "1 confirmations by passkey, 0 wrong" in said) == (UNSEEN, True)
    put(place, {last: (place / "tile/entries/002").read_bytes()})
    assert judged(place)[0] == NOTHING  # not as many entries as its name says
    (place / last).unlink()
    (place / "tile/entries/000").unlink()  # in which the key stands
    code, said = judged(place)
    assert (code, "does not show his passkey" in said) == (UNSEEN, True)


def test_a_part_goes_on_behind_a_missing_file(tmp_path: Path) -> None:
    book = book_of(FORGER, before=3000, after=2000)
    files = book.files_of({"kind": "range", "from": 0, "to": 5004})
    assert "shown/000001" in files
    place = put(tmp_path / "bundle", files)
    (place / "shown/000001").unlink()
    assert judged(place)[0] == WRONG
    put(place, {"shown/000001": files["shown/000001"]})
    (place / "shown/000000").unlink()
    assert judged(place)[0] == UNSEEN


def test_a_size_nobody_can_have_ends_soon(tmp_path: Path) -> None:
    files = book_of(CHIEF).files_of()
    value = json.loads(files["bundle.json"]) | {"size": 2**53 - 1}
    place = put(tmp_path / "b", files | {"bundle.json": canonical(value)})
    assert judged(place)[0] == UNSEEN
    for size in ("1", -1, 2**53, None, []):
        put(tmp_path / "b", {"bundle.json": canonical(value | {"size": size})})
        assert judged(tmp_path / "b")[0] == NOTHING


def test_a_key_registered_twice_is_a_problem_of_its_own(tmp_path: Path) -> None:
    book = book_of(CHIEF)
    book.add("passkey-registered/1", registration(FORGER), stream="house", staff="S-0200")
    book.sign()
    code, said = judged(book.write(tmp_path / "bundle"))
    assert code == WRONG
    assert "house 2 (S-0200): this passkey had been registered before" in said
    assert "1 confirmations by passkey, 1 wrong" in said
    confirmed(book, FORGER)
    book.sign()
    code, said = judged(book.write(tmp_path / "used"))
    assert "table/BJ-06 4 (S-0200): the passkey did not sign this" in said


def test_nothing_is_kept_but_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three kinds at most anything is parsed, and no confirmation waits for another."""
    book = book_of(CHIEF, after=250)
    for _ in range(3):
        confirmed(book, CHIEF)
    book.sign()
    parsed, seen = [], []
    loads, read = json.loads, attested.Book._entries

    def value(data: bytes) -> Any:
        parsed.append(bytes(data))
        return loads(data)

    def counted(self: attested.Book) -> Any:
        for entry in read(self):
            seen.append(entry)
            yield entry

    monkeypatch.setattr(attested.json, "loads", value)
    monkeypatch.setattr(attested.Book, "_entries", counted)
    own = attested.Book(book.write(tmp_path / "bundle"))
    keys = attested.Keys(own.manifest(attested.REGISTERED, attested.REVOKED))
    assert (len(seen), len(parsed)) == (len(book.entries), 2)  # the manifest and one registration
    seen.clear()
    answers = keys.answers(own.manifest(attested.WITNESSED))
    assert next(answers).problem == ""
    assert len(seen) == 5
    assert [each.problem for each in answers] == ["", "", ""]


def test_an_altered_entry_is_still_one_file_s_matter(tmp_path: Path) -> None:
    book = book_of(CHIEF)
    files = book.files_of()
    changed = replaced(files, 0, book.entries[0].replace(b'"cred-1"', b'"cred-2"'))
    place = put(tmp_path / "bundle", files | {n: d for n, d in changed.items() if d is not None})
    code, said = judged(place)
    assert (code, "no passkey of this person" in said) == (WRONG, True)


def test_a_crash_is_not_said_of_an_answer(tmp_path: Path) -> None:
    place = book_of(CHIEF, after=1).write(tmp_path / "bundle")
    run = [sys.executable, str(ROOT / "audit/attested.py"), str(place)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(run, stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert (done.returncode, "Traceback" in done.stderr) == (NOTHING, False)
