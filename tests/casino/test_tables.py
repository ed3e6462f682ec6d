"""Every table is one thing: book, projection, reference, operational or erasable; rights follow."""

from typing import get_args

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from casino.extensions import event_kinds
from casino.models.projection import Category, ProjectionBase
from casino.recording.projecting import projections

pytestmark = pytest.mark.django_db

PARTITION_PREFIX = "casino_round_"
# What the application may do, by what a table is. Whatever is not named may not be.
RIGHTS = {
    "book": {"SELECT"},
    "projection": {"SELECT", "INSERT"},
    "log": {"SELECT", "INSERT"},
    "operational": {"SELECT", "INSERT", "UPDATE", "DELETE"},
    "reference": {"SELECT", "INSERT", "UPDATE", "DELETE"},
    "erasable": {"SELECT", "INSERT", "UPDATE", "DELETE"},
}


def categories() -> dict[str, str]:
    """Every table Django knows, with what it is."""
    values = dict(settings.TABLE_CATEGORIES)
    for model in apps.get_models(include_auto_created=True):
        category = getattr(model, "category", None)
        if category is not None:
            assert model._meta.db_table not in values, f"{model._meta.db_table} is two things"
            values[model._meta.db_table] = category
    return values


def tables() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            " AND relkind IN ('r', 'p') AND NOT relispartition"
        )
        return {name for (name,) in cursor.fetchall()}


def test_every_table_there_is_has_been_said_to_be_one_thing() -> None:
    values = categories()
    assert tables() - set(values) == set()
    assert set(values) - tables() == set()
    assert set(values.values()) <= set(get_args(Category))


def test_the_application_may_do_to_a_table_what_its_kind_allows() -> None:
    beyond = []
    with connection.cursor() as cursor:
        for table, category in categories().items():
            for right in ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES"):
                cursor.execute("SELECT has_table_privilege('app', %s, %s)", [table, right])
                if cursor.fetchone()[0] and right not in RIGHTS[category]:  # type: ignore[index]
                    beyond.append((table, category, right))
    assert beyond == []


def test_an_inspector_reads_everything_but_what_is_private() -> None:
    seen = set()
    with connection.cursor() as cursor:
        for table in categories():
            for right in ("INSERT", "UPDATE", "DELETE", "TRUNCATE"):
                cursor.execute("SELECT has_table_privilege('reader', %s, %s)", [table, right])
                assert cursor.fetchone() == (False,), (table, right)
            cursor.execute("SELECT has_table_privilege('reader', %s, 'SELECT')", [table])
            if cursor.fetchone() == (True,):
                seen.add(table)
    values = categories()
    assert {table for table in values if values[table] in ("book", "projection")} <= seen
    assert not {table for table in values if values[table] == "erasable"} & seen
    assert "casino_account" not in seen


def test_every_guard_of_the_book_is_always_on() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgrelid::regclass::text, tgname FROM pg_trigger"
            " WHERE NOT tgisinternal AND tgenabled <> 'A'"
        )
        assert cursor.fetchall() == []
        cursor.execute(
            "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal"
        )
        guarded = {name for (name,) in cursor.fetchall()}
    assert guarded >= {"book_entry", "book_leaf", "book_tree", "book_stream", "casino_round"}


def test_every_function_that_runs_as_the_owner_has_its_path_pinned() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
            " AND (prosecdef OR prolang <> (SELECT oid FROM pg_language WHERE lanname = 'c'))"
            " AND NOT coalesce(proconfig::text, '') LIKE"
            " '%%search_path=pg_catalog, public, pg_temp%%'"
        )
        assert cursor.fetchall() == []
        cursor.execute(
            "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
            " AND has_function_privilege('signer', oid, 'EXECUTE') AND proname <> 'book_instant'"
        )
        assert cursor.fetchall() == []


def test_every_fact_has_a_shelf_and_every_projection_a_fact() -> None:
    assert set(projections()) == set(event_kinds())
    filled = {model for of in projections().values() for model in of}
    known = {model for model in apps.get_models() if issubclass(model, ProjectionBase)}
    assert filled == known


def test_the_models_and_the_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, skip_checks=True, verbosity=0)
