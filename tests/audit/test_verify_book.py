"""What a superuser alters with the triggers off is found where it is; an untouched book is sound.

Every attack is made in a transaction that is then rolled back, and leaves the triggers as they
were: what gives it away is the book alone.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connections, transaction

from audit.verifying.problem_texts import sentence
from audit.verifying.walking import Verification, verify
from casino import sequencer
from casino.recording import record_many
from tests.audit.attacks_on_book import AT, ATTACKS, OF_TILES, after, attack, recorded_there, said
from tests.factories.records import burnt, recorded, submission
from tests.factories.verified_books import (
    a_whole_book,
    placed,
    policy,
    recorded_of_all,
    sealed,
    vandal,
)

Connect = Callable[..., psycopg.Connection]
pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.both_servers, pytest.mark.share]


@pytest.fixture
def book(connect_as: Connect, tmp_path: Path, settings: Any, fresh_db: str) -> str:
    """A whole book, sealed and published; the note of its first checkpoint."""
    return a_whole_book(connect_as, tmp_path / "public", settings)


@pytest.fixture
def as_vandal(databases: Any, book: str) -> Iterator[str]:
    """The alias of a superuser's connection."""
    with vandal(databases) as alias:
        yield alias


def test_a_book_nobody_touched_is_sound(book: str) -> None:
    verification = verify(older=[("first", book)])
    assert said(verification) == []
    assert verification.report.verdict == 0
    assert verification.size == 26
    assert verification.entries == 28
    assert verification.done == verification.total


def test_whatever_a_superuser_alters_is_found_where_it_is(as_vandal: str) -> None:
    wrong = {}
    for name, each in ATTACKS.items():
        verification = after(as_vandal, each)
        listed = verification.report.of("problem")
        lacking = [
            (code, where)
            for code, where in each.found
            if not any(recorded_there(problem, code, where) for problem in listed)
        ]
        more = {problem.code for problem in listed} - {code for code, _ in each.found}
        if lacking or (more and each.alone) or verification.report.verdict != 1:
            wrong[name] = (lacking, said(verification))
        for problem in verification.report.problems:
            assert "–" not in sentence(problem), problem
    assert wrong == {}
    assert said(verify()) == []


@pytest.fixture
def long_book(connect_as: Connect, fresh_db: str) -> None:
    """Six hundred entries: two full tiles and a bit."""
    for _ in range(6):
        record_many([submission(burnt(table=f"BJ-0{n % 5}")) for n in range(100)])
        sequencer.integrate()
    sealed(connect_as)


def test_what_is_altered_in_tiles_is_found_where_it_is(long_book: None, databases: Any) -> None:
    verification = verify(policy=policy())
    assert [each.code for each in verification.report.problems] == ["no-schema-record"]
    with vandal(databases) as alias:
        for name, each in OF_TILES.items():
            verification = after(alias, each)
            listed = verification.report.of("problem")
            for code, where in each.found:
                assert any(recorded_there(one, code, where) for one in listed), (
                    name,
                    said(verification),
                )
            if each.alone:
                assert {one.code for one in listed} == {code for code, _ in each.found}, name
            assert sum(one.code == "root-differs" for one in listed) <= 1, said(verification)


@pytest.mark.check
def test_it_comes_to_the_same_in_however_many_parts(long_book: None, databases: Any) -> None:
    whole = verify(policy=policy())
    in_parts = Verification(policy=policy())
    for _ in range(1_000):
        if in_parts.ended:
            break
        in_parts.step()
        in_parts = Verification(policy=policy(), kept=in_parts.state())
    assert in_parts.ended
    assert in_parts.report.state() == whole.report.state()
    assert (in_parts.root, in_parts.entries, in_parts.size, in_parts.done) == (
        whole.root,
        whole.entries,
        600,
        whole.total,
    )


def test_an_empty_book_and_one_without_seal_are_sound_as_far_as_can_be_seen(fresh_db: str) -> None:
    assert [each.code for each in verify().report.problems] == ["no-schema-record"]
    recorded_of_all()
    placed()
    verification = verify()
    assert [each.code for each in verification.report.problems] == ["no-checkpoint"]
    assert verification.report.verdict == 2


def test_an_entry_that_waits_for_long_is_not_an_alteration(as_vandal: str, book: str) -> None:
    old = attack(
        "book_entry",
        "UPDATE book_entry SET recorded_at = recorded_at - interval '1 h' WHERE "
        + AT.format("table/BJ-09", 2),
        found=[],
    )
    codes = [each.code for each in after(as_vandal, old).report.problems]
    assert "entry-waits-long" in codes
    recorded(burnt(1, "BJ-09"))
    assert said(verify()) == []


def test_shelves_and_looks_can_be_left_out(as_vandal: str) -> None:
    with transaction.atomic(using=as_vandal), connections[as_vandal].cursor() as cursor:
        cursor.execute("DELETE FROM casino_burn; GRANT DELETE ON casino_burn TO app")
        assert verify(as_vandal, projections=False, looks=False).report.verdict == 0
        assert verify(as_vandal, projections=True, looks=False).report.counts.keys() == {
            "shelf-missing"
        }
        transaction.set_rollback(True, using=as_vandal)
