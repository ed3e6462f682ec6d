"""A second person's word as it was really given: recorded whoever he is, and found where he was not
who the law asks for, not on duty, or at two tables at once."""

from datetime import timedelta

import pytest

from audit.models import Finding
from audit.runs.current_findings import standing
from casino import clock
from casino.events.shufflers import ShufflerLoaded
from casino.events.staff import DutyBegun
from casino.models import Account, Attestation, BookEntry
from casino.recording import Receipt
from casino.witnessing import confirm, confirm_by_passkey, invite, set_pin
from tests.audit.reconciling import reconcile
from tests.casino.passkey_device import ORIGIN, Device, b64
from tests.factories.evenings import MANAGER, PIT
from tests.factories.passkeys import registered
from tests.factories.people import ADMINISTRATOR, PASSWORD, appoint
from tests.factories.tonight import CHEFE, DECKS, MINUTE, Table, record_events

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]
PIN = "482915"
RANK = "loading_witness_is_fiscal_chefe"
DUTY = "loading_witness_on_duty"
TWICE = "loading_witness_at_one_table"
NONE = "loading_witnessed"


def person(staff: str, office: str, *, on_duty: bool = True) -> Account:
    """Somebody with an office and a code, on duty for two hours."""
    appoint(staff, office)
    if on_duty:
        record_events(DutyBegun(staff=staff, office=office, tables=()), 120, CHEFE)  # type: ignore[arg-type]
    account = Account.objects.create_user(staff, PASSWORD)
    set_pin(account, PIN)
    return account


def loads(table: Table, ago: float = 5) -> Receipt:
    """A loading that took four minutes."""
    began = clock.now() - (ago + 4) * MINUTE
    return table.record(
        ShufflerLoaded,
        ago,
        shuffler="CSM-04",
        packets=3,
        operator="P-104",
        decks=DECKS,
        started_at=began,
        ended_at=began + timedelta(minutes=4),
    )


def says(act: Receipt, staff: str) -> None:
    """He reads the text on the operator's tablet and types his code."""
    entry = BookEntry.objects.select_related("stream").get(pk=act.entry_id)
    confirm(entry, invite(entry, "pt").token, staff, PIN, "54", asked_by=PIT.staff)


def found(*tables: Table) -> dict[str, list[Finding]]:
    """What a reconciliation finds about who looked on, by check."""
    values: dict[str, list[Finding]] = {}
    for table in tables:
        reconcile(f"after {table.partida}", partida=table.partida)
    for one in standing().filter(check_name__startswith="loading_witness"):
        assert one.article == "54"
        values.setdefault(one.check_name, []).append(one)
    return values


def test_a_fiscal_chefe_on_duty_is_a_witness_and_nothing_is_found() -> None:
    person(CHEFE.staff, "fiscal_chefe")
    table = Table(dealing="shuffler")
    says(loads(table), CHEFE.staff)
    assert found(table) == {}


def test_a_rank_not_held_is_recorded_and_found() -> None:
    person("S-0400", "fiscal_de_banca")
    table = Table(dealing="shuffler")
    says(loads(table), "S-0400")
    assert Attestation.objects.get().held == "fiscal_de_banca"
    (one,) = found(table)[RANK]
    assert one.article == "54"


def test_a_fiscal_chefe_off_duty_is_recorded_and_found() -> None:
    person(CHEFE.staff, "fiscal_chefe", on_duty=False)
    table = Table(dealing="shuffler")
    says(loads(table), CHEFE.staff)
    assert Attestation.objects.get().witness == CHEFE.staff
    values = found(table)
    assert set(values) == {DUTY}


def test_one_witness_at_two_tables_at_once_is_recorded_and_found() -> None:
    person(CHEFE.staff, "fiscal_chefe")
    here, there = Table("BJ-01", "shuffler"), Table("BJ-02", "shuffler")
    says(loads(here), CHEFE.staff)
    says(loads(there, ago=6), CHEFE.staff)  # they share three of their four minutes
    assert Attestation.objects.count() == 2
    values = found(here, there)
    assert set(values) == {TWICE}
    assert len(values[TWICE]) == 2


def test_one_table_after_the_other_is_nothing() -> None:
    person(CHEFE.staff, "fiscal_chefe")
    here, there = Table("BJ-01", "shuffler"), Table("BJ-02", "shuffler")
    says(loads(here, ago=4), CHEFE.staff)
    says(loads(there, ago=8.1), CHEFE.staff)  # ended as the other began
    assert TWICE not in found(here, there)


def test_without_any_word_it_is_found_once_ten_minutes_have_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table(dealing="shuffler")
    loads(table)
    assert NONE not in found(table)
    monkeypatch.setenv("CLOCK_OFFSET", "601")
    reconcile("later", partida=table.partida)
    assert standing().filter(check_name=NONE).count() == 1


def test_a_passkey_is_judged_like_a_code() -> None:
    own = Device()
    registered(person("S-0400", "fiscal_de_banca"), own)
    table = Table(dealing="shuffler")
    entry = BookEntry.objects.select_related("stream").get(pk=loads(table).entry_id)
    shown = invite(entry, "pt")
    answer = own.got(b64(shown.challenge))
    confirm_by_passkey(entry, shown.token, "S-0400", answer, "54", origin=ORIGIN)
    assert set(found(table)) == {RANK}


def test_an_office_and_a_duty_given_afterwards_cure_nothing_and_are_found() -> None:
    """The review's F1: a grant dated back to the first of the month, a duty dated back to six."""
    person("S-0400", "fiscal_de_banca", on_duty=False)
    table = Table(dealing="shuffler")
    says(loads(table), "S-0400")
    assert set(found(table)) == {RANK}
    appoint("S-0400", "fiscal_chefe")  # dated long ago
    record_events(DutyBegun(staff="S-0400", office="fiscal_chefe", tables=()), 120, MANAGER)
    reconcile("after the grant", partida=table.partida)
    assert standing().filter(check_name=RANK).count() == 1
    late = standing().filter(article="house.afterwards").order_by("check_name")
    assert [(one.check_name, one.where["staff"]) for one in late] == [
        ("duty_recorded_before_the_act", "S-0400"),
        ("office_recorded_before_the_act", "S-0400"),
    ]
    assert [one.observed["recorded_by"] for one in late] == [MANAGER.staff, ADMINISTRATOR.staff]
