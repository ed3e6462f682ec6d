"""Names in entries, and two indexes by which a timeline is read in the order of occurrence.

A book that has entries gets the names that are in them; an empty one has nothing to be read.
"""

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils.module_loading import import_string

from casino.migrations import projections

IN_TIME = """
CREATE INDEX book_entry_table_time ON book_entry (table_code, kind, occurred_at, id)
    WHERE table_code <> '';
CREATE INDEX round_dealer_time ON casino_round (dealer, occurred_at, entry_id)
    WHERE dealer <> ''
"""
AS_BEFORE = """
DROP INDEX book_entry_table_time;
DROP INDEX round_dealer_time
"""


def fill_namings(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Fill the new shelf out of the book, as `rebuild` does."""
    if schema_editor.connection.alias != "owner":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM book_entry)")
        if not cursor.fetchone()[0]:
            return
    # By their names: what fills a shelf lies above the migrations.
    rebuild = import_string("casino.rebuilding.rebuild")
    rebuild(import_string("casino.models.Naming"))


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0013_witnesses"),
    ]

    operations = [
        migrations.CreateModel(
            name="Naming",
            fields=[
                ("stream", models.TextField(editable=False, verbose_name="stream")),
                ("n", models.BigIntegerField(editable=False, verbose_name="number in the stream")),
                ("gaming_day", models.DateField(editable=False, verbose_name="gaming day")),
                ("table_code", models.TextField(editable=False, verbose_name="table")),
                ("partida_id", models.TextField(editable=False, verbose_name="partida")),
                ("occurred_at", models.DateTimeField(editable=False, verbose_name="occurred at")),
                ("recorded_at", models.DateTimeField(editable=False, verbose_name="recorded at")),
                ("staff", models.TextField(editable=False, verbose_name="recorded by")),
                ("office", models.TextField(editable=False, verbose_name="office")),
                ("supersedes_leaf", models.TextField(editable=False, verbose_name="corrects")),
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("thing", models.TextField(editable=False, verbose_name="what is named")),
                ("code", models.TextField(editable=False, verbose_name="name")),
                ("role", models.TextField(editable=False, verbose_name="as what")),
                ("kind", models.TextField(editable=False, verbose_name="kind")),
                (
                    "entry",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="casino.bookentry",
                    ),
                ),
            ],
            options={
                "verbose_name": "name in an entry",
                "verbose_name_plural": "names in entries",
                "db_table": "casino_naming",
                "indexes": [
                    models.Index(
                        fields=["thing", "code", "kind", "occurred_at", "entry"],
                        name="naming_in_time",
                    ),
                    models.Index(fields=["entry"], name="naming_entry"),
                ],
            },
        ),
        migrations.RunSQL(projections("casino_naming"), migrations.RunSQL.noop),
        migrations.RunSQL(IN_TIME, AS_BEFORE),
        migrations.RunPython(fill_namings, migrations.RunPython.noop),
    ]
