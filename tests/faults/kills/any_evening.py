"""An evening of any kind, told by dice: records, corrections, erasures, files, keys that change,
witnesses, projections made again; transactions, sequencers and signers that die at any step; and
now and then a database that is lost, and an older copy put in its place.

Everything here is lawful for the book: a verification that finds fault with it is wrong.
"""

import os
import random
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import transaction

from audit.exporting import Scope, export_bundle
from audit.retention_events import ErasureProposed
from casino import sequencer
from casino.events.event import EntryRef
from casino.events.keeping import Erased
from casino.events.sealing import HouseActDecided, SigningKeyNamed
from casino.events.staff import StaffRegistered
from casino.recording import Actor, File, Receipt, Source, Submission, Supersedes, record_many
from casino.signer import keyring
from casino.signer.rotating import retire
from casino.signer.signer_trouble import Refused
from casino.tlog.checkpoint import cosign
from casino.tlog.note import COSIGNATURE, SigningKey, parse_note
from tests.casino.signer_house import OlderBook, SignerHouse
from tests.casino.signer_paper import Disk, Killed
from tests.factories.erasures import ERASER, PROPOSER
from tests.factories.erasures import value as value_of
from tests.factories.evenings import played
from tests.factories.records import EVENING, HEAD, MANAGER, PIT, burnt, loaded
from tests.factories.usual_events import ref, second_word

ADMIN: Final = Actor("S-0001", "administrador", "admin")
EXPORT: Final = Actor("export", "sistema", "local")
TABLES: Final = ("BJ-01", "BJ-02", "BJ-03")
PROJECTIONS: Final = ("casino_burn", "casino_round", "casino_staff", "casino_supersession")
STEPS: Final = 14  # of the disk that a signing takes, about: it dies at one of them, or later
OLD: Final = 60  # seconds a witness's file is said to have lain there


class Died(Exception):
    """A transaction was cut off before its end."""


@dataclass
class Evening:
    """One evening in the book of `house`. `kept` are the receipts of all that was acknowledged,
    `seen` the checkpoints that were published.
    """

    rng: random.Random
    house: SignerHouse
    older: OlderBook
    patch: pytest.MonkeyPatch
    folder: Path
    kept: list[Receipt] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    burnt: dict[Receipt, int] = field(default_factory=dict)  # what may be corrected, and its shoe
    people: list[Receipt] = field(default_factory=list)  # whose names were not erased
    filed: list[Receipt] = field(default_factory=list)  # whose files were not erased
    keys: tuple[str, str] | None = None  # the old one and its successor, by number
    numbers: Any = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.witness = SigningKey.generate("witness.example/1")

    def go_on(self, acts: int) -> None:
        """So many acts."""
        weights: dict[Callable[[], object], int] = {
            self.submits: 12, self.corrects: 4, self.erases: 2, self.places: 6, self.signs: 6,
            self.witnesses: 2, self.changes_keys: 2, self.makes_a_projection_again: 1,
            self.loses_the_database: 1,
        }  # fmt: skip
        for act in self.rng.choices(list(weights), list(weights.values()), k=acts):
            sys.stdout.write(f"{act.__name__}\n")
            act()

    # What people do.

    def submits(self) -> None:
        """Some events in one transaction, of several tables."""
        self.records([self.submission() for _ in range(self.rng.randint(1, 5))])

    def submission(self) -> Submission:
        """One event."""
        n, table = next(self.numbers), self.rng.choice(TABLES)
        what = self.rng.choices(("burnt", "round", "person", "loaded", "file"), (6, 6, 2, 1, 1))[0]
        if what == "person":
            person = StaffRegistered(staff=f"S-{n}", name=f"Inês Gonçalves {n}")
            return Submission(person, uuid4(), MANAGER, EVENING)
        if what == "loaded":
            return Submission(loaded(), uuid4(), PIT, EVENING)
        if what == "round":
            event = played(f"r{n}", table=table, shoe=n, place=1)
            return Submission(event, uuid4(), PIT, EVENING, Source())
        files = (File(b"%PDF-1.7 " + str(n).encode()),) if what == "file" else ()
        return Submission(burnt(1 + n % 5, table, n), uuid4(), PIT, EVENING, Source(), files=files)

    def records(self, listed: list[Submission]) -> list[Receipt]:
        """Record; now and then the transaction dies first, now and then it is sent twice."""
        if self.rng.random() < 0.15:
            with suppress(Died), transaction.atomic():
                record_many(listed)
                raise Died
        receipts = record_many(listed)
        if self.rng.random() < 0.1:
            again = record_many(listed)
            assert [each.leaf for each in again] == [each.leaf for each in receipts]
        for one, receipt in zip(listed, receipts, strict=True):
            self.kept.append(receipt)
            if one.files:
                self.filed.append(receipt)
            elif isinstance(one.event, StaffRegistered):
                self.people.append(receipt)
            elif one.event.kind == "card-burned/1":
                self.burnt[receipt] = one.event.shoe
        return receipts

    def corrects(self) -> None:
        """A burnt card is corrected; a second person approves, refuses or keeps it waiting."""
        if not self.burnt:
            return
        wrong = self.rng.choice(list(self.burnt))
        shoe = self.burnt.pop(wrong)
        event = burnt(self.rng.randint(0, 9), wrong.stream.removeprefix("table/"), shoe)
        named = Supersedes(wrong.n, wrong.leaf, "typing_error")
        submission = Submission(event, uuid4(), PIT, EVENING, Source(), named)
        (pending,) = self.records([submission])
        self.burnt.pop(pending)
        decision = self.rng.choice(("approved", "refused", None))
        if decision is None:
            return
        table = pending.stream.removeprefix("table/")
        word = second_word(
            {"table": table, "partida": event.partida},
            pending,
            wrong,
            decision,
            reason="typing_error",
        )
        self.records([Submission(word, uuid4(), HEAD, EVENING)])
        self.burnt[pending if decision == "approved" else wrong] = shoe

    def erases(self) -> None:
        """A name, or a record's files, are erased."""
        field_of = self.rng.choice(("name", "attachments"))
        there = self.people if field_of == "name" else self.filed
        if there:
            gone = there.pop(self.rng.randrange(len(there)))
            value = value_of(ref(gone), field_of)
            asked = ErasureProposed(basis="recorded_in_error", values=(value,))
            self.records([Submission(asked, uuid4(), PROPOSER, EVENING)])
            event = Erased(entry=ref(gone), field=field_of, legal_basis="recorded_in_error")
            self.records([Submission(event, uuid4(), ERASER, EVENING)])

    def makes_a_projection_again(self) -> None:
        """`rebuild`: it writes into the book that it did."""
        call_command("rebuild", self.rng.choice(PROJECTIONS), stdout=StringIO())

    # What the house's services do.

    def places(self) -> None:
        """Some of what waits gets its place; now and then the sequencer dies first."""
        limit = self.rng.randint(1, 30)
        if self.rng.random() < 0.2:
            with suppress(Died), transaction.atomic(using=sequencer.ALIAS):
                sequencer.integrate(limit)
                raise Died
        sequencer.integrate(limit)

    def signs(self) -> None:
        """The tree as it stands is signed; now and then the signer dies at one of its steps."""
        if self.rng.random() < 0.4:
            disk = Disk(self.rng.randint(1, STEPS), Disk.full)
            disk.what = disk.die
            with suppress(Killed), disk.watched(self.patch):
                self.signed()
        self.signed()
        if self.house.at.checkpoint.exists():
            self.seen.append(self.house.at.checkpoint.read_text())

    def signed(self) -> None:
        """A signer is started, looks once, and ends."""
        signer = self.house.signer()
        try:
            signer.turn()
        finally:
            signer.book.connection.close()

    def witnesses(self) -> None:
        """A witness's signature is brought for what is published."""
        if not self.house.at.checkpoint.exists():
            return
        note = parse_note(self.house.at.checkpoint.read_text())
        file = self.house.at.drop / f"answer-{next(self.numbers)}"
        file.write_text(cosign(self.witness, note.text, int(time.time())) + "\n")
        os.utime(file, (time.time() - OLD, time.time() - OLD))
        self.signs()

    def changes_keys(self) -> None:
        """A new key signs beside the old one and is named in the book; later the old one goes."""
        self.all_sealed()
        if not self.seen:
            return
        if self.keys is None:
            old = keyring.load(self.house.at)[-1]
            new = keyring.add(self.house.at, self.house.last().origin, waits=True)
            self.keys = keyring.number(old), keyring.number(new)
            event = SigningKeyNamed(
                vkey=new.verifier().text(), replaces=old.verifier().text(), reason="yearly"
            )
            (named,) = self.records([Submission(event, uuid4(), ADMIN, EVENING)])
            act = EntryRef(stream=named.stream, n=named.n, leaf=named.leaf)
            word = HouseActDecided(act=act, decision="approved")
            self.records([Submission(word, uuid4(), MANAGER, EVENING)])
            return
        signer = self.house.signer()
        retire(self.house.at, signer.book, self.house.last(), self.keys[0])
        signer.book.connection.close()
        self.keys = None

    def all_sealed(self) -> None:
        """Everything has its place, and is signed."""
        while sequencer.integrate():
            pass
        self.signs()

    def loses_the_database(self) -> None:
        """A backup is put in its place: the signer refuses; what is lost comes back from a bundle
        that left the house before; the signer goes on. Once an evening.
        """
        if self.older.older:
            return
        self.older.keep()
        for _ in range(self.rng.randint(0, 3)):
            self.submits()
        self.all_sealed()
        signed = self.house.last().size
        if not signed:
            return
        place = self.folder / "saved"
        export_bundle(place, Scope(), EXPORT, openings=True)
        self.older.put_back()
        rows = self.house.rows("SELECT coalesce(max(size), 0) FROM book_tree")
        if rows[0][0] < signed:
            with pytest.raises(Refused):
                self.signed()
        call_command("recover_entries", bundle=place, language="en", stdout=StringIO())
        self.signs()


def witnessed(house: SignerHouse, folder: Path, key: SigningKey) -> None:
    """Let the signer know a witness."""
    file = folder / "witnesses"
    file.write_text(f"witness w1 {key.verifier(COSIGNATURE).text()}\nquorum none\n")
    house.recorded["WITNESSES"] = str(file)
