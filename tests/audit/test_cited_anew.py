"""One cause keeps one finding: what is said under another key is cited anew, never cured."""

from dataclasses import fields, replace
from typing import Any, Final
from uuid import UUID

import pytest

from audit.events import CheckNotMet, FindingRaisedByIds
from audit.models import Finding, FindingSupersession
from audit.runs import keys, succession
from audit.runs.succession import successors
from tests.audit.reconciling import reconcile
from tests.factories.evenings import an_evening, correct, opened, partida_of, played, record_all
from tests.factories.findings import RUN, client_of, finding, key_of, people, said, write

pytestmark = [pytest.mark.django_db, pytest.mark.share]
BEFORE: Final = "0193479e-8888-7c3e-9a54-0c6f2b1d7e10"
DAY: Final = "2025-11-20"
PLACE: Final = {"table": "BJ-01", "partida": partida_of(day=DAY)}


@pytest.fixture
def rounds(db: None) -> list[str]:
    """The ids of three rounds of one game."""
    listed = record_all([opened(day=DAY), *(played(name, day=DAY) for name in "abc")])
    return [str(one.entry_id) for one in listed[1:]]


def old(number: int, rounds: list[str], **known: Any) -> CheckNotMet:
    """A finding an earlier run raised."""
    return finding(number, run=BEFORE, evidence=rounds, **PLACE, **known)


def by_ids(number: int, rounds: list[str], **known: Any) -> FindingRaisedByIds:
    """The same as an earlier program told it."""
    made = replace(old(number, rounds, **known), evidence=())
    values = {one.name: getattr(made, one.name) for one in fields(made)}
    return FindingRaisedByIds(**{**values, "evidence": tuple(sorted(rounds))})


def new(number: int, rounds: list[str], **known: Any) -> CheckNotMet:
    """A finding the run raises that no longer holds the old one."""
    return finding(number, evidence=rounds, **PLACE, **known)


def after(gone: CheckNotMet, *raised: CheckNotMet) -> str | None:
    """What the one is cited anew as, where the others hold now."""
    write([gone, *raised])
    row = Finding.objects.get(key=gone.key)
    held = Finding.objects.filter(key__in=[one.key for one in raised])
    return successors([row], held, UUID(RUN)).get(gone.key)


def test_what_an_earlier_program_named_by_ids_is_the_same_cause(rounds: list[str]) -> None:
    assert after(by_ids(1, rounds[:1]), new(2, rounds[1:2]), new(3, rounds[:1])) == key_of(3)


def test_a_check_that_moved_to_another_article_is_cited_anew(rounds: list[str]) -> None:
    assert after(old(1, rounds[:1], article="6"), new(2, rounds[:1], article="19")) == key_of(2)


def test_a_finding_with_more_to_show_for_it_is_the_same_cause(rounds: list[str]) -> None:
    grown = new(2, rounds, observed={"returned_cents": 4500})
    assert after(old(1, rounds[:1]), grown) == key_of(2)


def test_the_same_seen_by_another_check_is_the_same_cause(rounds: list[str]) -> None:
    other = new(2, rounds[:1], check="bank_draws_to_sixteen", article="19")
    assert after(old(1, rounds[:1]), other) == key_of(2)


@pytest.mark.parametrize(
    "known",
    [
        {"where": {"box": 5, "hand": 1, "owner": "J4", "kind": "main"}},
        {"check": "bank_draws_to_sixteen", "observed": {"returned_cents": 1}},
        {"run": BEFORE},  # it stood before: nothing takes its place
    ],
)
def test_another_cause_is_no_successor(rounds: list[str], known: dict[str, Any]) -> None:
    assert after(old(1, rounds[:1]), new(2, rounds[:1], **known)) is None


def test_another_round_is_no_successor(rounds: list[str]) -> None:
    assert after(old(1, rounds[:1]), new(2, rounds[1:2])) is None


def test_two_of_one_check_each_have_their_own(rounds: list[str]) -> None:
    write([old(1, rounds[:1]), old(2, rounds[:1], observed={"returned_cents": 1})])
    write([new(3, rounds[:1], observed={"returned_cents": 1}), new(4, rounds[:1])])
    gone = Finding.objects.filter(run=BEFORE)
    found = successors(list(gone), Finding.objects.filter(run=RUN), UUID(RUN))
    assert found == {key_of(1): key_of(4), key_of(2): key_of(3)}


def test_a_check_another_one_took_over_may_be_cited_in_what_stood_already(
    rounds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = {"blackjack_paid_three_to_two": ("bank_draws_to_sixteen",)}
    monkeypatch.setattr(succession, "MOVED", moved)
    stood = new(2, rounds[:1], check="bank_draws_to_sixteen", observed={"held": "no"}, run=BEFORE)
    assert after(old(1, rounds[:1]), stood) == key_of(2)


@pytest.mark.parametrize("rounds_in_part", [1_000, 2])
def test_a_run_links_all_of_them_and_both_pages_lead_to_each_other(
    rounds_in_part: int, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ROUNDS_IN_PART = rounds_in_part
    people()
    an_evening(rounds=5, wrong=[2, 4])
    monkeypatch.setattr(keys, "VERSION", 1)
    first = reconcile("first")
    monkeypatch.undo()
    before = list(Finding.objects.order_by("n"))
    second = reconcile("second")
    assert second.raised == second.superseded == first.raised == len(before) > 2
    over = FindingSupersession.objects.filter(run=second.run)
    assert {row.reason for row in over} == {"cited_anew"}
    assert {row.finding for row in over} == {row.key for row in before}
    third = reconcile("third")
    assert (third.raised, third.superseded) == (0, 0)
    anew = Finding.objects.get(key=over.get(finding=before[0].key).successor)
    pages = [f"/admin/audit/finding/{row.pk}/change/" for row in (before[0], anew)]
    somebody = client_of("inspetor")
    texts = [somebody.get(page).content.decode() for page in pages]
    assert pages[1] in texts[0]
    assert pages[0] in texts[1]
    assert "Citada de novo" in said(somebody, pages[0])
    assert "Sanada" not in said(somebody, pages[0])


def test_a_correction_cures_as_before_and_is_no_successor() -> None:
    (_, _, wrong, *_) = an_evening(rounds=3, wrong=[2])
    reconcile("first")
    correct(wrong, played("r2", returned=1600, place=2))
    reconcile("second")
    over = FindingSupersession.objects.exclude(reason="cited_anew")
    assert {row.reason for row in over} == {"corrected"}
