"""The house's register: what two persons do together, and machines that may be dealt from."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from audit.models import FindingSupersession
from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.watch.alerts import alerts
from audit.watch.floor_deadlines import watch_deadlines
from casino import clock
from casino.events.deck_life import DeckReceived, DecksDestroyed
from casino.events.floor_life import ChipsCounted, DropCounted
from casino.events.partidas import ChipCount
from casino.events.requests import OfficeAsked, RequestDecided
from casino.events.sealing import HouseActDecided, SchemaRecorded
from casino.events.shufflers import ShufflerFoundEmpty, ShufflerLoaded, ShufflerRegistered
from casino.events.staff import DutyBegun, OfficeEnded, OfficeGranted, StaffRegistered
from casino.law.checks.table import house_people
from casino.models import BookEntry
from casino.recording import Actor, Submission, record_many
from tests.factories.evenings import MANAGER, correct
from tests.factories.events.every import FULL
from tests.factories.findings import rests_on
from tests.factories.people import ADMINISTRATOR, write
from tests.factories.tonight import CHEFE, DECKS, Table, record_events
from tests.factories.usual_events import ref

pytestmark = [pytest.mark.django_db, pytest.mark.share]
ALONE, FIT = house_checks.TWO_PERSONS, house_checks.SHUFFLER_FIT
MACHINE: dict[str, Any] = {"maker": "Maker", "model": "Six", "serial": "417"}
APPROVED: dict[str, Any] = MACHINE | {"approval": "2026/118", "in_service": True}
SECOND = Actor("S-0003", "chefia_da_sala", "job")
COUNTS = (ChipCount(value_cents=500, count=40),)


def found() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """What a look finds under the register's heading."""
    watch_deadlines(clock.now())
    rows = standing().filter(article=house_checks.REGISTER).order_by("n")
    return [(row.check_name, row.where, row.observed) for row in rows]


def received(second: str | None) -> Any:
    deck = DeckReceived(deck="D-7", maker="Maker", back_colour="blue", second=second)
    return record_events(deck, 60, MANAGER)


def destroyed(second: str | None) -> Any:
    return record_events(
        DecksDestroyed(decks=("D-7", "D-8"), method="cut", second=second), 60, MANAGER
    )


def looked_through(second: str | None) -> Any:
    return record_events(
        ShufflerFoundEmpty(shuffler="CSM-04", cards_found=0, second=second), 60, CHEFE
    )


# Two persons


@pytest.mark.parametrize(
    ("act", "where"),
    [
        (received, {"deck": "D-7"}),
        (destroyed, {"decks": 2}),
        (looked_through, {"shuffler": "CSM-04"}),
    ],
)
@pytest.mark.parametrize(
    ("second", "alone"),
    [
        (None, True),
        ("author", True),  # himself
        ("AUTHOR", True),  # however he writes his number
        ("S-0021", False),
    ],
)
def test_decks_and_an_emptied_machine_are_seen_by_two(
    act: Any, where: dict[str, Any], second: str | None, alone: bool
) -> None:
    """A rule of the house: received, destroyed, looked through before a second person."""
    author = CHEFE.staff if act is looked_through else MANAGER.staff
    if second is not None:
        second = {"author": author, "AUTHOR": author.lower()}.get(second, second)
    value = act(second)
    assert found() == ([(ALONE, where, {"persons": 1})] if alone else [])
    if alone:
        row = standing().get()
        assert (row.severity, row.expected) == ("warning", {"at_least": 2})
        assert rests_on(row) == [str(value.entry_id)]
        assert found() == [(ALONE, where, {"persons": 1})]  # once


@pytest.mark.parametrize(
    ("people", "alone"),
    [
        ({"pagador": "P-104", "second": CHEFE.staff}, False),
        ({"pagador": "P-104"}, True),
        ({}, True),
        ({"second": CHEFE.staff}, False),  # beside the author
        ({"second": "S-0187"}, True),  # the author, and no dealer
        ({"pagador": "P-104", "second": "S-0187"}, False),  # the author beside the dealer
    ],
)
def test_chips_are_counted_by_two(people: dict[str, str], alone: bool) -> None:
    table = Table()
    table.record(ChipsCounted, 5, moment="closing", counts=COUNTS, **people)
    assert found() == ([(ALONE, {}, {"persons": 1})] if alone else [])


@pytest.mark.parametrize(
    ("people", "alone"),
    [
        ({"counted_by": "S-0003", "second": CHEFE.staff}, False),
        ({"counted_by": "S-0003"}, True),
        ({"second": CHEFE.staff}, False),  # beside the author
        ({"second": "S-0187"}, True),  # the author, and nobody else
    ],
)
def test_a_drop_box_is_counted_by_two(people: dict[str, str], alone: bool) -> None:
    Table().record(DropCounted, 5, cash_cents=20_000, **people)
    assert found() == ([(ALONE, {}, {"persons": 1})] if alone else [])


@pytest.mark.parametrize("act", [received, destroyed, looked_through])
def test_a_second_person_is_somebody_the_house_has_registered(act: Any) -> None:
    act("S-0777")
    assert found() == []  # nobody is registered yet: no number is anybody's
    record_events(StaffRegistered(staff="S-0021"), 90, MANAGER)
    ((check, where, observed),) = found()
    assert (check, observed) == (ALONE, {"staff": "S-0777", "registered": "no"})
    row = standing().get()
    assert (row.severity, row.expected, where) == ("warning", {"registered": "yes"}, row.where)
    record_events(StaffRegistered(staff="s-0777"), 1, MANAGER)  # however he writes his number
    assert found() == []


@pytest.mark.parametrize(
    ("second", "people", "known"),
    [
        ("S-0021", {}, True),
        ("S-0022", {}, True),  # an office was given to that number
        ("S-0777", {}, False),
        ("S-0777", {"pagador": "P-104"}, False),
    ],
)
def test_whoever_counts_beside_the_dealer_is_registered(
    second: str, people: dict[str, str], known: bool
) -> None:
    record_events(StaffRegistered(staff="S-0021"), 90, MANAGER)
    since = clock.now()
    granted: dict[str, Any] = {"staff": "S-0022", "valid_from": since, "granted_by": "S-0021"}
    record_events(OfficeGranted(**granted, office="fiscal_de_banca"), 90, ADMINISTRATOR)
    Table().record(ChipsCounted, 5, moment="closing", counts=COUNTS, second=second, **people)
    expected = {"staff": second, "registered": "no"}
    assert found() == ([] if known else [(ALONE, {}, expected)])


@pytest.mark.parametrize(("approve", "alone"), [(True, False), (False, True)])
def test_a_correction_that_names_the_second_person_cures_it(approve: bool, alone: bool) -> None:
    deck: dict[str, Any] = {"deck": "D-7", "maker": "Maker", "back_colour": "blue"}
    receipt = record_events(DeckReceived(**deck), 60, CHEFE)
    assert len(found()) == 1
    at = BookEntry.objects.get(pk=receipt.entry_id).occurred_at
    right = DeckReceived(**deck, second=MANAGER.staff)
    correct(receipt, right, at, by=CHEFE, approve=approve)
    assert len(found()) == int(alone)


# Machines


def load(shuffler: str = "CSM-04") -> None:
    table = Table()
    table.record(ShufflerLoaded, 30, shuffler=shuffler, packets=3, decks=DECKS)


@pytest.mark.parametrize(
    ("recorded", "lacks"),
    [
        (APPROVED, None),
        (APPROVED | {"in_service": None}, None),  # nobody said that it is not
        (MACHINE, "approved"),
        (APPROVED | {"in_service": False}, "in_service"),
    ],
)
def test_a_machine_is_approved_and_in_service_when_it_is_loaded(
    recorded: dict[str, Any], lacks: str | None
) -> None:
    """Portaria 461/2001, n.º 3: only approved machines; out of service it is not dealt from."""
    record_events(ShufflerRegistered(shuffler="CSM-04", **recorded), 60, MANAGER)
    load()
    expected = [] if lacks is None else [(FIT, {"shuffler": "CSM-04"}, {lacks: "no"})]
    assert found() == expected
    if lacks is not None:
        held = standing().get()
        assert (held.severity, held.expected) == ("deviation", {lacks: "yes"})


def test_a_machine_nobody_registered_is_found_and_an_alert_at_the_table() -> None:
    record_events(ShufflerRegistered(shuffler="CSM-04", **APPROVED), 60, MANAGER)
    load("CSM-99")
    assert found() == [(FIT, {"shuffler": "CSM-99"}, {"registered": "no"})]
    said = [one for one in alerts(clock.now(), ["BJ-01"]) if one.check == FIT]
    assert ["CSM-99" in one.place for one in said] == [True]


@pytest.mark.parametrize(("ago", "fit"), [(31, True), (30, True), (29, False)])
def test_what_the_register_said_when_it_was_loaded_counts(ago: float, fit: bool) -> None:
    load()  # thirty minutes ago, by a clock that has gone on a little
    at = BookEntry.objects.get(kind="shuffler-loaded/1").occurred_at
    minutes = (clock.now() - at).total_seconds() / 60 + (ago - 30)
    assert len(found()) == 1
    record_events(
        ShufflerRegistered(shuffler="CSM-04", **APPROVED), minutes + (0.1 if fit else 0), MANAGER
    )
    assert found() == ([] if fit else [(FIT, {"shuffler": "CSM-04"}, {"registered": "no"})])


def test_a_registration_that_came_late_is_named_as_what_cured_it() -> None:
    load()
    assert len(found()) == 1
    late = record_events(ShufflerRegistered(shuffler="CSM-04", **APPROVED), 90, MANAGER)
    record_events(ShufflerRegistered(shuffler="CSM-05", **APPROVED), 90, MANAGER)
    assert found() == []
    cured = FindingSupersession.objects.get()
    assert cured.reason == "late_record"
    assert cured.cured_by == [{"stream": "house", "n": late.n, "leaf": late.leaf}]


def test_the_last_word_of_the_register_counts() -> None:
    record_events(ShufflerRegistered(shuffler="CSM-04", **APPROVED), 90, MANAGER)
    out = APPROVED | {"in_service": False}
    record_events(ShufflerRegistered(shuffler="CSM-04", **out), 60, MANAGER)
    load()
    assert [one[2] for one in found()] == [{"in_service": "no"}]
    record_events(ShufflerRegistered(shuffler="CSM-04", **APPROVED), 45, MANAGER)
    assert found() == []


# Duty


def on_duty(staff: str, office: Any, minutes: int = 30) -> None:
    record_events(DutyBegun(staff=staff, office=office, tables=()), minutes, MANAGER)


def duty_found() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    watch_deadlines(clock.now())
    rows = standing().filter(article=house_people.ARTICLE).order_by("n")
    return [(row.check_name, row.where, row.expected) for row in rows]


def test_duty_of_nobody_and_in_an_office_not_held_is_found_whatever_is_told_since() -> None:
    granted("S-0021", "fiscal_chefe")
    granted("P-104", "pagador")
    on_duty("S-0021", "fiscal_chefe")
    assert duty_found() == []
    on_duty("S-9999", "fiscal_chefe")
    on_duty("P-104", "fiscal_chefe")
    nobody = ("people_are_registered", {"staff": "S-9999"}, {"registered": "yes"})
    other = ("people_hold_their_office", {"staff": "P-104"}, {"office": "fiscal_chefe"})
    assert sorted(duty_found(), key=str) == sorted([nobody, other], key=str)
    granted("S-9999", "fiscal_chefe")
    assert sorted(duty_found(), key=str) == sorted([nobody, other], key=str)


@pytest.mark.parametrize(("minutes", "found"), [(30, 1), (31, 1), (29, 0)])
def test_an_office_that_ended_at_the_very_moment_is_not_held(minutes: int, found: int) -> None:
    granted("P-104", "pagador")
    ended_at = clock.now() - timedelta(minutes=minutes)
    begun = ended_at if minutes == 30 else clock.now() - timedelta(minutes=30)
    event = OfficeEnded(staff="P-104", office="pagador", ended_at=ended_at, ended_by="S-0001")
    record_events(event, minutes, ADMINISTRATOR)
    write(DutyBegun(staff="P-104", office="pagador", tables=()), by=MANAGER, at=begun)
    assert len(duty_found()) == found


def granted(staff: str, office: Any) -> None:
    event = OfficeGranted(
        staff=staff, office=office, valid_from=clock.now() - timedelta(days=1), granted_by="S-0001"
    )
    write(event, by=ADMINISTRATOR, at=clock.now() - timedelta(days=1))


def test_a_number_registered_anew_is_found_in_any_spelling() -> None:
    record_events(StaffRegistered(staff="S-0021"), 90, MANAGER)
    assert duty_found() == []
    record_events(StaffRegistered(staff="s-0021"), 5, MANAGER)
    watch_deadlines(clock.now())
    [one] = standing().filter(article=house_people.ARTICLE)
    assert (one.check_name, one.severity) == ("number_registered_once", "warning")
    assert (one.where, one.observed) == ({"staff": "s-0021"}, {"registered_as": "S-0021"})


# High offices


def test_a_high_office_one_alone_gave_is_found_and_what_two_did_is_not() -> None:
    """Found once the book says that this program is there and games have begun; not before."""
    asker = Actor("S-0003", "chefia_da_sala", "admin")
    by_shell = replace(asker, door="local")
    for one in ("S-0777", "S-0778"):
        record_events(StaffRegistered(staff=one), 90, MANAGER)
    granted(asker.staff, "chefia_da_sala")
    granted("S-0009", "administrador")
    given_alone("S-0777", "auditor", by_shell)
    Table()
    given_alone("S-0777", "administrador", by_shell)
    assert found() == []  # older than the rule
    program = Actor("schema", "sistema", "job")
    there = ("casino.0033_by_two_persons",)
    write(SchemaRecorded(sha256="a" * 64, migrations=there, server="18"), by=program)
    given_alone("S-0778", "fiscal_chefe", by_shell)  # no high office
    asked = write(OfficeAsked(staff="S-0778", office="auditor", change="office_given"), by=asker)
    word = RequestDecided(asked=ref(asked), decision="approved", reason="checked")
    done = office("S-0778", "auditor")
    now = clock.now()
    other = Actor("S-0009", "administrador", "admin")
    record_many([Submission(one, uuid4(), other, now) for one in (word, done)])
    assert found() == []
    given_alone("S-0778", "inspetor", by_shell)
    where = {"staff": "S-0778", "office": "inspetor"}
    name = house_checks.OFFICE_BY_TWO
    assert found() == [(name, where, {"persons": 1, "change": "office_given"})]
    event = OfficeEnded(staff="S-0778", office="auditor", ended_at=clock.now(), ended_by="S-0003")
    write(event, by=by_shell, at=clock.now())
    assert [one[2]["change"] for one in found()] == ["office_given", "office_ended"]


def office(staff: str, held: Any) -> OfficeGranted:
    return OfficeGranted(staff=staff, office=held, valid_from=clock.now(), granted_by="S-0003")


def given_alone(staff: str, held: Any, by: Actor) -> None:
    write(office(staff, held), by=by, at=clock.now())


# Keys


@pytest.mark.parametrize("decision", ["approved", "refused"])
def test_a_key_named_by_one_person_alone_is_found_when_the_day_is_over(decision: Any) -> None:
    before = clock.now() - timedelta(days=2)
    write(FULL["signing-key-named/2"])  # today: there is time
    write(FULL["signing-key-named/1"], by=Actor("reconciler", "sistema", "job"), at=before)
    assert found() == []
    first = write(FULL["signing-key-named/2"], by=ADMINISTRATOR, at=before)
    assert found() == [(ALONE, {}, {"persons": 1})]
    write(HouseActDecided(act=ref(first), decision=decision), by=SECOND)
    assert found() == []
