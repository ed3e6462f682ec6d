"""The house's own deadlines: an incident, a deck, a complaint, recordings; found, told, cured."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from audit.models import Finding, FindingSupersession
from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.watch.alerts import alerts
from audit.watch.floor_deadlines import owed, watch_deadlines
from casino import clock
from casino.events.complaints import ComplaintDecided, ComplaintReceived
from casino.events.incidents import IncidentClosed, IncidentReported
from casino.events.notices import FootageHeld, NoticeSent
from casino.models import BookEntry
from casino.previewing import Draft, preview
from tests.factories.evenings import MANAGER, correct
from tests.factories.findings import rests_on
from tests.factories.tonight import CHEFE, Table, at, record_events
from tests.jobs_inline import do_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.share]
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
SETTLED, DEFECT = house_checks.INCIDENT_SETTLED, house_checks.DEFECT_MADE_KNOWN
ANSWERED, FOOTAGE = house_checks.COMPLAINT_ANSWERED, house_checks.FOOTAGE_DECIDED
NEVER_HELD = house_checks.FOOTAGE_HELD


def look(moment: datetime) -> int:
    """One look at the deadlines, when it is that late."""
    with at(moment):
        return watch_deadlines(moment)


def open_checks() -> list[str]:
    return sorted(standing().filter(article="house.floor").values_list("check_name", flat=True))


def happened(receipt: Any) -> datetime:
    return BookEntry.objects.get(pk=receipt.entry_id).occurred_at


def incident(code: str = "I-1", **known: Any) -> Any:
    """A quarrel an hour ago, at no game unless said otherwise."""
    values = {"incident": code, "category": "conduct", "reason": "quarrel", "people": ()}
    return record_events(IncidentReported(**{**values, **known}), 60)


def settled(code: str = "I-1", **known: Any) -> Any:
    return record_events(IncidentClosed(incident=code, outcome="settled", reason="talked", **known))


def test_nothing_is_owed_by_a_house_in_which_nothing_went_wrong() -> None:
    assert look(clock.now() + 300 * DAY) == 0


def test_an_incident_is_settled_within_a_day_or_found_once() -> None:
    report = incident(table="BJ-01")
    end = happened(report) + DAY
    assert look(end) == 0
    assert look(end + SECOND) == 1
    assert look(end + DAY) == 0
    found = standing().get()
    assert (found.rulebook, found.article, found.check_name) == ("house", "house.floor", SETTLED)
    assert (found.severity, found.table_code, found.partida_id) == ("warning", "BJ-01", "")
    assert (found.where, found.observed) == ({"incident": "I-1"}, {"settled": "no"})
    assert found.expected == {"not_after": end.isoformat()}
    assert rests_on(found) == [str(report.entry_id)]
    settled()
    assert look(end + DAY) == 0
    assert open_checks() == []
    assert FindingSupersession.objects.get().reason == "cured"


def test_equal_numbers_of_two_tables_are_two_incidents() -> None:
    incident(table="BJ-01")
    incident(table="BJ-02")
    settled(table="BJ-02")
    look(clock.now() + 2 * DAY)
    assert [row.table_code for row in standing()] == ["BJ-01"]
    settled(table="BJ-01")
    look(clock.now() + 2 * DAY)
    assert open_checks() == []


@pytest.mark.parametrize(("reported", "closed"), [("BJ-01", None), (None, "BJ-01")])
def test_what_names_no_table_is_of_either(reported: str | None, closed: str | None) -> None:
    incident(table=reported)
    settled(table=closed)
    assert look(clock.now() + 2 * DAY) == 0


@pytest.mark.parametrize(("table", "found"), [("BJ-01", []), ("BJ-02", ["BJ-01"]), (None, [])])
def test_a_number_another_table_used_is_warned_of(table: str | None, found: list[str]) -> None:
    incident(table="BJ-01")
    event = IncidentReported(
        incident="I-1", category="conduct", reason="quarrel", people=(), table=table
    )
    [warned] = preview([Draft(event, clock.now(), CHEFE)])
    of_it = [one for one in warned if one.check == "incident_number_of_one_table"]
    assert [one.observed["also_at"] for one in of_it] == found


def test_an_incident_that_was_settled_in_time_is_nobodys_matter() -> None:
    incident()
    settled()
    assert look(clock.now() + 10 * DAY) == 0


def test_an_incident_that_was_corrected_is_one() -> None:
    wrong = incident()
    values = {"incident": "I-1", "category": "cash", "reason": "quarrel", "people": ()}
    right = correct(wrong, IncidentReported(**values), happened(wrong), approve=False)
    assert look(clock.now() + 2 * DAY) == 1
    assert rests_on(standing().get()) == [str(wrong.entry_id)]
    assert right.entry_id != wrong.entry_id


def test_the_time_for_an_incident_is_a_setting(settings: Any) -> None:
    report = incident()
    settings.HOUSE_DEADLINES = {**settings.HOUSE_DEADLINES, "incident": timedelta(hours=2)}
    end = happened(report) + timedelta(hours=2)
    assert look(end) == 0
    assert look(end + SECOND) == 1


def test_a_deck_that_is_not_whole_is_made_known_within_a_day_or_found() -> None:
    report = incident(category="deck_defect", deck="D-1", table="BJ-01")
    settled()
    end = happened(report) + DAY
    assert look(end) == 0
    assert look(end + SECOND) == 1
    assert open_checks() == [DEFECT]
    sent = {"means": "email", "reference": "M-1", "incident": "I-1"}
    record_events(NoticeSent(notice="N-1", to="management", about="deck", **sent), by=MANAGER)
    look(end + DAY)
    assert open_checks() == [DEFECT]
    record_events(
        NoticeSent(notice="N-2", to="inspection_service", about="deck", **sent), by=MANAGER
    )
    look(end + DAY)
    assert open_checks() == []


@pytest.mark.parametrize("recorded_with", ["report", "closing"])
def test_a_notice_told_with_the_incident_is_one(recorded_with: str) -> None:
    known = {"communicated_at": clock.now() - timedelta(minutes=30)}
    incident(category="deck_defect", **(known if recorded_with == "report" else {}))
    settled(**(known if recorded_with == "closing" else {}))
    assert look(clock.now() + 3 * DAY) == 0


def test_a_complaint_about_no_game_is_answered_within_fifteen_days_or_found() -> None:
    receipt = record_events(ComplaintReceived(complaint="RC-1", subject="conduct"), 60)
    end = happened(receipt) + 15 * DAY
    assert look(end) == 0
    assert look(end + SECOND) == 1
    assert open_checks() == [ANSWERED]
    record_events(
        ComplaintDecided(complaint="RC-1", outcome="not_upheld", reason="seen"), by=MANAGER
    )
    look(end + DAY)
    assert open_checks() == []


def test_a_complaint_about_a_game_is_its_laws_matter() -> None:
    table = Table()
    table.record(ComplaintReceived, 20, complaint="RC-1", subject="payment")
    assert look(clock.now() + 29 * DAY) == 0


def held(ago: timedelta = DAY, by_hold: str = "H-1", **known: Any) -> datetime:
    """Recordings that begin so long ago are held now; when their days run out."""
    begin = clock.now() - ago
    times = {"recorded_from": begin, "recorded_until": begin + timedelta(hours=1), **known}
    record_events(FootageHeld(hold=by_hold, reason="dispute", **times), by=MANAGER)
    return begin + 30 * DAY


def test_recordings_run_out_of_days_thirty_after_what_they_show() -> None:
    end = held(2 * DAY)
    assert look(end) == 0
    assert look(end + SECOND) == 1
    assert look(end + DAY) == 0
    found = standing().get()
    assert (found.check_name, found.severity, found.where) == (
        FOOTAGE,
        "deviation",
        {"hold": "H-1"},
    )


def test_recordings_held_again_have_thirty_days_again() -> None:
    end = held(20 * DAY)
    held(20 * DAY)
    again = clock.now() + 30 * DAY
    assert look(end + SECOND) == 0
    assert look(again - timedelta(minutes=1)) == 0
    assert look(again + SECOND) == 1
    held(20 * DAY)
    assert look(clock.now() + 30 * DAY - timedelta(minutes=1)) == 0
    assert open_checks() == []


def test_recordings_handed_over_are_not_the_houses_any_more() -> None:
    end = held(incident="I-1")
    assert look(end + SECOND) == 1
    held(handed_over_at=clock.now(), receipt="SRIJ-1", incident="I-1")
    look(end + DAY)
    assert open_checks() == []


@pytest.mark.parametrize("about", ["incident", "complaint"])
def test_recordings_of_a_matter_that_is_over_may_go(about: str) -> None:
    end = held(**{about: "X-1"})
    assert look(end + SECOND) == 1
    if about == "incident":
        incident("X-1")
        settled("X-1")
    else:
        record_events(ComplaintReceived(complaint="X-1", subject="conduct"))
        record_events(
            ComplaintDecided(complaint="X-1", outcome="upheld", reason="seen"), by=MANAGER
        )
    look(end + DAY)
    assert open_checks() == []


@pytest.mark.parametrize("about", ["incident", "complaint"])
def test_recordings_nobody_held_of_what_is_open_are_found_on_the_thirtieth_day(
    about: str, settings: Any
) -> None:
    """Law: Lei do Jogo art. 52: they are destroyed then, unless somebody holds them."""
    settings.HOUSE_DEADLINES = {**settings.HOUSE_DEADLINES, "incident": 90 * DAY}
    table = Table()
    if about == "incident":
        known = {"category": "conduct", "reason": "quarrel", "people": ()}
        receipt = table.record(IncidentReported, 20, incident="X-1", **known)
    else:
        receipt = table.record(ComplaintReceived, 20, complaint="X-1", subject="payment")
    end = happened(receipt) + 30 * DAY
    assert look(end) == 0
    assert look(end + SECOND) == 1
    assert look(end + DAY) == 0
    found = standing().get()
    assert (found.check_name, found.severity) == (NEVER_HELD, "deviation")
    assert (found.where, found.observed) == ({about: "X-1"}, {"holds": 0})
    assert rests_on(found) == [str(receipt.entry_id)]
    with at(end + DAY):  # nothing is left that could be held
        held(DAY, **{about: "X-1"})
    look(end + DAY + SECOND * 5)
    assert NEVER_HELD in open_checks()


@pytest.mark.parametrize("about", ["incident", "complaint"])
def test_recordings_held_in_time_are_asked_as_held(about: str) -> None:
    if about == "incident":
        incident("X-1")
    else:
        record_events(ComplaintReceived(complaint="X-1", subject="conduct"), 60)
    end = held(recorded_until=clock.now(), **{about: "X-1"})
    look(end + 40 * DAY)
    assert NEVER_HELD not in open_checks()
    assert FOOTAGE in open_checks()


def test_recordings_of_what_is_over_need_not_be_held() -> None:
    incident()
    settled()
    assert look(clock.now() + 60 * DAY) == 0


@pytest.mark.parametrize(("days", "warned"), [(26, False), (28, True)])
def test_that_nobody_holds_the_recordings_is_said_before_they_go(days: int, warned: bool) -> None:
    incident(table="BJ-01")
    with at(clock.now() + days * DAY):
        due = {one.check for one in alerts(clock.now(), ["BJ-01"]) if one.due}
    assert (NEVER_HELD in due) is warned


def test_that_nobody_held_the_recordings_is_an_alert_at_the_table() -> None:
    end = happened(incident(table="BJ-01")) + 30 * DAY
    look(end + SECOND)
    with at(end + SECOND):
        late = {one.check for one in alerts(clock.now(), ["BJ-01"]) if not one.due}
    assert NEVER_HELD in late


# What settles a matter is an entry that counts


def test_a_settlement_that_waits_for_its_second_person_settles_nothing() -> None:
    incident("I-1")
    incident("I-2")
    wrong = settled("I-1")
    right = IncidentClosed(incident="I-2", outcome="settled", reason="talked")
    correct(wrong, right, happened(wrong), approve=False)
    assert look(clock.now() + 2 * DAY) == 1
    assert standing().get().where == {"incident": "I-2"}


def test_a_settlement_that_was_corrected_settles_what_the_correction_says() -> None:
    incident("I-1")
    incident("I-2")
    wrong = settled("I-1")
    right = IncidentClosed(incident="I-2", outcome="settled", reason="talked")
    correct(wrong, right, happened(wrong))
    assert look(clock.now() + 2 * DAY) == 1
    assert standing().get().where == {"incident": "I-1"}


@pytest.mark.parametrize("approve", [False, True])
def test_recordings_are_held_until_an_entry_that_counts_ends_their_matter(approve: bool) -> None:
    end = held(incident="I-2")
    incident("I-1")
    incident("I-2")
    wrong = settled("I-1")
    right = IncidentClosed(incident="I-2", outcome="settled", reason="talked")
    correct(wrong, right, happened(wrong), approve=approve)
    look(end + SECOND)
    assert (FOOTAGE in open_checks()) is not approve


def test_a_decision_and_a_notice_that_were_corrected_are_none() -> None:
    record_events(ComplaintReceived(complaint="RC-1", subject="conduct"), 60)
    decided = record_events(
        ComplaintDecided(complaint="RC-1", outcome="upheld", reason="x"), by=CHEFE
    )
    other = ComplaintDecided(complaint="RC-2", outcome="upheld", reason="x")
    correct(decided, other, happened(decided), by=CHEFE)
    incident(category="deck_defect", deck="D-1")
    settled()
    known = {"means": "email", "reference": "M-1", "to": "inspection_service", "about": "deck"}
    sent = record_events(NoticeSent(notice="N-1", incident="I-1", **known), by=CHEFE)
    elsewhere = NoticeSent(notice="N-1", incident="I-7", **known)
    correct(sent, elsewhere, happened(sent), by=CHEFE)
    look(clock.now() + 16 * DAY)
    assert open_checks() == [ANSWERED, DEFECT]


def test_each_hold_is_asked_by_itself() -> None:
    first, second = held(3 * DAY, "H-1"), held(2 * DAY, "H-2")
    assert {one.where["hold"]: one.until for one in owed(clock.now())}.keys() == {"H-1", "H-2"}
    assert look(first + SECOND) == 1
    assert look(second + SECOND) == 1
    assert Finding.objects.count() == 2


def test_a_reconciliation_leaves_the_houses_deadlines_alone() -> None:
    table = Table()
    report = table.record(
        IncidentReported, 60, incident="I-1", category="conduct", reason="quarrel", people=()
    )
    assert look(happened(report) + DAY + SECOND) == 1
    table.closed()
    do_jobs()
    assert open_checks() == [SETTLED]
    key = standing().get(check_name=SETTLED).key
    assert look(happened(report) + 2 * DAY) == 0
    assert standing().get(check_name=SETTLED).key == key
