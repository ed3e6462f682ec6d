"""Stakes on the boxes, as the tables' sensors see them."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import projections


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0029_shoe_reports"),
    ]

    operations = [
        migrations.CreateModel(
            name="StakeReport",
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
                ("round", models.UUIDField(editable=False, verbose_name="round")),
                ("box", models.BigIntegerField(editable=False, verbose_name="box")),
                ("owner", models.TextField(editable=False, verbose_name="owner")),
                ("phase", models.TextField(editable=False, verbose_name="phase")),
                ("amount_cents", models.BigIntegerField(editable=False, verbose_name="amount")),
            ],
            options={
                "verbose_name": "stake seen by a sensor",
                "verbose_name_plural": "stakes seen by sensors",
                "db_table": "casino_stake_report",
                "indexes": [
                    models.Index(
                        fields=["gaming_day", "table_code"], name="stake_report_day_table"
                    ),
                    models.Index(fields=["partida_id", "round"], name="stake_report_round"),
                ],
            },
        ),
        migrations.RunSQL(projections("casino_stake_report"), migrations.RunSQL.noop),
    ]
