"""The roles of the running house, in raw SQL: what each may, and what the database refuses it.

One that a page is answered as cures no finding, raises none, and brings no round, whatever the
program says; nor does a machine's act for a person.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime
from importlib import import_module
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import connection

from casino.events.event_policy import DEVICE, SYSTEM
from casino.extensions import event_kinds
from casino.schema_digest import role_rights

Connect = Callable[..., psycopg.Connection]
APPEND = "SELECT * FROM ledger_append(%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)"
NOW = datetime(2026, 11, 20, 22, 0, tzinfo=UTC)


def append(line: psycopg.Connection, kind: str, office: str) -> int:
    """An entry as whoever has a connection and no program can write one; its number."""
    written = line.execute(
        APPEND,
        [
            *("house", "admin", office, "S-0001"),
            *([uuid4()], [uuid4()], [kind], ["{}"]),
            *([NOW], [date(2026, 11, 20)], [""], [""], [0]),
        ],
    ).fetchone()
    assert written is not None
    number: int = written[1]
    return number


@pytest.mark.both_servers
@pytest.mark.parametrize(
    ("role", "kind", "office"),
    [
        ("web", "finding-superseded/2", "sistema"),  # a quiet cure
        ("web", "finding-superseded/2", "auditor"),
        ("web", "finding-raised/2", "sistema"),
        ("web", "reconciliation-finished/1", "sistema"),
        ("web", "round-played/1", "dispositivo"),
        ("web", "shuffler-cycle/1", "dispositivo"),
        ("web", "shuffler-cycle/1", "fiscal_chefe"),
        ("web", "round-played/1", "sistema"),
        ("machines", "finding-superseded/2", "sistema"),
        ("machines", "round-played/1", "fiscal_de_banca"),
        ("machines", "office-granted/1", "chefia_da_sala"),
        ("machines", "office-granted/1", "dispositivo"),
        ("watch", "round-played/1", "dispositivo"),
    ],
)
def test_the_books_door_refuses_what_is_not_the_roles(
    db: None, connect_as: Connect, role: str, kind: str, office: str
) -> None:
    with connect_as(role) as line, pytest.raises(psycopg.errors.InsufficientPrivilege):
        append(line, kind, office)


@pytest.mark.both_servers
@pytest.mark.parametrize(
    ("role", "kind", "office"),
    [
        ("web", "office-granted/1", "chefia_da_sala"),
        ("web", "round-played/1", "chefia_da_sala"),
        ("web", "witness-failed/1", "sistema"),  # codes somebody typed wrongly
        ("machines", "round-played/1", "dispositivo"),
        ("worker", "finding-superseded/2", "sistema"),
        ("worker", "incident-reported/1", "fiscal_de_banca"),  # held for five seconds
        ("app", "schema-recorded/1", "sistema"),
    ],
)
def test_the_books_door_takes_what_is_the_roles(
    db: None, connect_as: Connect, role: str, kind: str, office: str
) -> None:
    line = connect_as(role)
    assert append(line, kind, office) == 1  # its number in a new stream
    line.rollback()


@pytest.mark.both_servers
@pytest.mark.parametrize("role", role_rights.ROLES)
@pytest.mark.parametrize("other", ["app", "worker", "owner", "postgres"])
def test_no_role_becomes_another(
    connect_as: Connect, fresh_db: None, role: str, other: str
) -> None:
    if role == other:
        return
    with connect_as(role) as line, pytest.raises(psycopg.errors.InsufficientPrivilege):
        line.execute(f"SET ROLE {other}")  # type: ignore[call-overload]
    with connect_as(role) as line, pytest.raises(psycopg.errors.InsufficientPrivilege):
        line.execute(
            "SELECT ledger_write('s','d','o','s','{}','{}','{}','{}','{}','{}','{}','{}','{}')"
        )


@pytest.mark.both_servers
@pytest.mark.parametrize(
    ("role", "statement"),
    [
        ("web", "INSERT INTO audit_finding DEFAULT VALUES"),
        ("web", "INSERT INTO audit_finding_supersession DEFAULT VALUES"),
        ("web", "INSERT INTO audit_game_answers DEFAULT VALUES"),
        ("web", "INSERT INTO casino_shuffler_report DEFAULT VALUES"),
        ("web", "SELECT outbox_forget(now())"),
        ("web", "UPDATE audit_finding SET n = n"),
        ("machines", "INSERT INTO casino_office_grant DEFAULT VALUES"),
        ("machines", "INSERT INTO audit_finding DEFAULT VALUES"),
        ("machines", "UPDATE casino_account SET password = ''"),
        ("machines", "UPDATE casino_api_client SET tables = '{}'"),
        ("machines", "DELETE FROM django_session"),
        ("worker", "UPDATE casino_account SET password = ''"),
        ("worker", "DELETE FROM casino_authenticator"),
        ("worker", "INSERT INTO oauth2_provider_accesstoken DEFAULT VALUES"),
        ("worker", "DELETE FROM django_session"),
        ("worker", "DELETE FROM book_entry"),
        ("watch", "SELECT * FROM casino_account"),
        ("watch", "SELECT entry FROM book_entry"),
        ("watch", "SELECT * FROM casino_private_value"),
        ("watch", "SELECT outbox_add('t', 'k', '{}', NULL, now())"),
        ("watch", "DELETE FROM job_outbox"),
    ],
)
def test_a_table_refuses_what_is_not_the_roles(
    db: None, connect_as: Connect, role: str, statement: str
) -> None:
    with connect_as(role) as line, pytest.raises(psycopg.errors.InsufficientPrivilege):
        line.execute(statement)  # type: ignore[call-overload]


def test_a_page_ends_the_job_of_what_it_writes_and_no_other(
    fresh_db: None, connect_as: Connect
) -> None:
    with connect_as("app") as line:
        for topic in ("held-record", "reconcile-days"):
            line.execute("SELECT outbox_add(%s, %s, '{}', NULL, now())", [topic, topic])
    for role, topic, ended in [
        ("web", "reconcile-days", False),
        ("machines", "reconcile-days", False),
        ("web", "held-record", True),
        ("worker", "reconcile-days", True),
    ]:
        with connect_as(role) as line:
            assert line.execute("SELECT outbox_done(%s)", [topic]).fetchone() == (ended,)


@pytest.mark.django_db
def test_what_stands_in_the_database_is_what_is_written_down() -> None:
    """Whoever adds a table or a kind adds a migration that grants (`role_rights.grant`)."""
    with connection.cursor() as cursor:
        assert role_rights.differences(cursor) == []
        # A right too many or too few is seen, and is part of the schema's digest.
        web = role_rights.held(cursor, "web")
    assert role_rights.Right("TABLE", "casino_incident", "INSERT") in web
    assert role_rights.Right("TABLE", "audit_finding", "SELECT") in web
    assert role_rights.Right("TABLE", "audit_finding", "INSERT") not in web


def test_a_right_is_part_of_the_schemas_digest(fresh_db: None, connect_as: Connect) -> None:
    from casino.schema_digest import differences, digest

    with connect_as("owner", autocommit=True) as owner:
        before = digest(owner)
        owner.execute("GRANT INSERT ON audit_finding TO web")
        [new, gone] = differences(before.lines, digest(owner).lines)
        assert "audit_finding" in new
        assert gone.startswith("- ")
        assert [*role_rights.differences(owner.cursor())] == [
            'REVOKE INSERT ON TABLE "audit_finding" FROM web'
        ]
        role_rights.grant(owner.cursor())
        assert digest(owner).sha256 == before.sha256


def test_the_doors_lists_are_what_every_kind_declares() -> None:
    listed: Any = import_module("casino.migrations.0032_roles")
    writers = {kind: event.policy.writers for kind, event in event_kinds().items()}
    people = {kind for kind, offices in writers.items() if offices - {DEVICE, SYSTEM}}
    assert set(listed.NOT_OF_PEOPLE) == set(writers) - people
    assert set(listed.OF_MACHINES) == {kind for kind in writers if DEVICE in writers[kind]}
    assert set(listed.BY_PAGES) == role_rights.BY_PAGES
