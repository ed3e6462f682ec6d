"""Reconciling what lies in the book: found once, found again, cured, come back."""

import dataclasses
import html
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse

from audit.models import Finding, FindingSupersession, ReconciliationResult, RunSheet
from audit.runs.current_findings import standing
from casino import clock
from casino.events.inspection import LimitsApproved
from casino.events.round.round_played import Limits
from casino.events.shoes import CardBurned
from casino.events.staff import OfficeGranted, StaffRegistered
from casino.events.tables import StakeLimits
from casino.models import BookEntry
from casino.queries import load_entry
from casino.recording import Receipt
from tests.audit.reconciling import reconcile
from tests.factories.evenings import (
    EVENING,
    MANAGER,
    an_evening,
    closed,
    correct,
    opened,
    partida_of,
    played,
    record_all,
    record_events,
)
from tests.factories.findings import rests_on
from tests.factories.people import ADMINISTRATOR, somebody
from tests.factories.tonight import Table

pytestmark = [pytest.mark.django_db, pytest.mark.share]
AMOUNT = "nearer_to_twenty_one_wins"  # what a wrong amount offends


def amounts() -> Any:
    """The wrong amounts that stand; what else the evening lacks is not these tests' matter."""
    return standing().filter(check_name=AMOUNT)


def changed_by(result: ReconciliationResult) -> tuple[int, int]:
    """How many wrong amounts a run raised and superseded."""
    keys = Finding.objects.filter(check_name=AMOUNT).values("key")
    return (
        Finding.objects.filter(run=result.run, check_name=AMOUNT).count(),
        FindingSupersession.objects.filter(run=result.run, finding__in=keys).count(),
    )


def test_a_wrong_amount_is_found_once() -> None:
    receipts = an_evening(rounds=3, wrong=[2])
    result = reconcile("first")
    found = amounts().get()
    assert (found.rulebook, found.article) == ("pt", "23")
    assert rests_on(found) == [str(receipts[2].entry_id)]
    assert (found.owed_cents, found.owed_to) == (500, "player")
    assert (result.entries, result.rounds, result.not_judged) == (5, 3, 0)
    assert result.findings == result.raised == Finding.objects.count()
    sheet = RunSheet.objects.get(run=result.run)
    assert sheet.state == "finished"
    assert sheet.answers["pt"][AMOUNT] == [2, 1, 0]


def test_a_second_run_adds_nothing_and_comes_to_the_same() -> None:
    an_evening(rounds=3, wrong=[2])
    first = reconcile("first")
    entries = BookEntry.objects.filter(kind__startswith="finding-").count()
    again = reconcile("again")
    assert (again.findings, again.raised, again.superseded) == (first.findings, 0, 0)
    assert again.digest == first.digest
    assert BookEntry.objects.filter(kind__startswith="finding-").count() == entries


def test_a_correction_counts_once_it_is_approved() -> None:
    receipts = an_evening(rounds=3, wrong=[2])
    reconcile("first")
    correct(receipts[2], played("r2", place=2), approve=False)
    waiting = reconcile("waiting")
    assert changed_by(waiting) == (0, 0)
    assert waiting.rounds == 3
    approved = correct(receipts[3], played("r3", place=3, returned=1500))
    result = reconcile("wrongly corrected")
    wrong = {str(receipts[2].entry_id), str(approved.entry_id)}
    assert {rests_on(row)[0] for row in amounts()} == wrong
    assert changed_by(result) == (1, 0)
    assert result.rounds == 3


def test_the_cure_is_told_and_named() -> None:
    receipts = an_evening(rounds=3, wrong=[2])
    reconcile("first")
    name = amounts().get().key
    pending = correct(receipts[2], played("r2", place=2))
    result = reconcile("after", reason="late_record")
    assert changed_by(result) == (0, 1)
    assert not amounts().exists()
    cured = FindingSupersession.objects.get(run=result.run, finding=name)
    assert (cured.reason, cured.by_stream, cured.by_n) == ("corrected", "table/BJ-01", pending.n)
    assert Finding.objects.filter(check_name=AMOUNT).count() == 1, "nothing is dropped"
    assert changed_by(reconcile("once more")) == (0, 0)


def test_a_late_record_cures_and_is_named() -> None:
    an_evening(rounds=1)
    reconcile("first")
    name = standing().get(check_name="shoe_is_burnt").key
    burnt = CardBurned(table="BJ-01", partida=partida_of(), shoe=1, cards=5)
    late = record_events(burnt, EVENING - timedelta(minutes=5))
    result = reconcile("after", reason="late_record")
    assert not standing().filter(key=name).exists()
    cured = FindingSupersession.objects.get(finding=name)
    assert (cured.reason, cured.run) == ("late_record", result.run)
    assert cured.cured_by == [{"stream": late.stream, "n": late.n, "leaf": late.leaf}]


def test_the_page_of_what_a_late_record_cured_names_it_and_who_wrote_it() -> None:
    an_evening(rounds=1)
    reconcile("first")
    row = standing().get(check_name="shoe_is_burnt")
    burnt = CardBurned(table="BJ-01", partida=partida_of(), shoe=1, cards=5)
    late = record_events(burnt, EVENING - timedelta(minutes=5))
    reconcile("after", reason="late_record")
    by = load_entry(late.entry_id)
    assert by is not None
    page = somebody("inspetor").get(reverse("admin:audit_finding_change", args=[row.pk]))
    shown = " ".join(page.content.decode().split())
    assert f"entry {late.n} of table BJ-01: recorded by {by.by.staff} on" in shown


def registered(number: str, at: datetime) -> Receipt:
    return record_events(StaffRegistered(staff=number), at, ADMINISTRATOR)


def page_of(found: Finding) -> str:
    page = somebody("inspetor").get(reverse("admin:audit_finding_change", args=[found.pk]))
    return html.unescape(" ".join(page.content.decode().split()))


def cure_of(key: str) -> FindingSupersession:
    reconcile("after", reason="late_record")
    return FindingSupersession.objects.get(finding=key)


def a_stranger_at_the_table() -> Finding:
    """A fiscal de banca whom no register of the house knows, where it keeps one of that office."""
    registered("S-0187", EVENING - timedelta(days=9))
    granted = OfficeGranted(
        staff="S-0187",
        office="fiscal_de_banca",
        granted_by="S-0001",
        valid_from=EVENING - timedelta(days=9),
    )
    record_events(granted, EVENING - timedelta(days=9), ADMINISTRATOR)
    record_all([opened(fiscal_de_banca="S-0500"), closed()])
    reconcile("first")
    return standing().get(check_name="people_are_registered", where={"staff": "S-0500"})


def test_a_cure_by_the_houses_own_register_names_the_entry_and_nobody_elses() -> None:
    found = a_stranger_at_the_table()
    registered("S-0501", EVENING - timedelta(days=1))
    late = registered("S-0500", EVENING - timedelta(days=1))
    cured = cure_of(found.key)
    assert (cured.reason, cured.by_stream) == ("late_record", "")
    assert cured.cured_by == [{"stream": "house", "n": late.n, "leaf": late.leaf}]
    page = somebody("inspetor").get(reverse("admin:audit_finding_change", args=[found.pk]))
    shown = " ".join(page.content.decode().split())
    assert (
        f"entry {late.n} of the house&#x27;s own records: recorded by {ADMINISTRATOR.staff} on"
        in shown
    )


def test_what_the_house_told_afterwards_of_afterwards_cures_and_is_named_too() -> None:
    found = a_stranger_at_the_table()
    late = registered("S-0500", clock.now())
    cured = cure_of(found.key)
    assert (cured.reason, cured.by_stream, cured.by_n) == ("cured", "house", late.n)
    page = somebody("inspetor").get(reverse("admin:audit_finding_change", args=[found.pk]))
    assert f"entry {late.n} of the house&#x27;s own records: recorded by" in " ".join(
        page.content.decode().split()
    )


def approved(table: str, minimum_cents: int) -> Receipt:
    """Approved now, and dated long before."""
    event = LimitsApproved(
        tables=(table,),
        minimum_cents=minimum_cents,
        maximum_cents=30000,
        document="I-1",
        valid_from=EVENING,
    )
    return record_events(event, clock.now(), MANAGER)


def test_an_approval_recorded_afterwards_and_dated_before_is_named() -> None:
    approved("BJ-01", 500)
    table = Table(ago=0)
    reconcile("first", partida=table.partida)
    found = standing().get(check_name="limits_are_approved")
    approved("BJ-02", 1000)
    late = approved("BJ-01", 1000)
    reconcile("after", partida=table.partida)
    cured = FindingSupersession.objects.get(finding=found.key)
    assert cured.reason == "late_record"
    assert cured.cured_by == [{"stream": "house", "n": late.n, "leaf": late.leaf}]


def test_a_finding_that_comes_back_is_raised_again_under_its_name() -> None:
    receipts = an_evening(rounds=1, wrong=[1])
    reconcile("under pt")
    name = amounts().get().key
    spanish = correct(receipts[0], opened(rulebook="es"))
    reconcile("under es")
    assert [row.rulebook for row in amounts()] == ["es"]
    correct(spanish, opened())
    reconcile("under pt again")
    assert amounts().get().key == name
    assert Finding.objects.filter(key=name).count() == 2
    assert FindingSupersession.objects.filter(finding=name).count() == 1
    assert changed_by(reconcile("and once more")) == (0, 0)
    # It can be cured a second time too.
    correct(receipts[1], played("r1", place=1))
    assert changed_by(reconcile("cured at last")) == (0, 1)
    assert FindingSupersession.objects.filter(finding=name).count() == 2


def test_another_rulebook_leaves_the_findings_of_the_first_alone() -> None:
    receipts = an_evening(rounds=2, wrong=[1])
    reconcile("own")
    before = set(standing().values_list("key", flat=True))
    result = reconcile("under es", rulebook="es")
    assert (result.raised, result.superseded, changed_by(result)) == (0, 0, (0, 0))
    assert result.findings > 0
    assert set(standing().values_list("key", flat=True)) == before
    sheet = RunSheet.objects.get(run=result.run)
    compared = sheet.compared
    kinds = set(sheet.differences.values_list("change", "check_name"))
    assert ("vanish", "deal_recorded_or_attested") in kinds  # the other rulebook does not ask it
    assert compared["counts"]["same"] + compared["counts"]["change"] >= 1  # the amount is wrong too
    assert compared["owed_now"] == compared["owed_then"] == {"player": 500, "house": 0}
    assert changed_by(reconcile("own again")) == (0, 0)
    correct(receipts[1], played("r1", place=1))
    reconcile("own, corrected")
    assert not amounts().exists()
    result = reconcile("es, corrected", rulebook="es")
    assert RunSheet.objects.get(run=result.run).compared["owed_then"] == {"player": 0, "house": 0}


def test_two_equal_mistakes_in_one_round_are_two_findings() -> None:
    record_events(opened())
    one = played("r1", place=1, returned=1500)
    boxes = (one.boxes[0], replace_box(one.boxes[0], 2))
    record_all([dataclasses.replace(one, boxes=boxes)])
    reconcile("first")
    assert sorted(row.where["box"] for row in amounts()) == [1, 2]


def replace_box(box: Any, number: int) -> Any:
    """The same box with another number and another holder."""
    wagers = tuple(dataclasses.replace(one, owner=f"J{number}") for one in box.wagers)
    return dataclasses.replace(box, number=number, holder=f"J{number}", wagers=wagers)


def test_a_round_told_twice_is_judged_once_and_said() -> None:
    record_events(opened())
    first, again = record_all([played("r1", place=1), played("r1", place=1, dealer="P-7")])
    result = reconcile("first")
    assert result.rounds == 1
    found = standing().get(rulebook="house")
    assert found.check_name == "round_told_once"
    assert set(rests_on(found)) == {str(first.entry_id), str(again.entry_id)}


def test_a_round_after_the_last_of_its_shoe_is_found() -> None:
    record_events(opened())
    last = played("r1", place=1, warning_card_at=0)
    record_all([last, played("r2", place=2)])
    reconcile("first")
    found = standing().get(check_name="no_round_after_the_last")
    assert found.article == "11"
    assert len(found.evidence) == 2


def test_limits_and_rulebook_come_from_the_opening_where_the_round_is_silent() -> None:
    record_events(opened(limits=StakeLimits(minimum_cents=2000, maximum_cents=30000)))
    record_all([played("r1", place=1, limits=None)])
    reconcile("first")
    assert "stake_at_least_minimum" in {row.check_name for row in standing()}


def test_a_round_without_any_rulebook_is_not_judged() -> None:
    record_all([played("r1", place=1), played("r2", place=2, rulebook="xx")])
    result = reconcile("first")
    assert (result.rounds, result.not_judged, result.findings) == (2, 2, 0)


def test_a_round_that_names_another_rulebook_or_limits_is_judged_by_its_games() -> None:
    record_events(opened(limits=StakeLimits(minimum_cents=2000, maximum_cents=30000)))
    record_all([played("r1", place=1, rulebook="es", limits=Limits(500, 15_000))])
    reconcile("first")
    found = {row.check_name: (row.rulebook, row.article) for row in standing()}
    assert found["stake_at_least_minimum"] == ("pt", "14")
    assert found["rounds_tell_the_tables_limits"] == ("pt", "14")
    assert found["round_names_its_games_rulebook"] == ("house", "house.rounds")
