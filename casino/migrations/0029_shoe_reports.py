"""Cards that left a shoe, as it reports them itself."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import projections


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0028_imports"),
    ]

    operations = [
        migrations.CreateModel(
            name="ShoeReport",
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
                ("shoe", models.BigIntegerField(editable=False, verbose_name="shoe")),
                (
                    "position",
                    models.BigIntegerField(editable=False, verbose_name="place in the shoe"),
                ),
                ("card", models.TextField(editable=False, verbose_name="card")),
            ],
            options={
                "verbose_name": "report of a shoe",
                "verbose_name_plural": "reports of shoes",
                "db_table": "casino_shoe_report",
                "indexes": [
                    models.Index(fields=["gaming_day", "table_code"], name="shoe_report_day_table"),
                    models.Index(fields=["partida_id", "shoe"], name="shoe_report_shoe"),
                ],
            },
        ),
        migrations.RunSQL(projections("casino_shoe_report"), migrations.RunSQL.noop),
    ]
