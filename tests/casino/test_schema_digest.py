"""Whatever is changed about the tables, their guards and who may do what, changes the digest."""

from collections.abc import Callable
from io import StringIO

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from casino.models import Attachment
from casino.models.sealing_projections import SchemaRecord
from casino.recording import record_many
from casino.schema_digest import differences, digest, lines
from casino.schema_digest.recorded import look, migrations_applied
from tests.factories.records import MANAGER, burnt, hired, recorded, submission

Connect = Callable[..., psycopg.Connection]
pytestmark = [
    pytest.mark.usefixtures("fresh_db"),
    pytest.mark.both_servers,
    pytest.mark.share,
]

# What a superuser does, and how the first line begins that says so.
MISCHIEF = (
    ("ALTER TABLE book_entry ENABLE TRIGGER book_entry_rows", "trigger public.book_entry"),
    ("ALTER TABLE book_entry DISABLE TRIGGER book_entry_rows", "trigger public.book_entry"),
    ("ALTER TABLE book_leaf DISABLE TRIGGER ALL", "foreign key trigger public.book_leaf"),
    ("DROP TRIGGER book_tree_whole ON book_tree", "trigger public.book_tree"),
    ("UPDATE pg_trigger SET tgenabled = 'O' WHERE tgname = 'book_tile_rows'", "trigger"),
    ("GRANT UPDATE ON casino_burn TO app", "right public.casino_burn of app"),
    ("GRANT UPDATE (cards) ON casino_burn TO app", "right to a column public.casino_burn cards"),
    ("GRANT SELECT ON casino_burn TO PUBLIC", "right public.casino_burn of PUBLIC"),
    ("GRANT SELECT ON casino_burn TO reader WITH GRANT OPTION", "right public.casino_burn"),
    ("REVOKE INSERT ON book_tree FROM owner", "right public.book_tree of owner"),
    ("GRANT EXECUTE ON FUNCTION book_stamp TO app", "right function public.book_stamp() of app"),
    ("ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO app", "right by default"),
    ("ALTER TABLE casino_burn OWNER TO app", "table public.casino_burn: owner"),
    ("ALTER FUNCTION outbox_done SECURITY INVOKER", "function public.outbox_done"),
    ("ALTER FUNCTION outbox_done RESET ALL", "function public.outbox_done"),
    (
        "CREATE OR REPLACE FUNCTION book_refuse() RETURNS trigger LANGUAGE plpgsql"
        " SET search_path = pg_catalog, public, pg_temp AS 'BEGIN RETURN NEW; END'",
        "function public.book_refuse()",
    ),
    ("CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'", "function public.mine"),
    ("CREATE OPERATOR === (FUNCTION = int4eq, LEFTARG = int, RIGHTARG = int)", "operator"),
    ("ALTER TABLE book_entry DROP CONSTRAINT book_entry_key_once", "constraint public.book_entry"),
    ("ALTER TABLE book_entry ALTER leaf_hash DROP EXPRESSION", "column public.book_entry"),
    ("ALTER TABLE book_tree ALTER made_at SET DEFAULT now()", "column public.book_tree made_at"),
    ("ALTER TABLE book_entry ADD extra text", "column public.book_entry extra"),
    ("CREATE INDEX mine ON book_entry (kind)", "index public.book_entry mine"),
    ("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'book_entry_day'::regclass", "ind"),
    ("CREATE RULE mine AS ON INSERT TO book_tree DO INSTEAD NOTHING", "rule public.book_tree"),
    ("CREATE POLICY mine ON book_tree USING (false)", "policy public.book_tree"),
    ("ALTER TABLE book_tree ENABLE ROW LEVEL SECURITY", "table public.book_tree"),
    ("CREATE VIEW mine AS SELECT 1 AS one", "column public.mine one"),
    ("CREATE SCHEMA mine", "right schema mine"),
    ("CREATE TYPE mine AS ENUM ('a')", "type public.mine"),
    ("CREATE PUBLICATION mine FOR TABLE book_entry", "publication"),
)
# What is done to the server's roles: undone in the same transaction, for all tests share them.
OF_THE_SERVER = (
    ("ALTER ROLE app SUPERUSER", "role app"),
    ("ALTER ROLE app CREATEROLE", "role app"),
    ("ALTER ROLE reader BYPASSRLS", "role reader"),
    ("ALTER ROLE reader REPLICATION", "role reader"),
    ("GRANT owner TO app", "role app is in owner"),
    ("GRANT pg_write_all_data TO app", "role app is in pg_write_all_data"),
    ("CREATE ROLE visitor SUPERUSER", "role visitor"),
    ("ALTER ROLE app SET session_replication_role = 'replica'", "setting of app"),
    ("ALTER ROLE app RESET search_path", "setting of app"),
    ("ALTER ROLE ALL SET search_path = elsewhere", "setting of everybody"),
    ("ALTER ROLE app CONNECTION LIMIT 3 NOLOGIN", "role app"),
    (
        "UPDATE pg_proc SET prosrc = 'sha224_bytea' WHERE proname = 'sha256'",
        "built-in functions",
    ),
)


@pytest.fixture
def book(fresh_db: str) -> None:
    """A book with a little in it: what is in it has no bearing."""
    recorded(burnt())
    recorded(hired(), by=MANAGER)


def changed_by(
    superuser: psycopg.Connection, statement: str, before: list[str] | None = None
) -> list[str]:
    """What a look says after a statement that is then undone."""
    was = before or lines(superuser)
    superuser.execute("SET allow_system_table_mods = on")
    superuser.execute(statement)
    now = lines(superuser)
    superuser.rollback()
    return differences(was, now)


def unnamed(superuser: psycopg.Connection, cases: tuple[tuple[str, str], ...]) -> list[str]:
    """The statements after which no line says what they should."""
    before = lines(superuser)
    return [
        statement
        for statement, named in cases
        if not any(line[2:].startswith(named) for line in changed_by(superuser, statement, before))
    ]


def test_what_a_superuser_changes_is_named(book: None, connect_as: Connect) -> None:
    assert unnamed(connect_as("postgres"), MISCHIEF) == []


def test_what_is_done_to_roles_and_server_is_named(book: None, connect_as: Connect) -> None:
    assert unnamed(connect_as("postgres"), OF_THE_SERVER) == []


def test_an_unwatched_role_of_another_house_changes_nothing(
    book: None, connect_as: Connect
) -> None:
    assert changed_by(connect_as("postgres"), "CREATE ROLE neighbour LOGIN") == []


def test_the_digest_is_the_same_whoever_asks(book: None, connect_as: Connect) -> None:
    mine = digest(connection).sha256
    asked = [connect_as(role) for role in ("postgres", "owner", "reader", "sequencer", "signer")]
    asked[0].execute("SET datestyle = 'German'; SET timezone = 'Asia/Tokyo'")
    assert {digest(each).sha256 for each in asked} == {mine}
    assert asked[0].execute("SHOW timezone").fetchone() == ("Asia/Tokyo",)


def test_what_no_dump_brings_along_can_be_left_out(book: None, connect_as: Connect) -> None:
    superuser = connect_as("postgres")
    before = digest(superuser, server=False)
    superuser.execute("ALTER ROLE app CREATEROLE")
    assert digest(superuser, server=False) == before
    superuser.execute("GRANT UPDATE ON casino_burn TO app")
    assert digest(superuser, server=False) != before
    superuser.rollback()


def test_records_and_months_made_later_change_nothing(book: None) -> None:
    before = digest(connection)
    with connection.cursor() as cursor:
        for month in ("2026-11-20", "2024-02-29", "2031-12-31"):
            cursor.execute("SELECT ensure_round_partition(%s)", [month])
    record_many([submission(burnt()) for _ in range(3)])
    assert differences(before.lines, lines(connection)) == []


OF_A_MONTH = (
    ("ALTER TABLE {} DISABLE TRIGGER {}_whole", "more: trigger public.{}"),
    ("DROP TRIGGER {}_whole ON {}", "less: trigger public.{}"),
    ("GRANT UPDATE ON {} TO app", "more: right public.{} of app"),
    ("REVOKE SELECT ON {} FROM reader", "less: right public.{} of reader"),
    ("ALTER TABLE {} ALTER rulebook SET DEFAULT 'pt'", "more: column public.{} rulebook"),
    ("ALTER TABLE {} ADD CHECK (n > 0)", "more: constraint public.{}"),
    ("CREATE INDEX ON {} (dealer)", "more: index public.{}"),
    ("ALTER TABLE {} DISABLE TRIGGER ALL", "more: foreign key trigger public.{}"),
    ("ALTER TABLE casino_round DETACH PARTITION {}", "less: part public.{}"),
    ("ALTER TABLE {} RENAME TO casino_round_2026_10", "less: part public.casino_round_2026_10"),
    ("ALTER TABLE {} RENAME TO casino_round_2026_13", "less: part public.casino_round_2026_13"),
)


def test_a_month_that_is_not_as_the_others_is_named(book: None, connect_as: Connect) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT ensure_round_partition('2026-12-01')")
        cursor.execute("SELECT ensure_round_partition('2026-11-20')")
    part, superuser = "casino_round_2026_11", connect_as("postgres")
    cases = tuple((done.format(*[part] * 2), named.format(part)) for done, named in OF_A_MONTH)
    assert unnamed(superuser, cases) == []
    assert not any("2026_12" in line for line in changed_by(superuser, cases[0][0]))


def recorded_by(*arguments: str) -> tuple[int, str]:
    """What the command says, and what it ends with."""
    said = StringIO()
    try:
        call_command("schema", *arguments, stdout=said)
    except CommandError as refusal:
        return refusal.returncode, said.getvalue() + str(refusal)
    return 0, said.getvalue()


def test_the_schema_is_recorded_once_and_recognised(book: None) -> None:
    assert recorded_by()[0] == 2
    assert recorded_by("--record")[0] == 0
    assert recorded_by("--record")[0] == 0
    row = SchemaRecord.objects.get()
    assert row.sha256 == digest(connection).sha256
    assert "casino.0002_book" in row.migrations
    assert tuple(row.migrations) == migrations_applied()
    assert row.server.startswith("PostgreSQL 1")
    assert bytes(
        Attachment.objects.get(sha256=row.sha256).content or b""
    ).decode().splitlines() == (lines(connection))
    assert recorded_by() == (0, f"schema {row.sha256}: as recorded\n")


def test_a_drift_is_named_and_not_recorded_without_a_migration(
    book: None, connect_as: Connect
) -> None:
    recorded_by("--record")
    connect_as("owner", autocommit=True).execute("GRANT UPDATE ON casino_burn TO app")
    for asked in ((), ("--record",)):
        code, said = recorded_by(*asked)
        assert code == 1
        assert "+ right public.casino_burn of app: INSERT,SELECT,UPDATE" in said
        assert "- right public.casino_burn of app: INSERT,SELECT\n" in said
    assert look().differs
    assert SchemaRecord.objects.count() == 1
    assert recorded_by("--record", "--accept")[0] == 0
    assert not look().differs
    assert SchemaRecord.objects.count() == 2


def test_a_drift_is_told_though_the_recorded_lines_were_touched(
    book: None, connect_as: Connect
) -> None:
    recorded_by("--record")
    superuser = connect_as("postgres", autocommit=True)
    superuser.execute("GRANT UPDATE ON casino_burn TO app")
    superuser.execute("ALTER TABLE casino_attachment DISABLE TRIGGER ALL")
    superuser.execute("UPDATE casino_attachment SET content = NULL")
    code, said = recorded_by()
    assert code == 1
    assert "are not kept" in said


def test_after_a_migration_the_new_schema_is_recorded(book: None, connect_as: Connect) -> None:
    recorded_by("--record")
    before = SchemaRecord.objects.get()
    connect_as("postgres", autocommit=True).execute(
        "DELETE FROM django_migrations WHERE name = '0006_outbox'"
    )
    code, said = recorded_by("--record")
    assert (code, "- casino.0006_outbox" in said) == (2, True)
    connect_as("postgres", autocommit=True).execute(
        "INSERT INTO django_migrations (app, name, applied)"
        " VALUES ('casino', '0006_outbox', now()), ('casino', '9999_mine', now())"
    )
    code, said = recorded_by("--record")
    assert (code, "+ casino.9999_mine" in said) == (2, True)
    assert list(SchemaRecord.objects.all()) == [before]


def test_another_server_is_a_reason_to_record(
    book: None, connect_as: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded_by("--record")
    command = "casino.management.commands.schema.server_version"
    monkeypatch.setattr(command, lambda: "PostgreSQL 19.1")
    connect_as("owner", autocommit=True).execute("COMMENT ON TABLE casino_burn IS 'no matter'")
    assert recorded_by("--record")[0] == 0
    assert [row.server for row in SchemaRecord.objects.order_by("n")][1:] == ["PostgreSQL 19.1"]
