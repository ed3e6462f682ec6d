"""What a finding rests on, who answers for it: what was changed beside the program is named."""

from dataclasses import fields
from typing import Any, Final
from uuid import UUID

import pytest

from audit.case_events import FindingsNumbered, NumberedFinding, case_code
from audit.events import FindingRaised, FindingRaisedByIds, FindingSuperseded, ReportIssued
from audit.models import CaseNumber, Finding
from audit.runs import keys
from audit.runs.run_records import BY
from audit.verifier.findings import KINDS, WATCHES, Findings, changes
from audit.verifier.series import Series
from audit.verifying.walking import verify
from casino import clock
from casino.ids import uuid7
from casino.recording import Actor, Source, Submission, record_many
from tests.audit.reconciling import reconcile
from tests.factories.evenings import an_evening
from tests.factories.findings import DAY, RUN, finding, key_of, rests_on

pytestmark = pytest.mark.django_db
OF_FINDINGS: Final = {
    "evidence-gone", "evidence-moved", "finding-of-no-run", "run-changes",
    "run-not-ended", "watch-superseded", "case-gap", "case-twice", "document-gap",
    "document-twice",
}  # fmt: skip


@pytest.fixture
def run(db: None) -> UUID:
    """A run over an evening with two wrong amounts."""
    an_evening(rounds=3, wrong=[1, 2])
    return UUID(str(reconcile("first").run))


def written(*events: Any, by: Actor = BY) -> None:
    """Events through the door, as an account of the web server could write them."""
    record_many([Submission(event, uuid7(), by, clock.now(), Source()) for event in events])


def named() -> set[str]:
    """What a verification of the database names of findings."""
    verification = verify(projections=False, looks=False)
    return {each.code for each in verification.report.problems} & OF_FINDINGS


def test_a_book_with_a_run_and_a_second_one_is_as_its_results_say(run: UUID) -> None:
    reconcile("second")
    assert Finding.objects.count() >= 2
    assert named() == set()


def test_a_finding_cured_through_the_door_is_not_told_by_its_run(run: UUID) -> None:
    key = Finding.objects.filter(run=run)[0].key
    written(FindingSuperseded(finding=key, run=str(run), reason="cured"))
    assert named() == {"run-changes"}


def test_a_finding_raised_through_the_door_is_not_told_by_its_run(run: UUID) -> None:
    evidence = rests_on(Finding.objects.filter(run=run)[0])
    written(finding(5, evidence=evidence, run=str(run)))
    assert named() == {"run-changes"}


def test_a_cure_in_the_name_of_a_watch_or_of_nobody_is_named(run: UUID) -> None:
    first, second = (row.key for row in Finding.objects.filter(run=run)[:2])
    written(FindingSuperseded(finding=first, run=str(keys.FLOOR_WATCH), reason="cured"))
    assert named() == {"watch-superseded"}
    written(FindingSuperseded(finding=second, run=RUN, reason="cured"))
    assert named() == {"watch-superseded", "finding-of-no-run"}


def test_ids_of_rows_that_were_exchanged_are_named_by_the_finding_cited_anew(run: UUID) -> None:
    rows = Finding.objects.filter(run=run, check_name="nearer_to_twenty_one_wins")
    ids = [rests_on(row) for row in rows]  # of the one wrong round and of the other
    watch = str(keys.BOOK_WATCH)
    anew = finding(5, run=watch, evidence=ids[0])
    values = {each.name: getattr(anew, each.name) for each in fields(anew)}
    written(
        FindingRaisedByIds(**values | {"key": key_of(1), "evidence": tuple(ids[0])}),
        FindingRaisedByIds(**values | {"key": key_of(2), "evidence": tuple(ids[1])}),
        FindingRaisedByIds(**values | {"key": key_of(3), "evidence": (str(uuid7()),)}),
        anew,
    )
    cited = [
        FindingSuperseded(finding=key_of(n), run=watch, reason="cited_anew", successor=key_of(5))
        for n in (1, 2)
    ]
    written(cited[0])
    assert named() == {"evidence-gone"}
    written(cited[1])  # what it names by id is another entry than the one it is cited anew with
    assert named() == {"evidence-gone", "evidence-moved"}


def numbers(*given: tuple[int, str]) -> FindingsNumbered:
    """Findings that were given these cases."""
    listed = (NumberedFinding(finding=key_of(n), case=case) for n, case in given)
    return FindingsNumbered(run=RUN, numbers=tuple(listed))


def test_numbers_of_cases_without_a_gap_and_each_of_one_cause_are_sound(run: UUID) -> None:
    (last,) = CaseNumber.objects.order_by("-number")[:1]
    written(numbers((8, case_code(last.year, last.number + 1))))
    watch = str(keys.BOOK_WATCH)
    written(finding(8, run=watch), finding(9, run=watch))
    anew = {"run": watch, "reason": "cited_anew", "successor": key_of(9)}
    written(FindingSuperseded(finding=key_of(8), **anew))
    written(numbers((9, case_code(last.year, last.number + 1)), (7, case_code(1999, 1))))
    assert named() == set()


def test_a_gap_among_the_numbers_of_cases_is_named(run: UUID) -> None:
    last = CaseNumber.objects.order_by("-number")[0]
    written(numbers((8, case_code(last.year, last.number + 2))))
    assert named() == {"case-gap"}


def test_a_number_given_to_two_causes_is_named(run: UUID) -> None:
    written(numbers((8, CaseNumber.objects.order_by("-number")[0].case)))
    assert named() == {"case-twice"}


ASKS = Actor("I-0021", "inspetor", "admin")


def issued(number: int, year: int = 2026) -> ReportIssued:
    """A report that was given this number."""
    return ReportIssued(
        report="game",
        year=year,
        number=number,
        request=str(uuid7()),
        report_language="pt",
        from_day=DAY,
        to_day=DAY,
        json_sha256="a" * 64,
        proofs_sha256="b" * 64,
        entries=1,
        size=1,
        root="c" * 64,
    )


def test_numbers_of_reports_without_a_gap_within_a_year_are_sound(db: None) -> None:
    written(issued(1, 2025), issued(2, 2025), issued(1), issued(2), issued(3, 2025), by=ASKS)
    assert named() == set()


def test_a_gap_among_the_numbers_of_reports_is_named(db: None) -> None:
    written(issued(1), issued(3), by=ASKS)
    assert named() == {"document-gap"}


def test_a_number_given_to_two_reports_is_named(db: None) -> None:
    written(issued(1), issued(2), issued(1), by=ASKS)
    assert named() == {"document-twice"}


# -- The verifier's own part, without a database


NUMBERED, ISSUED = "findings-numbered/1", "report-issued/1"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["CST-2026-000001", "CST-2026-000002", "CST-2027-000001"], []),
        (["CST-2026-000002"], [("case-gap", "CST-2026-000002", 0)]),
        (["CST-2026-000001", "CST-2026-000003"], [("case-gap", "CST-2026-000003", 1)]),
        (["CST-2026-000001", "CST-2026-000001"], [("case-twice", "CST-2026-000001", None)]),
        # What is passed over is named once: what follows goes on from there.
        (["CST-2026-000001", "CST-2026-000005", "CST-2026-000006"], [
            ("case-gap", "CST-2026-000005", 1)
        ]),
        (["", "CST-2026-1", "CST-2026-00000x", "REL-20260-000001"], []),
    ],
)  # fmt: skip
def test_numbers_follow_each_other_within_their_year(given: list[str], said: list[Any]) -> None:
    series, found = Series(), []
    for n, case in enumerate(given):
        series.take({"index": n}, NUMBERED, {"numbers": [{"case": case, "finding": f"k{n}"}]})
    series.conclude(lambda c, **t: found.append((c, t["case"], t.get("last"))), set())
    assert found == said
    series = Series()
    for values in ({}, {"numbers": 7}, {"numbers": [7, {}]}, {"numbers": [{"case": [1]}]}):
        series.take({}, NUMBERED, values)
    for values in ({}, {"year": "2026", "number": 2}, {"year": 2026, "number": True}):
        series.take({}, ISSUED, values)
    series.conclude(lambda *_c, **_t: found.append("odd"), set())
    assert "odd" not in found


@pytest.mark.parametrize(("whole", "said"), [(True, ["case-twice"]), (False, [])])
def test_a_part_of_the_book_says_nothing_of_numbers(whole: bool, said: list[str]) -> None:
    findings, found = Findings(), []
    for key in ("k", "j", "i"):
        numbers = [{"case": "CST-2026-000001", "finding": key}]
        findings.take({"index": 1}, NUMBERED, {"numbers": numbers})
    anew = {"finding": "k", "successor": "j", "run": next(iter(WATCHES))}
    findings.take({"index": 2}, FindingSuperseded.kind, anew)
    findings.conclude(lambda code, **_: found.append(code), whole)
    assert found == said, "j cites k anew and keeps its number; i does not"


def test_the_two_watches_are_known_to_the_verifier() -> None:
    assert {str(watch) for watch in keys.WATCHES} == WATCHES
    assert {FindingRaised.kind, FindingSuperseded.kind} < KINDS


def test_the_verifier_works_out_a_runs_changes_as_the_house_does() -> None:
    finding_changes = keys.changes_of(["b", "a"], ["c"])
    mine = changes({"a", "b"}, {"c"})
    assert mine == {one.name: getattr(finding_changes, one.name) for one in fields(finding_changes)}


RESULT = "reconciliation-finished/1"


@pytest.mark.parametrize(
    ("took", "known", "said"),
    [
        (["reconciliation-started/1"], {}, ["run-not-ended"]),
        ([], {}, ["finding-of-no-run"]),
        ([], {"whole": False}, []),  # a part of the book: its result may lie in another
        ([], {"cut": 3}, []),  # a bundle may end amid what is recorded at once
        ([RESULT], {}, []),
        ([RESULT], {"changes": None}, ["run-changes"]),
        ([RESULT], {"changes": changes({"k"}, {"j"})}, ["run-changes"]),
    ],
)
def test_what_stands_in_a_runs_name_is_held_against_its_result(
    took: list[str], known: dict[str, Any], said: list[str]
) -> None:
    findings, found = Findings(), []
    values = {"run": RUN, "changes": known.pop("changes", changes({"k"}, set()))}
    for kind in took:
        findings.take({"index": 2}, kind, values)
    findings.take({"index": 3}, FindingRaised.kind, {"run": RUN, "key": "k", "evidence": []})
    findings.conclude(lambda code, **_: found.append(code), **known)
    assert found == said
