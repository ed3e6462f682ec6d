"""Tables handed over, and the code one changes the person at a tablet with."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from casino.migrations import operational, projections


class Migration(migrations.Migration):
    dependencies = [("casino", "0016_not_counting")]

    operations = [
        migrations.CreateModel(
            name="HandOver",
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
                (
                    "fiscal_de_banca",
                    models.TextField(editable=False, verbose_name="fiscal de banca"),
                ),
                ("relieves", models.TextField(editable=False, verbose_name="relieves")),
            ],
            options={
                "verbose_name": "table handed over",
                "verbose_name_plural": "tables handed over",
                "db_table": "casino_hand_over",
                "indexes": [
                    models.Index(fields=["gaming_day", "table_code"], name="hand_over_day_table"),
                    models.Index(fields=["partida_id", "n"], name="hand_over_partida"),
                    models.Index(
                        fields=["fiscal_de_banca", "occurred_at"], name="hand_over_fiscal"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="QuickCode",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("pin_hash", models.CharField(max_length=200)),
                ("pepper", models.CharField(default="", max_length=16)),
            ],
            options={"db_table": "casino_quick_code"},
        ),
        migrations.RunSQL(projections("casino_hand_over"), migrations.RunSQL.noop),
        migrations.RunSQL(operational("casino_quick_code"), migrations.RunSQL.noop),
    ]
