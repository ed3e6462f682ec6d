"""Signing keys on a PKCS#11 token: SoftHSM stands in for one in a drawer."""

import os
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from casino.signer import keyring, token_keys
from casino.signer.__main__ import key_new
from casino.signer.rotating import retire
from casino.signer.signer_places import places
from casino.signer.signer_trouble import Refused, Trouble
from casino.signer.token_keys import TokenKey
from casino.tlog.note import SigningKey, parse_note, valid_signatures
from casino.tlog.policy import Policy
from tests.casino.signer_paper import PaperHouse

pytestmark = [pytest.mark.share, pytest.mark.needs_tool("softhsm2-util")]
DRIVER: Final = "/usr/lib/softhsm/libsofthsm2.so"
PIN: Final = "271828"
_labels = count(1)


@pytest.fixture(scope="module")
def softhsm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A place for tokens: the driver reads where it is once in a process."""
    folder = tmp_path_factory.mktemp("tokens")
    conf = folder / "softhsm2.conf"
    conf.write_text(f"directories.tokendir = {folder}\nlog.level = ERROR\n")
    before = os.environ.get("SOFTHSM2_CONF")
    os.environ["SOFTHSM2_CONF"] = str(conf)
    yield
    os.environ.pop("SOFTHSM2_CONF") if before is None else os.environ.update(SOFTHSM2_CONF=before)


@pytest.fixture
def token(softhsm: None) -> dict[str, str]:
    """A token of its own, as the environment names it."""
    label = f"livro-{next(_labels)}"
    asked = ["--free", "--label", label, "--pin", PIN, "--so-pin", "314159"]
    subprocess.run(["softhsm2-util", "--init-token", *asked], check=True, capture_output=True)
    return {"SIGNER_TOKEN": f"{DRIVER} {label}", "SIGNER_TOKEN_PIN": PIN}


def two_persons(house: PaperHouse, new: SigningKey, old: SigningKey) -> None:
    payload = {"vkey": new.verifier().text(), "replaces": old.verifier().text()}
    act = house.book.record("signing-key-named/2", payload, "S-0001")
    named = {"leaf": act.leaf.hex(), "n": act.n, "stream": "house"}
    words = {"act": named, "decision": "approved"}
    house.book.record("house-act-decided/1", words, "S-0003")


def signers(house: PaperHouse) -> list[str]:
    policy = Policy.parse(house.at.policy.read_text())
    return list(valid_signatures(parse_note(house.note()), policy.logs))


def test_a_key_made_on_the_token_signs_and_no_file_holds_it(
    tmp_path: Path, token: dict[str, str]
) -> None:
    house = PaperHouse(tmp_path, **token)
    house.book.grow()
    house.signer().turn()
    house.must_agree()
    (key,) = keyring.load(house.at)
    assert isinstance(key, TokenKey)
    assert signers(house) == [key.verifier().text()]
    held = {file.name: file.read_text() for file in house.at.keys.iterdir() if file.is_file()}
    assert held == {f"{keyring.number(key)}.token": f"{key.verifier().text()}\n"}
    key.must_be_there()


def test_from_a_file_to_the_token_and_on_to_another_by_two_persons(
    tmp_path: Path, token: dict[str, str]
) -> None:
    house = PaperHouse(tmp_path)
    house.book.grow()
    house.signer().turn()
    (file_key,) = keyring.load(house.at)
    moved = PaperHouse(tmp_path, **token)
    moved.book = house.book
    for old in (file_key, None):
        key_new(moved.at)
        (new,) = keyring.waiting(moved.at)
        before = old or keyring.load(moved.at)[0]
        two_persons(moved, new, before)
        moved.signer().turn()
        moved.signer().turn()  # which publishes the keys that sign now
        assert signers(moved) == [before.verifier().text(), new.verifier().text()]
        retire(moved.at, moved.book, moved.last(), keyring.number(before))
        moved.book.grow()
        moved.signer().turn()
        assert signers(moved) == [new.verifier().text()]
        moved.must_agree()
        assert isinstance(new, TokenKey)
        new.must_be_there()
    assert isinstance(before, TokenKey)
    with pytest.raises(Refused, match="holds no key"):
        before.must_be_there()  # retired: gone from the token


def test_a_wrong_pin_is_said_and_tried_once(
    tmp_path: Path, token: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    PaperHouse(tmp_path, **token)
    house = PaperHouse(tmp_path, **token | {"SIGNER_TOKEN_PIN": "000000"})
    house.book.grow()
    for _ in range(2):
        with pytest.raises(Refused, match="PIN") as refused:
            house.signer().turn()
        assert refused.value.code == token_keys.WRONG_PIN
        assert "000000" not in refused.value.why
        # The second time nothing is asked of the token, which would lock itself.
        monkeypatch.setattr(token_keys, "_found", lambda _: pytest.fail("it was tried again"))
    monkeypatch.undo()
    right = PaperHouse(tmp_path, **token)
    right.book = house.book
    right.signer().turn()
    right.must_agree()


def test_a_token_that_is_away_or_another_or_named_no_more_is_said(
    tmp_path: Path, token: dict[str, str], softhsm: None
) -> None:
    house = PaperHouse(tmp_path, **token)
    house.book.grow()
    (key,) = keyring.load(house.at)
    for values, code, word in (
        (token | {"SIGNER_TOKEN": f"{DRIVER} drawer"}, "no-token", "does not answer"),
        (token | {"SIGNER_TOKEN": "/nowhere/driver.so livro"}, "no-token", "driver"),
        ({}, "no-token", "names none"),
    ):
        other = PaperHouse(tmp_path, **values)
        other.book = house.book
        with pytest.raises(Refused, match=word) as refused:
            other.signer().turn()
        assert refused.value.code == code
    assert isinstance(key, TokenKey)
    key.destroy()
    with pytest.raises(Refused, match=f"holds no key {keyring.number(key)}") as refused:
        house.signer().turn()
    assert refused.value.code == "no-key"


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ({"SIGNER_TOKEN": "livro"}, "the path of the token's"),
        ({"SIGNER_TOKEN": DRIVER}, "the path of the token's"),
        ({"SIGNER_TOKEN": f"{DRIVER} livro"}, "SIGNER_TOKEN_PIN is missing"),
        ({"SIGNER_TOKEN": f"{DRIVER} livro", "SIGNER_TOKEN_PIN_FILE": "/nowhere"}, "PIN_FILE"),
    ],
)
def test_a_token_named_by_half_is_refused(values: dict[str, str], word: str) -> None:
    folders = {"SIGNER_HOME": "/signer", "BOOK_PUBLIC": "/public"}
    sound = folders | {"SIGNER_DATABASE_URL": "postgres://signer@db/casino"}
    with pytest.raises(Trouble, match=word):
        places(sound | values)
