"""What was withdrawn stands in the sealed copy: intact, and tampered with found by its name."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from audit.exporting import Scope, export_bundle
from audit.models import FindingSupersession, Reconciliation
from casino.events.corrections import WithdrawalAsked
from casino.events.shoes import LastRoundAnnounced
from casino.models import BookEntry
from casino.queries import replaced
from casino.recording import Actor, Receipt, authority, record_many
from jackpot import queries
from jackpot.seal_meter import seal as seal_pool
from tests.audit.reconciling import wrote_findings
from tests.factories.evenings import an_evening, opened, partida_of
from tests.factories.pools import POOL, START_CENTS, at_two_tables
from tests.factories.pools_in_book import chips, looked
from tests.factories.records import HEAD, PARTIDA, burnt, recorded, submission
from tests.factories.running_pools import CHIP, START
from tests.factories.sealed_book import Connect, Seal, seal_events
from tests.factories.second_persons import decided
from tests.factories.withdrawals import ASKS, DECIDES, ask_to_withdraw, ref, withdraw
from tests.jobs_inline import do_jobs
from tests.verifier.checked import Found, checked

pytestmark = [pytest.mark.share, pytest.mark.usefixtures("fresh_db", "english")]
HOUSE = Actor("export", "sistema", "local")
AUDITOR = Actor("A-0001", "auditor", "admin")
INTACT, TAMPERED = 0, 1
STREAM = "table/BJ-06"


@pytest.fixture
def seal(connect_as: Connect, tmp_path: Path, settings: Any) -> Seal:
    return Seal(connect_as, tmp_path / "public", settings)


@pytest.fixture
def export(seal: Seal, tmp_path: Path) -> Callable[..., Found]:
    """Sign the book, hand out a copy, and verify it as an inspector does."""

    def made(scope: Scope | None = None, name: str = "bundle") -> Found:
        seal.sign()
        place = export_bundle(tmp_path / name, scope or Scope(), HOUSE).place
        return checked(place, policy=(seal.public / "policy").read_text())

    return made


def opening_withdrawn() -> list[Receipt]:
    """A game that never was: its opening and what falls with it, asked and decided together."""
    opening = recorded(opened("BJ-06", PARTIDA.split("/")[1]))
    first = [opening, recorded(burnt(1)), recorded(last_round())]
    asked = record_many([submission(ask(one, opening), by=ASKS) for one in first])
    words = [submission(decided(*pair), by=HEAD) for pair in zip(asked, first, strict=True)]
    record_many(words)
    return first


def last_round() -> LastRoundAnnounced:
    return LastRoundAnnounced(
        table="BJ-06", partida=PARTIDA, shoe=1, came_out="during_round", audible=True
    )


def ask(one: Receipt, opening: Receipt) -> WithdrawalAsked:
    """That it did not happen; what is not the opening falls with it."""
    entry = BookEntry.objects.get(pk=one.entry_id)
    return WithdrawalAsked(
        table="BJ-06",
        partida=PARTIDA,
        entry=ref(one),
        act=entry.kind,
        reason="tapped_by_mistake",
        falls_with=None if one is opening else ref(opening),
    )


def named(found: Found) -> list[tuple[str, str | None, int | None]]:
    """What is recorded besides notes, with the entry it is recorded of."""
    return [(line.code, line.stream, line.n) for line in found.lines]


def test_an_opening_with_what_falls_with_it_is_intact(export: Callable[..., Found]) -> None:
    first = opening_withdrawn()
    assert {one.n for one in first} <= replaced(STREAM, PARTIDA)
    for name, scope in (("full", Scope()), ("part", Scope("table", table="BJ-06"))):
        found = export(scope, name)
        assert (found.code, named(found)) == (INTACT, [])
        recorded(burnt(2, "BJ-07"))  # the next checkpoint is of another book


@pytest.mark.parametrize("sealed", [False, True])
def test_a_reading_and_a_counted_increment_are_intact_and_the_meter_comes_out(
    export: Callable[..., Found], seal: Seal, sealed: bool
) -> None:
    at_two_tables()
    wrong, _ = chips((1, "J1", 5)), chips((2, "J2", 1))
    read = looked(display_cents=START_CENTS - 1)
    if sealed:
        seal_pool(POOL)
        seal.sign()
    withdraw(wrong)
    withdraw(read)
    seal_pool(POOL)
    assert queries.pool_now(POOL).meter.running == START + CHIP
    found = export()
    assert (found.code, named(found)) == (INTACT, [])
    cents = (START + CHIP) // 1_000_000
    [shown] = found.report.figures["pools"]
    assert shown.startswith(f"{POOL}: {cents // 100}.{cents % 100:02d}")


def test_what_waits_and_what_was_refused_are_intact(export: Callable[..., Found]) -> None:
    ask_to_withdraw(recorded(burnt(1)))
    second = recorded(burnt(2))
    recorded(decided(ask_to_withdraw(second), second, "refused"), by=HEAD)
    found = export()
    assert (found.code, named(found)) == (INTACT, [])


@pytest.mark.parametrize("who", ["asked", "wrote"])
def test_a_house_whose_program_lets_one_person_decide_alone_is_found_by_name(
    export: Callable[..., Found], monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    first = recorded(burnt(1), by=HEAD if who == "wrote" else ASKS)
    pending = ask_to_withdraw(first, HEAD if who == "asked" else ASKS)
    monkeypatch.setattr(authority, "why_not_decide", lambda *_: None)
    word = recorded(decided(pending, first), by=HEAD)
    found = export()
    assert (found.code, named(found)) == (TAMPERED, [("same-person", STREAM, word.n)])
    assert found.lines[0].details["staff"] == HEAD.staff


@pytest.mark.parametrize(
    ("n", "was", "now"),
    [
        (1, '"cards":1', '"cards":5'),  # what was withdrawn
        (2, "tapped_by_mistake", "told_twice"),
        (3, "approved", "refused"),
    ],
)
def test_whatever_of_it_a_superuser_altered_is_found_at_its_place(
    export: Callable[..., Found], seal: Seal, connect_as: Connect, n: int, was: str, now: str
) -> None:
    withdraw(recorded(burnt(1)))
    seal_events(256, "BJ-07")  # so that their leaves lie in a tile that is kept
    seal.sign()
    with connect_as("postgres") as superuser:
        superuser.execute("ALTER TABLE book_entry DISABLE TRIGGER ALL")
        changed = superuser.execute(
            "UPDATE book_entry SET entry = convert_to(replace(convert_from(entry, 'UTF8'), %s, %s),"
            " 'UTF8') WHERE table_code = 'BJ-06' AND n = %s",
            [was, now, n],
        )
        assert changed.rowcount == 1
    seal_events(1, "BJ-07")
    found = export()
    assert found.code == TAMPERED
    assert ("entry-altered", STREAM, n) in named(found)


def a_run_withdrawn(word: Actor) -> int:
    """A run that wrote findings under another rulebook, taken back, and what followed from it.

    The number of the word on it.
    """
    an_evening(rounds=2, wrong=[1])
    asked = withdraw(entry_receipt(wrote_findings("es", partida_of())), AUDITOR, word)
    do_jobs()
    return asked.n + 1


def entry_receipt(older: Any) -> Any:
    """The record that a run began, as what it withdraws is named."""
    row = Reconciliation.objects.get(run=older.run)
    entry = BookEntry.objects.get(pk=row.entry_id)
    leaf = bytes(entry.leaf_hash).hex()
    return SimpleNamespace(entry_id=entry.pk, stream="reconciler", n=entry.n, leaf=leaf)


def test_a_run_two_persons_withdrew_is_intact(export: Callable[..., Found]) -> None:
    a_run_withdrawn(DECIDES)
    assert FindingSupersession.objects.filter(reason="run_withdrawn").exists()
    found = export()
    assert (found.code, named(found)) == (INTACT, [])


def test_a_run_one_person_withdrew_alone_is_found_by_name(
    export: Callable[..., Found], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authority, "why_not_decide", lambda *_: None)
    word = a_run_withdrawn(AUDITOR)
    found = export()
    assert (found.code, named(found)) == (TAMPERED, [("same-person", "reconciler", word)])
