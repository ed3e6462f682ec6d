"""What is not done about findings: late answers, late payments, a remedy that did not hold."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import pytest
from django.conf import settings

from audit.case_events import (
    ExplanationAsked,
    ExplanationGiven,
    FindingDecided,
    FindingSettled,
    case_code,
)
from audit.models import CaseNumber, CaseStep, Finding, entries_of
from audit.runs import house_checks
from audit.runs.current_findings import standing
from audit.runs.numbering import number
from audit.watch.alerts import alerts
from audit.watch.watch_cases import waiting, watch_cases
from casino import clock
from casino.events.event_policy import HEAD, HEADS, MANAGER
from casino.floor.tables.todo_lists import Todo, everything
from casino.recording import Actor
from tests.factories.findings import DAY, PEOPLE, RUN, finding, key_of, people, write
from tests.factories.people import write as record

pytestmark = [pytest.mark.django_db, pytest.mark.share]
HOUR: Final = timedelta(hours=1)
TICK: Final = timedelta(microseconds=1)
CHEFIA: Final = Actor(PEOPLE["chefia_da_sala"], "chefia_da_sala", "admin")
INSPECTOR: Final = Actor(PEOPLE["inspetor"], "inspetor", "admin")


@pytest.fixture(autouse=True)
def cases(db: None) -> None:
    """A breach and a note at one table."""
    people()
    raised(1)
    raised(2, severity="note")


def raised(which: int, **known: Any) -> None:
    """A finding, numbered."""
    write([finding(which, **known)])
    number(UUID(RUN), [key_of(which)])


def of_it(which: int = 1) -> dict[str, Any]:
    """What a step of its case says."""
    return {"case": case_code(clock.now().year, which), "finding": key_of(which), "table": "BJ-01"}


def late() -> list[Finding]:
    """What stands of the house's own article."""
    return list(standing().filter(article=house_checks.CASES).order_by("n"))


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A look at a moment: how many findings were raised."""

    def at(moment: Any) -> int:
        ahead = (moment - datetime.now(UTC)).total_seconds()
        monkeypatch.setenv("CLOCK_OFFSET", str(max(0, int(ahead) + 1)))
        return watch_cases(moment)

    return at


def began(which: int = 1) -> Any:
    """When it was numbered."""
    return CaseNumber.objects.get(finding=key_of(which)).recorded_at


def test_a_breach_nobody_explains_is_found_once_its_time_is_over_and_not_before(
    look: Any,
) -> None:
    due = began() + settings.HOUSE_CASES["breach"]
    assert look(due) == 0
    assert look(due + TICK) == 1
    (found,) = late()
    assert (found.check_name, found.severity) == (house_checks.CASE_IN_TIME, "warning")
    assert found.where == {"case": of_it()["case"]}
    assert [each.pk for each in entries_of(found)] == [Finding.objects.get(key=key_of(1)).pk]
    assert CaseNumber.objects.filter(finding=found.key).exists()  # itself a case
    assert look(due + 400 * HOUR) == 0  # of which nobody is late


def test_what_is_explained_late_is_cured(look: Any) -> None:
    look(began() + settings.HOUSE_CASES["breach"] + TICK)
    record(ExplanationGiven(**of_it(), answer="."), by=CHEFIA)
    look(clock.now())
    assert late() == []


def test_a_payment_that_is_decided_on_is_late_until_it_is_confirmed(look: Any) -> None:
    record(FindingDecided(**of_it(), decision="upheld", reason="other"), by=INSPECTOR)
    decided = CaseStep.objects.get()
    due = decided.recorded_at + settings.HOUSE_CASES["paid"]
    look(due + TICK)
    (found,) = late()
    assert found.observed == {"waits_for": "payment"}
    assert decided.pk in {each.pk for each in entries_of(found)}
    values = {"paid_cents": 1000, "paid_to": "player", "owner": "J4", "means": "cash"}
    record(FindingSettled(**of_it(), **values, document="R"), by=CHEFIA)
    look(due + TICK)
    assert len(late()) == 1  # nobody has confirmed it


def test_an_unfounded_finding_is_never_late(look: Any) -> None:
    record(FindingDecided(**of_it(), decision="unfounded", reason="other"), by=INSPECTOR)
    assert look(clock.now() + timedelta(days=90)) == 0


def remedied(days: int) -> None:
    """The first one is said to be remedied from so many days after it on."""
    day = DAY + timedelta(days=days)
    record(ExplanationGiven(**of_it(), answer=".", remedy=".", remedy_from=day), by=CHEFIA)


@pytest.mark.parametrize(("days", "found"), [(2, 0), (3, 1), (4, 1)])
def test_the_same_cause_on_the_day_of_the_remedy_or_after_it_is_found(
    days: int, found: int
) -> None:
    remedied(3)
    raised(3, gaming_day=DAY + timedelta(days=days))
    watch_cases(clock.now())
    again = [row for row in late() if row.check_name == house_checks.REMEDY_KEPT]
    assert len(again) == found
    for row in again:
        assert row.observed == {"again": of_it(3)["case"]}
        assert {each.kind for each in entries_of(row)} == {
            "explanation-given/1",
            "finding-raised/2",
        }


@pytest.mark.parametrize("known", [{"table": "BJ-02"}, {"check": "bank_draws_to_sixteen"}])
def test_another_table_or_another_cause_is_not_what_was_remedied(known: dict[str, Any]) -> None:
    remedied(1)
    raised(3, gaming_day=DAY + timedelta(days=5), **known)
    watch_cases(clock.now())
    assert [row for row in late() if row.check_name == house_checks.REMEDY_KEPT] == []


# -- For whom it waits ----------------------------------------------------------------------------


def offices(now: Any) -> dict[str, set[str]]:
    """For whom each case waits, by its number."""
    return {str(one.of): {*one.offices} for one in waiting(now)}


def test_a_breach_of_this_evening_rises_by_the_hour() -> None:
    from casino.house_day import house_day_at

    raised(3, gaming_day=house_day_at(clock.now()))
    case = of_it(3)["case"]
    since = Finding.objects.get(key=key_of(3)).recorded_at
    assert offices(since) == {case: {HEAD}}  # one of weeks ago is on nobody's list
    assert offices(since + HOUR - TICK) == {case: {HEAD}}
    assert offices(since + HOUR) == {case: {HEAD, MANAGER}}
    record(ExplanationGiven(**of_it(3), answer="."), by=CHEFIA)
    assert offices(since + HOUR) == {}


def test_what_was_asked_waits_for_the_chefia_however_old_it_is() -> None:
    until = clock.now() + HOUR
    record(ExplanationAsked(**of_it(), question="?", answer_by=until), by=INSPECTOR)
    (todo,) = waiting(clock.now())
    assert (todo.of, todo.until, todo.offices) == (of_it()["case"], until, frozenset({MANAGER}))
    assert list(waiting(clock.now(), ["BJ-02"])) == []


def test_a_payment_nobody_has_confirmed_waits_for_another_than_its_author() -> None:
    values = {"paid_cents": 1000, "paid_to": "player", "owner": "J4", "means": "cash"}
    record(FindingSettled(**of_it(), **values, document="R"), by=CHEFIA)

    def settled() -> list[Todo]:
        return [one for one in waiting(clock.now()) if one.what == "settled"]

    (todo,) = settled()
    assert (todo.of, todo.offices, todo.never) == (of_it()["case"], HEADS, {CHEFIA.staff})
    now = clock.now()
    whole = [one.of for one in everything(now) if one.what == "settled"]
    of_table = [one.of for one in everything(now, tables=["BJ-01"]) if one.what == "settled"]
    assert whole == of_table == [todo.of], "on its table's page it is the whole list's"
    record(ExplanationGiven(**of_it(), answer="."), by=CHEFIA)
    assert settled() == [], "the case went on"


def test_what_is_overdue_stands_among_the_alerts_of_all_who_look_after_the_floor(
    look: Any,
) -> None:
    look(began() + settings.HOUSE_CASES["breach"] + TICK)
    (alert,) = alerts(clock.now())
    assert alert.check == house_checks.CASE_IN_TIME
    assert alert.place.endswith(of_it()["case"])
