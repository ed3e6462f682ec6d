"""The ceremony of another key as docs/operations.md has it: its commands, by its persons."""

import re
from pathlib import Path
from typing import Any

import pytest

from casino.events.event import EntryRef
from casino.events.sealing import HouseActDecided, SigningKeyNamed
from casino.local.local_places import CHECKOUT
from casino.signer import keyring
from tests.casino.admin_forms import filled
from tests.casino.signer_house import Connect, SignerHouse
from tests.factories.people import somebody
from tests.factories.recorded import last_entry

pytestmark = [pytest.mark.share, pytest.mark.usefixtures("english")]


def commands() -> list[list[str]]:
    """What root types, in the order of the section."""
    text = (CHECKOUT / "docs" / "operations.md").read_text("utf-8")
    section = text[text.index("### Another key\n") : text.index("### Keys on a token\n")]
    return [
        each.split() for each in re.findall(r"^\| root \| `signer ([^`]+)`", section, re.MULTILINE)
    ]


def named_by_one(vkey: str, old: str) -> None:
    """The administrador types the printed line; the key it replaces is filled in."""
    admin = somebody("administrador")
    address = "/admin/casino/signingkey/add/"
    assert admin.get(address).context["form"]["replaces"].value() == old
    answer = admin.post(address, filled(SigningKeyNamed(vkey=vkey, reason="yearly", replaces=old)))
    assert answer.status_code == 302, answer.context["form"].errors


def approved_by_another() -> None:
    """Somebody of the chefia da sala goes from his list to the record, and approves."""
    manager = somebody("chefia_da_sala")
    entry = last_entry(SigningKeyNamed.kind)
    page = f"/admin/casino/signingkey/{entry.pk}/"
    assert page in manager.get("/sala/todo/").content.decode()
    way = f"/admin/casino/houseactdecision/add/?act={entry.pk}"
    assert way in manager.get(page).content.decode()
    act = EntryRef(stream="house", n=entry.n, leaf=bytes(entry.leaf_hash).hex())
    word = filled(HouseActDecided(act=act, decision="approved"))
    assert manager.post(way, word).status_code == 302


def test_another_key_as_the_docs_have_it(
    fresh_db: str,
    tmp_path: Path,
    database_environment: dict[str, str],
    connect_as: Connect,
    settings: Any,
) -> None:
    house = SignerHouse(tmp_path, database_environment, connect_as)
    settings.BOOK_PUBLIC = str(house.at.public)
    new, status, retire = commands()
    assert (new, status, retire[:2]) == (["key", "new"], ["status"], ["key", "retire"])
    house.grow(2)
    signer = house.signer()
    signer.turn()
    (old,) = keyring.load(house.at)
    retire[2:] = [keyring.number(old)]

    # Root: the key is made, printed, and waits.
    made = house.command(*new)
    assert made.returncode == 0, made.stderr
    vkey = made.stdout.splitlines()[0]
    assert f"waits       {vkey}" in house.command(*status).stdout
    assert "is the only key" in house.command(*retire).stderr

    named_by_one(vkey, old.verifier().text())
    house.integrate()
    signer.turn()
    assert f"waits       {vkey}" in house.command(*status).stdout, "one person is not enough"

    approved_by_another()

    # The signer: the checkpoint that covers both entries bears both keys.
    house.integrate()
    signer.turn()
    said = house.command(*status).stdout
    assert all(f"signs       {key}" in said for key in (vkey, old.verifier().text()))

    # Root, weeks later.
    done = house.command(*retire)
    assert done.returncode == 0, done.stderr
    house.grow(1)
    signer.turn()
    house.must_agree()
    assert f"retired     {old.verifier().text()}" in house.command(*status).stdout
