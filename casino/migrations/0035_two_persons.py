"""Acts upon the house's keys, and restorations, are decided on by a second person."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import projections


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0034_directory_offices"),
    ]

    operations = [
        migrations.CreateModel(
            name="HouseActDecision",
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
                    "act_stream",
                    models.TextField(editable=False, verbose_name="stream of the entry"),
                ),
                (
                    "act_n",
                    models.BigIntegerField(editable=False, verbose_name="number of the entry"),
                ),
                ("act_leaf", models.TextField(editable=False, verbose_name="leaf of the entry")),
                ("decision", models.TextField(editable=False, verbose_name="decision")),
            ],
            options={
                "verbose_name": "act of two persons decided",
                "verbose_name_plural": "acts of two persons decided",
                "db_table": "casino_house_act_decision",
            },
        ),
        migrations.CreateModel(
            name="PepperChange",
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
                ("pepper", models.TextField(editable=False, verbose_name="name of the pepper")),
                ("reason", models.TextField(editable=False, verbose_name="reason")),
            ],
            options={
                "verbose_name": "pepper changed",
                "verbose_name_plural": "peppers changed",
                "db_table": "casino_pepper_change",
            },
        ),
        migrations.RunSQL(
            projections("casino_house_act_decision", "casino_pepper_change"), migrations.RunSQL.noop
        ),
    ]
