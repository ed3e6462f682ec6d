"""Figures of a rulebook set by two persons: who, until when, what is judged, what is found."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.models import Finding, Reconciliation, RunSheet
from audit.reconcile.opening import laws_of
from audit.runs import house_checks
from audit.runs.current_findings import standing, why
from audit.watch.watch_law import watch_law
from casino import clock
from casino.events import Malformed
from casino.events.requests import FiguresAsked
from casino.events.round.round_played import RoundPlayed
from casino.house_day import day_begins
from casino.importing import law_in_use
from casino.importing.law_in_use import Kept, keep
from casino.law.rulebook.figure_sets import digest_of
from casino.law.rulebook.rulebook_file import law_of_file, load_law
from casino.models import BookEntry, FigureSetting, StaffRequest
from casino.recording import Actor, File, Submission, record_many
from casino.recording.refusals import (
    DecidedByOther,
    FiguresByTwo,
    FiguresTooLate,
    NotAllowed,
    NothingAsked,
)
from tests.audit.reconciling import reconcile
from tests.factories.evenings import opened, partida_of, record_all
from tests.factories.figures_set import (
    ASKER,
    DECIDER,
    LIMIT,
    answered,
    as_set,
    ask,
    asked_for,
    days_from_now,
    decide,
    set_by_two,
)
from tests.factories.people import appoint
from tests.factories.rounds import a_round, box, main
from tests.factories.tonight import at

pytestmark = [pytest.mark.share, pytest.mark.django_db]
OTHER: Final = Actor("S-0004", "chefia_da_sala", "admin")
SHELL: Final = replace(DECIDER, door="local")
HOUR: Final = timedelta(hours=9)  # into the gaming day: a table is open


@pytest.fixture(autouse=True)
def house() -> None:
    """Three of the direction hold their office."""
    for one in (ASKER, OTHER, DECIDER):
        appoint(one.staff, one.office)


def bank_busts(day: date) -> RoundPlayed:
    """A bank that went over 21 pays a hand of 12, as the adopted reading of n.º 27 has it."""
    of = day.isoformat()
    one = a_round(box(1, "8S 4D", main(1000, 2000)), bank="TH 6C TD", day=of)
    where = {"table": "BJ-01", "partida": partida_of(day=of)}
    return replace(one, round=str(uuid4()), shoe=1, number=1, **where)


def judged(day: date, **asked: Any) -> set[tuple[str, str]]:
    """What a run finds of a round of that night: check and law digest."""
    partida = partida_of(day=day.isoformat())
    with at(day_begins(day) + HOUR):
        record_all([opened(day=day.isoformat()), bank_busts(day)], clock.now())
        reconcile(f"{day} {asked}", partida=partida, **asked)
    found = Finding.objects.filter(partida_id=partida, rulebook="pt", owed_cents__gt=0)
    return set(found.values_list("check_name", "law"))


# Two persons


def test_what_one_asks_for_and_another_approves_is_set_and_named() -> None:
    done = set_by_two(asked_for())
    row = FigureSetting.objects.get(entry_id=done.entry_id)
    assert (row.rulebook, row.since) == ("pt", days_from_now(10))
    assert row.figures == [f"{LIMIT} = 25"]
    (one,) = law_in_use.sets_now()
    assert (one.n, one.leaf) == (done.n, done.leaf)
    law = load_law("pt")
    assert law.on(days_from_now(10))[LIMIT] == 25
    assert law.on(days_from_now(9))[LIMIT] == 30


@pytest.mark.parametrize("by", [ASKER, replace(ASKER, staff="s-0003")])
def test_nobody_approves_figures_he_asked_for(by: Actor) -> None:
    request = ask(asked_for())
    with pytest.raises(DecidedByOther, match="another person decides"):
        decide(request, as_set(asked_for(), request), by=by)
    assert not FigureSetting.objects.exists()


def test_what_is_approved_is_what_was_asked_for_and_nothing_else() -> None:
    request = ask(asked_for())
    other = as_set(asked_for(limits__maximum_over_minimum="20"), request)
    for done in ((), (other,), (replace(other, grounds="outro"),)):
        with pytest.raises(NothingAsked, match="not what it asks for"):
            decide(request, *done)
    with pytest.raises(FiguresByTwo, match="another person then approves"):
        record_many([Submission(as_set(asked_for(), request), uuid4(), DECIDER, clock.now())])
    decide(request, decision="refused")
    with pytest.raises(NothingAsked):
        decide(request, as_set(asked_for(), request))
    assert not FigureSetting.objects.exists()
    assert load_law("pt") is law_of_file("pt")


def test_a_floor_office_asks_for_no_figures() -> None:
    appoint("S-0021", "fiscal_chefe")
    with pytest.raises(NotAllowed):
        ask(asked_for(), Actor("S-0021", "fiscal_chefe", "admin"))


# In time


@pytest.mark.parametrize(("days", "lawful"), [(-1, False), (0, False), (1, True)])
def test_figures_are_asked_for_before_their_first_day(days: int, lawful: bool) -> None:
    event = asked_for(since=days_from_now(days))
    with at(day_begins(days_from_now(0)) + timedelta(hours=1)):  # no calendar day ends meanwhile
        if lawful:
            ask(event)
        else:
            with pytest.raises(FiguresTooLate, match="begun is judged by the figures"):
                ask(event)
    assert StaffRequest.objects.exists() == lawful


@pytest.mark.parametrize(("days", "lawful"), [(1, True), (2, False)])
def test_a_decision_comes_before_the_first_day_or_too_late(days: int, lawful: bool) -> None:
    event = asked_for(since=days_from_now(2))
    request = ask(event)
    with at(day_begins(days_from_now(days)) + timedelta(hours=1)):
        if lawful:
            decide(request, as_set(event, request))
        else:
            with pytest.raises(FiguresTooLate, match="Refuse what was asked"):
                decide(request, as_set(event, request))
            decide(request, decision="refused")
    assert FigureSetting.objects.exists() == lawful


# Malformed


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (asked_for(rulebook="it"), "the house keeps br, es, fr, pt, pt-summary"),
        (asked_for(limits__maximum="25"), "a figure this rulebook does not have"),
        (asked_for(blackjack__pays="1.2"), 'A blackjack pays: found .* asked: a text like "3/2"'),
        (asked_for(blackjack__pays="0/1"), "A blackjack pays: found 0/1; asked: from 1/1000"),
        (
            asked_for(limits__maximum_over_minimum="30"),
            "times the minimum: found the value",
        ),
        (answered(limits__maximum_over_minimum="30"), "Change it, or leave this figure out"),
        (answered(days=1), "still to come; asked is the day the document bears"),
        (asked_for(bank__bust="ties"), "one of loses, nearer_wins"),
        (replace(asked_for(), file_sha256="a" * 64), "choose the file again"),
    ],
)
def test_what_the_rulebook_could_not_hold_is_refused_and_nothing_stored(
    event: FiguresAsked, words: str
) -> None:
    with pytest.raises(Malformed, match=words):
        ask(event)
    assert not BookEntry.objects.filter(kind=FiguresAsked.kind).exists()


@pytest.mark.parametrize(
    "event",
    [
        asked_for(limits__maximum_over_minimum="29"),
        answered(bank__bust="loses"),  # what is adopted, confirmed
        answered(witness__within="10"),  # what the house chose, confirmed
        answered(days=0),
    ],
)
def test_what_changes_something_or_is_confirmed_by_a_dated_answer_is_asked_for(
    event: FiguresAsked,
) -> None:
    request = ask(event)
    decide(request, as_set(event, request))
    assert FigureSetting.objects.exists()


def test_an_approval_that_another_left_nothing_to_change_is_refused() -> None:
    first, second = ask(asked_for()), ask(asked_for())
    decide(first, as_set(asked_for(), first))
    with pytest.raises(Malformed, match="found the value that holds"):
        decide(second, as_set(asked_for(), second))
    decide(second, decision="refused")
    assert FigureSetting.objects.count() == 1


def test_the_document_is_kept_with_the_request() -> None:
    file = File(b"Oficio 12/2027: a banca que passa de 21 ...")
    event = replace(asked_for(), file_sha256=file.sha256)
    submission = Submission(event, uuid4(), ASKER, clock.now(), files=(file,))
    request = record_many([submission])[0]
    decide(request, as_set(event, request))
    assert law_in_use.sets_now()[0].event.file_sha256 == file.sha256


# What is judged by them


def test_a_reading_that_was_switched_judges_from_its_first_night_on() -> None:
    first = days_from_now(2)
    done = set_by_two(asked_for(since=first, bank__bust="nearer_wins"))
    file = law_of_file("pt").digest
    assert judged(first - timedelta(days=1)) == set()
    found = judged(first)
    assert {law for _check, law in found} == {digest_of(file, law_in_use.sets_now())}
    assert len(found) == 1
    assert judged(first + timedelta(days=1)) == found
    row = Finding.objects.get(partida_id=partida_of(day=first.isoformat()), owed_cents__gt=0)
    assert (row.readings, row.owed_cents, row.owed_to) == (["bank-bust"], 2000, "house")
    assert done.leaf in {one.leaf for one in load_law("pt").sets}


def test_a_run_names_the_law_as_its_reach_knew_it_and_a_later_set_changes_no_part() -> None:
    night = days_from_now(1)
    with at(day_begins(night) + HOUR):
        record_all([opened(day=night.isoformat()), bank_busts(night)], clock.now())
        reconcile("before", partida=partida_of(day=night.isoformat()))
    before = RunSheet.objects.get()
    assert before.laws == laws_of("", before.reach["house"])
    set_by_two(asked_for())
    assert before.laws == laws_of("", before.reach["house"])
    keep(Kept())
    now = {one["rulebook"]: one["sha256"] for one in laws_of("", 10**9)}
    then = {one["rulebook"]: one["sha256"] for one in before.laws}
    assert {book for book in now if now[book] != then[book]} == {"pt"}
    assert now["pt"] == load_law("pt").digest
    began = Reconciliation.objects.get()
    assert began.run == before.run


def test_a_set_for_a_later_day_is_no_change_of_law_of_what_stands() -> None:
    """What is cured meanwhile is not said to have gone because the law changed."""
    set_by_two(asked_for(since=days_from_now(1), bank__bust="nearer_wins"))
    judged(days_from_now(1))
    row = standing().get(rulebook="pt", owed_cents__gt=0)
    with at(day_begins(days_from_now(1)) + HOUR):
        set_by_two(asked_for(since=days_from_now(9)))
        assert len(load_law("pt").sets) == 2
        assert why(row)["reason"] != "law_changed"


def test_a_comparing_run_takes_the_law_as_a_set_will_make_it() -> None:
    first = days_from_now(5)
    set_by_two(asked_for(since=first, bank__bust="nearer_wins"))
    night = days_from_now(1)
    with at(day_begins(night) + HOUR):
        record_all([opened(day=night.isoformat()), bank_busts(night)], clock.now())
        reconcile("own", partida=partida_of(day=night.isoformat()))
        partida = partida_of(day=night.isoformat())
        result = reconcile("to come", partida=partida, rulebook="pt", law_day=first)
    counts = RunSheet.objects.get(run=result.run).compared["counts"]
    assert counts["appear"] == 1


def test_a_process_asks_the_book_for_sets_once_in_a_while() -> None:
    set_by_two(asked_for())
    keep(Kept())
    with CaptureQueriesContext(connection) as asked:
        first = load_law("pt")
        assert load_law("pt") is first
        load_law("es")
    assert len(asked) == 2


# What two did not do


def test_a_set_without_its_two_persons_does_not_judge_and_is_found() -> None:
    event = asked_for()
    request = ask(event)
    done = record_many([Submission(as_set(event, request), uuid4(), SHELL, clock.now())])[0]
    keep(Kept())
    assert load_law("pt") is law_of_file("pt")
    assert watch_law(clock.now()) == 1
    row = standing().get(check_name=house_checks.FIGURES_BY_TWO)
    assert (row.article, row.severity) == (house_checks.LAW, "breach")
    where = {"rulebook": "pt", "since": event.since.isoformat(), "entry": done.n}
    assert (row.where, row.observed) == (where, {"lacks": "persons"})
    assert watch_law(clock.now()) == 0
    decide(request, as_set(event, request))
    assert load_law("pt").on(event.since)[LIMIT] == 25, "what two did afterwards holds"
    watch_law(clock.now())
    assert standing().filter(check_name=house_checks.FIGURES_BY_TWO).count() == 1


def test_a_set_two_persons_made_is_not_found() -> None:
    set_by_two(asked_for())
    assert watch_law(clock.now()) == 0
    assert not standing().filter(article=house_checks.LAW).exists()
