"""A process that would write into a book without its guards does not begin."""

import subprocess
import sys
from collections.abc import Callable
from io import StringIO

import psycopg
import pytest
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import connection, connections

from casino.guards import GUARDS, Unguarded, missing_guards, refuse_unguarded
from casino.schema_digest.role_rights import ROLES
from tests.gate import ROOT

Connect = Callable[..., psycopg.Connection]
pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.both_servers]


@pytest.fixture
def owner(connect_as: Connect, fresh_db: str) -> psycopg.Connection:
    return connect_as("owner", autocommit=True)


def test_nothing_is_missing_where_nobody_touched_it(owner: psycopg.Connection) -> None:
    owner.execute("SELECT ensure_round_partition('2026-11-20')")
    assert missing_guards(connection) == []
    assert missing_guards(owner) == []
    assert run_checks(databases=["default"]) == run_checks()


@pytest.mark.parametrize(
    ("table", "trigger"), [(t, n) for t, names in GUARDS.items() for n in names]
)
def test_a_guard_that_is_gone_asleep_or_ordinary_is_missed(
    owner: psycopg.Connection, table: str, trigger: str
) -> None:
    for change, said in (
        (f"ALTER TABLE {table} ENABLE TRIGGER {trigger}", "is not always on (it is 'O')"),
        (f"ALTER TABLE {table} DISABLE TRIGGER {trigger}", "is not always on (it is 'D')"),
        (f"DROP TRIGGER {trigger} ON {table}", "lacks its trigger"),
    ):
        owner.execute(change)
        (missing,) = missing_guards(connection)
        assert said in missing
        assert table in missing
        assert trigger in missing


def test_a_guard_that_lets_everybody_pass_is_missed(owner: psycopg.Connection) -> None:
    owner.execute(
        "CREATE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'"
    )
    owner.execute(
        "DROP TRIGGER book_entry_rows ON book_entry;"
        "CREATE TRIGGER book_entry_rows BEFORE UPDATE OR DELETE ON book_entry"
        " FOR EACH ROW EXECUTE FUNCTION pass();"
        "ALTER TABLE book_entry ENABLE ALWAYS TRIGGER book_entry_rows"
    )
    assert missing_guards(connection) == [
        "The trigger book_entry_rows of book_entry calls pass, not book_refuse."
    ]


def test_each_month_of_rounds_has_a_guard_of_its_own(owner: psycopg.Connection) -> None:
    owner.execute("SELECT ensure_round_partition('2026-11-20')")
    owner.execute("DROP TRIGGER casino_round_2026_11_whole ON casino_round_2026_11")
    owner.execute("GRANT DELETE ON casino_round_2026_11 TO app")
    assert missing_guards(connection) == [
        "casino_round_2026_11 lacks its trigger casino_round_2026_11_whole.",
        "app may DELETE casino_round_2026_11.",
    ]


@pytest.mark.parametrize(
    ("grant", "said"),
    [
        ("UPDATE ON casino_burn TO app", "app may UPDATE casino_burn."),
        ("UPDATE (cards) ON casino_burn TO app", "app may UPDATE casino_burn."),
        ("DELETE ON audit_finding TO PUBLIC", "app may DELETE audit_finding."),
        ("TRUNCATE ON book_pending TO app", "app may TRUNCATE book_pending."),
        ("INSERT (entry_id) ON book_pending TO app", "app may INSERT book_pending."),
        ("DELETE ON book_entry TO reader", None),
    ],
)
def test_a_right_the_application_must_not_have_is_named(
    owner: psycopg.Connection, grant: str, said: str | None
) -> None:
    owner.execute(f"GRANT {grant}")
    found = missing_guards(connection)
    if "PUBLIC" in grant:  # the services' roles as well
        assert {each.replace(role, "app") for role in ROLES for each in found} >= {said}
        assert len(found) == 1 + len(ROLES)
    else:
        assert found == ([] if said is None else [said])


def test_an_application_no_right_is_kept_from_is_named(
    connect_as: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    superuser = connect_as("postgres")
    superuser.execute("ALTER ROLE app SUPERUSER")
    assert missing_guards(superuser) == [
        "app, as whom the application connects, is a superuser: no right is kept from it."
    ]
    superuser.rollback()
    superuser.execute("GRANT owner TO app")
    (said,) = missing_guards(superuser)
    assert "owns the book's tables" in said
    superuser.rollback()
    # The web server was given another role's address.
    monkeypatch.setattr(connections["owner"], "alias", "default")
    (said,) = missing_guards(connections["owner"])
    assert said.startswith("owner, as whom the application connects, owns")


def test_a_table_that_is_not_there_is_named(connect_as: Connect) -> None:
    superuser = connect_as("postgres", autocommit=True)
    superuser.execute("DROP TABLE book_tile")
    assert missing_guards(connection) == ["The table book_tile is missing."]


def test_the_check_asks_the_applications_connection_alone(owner: psycopg.Connection) -> None:
    owner.execute("ALTER TABLE book_tree DISABLE TRIGGER book_tree_rows")
    found = [each for each in run_checks(databases=["default"]) if each.id == "casino.E001"]
    assert len(found) == 1
    assert "book_tree_rows" in str(found[0])
    # `migrate --database owner` must be able to put a guard there.
    assert [each.id for each in run_checks(databases=["owner"])].count("casino.E001") == 0
    with pytest.raises(Unguarded, match="book_tree_rows"):
        refuse_unguarded(connection)


def test_the_sequencer_does_not_begin(owner: psycopg.Connection) -> None:
    owner.execute("ALTER TABLE book_tree DISABLE TRIGGER book_tree_rows")
    with pytest.raises(CommandError, match="book_tree_rows"):
        call_command("sequencer", stdout=StringIO())


def test_the_web_server_does_not_begin(
    owner: psycopg.Connection, database_environment: dict[str, str]
) -> None:
    def begins() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", "import casino.wsgi"],
            cwd=ROOT,
            env={**database_environment, "SECRET_KEY": "one of its own"},
            capture_output=True,
            text=True,
        )

    assert begins().returncode == 0
    owner.execute("GRANT UPDATE ON casino_burn TO app")
    refused = begins()
    assert refused.returncode != 0
    assert "app may UPDATE casino_burn." in refused.stderr
