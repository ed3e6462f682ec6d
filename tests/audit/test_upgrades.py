"""A book of every earlier version is taken over: restored, migrated, verified, and gone on with.

tests/upgrades holds the demo's book of each version, as its own `backup` wrote it when the version
was given (docs/testing.md says how). `make test` takes over the newest, `make check` every one.
"""

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Final
from uuid import uuid4

import pytest
from django.db import connections
from django.db.models import Count, Max

from audit.answers import Stretch, days_waiting, judged
from audit.models import CaseNumber, Finding, FindingSupersession, ids_of
from audit.reconcile.request_run import ask_for_waiting
from audit.runs.current_findings import standing
from audit.runs.house_days import day_ends_at
from audit.runs.succession import MOVED
from audit.verifying.walking import verify
from audit.watch.floor_deadlines import watch_deadlines
from casino import __version__, clock
from casino.local import roles
from casino.management.commands.backup import OWNER, contents
from casino.models import Attestation, BookEntry
from casino.recording import Source, record
from casino.schema_digest import differences, digest
from casino.witnessing import language_read
from tests.audit.reconciling import reconcile
from tests.factories.records import EVENING, PIT, burnt
from tests.factories.taken_over import VERSIONS, in_order
from tests.factories.taken_over import taken_over as kept_book
from tests.gate import ROOT, in_turn
from tests.servers import Databases
from tests.servers_django import connections_at

# Of these two `make test` takes one.
LONG: Final = ("taken over", "first run")


@pytest.fixture
def taken_over(version: str, databases: Databases, fresh_db: str) -> Iterator[Path]:
    """The book of that version in a database of its own, brought to this version's tables."""
    with kept_book(version, databases, f"taken_over_{fresh_db}") as place:
        yield place


@in_turn("taken over", LONG)
@pytest.mark.parametrize(
    "version",
    [pytest.param(each, marks=pytest.mark.check) for each in VERSIONS[:-1]] + VERSIONS[-1:],
)
def test_a_book_of_an_earlier_version_is_taken_over(
    version: str, fresh_db: str, taken_over: Path, databases: Databases
) -> None:
    its_tables_are_those_of_a_house_that_began_today(databases)
    value = json.loads((taken_over / "backup.json").read_text("utf-8"))
    now = contents(OWNER)
    assert {name: now[name] for name in ("days", "entries", "root", "size")} == {
        name: value[name] for name in ("days", "entries", "root", "size")
    }
    verification = verify(
        OWNER, projections=True, looks=False, policy=(taken_over / "policy").read_text("utf-8")
    )
    assert [each.code for each in verification.report.of("problem")] == []
    assert verification.entries == value["entries"]
    assert texts_read() == {"pt"}  # every confirmation names the text that was read
    record(burnt(), key=uuid4(), by=PIT, occurred_at=EVENING, source=Source())
    assert BookEntry.objects.count() == value["entries"] + 1


def its_tables_are_those_of_a_house_that_began_today(databases: Databases) -> None:
    upgraded = digest(connections[OWNER], server=False).lines
    with connections_at(roles.addresses(databases.server, databases.current)):
        new = digest(connections[OWNER], server=False).lines
    # The launcher lets the roles into the schema by name, the tests' template everybody.
    rights = "right schema public of "
    wrong = [each for each in differences(new, upgraded) if rights not in each]
    assert wrong == []


def texts_read() -> set[str | None]:
    """The languages in which its witnesses read; None for a text nobody knows any more."""
    found: set[str | None] = set()
    for attestation in Attestation.objects.all():
        of = {"stream__name": attestation.witnessed_stream, "n": attestation.witnessed_n}
        act = BookEntry.objects.select_related("stream").get(**of)
        found.add(language_read(act, attestation.text_sha256))
    return found


def test_the_newest_version_has_its_changes_and_its_book() -> None:
    headings = re.findall(
        r"^## (\S+) \(", (ROOT / "docs/changelog.md").read_text("utf-8"), re.MULTILINE
    )
    assert headings == sorted(headings, key=in_order, reverse=True)
    assert headings[0] == __version__ == VERSIONS[-1]


# What the law of a later version finds in that version's evening beside what was found then.
FOUND_SINCE = {
    # The bank's ten was taken off at six; dealt as the law deals it is bust, and J10 has won (19).
    "0.6.0": {("BJ-01/2026-11-21/1", "nearer_to_twenty_one_wins", "J10", 1000)},
}

# What rests on more entries since: on those that gave or ended an office.
RESTS_ON_MORE = {"0.7.0": {"loading_witness_is_fiscal_chefe"}}


@in_turn("first run", LONG)
@pytest.mark.parametrize(
    "version",
    [pytest.param(each, marks=pytest.mark.check) for each in VERSIONS[:-1]] + VERSIONS[-1:],
)
def test_the_first_run_over_an_old_book_cites_every_finding_anew_and_cures_none(
    version: str, taken_over: Path
) -> None:
    value = json.loads((taken_over / "backup.json").read_text("utf-8"))
    days = sorted(map(date.fromisoformat, value["days"]))
    before = {row.key: row for row in standing()}
    result = reconcile("first", reason="asked", partida="", from_day=days[0], to_day=days[-1])
    watch_deadlines(clock.now())  # what no run asks of a game
    over = {row.finding: row for row in FindingSupersession.objects.filter(finding__in=before)}
    after = {row.key: row for row in standing()}
    kept = before.keys() & after.keys()  # those this version knows by the same name
    assert over.keys() == before.keys() - kept
    gone = {
        before[key].check_name: row.reason
        for key, row in over.items()
        if row.reason != "cited_anew"
    }
    assert gone == {}
    for key, row in before.items():
        if key in kept:
            continue
        anew = after[over[key].successor]
        assert anew.check_name in (row.check_name, *MOVED.get(row.check_name, ()))
        assert anew.where == row.where
        rests_on = ids_of([row, anew])
        assert frozenset() < rests_on[row.pk] <= rests_on[anew.pk]
    grown = {
        row.check_name
        for key, row in before.items()
        if key in over
        and ids_of([row])[row.pk] < ids_of([one := after[over[key].successor]])[one.pk]
    }
    assert grown >= RESTS_ON_MORE.get(version, set())
    raised = Finding.objects.filter(run=result.run)
    new = raised.exclude(key__in=[row.successor for row in over.values()])
    found = {(row.partida_id, row.check_name, row.where["owner"], row.owed_cents) for row in new}
    assert found == FOUND_SINCE.get(version, set())
    again = reconcile("again", reason="asked", partida="", from_day=days[0], to_day=days[-1])
    assert (again.raised, again.superseded) == (0, 0)
    policy = (taken_over / "policy").read_text("utf-8")
    verification = verify(OWNER, projections=True, looks=False, policy=policy)
    assert [each.code for each in verification.report.of("problem")] == []


@pytest.mark.check
@pytest.mark.parametrize("version", ["0.6.0"])  # which told no answers of its games yet
def test_the_games_of_an_old_book_are_judged_at_night_until_the_grid_is_whole(
    version: str, taken_over: Path
) -> None:
    value = json.loads((taken_over / "backup.json").read_text("utf-8"))
    days = sorted(map(date.fromisoformat, value["days"]))
    whole = Stretch(days[0], days[-1])
    before = judged("pt", whole)
    assert before.games == 0
    assert before.waiting > 0
    later = day_ends_at(days[-1]) + timedelta(days=2)
    asked = ask_for_waiting(later)
    assert asked == days_waiting(whole)
    for day in asked:
        reconcile(f"night of {day}", reason="nightly", partida="", from_day=day, to_day=day)
    assert judged("pt", whole)[::2] == (before.waiting, 0)
    assert ask_for_waiting(later + timedelta(days=1)) == []
    # And its findings are cases since, in the order of the book and without a gap.
    assert not Finding.objects.exclude(key__in=CaseNumber.objects.values("finding")).exists()
    years = CaseNumber.objects.values_list("year").annotate(
        last=Max("number"), each=Count("number")
    )
    assert all(last <= each for _year, last, each in years)
    assert verify(OWNER, projections=False, looks=False).report.of("problem") == []
