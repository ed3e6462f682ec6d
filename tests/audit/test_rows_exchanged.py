"""A superuser exchanges the ids of two rows: in any table of the book, or in all tables at once.

Which tables there are says the database, so that a new one is asked about by itself.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import psycopg
import pytest
from django.db import IntegrityError, connections, transaction
from psycopg import sql

from audit.exporting import Scope, export_bundle
from audit.verify import __main__ as plain
from audit.verifying.run_verification import ask_for_verification
from audit.verifying.walking import Verification, verify
from casino.models import BookEntry, BookLeaf
from casino.rebuilding import projection_models
from casino.recording import Actor, Refused
from tests.audit.attacks_on_book import after, attack, recorded_there, said
from tests.audit.reconciling import reconcile
from tests.casino.admin_projections import by_anybody
from tests.factories.evenings import an_evening
from tests.factories.events.every import BARE, FULL, KINDS
from tests.factories.examples import example, in_the_book
from tests.factories.people import write
from tests.factories.records import EVENING, HEAD, loaded, recorded
from tests.factories.second_persons import confirmation
from tests.factories.verified_books import (
    a_whole_book,
    guarded_again,
    placed,
    published,
    sealed,
    unguarded,
    vandal,
)
from tests.jobs_inline import do_jobs
from tests.verifier.checked import checked

Connect = Callable[..., psycopg.Connection]
pytestmark = [pytest.mark.usefixtures("fresh_db"), pytest.mark.share]

_TABLES: Final = """
SELECT c.relname,
    (SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid
     AND a.attnum = i.indkey[0] WHERE i.indrelid = c.oid AND i.indisprimary),
    EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'entry_id')
FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    AND NOT c.relispartition
"""
_STORED: Final = """
SELECT column_name FROM information_schema.columns
WHERE table_schema = 'public' AND table_name = %s AND is_generated = 'NEVER'
"""
_IDS: Final = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = 'public' AND data_type = 'uuid' AND table_name IN
    (SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition)
"""
# What stands beside the book: jobs under way, accounts, sessions. No page shows anything of it as
# sealed, and nothing that is sealed names its rows (docs/trust.md).
BESIDE: Final = frozenset(
    {
        "audit_partida_reading", "audit_pool_replay_run", "audit_run", "audit_run_part",
        "audit_run_difference", "audit_saved_filter",
        # A report's file proves itself: by its seal, and by what report-issued/1 says of it.
        "audit_report_request", "audit_report_file", "audit_pack_piece",
        # What a mail carries is the alerts' of the pages; that it was sent says alert-sent/1.
        "audit_mail", "audit_mailed_alert", "audit_watch_look", "casino_mail_address",
        "audit_webhook_post",
        # A machine's tokens, and the numbers of its messages: what it recorded is in the book.
        "casino_api_client", "casino_api_message", "oauth2_provider_accesstoken",
        "oauth2_provider_application", "oauth2_provider_devicegrant", "oauth2_provider_grant",
        "oauth2_provider_idtoken", "oauth2_provider_refreshtoken",
        "casino_document_signature",
        # A file that is brought waits beside the book: what was confirmed names its digest.
        "casino_staged_import", "casino_staged_piece",
        "audit_verification_run", "auth_group", "auth_group_permissions", "auth_permission",
        "casino_account", "casino_account_groups", "casino_account_user_permissions",
        "casino_held_record", "casino_job_try", "casino_login_try", "casino_passkey_use",
        "casino_directory_offices", "casino_login_reset", "casino_security_event",
        "casino_authenticator", "casino_private_look", "casino_quick_code", "casino_recovery_code",
        "casino_waiting_file", "casino_witness_secret",
        "casino_witness_tries", "django_admin_log", "django_content_type", "django_migrations",
        "django_session", "job_outbox",
    }
)  # fmt: skip

# A full tile is of 256 entries (OF_TILES); what waits has one column (ATTACKS).
ASKED_ELSEWHERE: Final = frozenset({"book_pending", "book_tile"})
HELD: Final = UUID(int=1)  # an id that no row has
HOUSE: Final = Actor("export", "sistema", "local")
REFUSED: Final = "refused by the database"


@contextmanager
def altering(alias: str) -> Iterator[Any]:
    """A superuser's cursor with the triggers asleep; what is done is undone afterwards."""
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield cursor
        transaction.set_rollback(True, using=alias)


@pytest.fixture
def whole(connect_as: Connect, tmp_path: Path, settings: Any, databases: Any) -> Iterator[str]:
    """A sealed book in which every kind was recorded twice; the alias of a superuser's
    connection.
    """
    a_whole_book(connect_as, tmp_path / "public", settings)
    write(confirmation(recorded(loaded())), by=HEAD)
    for kind in sorted(KINDS):
        for one in (FULL, BARE):
            with suppress(Refused):  # it stands in the book already, or names what does not
                event = example(kind, "S-0600") if one is FULL else in_the_book(one[kind])
                write(event, by=by_anybody(kind), at=EVENING)
    placed()
    sealed(connect_as)
    with vandal(databases) as alias:
        yield alias


def exchange(cursor: Any, table: str, keys: list[str]) -> bool | str:
    """Give two rows of a table each other's ids, its guards asleep; where there is one, the id of
    another entry. Whether there was any; or that the database itself refuses, by each of its keys.
    """
    cursor.execute(unguarded(table))
    happened: bool | str = False
    for key in keys:
        own, column = sql.Identifier(table), sql.Identifier(key)
        cursor.execute(sql.SQL("SELECT DISTINCT {} FROM {} ORDER BY 1 LIMIT 2").format(column, own))
        ids = [each for (each,) in cursor.fetchall()]
        if len(ids) == 1 and key == "entry_id":
            cursor.execute("SELECT id FROM book_entry WHERE id <> %s ORDER BY id LIMIT 1", ids)
            ids += [each for (each,) in cursor.fetchall()]
        if len(ids) == 2:
            try:
                with transaction.atomic(using=cursor.db.alias):
                    _exchange(cursor, table, column, ids)
                happened = True
                break
            except IntegrityError:
                happened = REFUSED
    guarded_again(cursor, table)
    return happened


def _exchange(cursor: Any, table: str, column: sql.Identifier, ids: list[Any]) -> None:
    own = sql.Identifier(table)
    cursor.execute(_STORED, [table])
    stored = sql.SQL(", ").join(sql.Identifier(name) for (name,) in cursor.fetchall())
    for statement, values in (
        ("CREATE TEMP TABLE two AS SELECT {stored} FROM {own} WHERE {column} IN (%s, %s)", ids),
        ("DELETE FROM {own} WHERE {column} IN (%s, %s)", ids),
        ("UPDATE two SET {column} = CASE WHEN {column} = %s THEN %s ELSE %s END", [*ids, ids[0]]),
        ("INSERT INTO {own} ({stored}) OVERRIDING SYSTEM VALUE SELECT {stored} FROM two", None),
        ("DROP TABLE two", None),
    ):
        cursor.execute(sql.SQL(statement).format(own=own, column=column, stored=stored), values)


def keys_of(alias: str) -> dict[str, list[str]]:
    """By table the column that names its rows: the entry's, or the first of its primary key."""
    with connections[alias].cursor() as cursor:
        cursor.execute(_TABLES)
        return {
            table: ["entry_id", key] if of_entry and table != "book_leaf" else [key]
            for table, key, of_entry in cursor.fetchall()
        }


def new(verification: Verification, before: list[str]) -> list[str]:
    return [each for each in said(verification) if each not in before]


def test_ids_exchanged_in_any_table_of_the_book_are_named(whole: str) -> None:
    there, before = keys_of(whole), said(verify(whole))
    assert there.keys() >= BESIDE | ASKED_ELSEWHERE
    projections = sorted(projection_models())
    missed, refused = {}, set()
    for table in sorted(there.keys() - BESIDE - ASKED_ELSEWHERE - {*projections}):
        with altering(whole) as cursor:
            happened = exchange(cursor, table, there[table])
            cursor.execute("SET LOCAL session_replication_role = origin")
            found = new(verify(whole), before)
        if happened is REFUSED:
            refused.add(table)
        elif not (happened and found):
            missed[table] = happened
    for at in range(0, len(projections), 8):  # a verification tells so many problems one by one
        some = projections[at : at + 8]
        with altering(whole) as cursor:
            done = {table: exchange(cursor, table, there[table]) for table in some}
            cursor.execute("SET LOCAL session_replication_role = origin")
            named = {each.details.get("shelf") for each in verify(whole).report.problems}
        missed |= {table: table in done for table in some if table not in named}
    assert missed == {}
    assert refused == {"casino_attachment"}  # a file is what it is called


def test_ids_exchanged_in_every_table_at_once_are_named(
    connect_as: Connect, tmp_path: Path, settings: Any, databases: Any
) -> None:
    """What a court's expert did: of two rounds nothing was left that did not fit."""
    a_whole_book(connect_as, tmp_path / "public", settings)
    for _ in range(2):  # the second is held against what the first told
        ask_for_verification("S-0003")
        do_jobs(topic="book-verification")
        placed()
    published(tmp_path / "public", settings, sealed(connect_as))
    assert said(verify()) == []
    ids = list(BookLeaf.objects.order_by("idx").values_list("entry_id", flat=True))
    for recorded_of in BookEntry.objects.filter(kind="book-verified/1"):
        value = json.loads(bytes(recorded_of.entry))["payload"]
        rows = b"".join(one.bytes for one in ids[: value["size"]])
        assert value["ids"] == sha256(rows).hexdigest()
    rounds = BookEntry.objects.filter(kind="round-played/1", stream__name="table/BJ-01")
    one, other = rounds.order_by("n").values_list("id", flat=True)[:2]
    with vandal(databases) as alias, connections[alias].cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(_IDS)
        for table, name in cursor.fetchall():
            cursor.execute(unguarded(table))
            for old, to in ((one, HELD), (other, one), (HELD, other)):
                cursor.execute(
                    sql.SQL("UPDATE {} SET {} = %s WHERE {} = %s").format(
                        sql.Identifier(table), *[sql.Identifier(name)] * 2
                    ),
                    [to, old],
                )
            guarded_again(cursor, table)
    assert [each.code for each in verify().report.problems] == ["ids-differ"]
    bundle = export_bundle(tmp_path / "bundle", Scope(), HOUSE).place
    quick = checked(bundle)
    assert (quick.code, quick.codes) == (1, {"ids-differ"})
    report = plain.Report()
    plain.verify(str(bundle), report)
    assert report.verdict() == 1
    assert "ids-differ" in {code for code, _ in report.lines}


# -- Findings and runs, by a superuser

FINDING: Final = (
    "SELECT id FROM book_entry WHERE kind = 'finding-raised/2' ORDER BY stream_id, n LIMIT 1"
)
RESULT: Final = "SELECT id FROM book_entry WHERE kind = 'reconciliation-finished/1'"
ENTRIES: Final = "book_entry book_leaf audit_finding audit_reconciliation_result"
ALTERED: Final = {
    "a finding, with everything": attack(
        ENTRIES,
        f"DELETE FROM audit_finding WHERE entry_id = ({FINDING})",
        f"DELETE FROM book_entry WHERE id = ({FINDING})",
        found=[("entry-missing", {}), ("run-changes", {})],
        alone=False,
    ),
    "a raised finding's row": attack(
        ENTRIES,
        f"DELETE FROM audit_finding WHERE entry_id = ({FINDING})",
        found=[("shelf-missing", {"shelf": "audit_finding"})],
    ),
    "the amount of a finding": attack(
        ENTRIES,
        f"UPDATE audit_finding SET owed_cents = owed_cents + 1 WHERE entry_id = ({FINDING})",
        found=[("shelf-differs", {"shelf": "audit_finding", "column": "owed_cents"})],
    ),
    "the amount of a finding, in its entry too": attack(
        ENTRIES,
        "UPDATE book_entry SET entry = regexp_replace(convert_from(entry, 'UTF8'),"
        f" '\"owed_cents\":[0-9]+', '\"owed_cents\":77')::bytea WHERE id = ({FINDING})",
        f"UPDATE audit_finding SET owed_cents = 77 WHERE entry_id = ({FINDING})",
        found=[("root-differs", {})],
        alone=False,
    ),
    "a run's result": attack(
        ENTRIES,
        f"DELETE FROM audit_reconciliation_result WHERE entry_id = ({RESULT})",
        f"DELETE FROM book_entry WHERE id = ({RESULT})",
        found=[("entry-missing", {}), ("run-not-ended", {})],
        alone=False,
    ),
}


def test_what_a_superuser_does_to_findings_and_runs_is_named(
    connect_as: Connect, tmp_path: Path, settings: Any, databases: Any
) -> None:
    an_evening(rounds=3, wrong=[1, 2])
    reconcile("first")
    placed()
    published(tmp_path / "public", settings, sealed(connect_as))
    with vandal(databases) as alias:
        sound = said(verify(alias))
        for name, each in ALTERED.items():
            verification = after(alias, each)
            for code, where in each.found:
                assert any(
                    recorded_there(one, code, where) for one in verification.report.problems
                ), (
                    name,
                    new(verification, sound),
                )
            assert verification.report.verdict == 1, name
