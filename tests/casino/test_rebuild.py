"""The projections follow from the book: what differs is found, what is lost is made again."""

from collections.abc import Callable
from datetime import date
from io import StringIO

import psycopg
import pytest
from django.core.management import CommandError, call_command

from casino.models import Burn, Rebuild, Round
from casino.rebuilding import compare, projection_models
from casino.recording import record_many
from casino.simulation import evening
from tests.factories.records import MANAGER, burnt, corrects, hired, loaded, recorded, submission

Connect = Callable[..., psycopg.Connection]
pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.share]


@pytest.fixture
def owner(connect_as: Connect, fresh_db: str) -> psycopg.Connection:
    """A few records on several projections, and a connection that may do mischief."""
    recorded(burnt(2))
    original = recorded(burnt(0))
    recorded(burnt(1), supersedes=corrects(original))
    recorded(hired(), by=MANAGER)
    recorded(loaded())
    return connect_as("owner", autocommit=True)


def differences() -> list[tuple[str, str]]:
    return [
        (each.projection, each.what)
        for model in projection_models().values()
        for each in compare(model)
    ]


def check() -> tuple[int, str]:
    said = StringIO()
    try:
        call_command("rebuild", "--check", stdout=said)
    except SystemExit as end:
        return int(end.code or 0), said.getvalue()
    return 0, said.getvalue()


def test_shelves_that_nobody_touched_agree_with_the_book(owner: psycopg.Connection) -> None:
    assert differences() == []
    code, said = check()
    assert code == 0
    assert "0 differences" in said


@pytest.mark.parametrize(
    ("mischief", "found"),
    [
        ("UPDATE casino_burn SET cards = 1 WHERE n = 1", ("casino_burn", "cards")),
        ("UPDATE casino_burn SET staff = 'S-9' WHERE n = 1", ("casino_burn", "staff")),
        ("DELETE FROM casino_burn WHERE n = 1", ("casino_burn", "missing")),
        (
            "UPDATE casino_supersession SET reason = 'other'",
            ("casino_supersession", "reason"),
        ),
        ("UPDATE casino_shuffler_load SET packets = 2", ("casino_shuffler_load", "packets")),
        ("UPDATE casino_staff SET named = false", ("casino_staff", "named")),
    ],
)
def test_a_row_that_was_touched_is_named(
    owner: psycopg.Connection, mischief: str, found: tuple[str, str]
) -> None:
    owner.execute(mischief)
    assert differences() == [found]
    assert check()[0] == 1


def test_a_row_slipped_in_beside_the_writer_is_found(owner: psycopg.Connection) -> None:
    owner.execute(_copied_row(owner))
    assert differences() == [("casino_burn", "not in the book")]


def _copied_row(owner: psycopg.Connection) -> str:
    columns = [
        column
        for (column,) in owner.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = 'casino_burn'::regclass"
            " AND attnum > 0 AND NOT attisdropped AND attname <> 'entry_id'"
        )
    ]
    named = ", ".join(columns)
    return (
        f"INSERT INTO casino_burn (entry_id, {named}) SELECT (SELECT id FROM book_entry"
        f" WHERE kind = 'shuffler-loaded/1'), {named} FROM casino_burn WHERE n = 1"
    )


def test_a_shelf_is_made_again_and_the_book_says_so(owner: psycopg.Connection) -> None:
    before = list(Burn.objects.order_by("n").values())
    owner.execute("DELETE FROM casino_burn WHERE n > 1")
    owner.execute("UPDATE casino_burn SET cards = 9")
    call_command("rebuild", "casino_burn", stdout=StringIO())
    assert list(Burn.objects.order_by("n").values()) == before
    assert differences() == []
    assert (Rebuild.objects.get().shelf, Rebuild.objects.get().rows) == ("casino_burn", 3)


def test_what_stood_there_before_is_told_too(owner: psycopg.Connection) -> None:
    call_command("rebuild", "casino_burn", stdout=StringIO())
    owner.execute("DELETE FROM casino_burn WHERE n > 1")
    call_command("rebuild", "casino_burn", stdout=StringIO())
    untouched, touched = Rebuild.objects.order_by("n")
    assert (untouched.rows_before, untouched.sha256_before) == (3, untouched.sha256)
    assert (touched.rows_before, touched.rows) == (1, 3)
    assert touched.sha256_before != touched.sha256 == untouched.sha256


@pytest.fixture
def a_round(fresh_db: str) -> None:
    (played, _), *_ = evening(5, 2, 1, 0.0, date(2026, 11, 12))
    record_many([submission(played)])


def test_a_second_row_of_a_round_on_another_day_is_found(
    a_round: None, connect_as: Connect
) -> None:
    app = connect_as("app", autocommit=True)
    copied = ", ".join(
        "date '2025-01-05'" if field.column == "gaming_day" else field.column
        for field in Round._meta.concrete_fields
    )
    named = ", ".join(field.column for field in Round._meta.concrete_fields)
    app.execute("SELECT ensure_round_partition('2025-01-05')")
    app.execute(f"INSERT INTO casino_round ({named}) SELECT {copied} FROM casino_round")
    assert [each.what for each in compare(Round)] == ["not in the book"]


def test_rounds_come_back_after_their_month_was_lost(a_round: None, connect_as: Connect) -> None:
    connect_as("owner", autocommit=True).execute("DROP TABLE casino_round_2026_11")
    call_command("rebuild", "casino_round", stdout=StringIO())
    assert Round.objects.filter(gaming_day=date(2026, 11, 12)).count() == 1


def test_an_unknown_shelf_is_refused_with_those_there_are(owner: psycopg.Connection) -> None:
    with pytest.raises(CommandError, match="casino_burn"):
        call_command("rebuild", "casino_burns")


def test_an_entry_written_past_the_writer_is_named_and_stops_no_comparison(
    owner: psycopg.Connection, connect_as: Connect
) -> None:
    connect_as("app", autocommit=True).execute(
        "SELECT * FROM ledger_append('table/BJ-06', 'admin', 'fiscal_de_banca', 'S-1',"
        " ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()], ARRAY['card-burned/1'],"
        " ARRAY['{\"cards\":\"two\"}'], ARRAY[now()], ARRAY[current_date], ARRAY['BJ-06'],"
        " ARRAY[''], ARRAY[0])"
    )
    assert differences() == [
        (projection, "the entry cannot be read") for projection in ("casino_burn", "casino_naming")
    ]
