"""The whole way with the real signer: backup, loss, refusal, recovery; and a new epoch."""

import base64
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from audit.exporting import Scope, export_bundle
from audit.exporting.bundle_reader import Bundle
from audit.verifier.command import main as verify
from casino import sealed
from casino.events.event import EntryRef
from casino.events.sealing import EpochApproved, EpochBegun
from casino.recording import Actor
from casino.signer.signer_places import places
from casino.signer.signer_trouble import Refused
from tests.audit.recovering import HOUSE
from tests.casino.signer_house import Connect, OlderBook, SignerHouse
from tests.factories.records import MANAGER, recorded
from tests.factories.sealed_book import seal_events
from tests.servers import Databases

pytestmark = [pytest.mark.usefixtures("fresh_db", "english"), pytest.mark.share]
ADMIN = Actor("S-0001", "administrador", "admin")


@pytest.fixture
def house(
    fresh_db: str,
    tmp_path: Path,
    database_environment: dict[str, str],
    connect_as: Connect,
    settings: Any,
) -> SignerHouse:
    house = SignerHouse(tmp_path, database_environment, connect_as)
    settings.BOOK_PUBLIC = str(house.at.public)
    return house


class Backup:
    """A backup made by the command, and its database, restored and put in the place of the lost."""

    def __init__(self, house: SignerHouse, older: OlderBook, place: Path) -> None:
        self.house, self.older, self.place = house, older, place
        self.name = f"kept_{older.newer}"

    def make(self) -> None:
        call_command("backup", str(self.place), stdout=StringIO())

    def restore(self) -> None:
        said = StringIO()
        words = [str(self.place), f"--keep={self.name}", "--language=en"]
        call_command("restore_check", *words, stdout=said)
        assert "NOT WELL" not in said.getvalue()
        self.older.older = self.name
        self.older.put_back()


@pytest.fixture
def backup(house: SignerHouse, databases: Databases, tmp_path: Path) -> Iterator[Backup]:
    older = OlderBook(house, databases)
    yield Backup(house, older, tmp_path / "backup")
    older.forget()


def signed(house: SignerHouse) -> int:
    """The signer looks once; how much it has signed then."""
    house.integrate()
    signer = house.signer()
    try:
        return signer.turn().size
    finally:
        signer.book.connection.close()


def refusal(house: SignerHouse) -> str:
    with pytest.raises(Refused) as refused:
        signed(house)
    return refused.value.code


def recovered(bundle: Path, **options: Any) -> str:
    said = StringIO()
    call_command("recover_entries", bundle=bundle, language="en", stdout=said, **options)
    return said.getvalue()


def test_after_a_recovery_the_signer_signs_on(
    house: SignerHouse, backup: Backup, tmp_path: Path
) -> None:
    seal_events(270)
    signed(house)
    backup.make()
    seal_events(20, people=2)
    last = signed(house)
    bundle = export_bundle(tmp_path / "bundle", Scope(), HOUSE, openings=True).place
    backup.restore()
    assert refusal(house) == "shorter"
    assert "22 entries put back" in recovered(bundle)
    newest = sealed.latest()
    assert newest is not None
    assert (newest.size, newest.note) == (last, house.last().note)
    assert signed(house) > last
    seal_events(3)
    assert signed(house) == house.must_agree().size
    again = export_bundle(tmp_path / "again", Scope(), HOUSE).place
    assert Bundle(again).roots[last] == Bundle(bundle).newest.root
    kept = ["--older-checkpoint", str(bundle / "checkpoint"), "--quiet"]
    assert verify([str(again), *kept]) == 0


def test_what_was_signed_after_the_bundle_is_asked_for(
    house: SignerHouse, backup: Backup, tmp_path: Path
) -> None:
    seal_events(5)
    signed(house)
    backup.make()
    seal_events(5)
    signed(house)
    older = export_bundle(tmp_path / "older", Scope(), HOUSE).place
    seal_events(5)
    signed(house)
    newer = export_bundle(tmp_path / "newer", Scope(), HOUSE).place
    backup.restore()
    before = house.rows("SELECT count(*) FROM book_entry")
    with pytest.raises(CommandError, match="16 entries were signed and the bundle holds 10"):
        recovered(older)
    assert house.rows("SELECT count(*) FROM book_entry") == before
    assert "11 entries put back" in recovered(newer)
    assert signed(house) > 16


@pytest.mark.check
def test_where_all_copies_are_older_two_persons_begin_an_epoch(
    house: SignerHouse, backup: Backup, tmp_path: Path
) -> None:
    seal_events(5)
    signed(house)
    backup.make()
    seal_events(5)
    signed(house)
    bundle = export_bundle(tmp_path / "bundle", Scope(), HOUSE).place
    seal_events(5)
    lost_size = signed(house)
    lost = (house.at.public / "checkpoint").read_text().split("\n")
    backup.restore()
    assert "5 entries put back" in recovered(bundle, incomplete=True)
    assert refusal(house) in ("shorter", "different")
    begun = recorded(
        EpochBegun(
            origin="book.example/sala/2",
            lost_origin=lost[0],
            lost_size=int(lost[1]),
            lost_root=base64.b64decode(lost[2]).hex(),
            reason="disk-lost",
        ),
        by=ADMIN,
    )
    assert int(lost[1]) == lost_size
    house.integrate()
    assert "by another person is missing" in house.command("adopt").stderr
    named = EntryRef(stream=begun.stream, n=begun.n, leaf=begun.leaf)
    recorded(EpochApproved(begun=named), by=MANAGER)
    house.integrate()
    adopted = house.command("adopt")
    assert adopted.returncode == 0, adopted.stderr
    assert refusal(house) == "origin", "LOG_ORIGIN still names the old one"
    house.recorded["LOG_ORIGIN"] = "book.example/sala/2"
    house.at = places(house.recorded)
    seal_events(1)
    signed(house)
    assert house.must_agree().origin == "book.example/sala/2"
    made = export_bundle(tmp_path / "epoch", Scope(), HOUSE)
    assert Bundle(made.place).newest.origin == "book.example/sala/2"
    assert verify([str(made.place), "--quiet"]) == 0
    connections.close_all()
