"""Replays of the progressive's pools: as the book tells them, and under way."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import operational, projections


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0006_verification_runs"),
        ("casino", "0015_days_of_the_floor"),
    ]

    operations = [
        migrations.CreateModel(
            name="PoolReplayRun",
            fields=[
                ("run", models.UUIDField(primary_key=True, serialize=False, verbose_name="run")),
                ("job", models.TextField(verbose_name="job")),
                ("jackpot", models.TextField(verbose_name="jackpot")),
                ("why", models.TextField(verbose_name="reason")),
                ("asked_by", models.TextField(default="", verbose_name="asked by")),
                ("state", models.TextField(default="open", verbose_name="state")),
                ("part", models.IntegerField(default=0, verbose_name="part")),
                ("reach", models.JSONField(default=dict, verbose_name="read up to")),
                ("carried", models.JSONField(null=True, verbose_name="carried on")),
                ("code_version", models.TextField(default="", verbose_name="program")),
                ("entries", models.BigIntegerField(default=0, verbose_name="entries")),
                ("asked_at", models.DateTimeField(verbose_name="asked for at")),
                ("ended_at", models.DateTimeField(null=True, verbose_name="ended at")),
            ],
            options={
                "verbose_name": "replay of a jackpot under way",
                "verbose_name_plural": "replays of jackpots under way",
                "db_table": "audit_pool_replay_run",
            },
        ),
        migrations.CreateModel(
            name="PoolReplay",
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
                ("jackpot", models.TextField(editable=False, verbose_name="jackpot")),
                ("run", models.UUIDField(editable=False, verbose_name="run")),
                ("why", models.TextField(editable=False, verbose_name="asked by")),
                ("entries", models.BigIntegerField(editable=False, verbose_name="entries read")),
                (
                    "microcents",
                    models.BigIntegerField(editable=False, verbose_name="meter by the entries"),
                ),
                (
                    "held_cents",
                    models.BigIntegerField(editable=False, verbose_name="held for wins"),
                ),
                (
                    "kept_microcents",
                    models.BigIntegerField(editable=False, verbose_name="meter as it is kept"),
                ),
                (
                    "difference_microcents",
                    models.BigIntegerField(editable=False, verbose_name="difference"),
                ),
                (
                    "misfits",
                    models.BigIntegerField(editable=False, verbose_name="entries that do not fit"),
                ),
                ("problems", models.BigIntegerField(editable=False, verbose_name="problems")),
                ("read_up_to", models.JSONField(editable=False, verbose_name="read up to")),
            ],
            options={
                "verbose_name": "replay of a jackpot",
                "verbose_name_plural": "replays of jackpots",
                "db_table": "audit_pool_replay",
                "indexes": [models.Index(fields=["jackpot", "n"], name="replay_jackpot")],
            },
        ),
        migrations.RunSQL(projections("audit_pool_replay"), migrations.RunSQL.noop),
        migrations.RunSQL(operational("audit_pool_replay_run"), migrations.RunSQL.noop),
    ]
