"""Draws: what inspectors committed to, and what they drew."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import projections


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0016_cases"),
        ("casino", "0021_inspection_service"),
    ]

    operations = [
        migrations.CreateModel(
            name="DrawCommitment",
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
                (
                    "entry",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="casino.bookentry",
                    ),
                ),
                ("draw", models.BigIntegerField(editable=False, verbose_name="draw")),
                ("from_day", models.DateField(editable=False, verbose_name="from the gaming day")),
                ("to_day", models.DateField(editable=False, verbose_name="to the gaming day")),
                (
                    "tables",
                    models.JSONField(editable=False, verbose_name="tables drawn from"),
                ),
                (
                    "tables_wanted",
                    models.BigIntegerField(editable=False, verbose_name="tables to draw"),
                ),
                (
                    "tables_in_reserve",
                    models.BigIntegerField(editable=False, verbose_name="tables in reserve"),
                ),
                (
                    "rounds_wanted",
                    models.BigIntegerField(editable=False, verbose_name="rounds to draw"),
                ),
                (
                    "rounds_in_reserve",
                    models.BigIntegerField(editable=False, verbose_name="rounds in reserve"),
                ),
                ("commitment", models.TextField(editable=False, verbose_name="commitment")),
            ],
            options={
                "verbose_name": "commitment to a draw",
                "verbose_name_plural": "commitments to draws",
                "db_table": "audit_draw_commitment",
                "indexes": [
                    models.Index(fields=["draw"], name="draw_commitment_number"),
                    models.Index(fields=["commitment"], name="draw_commitment_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="DrawResult",
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
                (
                    "entry",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="casino.bookentry",
                    ),
                ),
                ("draw", models.BigIntegerField(editable=False, verbose_name="draw")),
                ("secret", models.TextField(editable=False, verbose_name="secret")),
                (
                    "size",
                    models.BigIntegerField(editable=False, verbose_name="entries under the root"),
                ),
                ("root", models.TextField(editable=False, verbose_name="root")),
                (
                    "population",
                    models.BigIntegerField(editable=False, verbose_name="rounds drawn from"),
                ),
                (
                    "population_tables",
                    models.BigIntegerField(editable=False, verbose_name="tables drawn from"),
                ),
                (
                    "digest",
                    models.TextField(editable=False, verbose_name="digest of the population"),
                ),
                ("tables", models.JSONField(editable=False, verbose_name="tables drawn")),
                (
                    "reserve_tables",
                    models.JSONField(editable=False, verbose_name="tables in reserve"),
                ),
                ("rounds", models.JSONField(editable=False, verbose_name="rounds drawn")),
                (
                    "reserve_rounds",
                    models.JSONField(editable=False, verbose_name="rounds in reserve"),
                ),
            ],
            options={
                "verbose_name": "draw made",
                "verbose_name_plural": "draws made",
                "db_table": "audit_draw_result",
                "indexes": [models.Index(fields=["draw"], name="draw_result_number")],
            },
        ),
        migrations.RunSQL(
            projections("audit_draw_commitment", "audit_draw_result"), migrations.RunSQL.noop
        ),
    ]
