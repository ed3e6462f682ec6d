"""What shufflers report of themselves, and which programs were approved for them."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import projections


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0026_machines"),
    ]

    operations = [
        migrations.CreateModel(
            name="FirmwareDecision",
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
                ("model", models.TextField(editable=False, verbose_name="model")),
                ("firmware", models.TextField(editable=False, verbose_name="firmware")),
                (
                    "firmware_sha256",
                    models.TextField(editable=False, verbose_name="digest of the firmware"),
                ),
                ("decision", models.TextField(editable=False, verbose_name="decision")),
                ("valid_from", models.DateTimeField(editable=False, verbose_name="from")),
                ("document", models.TextField(editable=False, verbose_name="document")),
            ],
            options={
                "verbose_name": "firmware decided on",
                "verbose_name_plural": "decisions on firmware",
                "db_table": "casino_firmware_decision",
                "indexes": [
                    models.Index(fields=["firmware_sha256"], name="firmware_decision_digest")
                ],
            },
        ),
        migrations.CreateModel(
            name="ShufflerReport",
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
                ("shuffler", models.TextField(editable=False, verbose_name="shuffler")),
                ("phase", models.TextField(editable=False, verbose_name="phase of the cycle")),
                ("mode", models.TextField(editable=False, verbose_name="mode of the cycle")),
                (
                    "cards",
                    models.BigIntegerField(editable=False, null=True, verbose_name="cards counted"),
                ),
                ("signal", models.TextField(editable=False, verbose_name="signal")),
                ("firmware", models.TextField(editable=False, verbose_name="firmware")),
                (
                    "firmware_sha256",
                    models.TextField(editable=False, verbose_name="digest of the firmware"),
                ),
                ("seals", models.TextField(editable=False, verbose_name="seals of the machine")),
            ],
            options={
                "verbose_name": "report of a shuffler",
                "verbose_name_plural": "reports of shufflers",
                "db_table": "casino_shuffler_report",
                "indexes": [
                    models.Index(
                        fields=["gaming_day", "table_code"], name="shuffler_report_day_table"
                    ),
                    models.Index(
                        fields=["shuffler", "occurred_at"], name="shuffler_report_shuffler"
                    ),
                    models.Index(fields=["partida_id"], name="shuffler_report_partida"),
                ],
            },
        ),
        migrations.RunSQL(
            projections("casino_firmware_decision", "casino_shuffler_report"),
            migrations.RunSQL.noop,
        ),
    ]
