"""What is held when the house is stopped, restored, rebuilt or recovered is written once."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import connections

from casino import clock, holding
from casino.local import roles
from casino.models import BookEntry, HeldRecord, JobOutbox
from casino.recording import Submission
from tests.audit.backed_up import back_up, checked
from tests.audit.recovering import Past, bundle_of, must_be_whole, past, recovered, seal
from tests.factories.records import EVENING, PIT, burnt
from tests.factories.sealed_book import Seal, seal_events
from tests.factories.tonight import at
from tests.jobs_inline import do_jobs
from tests.servers_django import connections_at

pytestmark = [pytest.mark.usefixtures("fresh_db", "english", "five_seconds"), pytest.mark.share]
__all__ = ["past", "seal"]
TABLE = "BJ-06"


@pytest.fixture
def five_seconds(settings: Any) -> None:
    """As in the product."""
    settings.SALA_HOLD_SECONDS = 5


def hold(*cards: int) -> UUID:
    """One form's records are held."""
    form = uuid4()
    events = [burnt(each) for each in cards]
    holding.hold(form, PIT.staff, [Submission(one, uuid4(), PIT, EVENING) for one in events])
    return form


def the_job() -> None:
    do_jobs(clock.now() + timedelta(minutes=1), topic=holding.TOPIC)


def a_look() -> None:
    with at(clock.now() + timedelta(minutes=1)):
        holding.looked_at([TABLE])


def there() -> tuple[int, int, int]:
    """How many acts are held, how many of their records the book has, how many jobs are open."""
    jobs = JobOutbox.objects.filter(topic=holding.TOPIC, done_at=None)
    burns = BookEntry.objects.filter(kind="card-burned/1", table_code=TABLE)
    return HeldRecord.objects.count(), burns.count(), jobs.count()


WAYS = pytest.mark.parametrize("ways", [(the_job, a_look), (a_look, the_job)])
Ways = tuple[Callable[[], None], ...]


def written_once(ways: Ways, records: int) -> None:
    """Whoever comes first writes it, whoever comes second nothing."""
    for way in (*ways, *ways):
        way()
        assert there() == (0, records, 0)


@WAYS
def test_a_house_that_is_started_again_writes_it_once(ways: Ways) -> None:
    hold(1, 2)
    connections.close_all()
    assert there() == (1, 0, 1)
    written_once(ways, 2)
    must_be_whole()


def test_making_the_shelves_again_leaves_it_alone() -> None:
    seal_events(3)
    hold(1)
    before = list(HeldRecord.objects.values())
    said = StringIO()
    call_command("rebuild", check=True, stdout=said)
    assert "0 differences" in said.getvalue()
    call_command("rebuild", stdout=StringIO())
    assert list(HeldRecord.objects.values()) == before
    assert there() == (1, 3, 1)
    written_once((a_look, the_job), 4)
    must_be_whole()


@WAYS
def test_a_restored_backup_writes_what_was_held_in_it_once(
    seal: Seal, tmp_path: Path, databases: Any, ways: Ways
) -> None:
    seal_events(3)
    seal.sign()
    hold(1)
    place, kept = back_up(tmp_path / "backup"), f"kept_{uuid4().hex[:12]}"
    assert checked(place, keep=kept)[0] == 0
    a_look()  # the house that is lost wrote it
    with ExitStack() as stack:
        stack.callback(databases.drop, kept)
        stack.callback(setattr, databases, "current", databases.current)
        databases.current = kept
        stack.enter_context(connections_at(roles.addresses(databases.server, kept)))
        assert there() == (1, 3, 1)
        written_once(ways, 4)
        must_be_whole()


@pytest.mark.parametrize("taken_back", [False, True])
def test_what_was_taken_back_after_the_backup_is_written_by_whoever_restores_it(
    past: Past, taken_back: bool
) -> None:
    """The backup cannot know; it is on record, with the moment of the tap, and can be withdrawn."""
    form = hold(1)
    older = past.keep()
    if taken_back:
        assert holding.take_back(form, TABLE, PIT.staff)
        a_look()
        assert there()[:2] == (0, 0)
    past.back_to(older)
    written_once((a_look, the_job), 1)
    entry = BookEntry.objects.get(kind="card-burned/1")
    assert (entry.occurred_at, str(entry.gaming_day)) == (EVENING, "2026-11-20")


@WAYS
def test_what_a_bundle_put_back_already_is_not_written_again(
    seal: Seal, past: Past, tmp_path: Path, ways: Ways
) -> None:
    seal_events(2)
    hold(1, 2)
    older = past.keep()
    a_look()
    seal_events(3)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    past.back_to(older)
    recovered(bundle)
    assert there() == (1, 7, 1)
    written_once(ways, 7)
    must_be_whole()


def test_what_no_bundle_holds_stands_behind_what_was_put_back(
    seal: Seal, past: Past, tmp_path: Path
) -> None:
    seal_events(2)
    older = past.keep()
    seal_events(3)
    seal.sign()
    bundle = bundle_of(tmp_path / "bundle")
    past.back_to(older)
    form = hold(4)
    recovered(bundle)
    key = UUID(HeldRecord.objects.get(key=form).submissions[0]["key"])
    written_once((a_look, the_job), 6)
    assert BookEntry.objects.get(key=key).n == 6
    must_be_whole()
