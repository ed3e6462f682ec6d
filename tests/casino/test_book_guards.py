"""The book refuses to be altered: by the application, by the owner, by a hasty superuser."""

from collections.abc import Callable

import psycopg
import pytest

from casino import sequencer
from tests.factories.records import MANAGER, burnt, hired, recorded

Connect = Callable[..., psycopg.Connection]
pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.both_servers]

ALTERATIONS = (
    "UPDATE book_entry SET kind = 'card-burned/2'",
    "UPDATE book_entry SET gaming_day = gaming_day - 1",
    "DELETE FROM book_entry",
    "TRUNCATE book_entry CASCADE",
    "UPDATE book_leaf SET idx = idx + 100",
    "DELETE FROM book_leaf",
    "TRUNCATE book_leaf",
    "UPDATE book_tree SET root = decode(repeat('00', 32), 'hex')",
    "DELETE FROM book_tree",
    "TRUNCATE book_tree",
    "UPDATE book_stream SET head_n = head_n - 1",
    "UPDATE book_stream SET head_hash = NULL",
    "UPDATE book_stream SET name = 'table/BJ-07' WHERE name = 'table/BJ-06'",
    "UPDATE book_tile SET hashes = hashes",
    "DELETE FROM book_tile",
    "TRUNCATE book_tile",
    "UPDATE book_checkpoint SET note = ''",
    "DELETE FROM book_checkpoint",
    "TRUNCATE book_checkpoint CASCADE",
    "UPDATE book_cosignature SET line = ''",
    "DELETE FROM book_cosignature",
    "TRUNCATE book_cosignature",
    "UPDATE casino_attachment SET content = 'another'",
    "UPDATE casino_private_look SET staff = 'nobody'",
    "DELETE FROM casino_private_look",
    "TRUNCATE casino_private_look",
    "DELETE FROM book_stream",
    "TRUNCATE book_stream CASCADE",
    "INSERT INTO book_stream (name, head_n) VALUES ('table/BJ-99', 7)",
)
BEYOND_THE_APPLICATION = (
    "INSERT INTO book_stream (name) VALUES ('table/BJ-99')",
    "INSERT INTO book_pending SELECT id FROM book_entry",
    "DELETE FROM book_pending",
    "INSERT INTO book_leaf (idx, entry_id) SELECT 99, id FROM book_entry",
    "INSERT INTO book_tile (level, n, hashes) VALUES (0, 9, decode(repeat('00', 8192), 'hex'))",
    "INSERT INTO book_checkpoint (size, root, note) SELECT size, root, 'x' FROM book_tree",
    "INSERT INTO book_cosignature (size, line, cosigned_at) SELECT size, 'x', now() FROM book_tree",
    "UPDATE job_outbox SET done_at = now()",
    "DELETE FROM job_outbox",
    "INSERT INTO job_outbox (topic, key, args, due_at) VALUES ('x', 'x', '{}', now())",
    "UPDATE casino_burn SET cards = 1",
    "DELETE FROM casino_burn",
    "TRUNCATE casino_burn",
    "TRUNCATE casino_round",
    "DELETE FROM casino_private_value",
    "UPDATE casino_private_value SET value = '\"Rita\"'",
    "ALTER TABLE book_entry DISABLE TRIGGER ALL",
    "DROP TABLE casino_burn",
    "CREATE TABLE of_my_own (a integer)",
    "CREATE TEMP TABLE book_entry (a integer)",
    "CREATE FUNCTION of_my_own() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
    "ALTER FUNCTION ledger_lock SECURITY INVOKER",
)


@pytest.fixture
def a_book(fresh_db: str, connect_as: Connect) -> str:
    """A book with entries in the tree, sealed, with a private value and a file."""
    recorded(burnt(2))
    recorded(hired(), by=MANAGER)
    assert sequencer.integrate() == 2
    signer, app, placing = (connect_as(role) for role in ("signer", "app", "sequencer"))
    signer.execute(
        "INSERT INTO book_checkpoint (size, root, note) SELECT size, root, 'a note' FROM book_tree"
    )
    signer.execute("INSERT INTO book_cosignature (size, line, cosigned_at) VALUES (2, 'x', now())")
    app.execute(
        "INSERT INTO casino_attachment VALUES"
        " (encode(sha256('a file'), 'hex'), 'text/plain', 6, 'a file', now())"
    )
    app.execute(
        "INSERT INTO casino_private_look (at, staff, kind, field, page)"
        " VALUES (now(), 'S-0021', 'staff-registered/1', 'name', '/')"
    )
    placing.execute("INSERT INTO book_tile VALUES (0, 0, decode(repeat('00', 8192), 'hex'))")
    for connection in (signer, app, placing):
        connection.commit()
    return fresh_db


def snapshot(connection: psycopg.Connection) -> list[tuple[object, ...]]:
    return connection.execute(
        "SELECT e.entry, e.leaf_hash, l.idx, s.head_n, s.head_hash FROM book_entry e"
        " JOIN book_leaf l ON l.entry_id = e.id JOIN book_stream s ON s.id = e.stream_id"
        " ORDER BY l.idx"
    ).fetchall()


def refused(connection: psycopg.Connection, statement: str) -> bool:
    try:
        connection.execute(statement)
    except psycopg.errors.InsufficientPrivilege:
        return True
    return False


@pytest.mark.parametrize("role", ["app", "owner", "reader", "sequencer"])
def test_nobody_alters_what_is_written(a_book: str, connect_as: Connect, role: str) -> None:
    before = snapshot(connect_as("postgres", autocommit=True))
    connection = connect_as(role, autocommit=True)
    let_through = [each for each in ALTERATIONS if not _stopped(connection, each)]
    assert let_through == []
    assert snapshot(connect_as("postgres", autocommit=True)) == before


def _stopped(connection: psycopg.Connection, statement: str) -> bool:
    try:
        connection.execute(statement)
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction):
        return True
    return False


def test_the_application_may_only_put_rows_on_shelves(a_book: str, connect_as: Connect) -> None:
    connection = connect_as("app", autocommit=True)
    let_through = [each for each in BEYOND_THE_APPLICATION if not refused(connection, each)]
    assert let_through == []


def test_a_reader_writes_nothing_about_findings(a_book: str, connect_as: Connect) -> None:
    reader = connect_as("reader", autocommit=True)
    for table in ("audit_case_number", "audit_case_step", "audit_case_note"):
        assert _stopped(reader, f"INSERT INTO {table} DEFAULT VALUES")
        assert _stopped(reader, f"DELETE FROM {table}")
    for stream in ("cases", "notes", "reconciler"):
        assert _stopped(reader, f"SELECT ledger_lock('{stream}')")
        assert _stopped(reader, f"INSERT INTO book_stream (name) VALUES ('{stream}')")


@pytest.mark.parametrize("role", ["app", "owner", "sequencer"])
def test_nobody_may_put_the_triggers_to_sleep(a_book: str, connect_as: Connect, role: str) -> None:
    connection = connect_as(role, autocommit=True)
    assert refused(connection, "SET session_replication_role = 'replica'")


def test_a_superuser_who_puts_ordinary_triggers_to_sleep_is_still_stopped(
    a_book: str, connect_as: Connect
) -> None:
    superuser = connect_as("postgres", autocommit=True)
    before = snapshot(superuser)
    superuser.execute("SET session_replication_role = 'replica'")
    assert [each for each in ALTERATIONS if not refused(superuser, each)] == []
    assert snapshot(superuser) == before


def test_a_month_of_rounds_cannot_be_emptied_directly(a_book: str, connect_as: Connect) -> None:
    connect_as("app", autocommit=True).execute("SELECT ensure_round_partition('2026-11-20')")
    superuser = connect_as("postgres", autocommit=True)
    superuser.execute("SET session_replication_role = 'replica'")
    for whoever in (connect_as("owner", autocommit=True), superuser):
        assert refused(whoever, "TRUNCATE casino_round_2026_11")
        assert refused(whoever, "TRUNCATE casino_round")
    assert refused(connect_as("app", autocommit=True), "TRUNCATE casino_round_2026_11")
    assert refused(connect_as("app", autocommit=True), "DELETE FROM casino_round_2026_11")


FORGED = (
    "INSERT INTO book_entry (id, stream_id, n, key, kind, gaming_day, table_code, partida_id,"
    " occurred_at, recorded_at, entry) SELECT gen_random_uuid(), stream_id, {n},"
    " gen_random_uuid(), kind, gaming_day, table_code, partida_id, occurred_at, {at}, entry"
    " FROM book_entry WHERE kind = 'card-burned/1'"
)


@pytest.mark.parametrize(
    ("n", "at"), [("n + 1", "now()"), ("n + 1", "recorded_at"), ("n + 7", "now() - interval '1 h'")]
)
def test_the_owner_cannot_slip_in_an_entry_that_says_another_thing_than_its_columns(
    a_book: str, connect_as: Connect, n: str, at: str
) -> None:
    owner = connect_as("owner", autocommit=True)
    with pytest.raises(psycopg.errors.IntegrityConstraintViolation):
        owner.execute(FORGED.format(n=n, at=at))


def test_the_owner_cannot_back_date_an_entry(a_book: str, connect_as: Connect) -> None:
    owner = connect_as("owner", autocommit=True)
    back_dated = """
        WITH forged AS (
            SELECT *, gen_random_uuid() AS new_key, now() - interval '1 day' AS at
            FROM book_entry WHERE kind = 'card-burned/1'
        )
        INSERT INTO book_entry (id, stream_id, n, key, kind, gaming_day, table_code, partida_id,
                                occurred_at, recorded_at, entry)
        SELECT gen_random_uuid(), stream_id, n + 1, new_key, kind, gaming_day, table_code,
               partida_id, occurred_at, at,
               convert_to((convert_from(entry, 'UTF8')::jsonb || jsonb_build_object(
                   'n', n + 1, 'key', new_key, 'prev', encode(leaf_hash, 'hex'),
                   'at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
               ))::text, 'UTF8')
        FROM forged
    """
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="nobody chooses when"):
        owner.execute(back_dated)


def test_a_private_value_can_be_erased_but_not_exchanged(a_book: str, connect_as: Connect) -> None:
    app = connect_as("app", autocommit=True)
    assert refused(app, "UPDATE casino_private_value SET salt = NULL")
    app.execute("UPDATE casino_private_value SET salt = NULL, value = NULL")
    assert refused(app, "UPDATE casino_private_value SET value = '\"Rita\"'")
    assert refused(connect_as("reader"), "SELECT * FROM casino_private_value")


def test_the_writer_waits_for_the_disk_whatever_the_session_chose(
    a_book: str, connect_as: Connect
) -> None:
    app = connect_as("app")
    app.execute("SET synchronous_commit = off")
    app.execute(
        "SELECT * FROM ledger_append('house', 'admin', 'chefia_da_sala', 'S-1',"
        " ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()], ARRAY['staff-registered/1'],"
        " ARRAY['{\"staff\":\"S-2\"}'], ARRAY[now()], ARRAY[current_date], ARRAY[''], ARRAY[''],"
        " ARRAY[0])"
    )
    assert app.execute("SHOW synchronous_commit").fetchone() == ("on",)
    app.rollback()


@pytest.mark.parametrize(
    "arguments",
    [
        "'house', NULL, 'chefia_da_sala', 'S-1', current_date, ''",
        "'house', 'admin', 'chefia_da_sala', NULL, current_date, ''",
        "'house', 'admin', 'chefia_da_sala', 'S-1', 'infinity', ''",
        "'house', 'admin', 'chefia_da_sala', 'S-1', '0044-03-15 BC', ''",
        "'house', 'admin', 'chefia_da_sala', 'S-1', '12345-01-01', ''",
        "'table/BJ-06', 'admin', 'chefia_da_sala', 'S-1', current_date, 'BJ-99'",
        "NULL, 'admin', 'chefia_da_sala', 'S-1', current_date, ''",
    ],
)
def test_the_door_takes_no_nobody_no_day_there_is_not_and_no_other_table(
    a_book: str, connect_as: Connect, arguments: str
) -> None:
    stream, door, office, staff, day, table = arguments.split(", ")
    app = connect_as("app", autocommit=True)
    with pytest.raises(psycopg.errors.IntegrityError):
        app.execute(
            f"SELECT * FROM ledger_append({stream}, {door}, {office}, {staff},"
            " ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()], ARRAY['staff-registered/1'],"
            f" ARRAY['{{}}'], ARRAY[now()], ARRAY[{day}::date], ARRAY[{table}], ARRAY[''],"
            " ARRAY[0])"
        )


PAYLOADS = (
    '{"staff":"S-2"},"n":9',
    "[]",
    "null",
    '{"staff":"S-2"',
    '"S-2"',
    ' {"staff":"S-2"}',
    "",
)


def test_the_door_takes_one_object_and_nothing_that_breaks_out_of_it(
    a_book: str, connect_as: Connect
) -> None:
    app = connect_as("app", autocommit=True)
    before = snapshot(app)
    for payload in PAYLOADS:
        with pytest.raises(psycopg.errors.Error):
            app.execute(
                "SELECT * FROM ledger_append('house', 'admin', 'chefia_da_sala', 'S-1',"
                " ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()], ARRAY['staff-registered/1'],"
                " ARRAY[%s], ARRAY[now()], ARRAY[current_date], ARRAY[''], ARRAY[''], ARRAY[0])",
                [payload],
            )
    assert snapshot(app) == before
