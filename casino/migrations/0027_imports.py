"""Files of records that wait for a second person, and what the book says of those confirmed."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import operational, projections


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0026_machines"),
    ]

    operations = [
        migrations.CreateModel(
            name="ImportConfirmation",
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
                ("content", models.TextField(editable=False, verbose_name="content of the file")),
                (
                    "file_sha256",
                    models.TextField(editable=False, verbose_name="digest of the file"),
                ),
                ("records", models.BigIntegerField(editable=False, verbose_name="records")),
                ("brought_by", models.TextField(editable=False, verbose_name="brought by")),
                (
                    "mapping_sha256",
                    models.TextField(editable=False, verbose_name="digest of the mapping"),
                ),
            ],
            options={
                "verbose_name": "import",
                "verbose_name_plural": "imports",
                "db_table": "casino_import_confirmation",
                "indexes": [models.Index(fields=["file_sha256"], name="import_file")],
            },
        ),
        migrations.CreateModel(
            name="StagedImport",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("content", models.TextField()),
                ("by_staff", models.TextField()),
                ("by_office", models.TextField()),
                ("brought_at", models.DateTimeField()),
                ("file_name", models.TextField()),
                ("file_sha256", models.TextField()),
                ("file_bytes", models.BigIntegerField()),
                ("mapping_name", models.TextField(default="")),
                ("mapping", models.TextField(default="")),
                ("state", models.TextField(default="judging")),
                ("unusable", models.JSONField(null=True)),
                ("read_bytes", models.BigIntegerField(default=0)),
                ("lines", models.BigIntegerField(default=0)),
                ("records", models.BigIntegerField(default=0)),
                ("repeated", models.BigIntegerField(default=0)),
                ("faulty", models.BigIntegerField(default=0)),
                ("judged", models.JSONField(default=dict)),
                ("confirmed_by", models.TextField(default="")),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("entry", models.UUIDField(null=True)),
                ("written", models.BigIntegerField(default=0)),
                ("refused", models.BigIntegerField(default=0)),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={
                "db_table": "casino_staged_import",
                "indexes": [models.Index(fields=["-brought_at"], name="staged_import_brought")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "discarded"), _negated=True),
                        fields=("content", "file_sha256"),
                        name="staged_import_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="StagedPiece",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("what", models.TextField()),
                ("number", models.IntegerField()),
                ("content", models.BinaryField()),
                ("count", models.IntegerField(default=0)),
                ("done", models.BooleanField(default=False)),
                (
                    "of",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pieces",
                        to="casino.stagedimport",
                    ),
                ),
            ],
            options={
                "db_table": "casino_staged_piece",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("of", "what", "number"), name="staged_piece_once"
                    )
                ],
            },
        ),
        migrations.RunSQL(projections("casino_import_confirmation"), migrations.RunSQL.noop),
        migrations.RunSQL(
            operational("casino_staged_import", "casino_staged_piece"), migrations.RunSQL.noop
        ),
    ]
