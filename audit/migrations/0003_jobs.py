"""Runs under way, their parts, and how far each partida was read."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import operational


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0002_grants"),
    ]

    operations = [
        migrations.CreateModel(
            name="PartidaReading",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("partida_id", models.TextField(verbose_name="partida")),
                ("rulebook", models.TextField(default="", verbose_name="rulebook")),
                ("extent", models.BigIntegerField(default=0, verbose_name="entries of the book")),
                ("run", models.UUIDField(null=True, verbose_name="run")),
            ],
            options={
                "verbose_name": "reading of a partida",
                "verbose_name_plural": "readings of partidas",
                "db_table": "audit_partida_reading",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("partida_id", "rulebook"), name="partida_reading_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RunSheet",
            fields=[
                ("run", models.UUIDField(primary_key=True, serialize=False, verbose_name="run")),
                ("job", models.TextField(verbose_name="job")),
                ("reason", models.TextField(verbose_name="reason")),
                ("partida_id", models.TextField(default="", verbose_name="partida")),
                ("from_day", models.DateField(null=True, verbose_name="from the gaming day")),
                ("to_day", models.DateField(null=True, verbose_name="to the gaming day")),
                ("rulebook", models.TextField(default="", verbose_name="rulebook")),
                ("state", models.TextField(default="open", verbose_name="state")),
                ("as_of", models.DateTimeField(verbose_name="judged as of")),
                ("reach", models.JSONField(verbose_name="read up to")),
                ("code_version", models.TextField(verbose_name="program")),
                ("laws", models.JSONField(verbose_name="rulebooks")),
                ("parts_count", models.IntegerField(verbose_name="parts")),
                ("rounds_count", models.BigIntegerField(verbose_name="rounds")),
                ("opened_at", models.DateTimeField(verbose_name="opened at")),
                ("ended_at", models.DateTimeField(null=True, verbose_name="ended at")),
                ("answers", models.JSONField(null=True, verbose_name="answers of the checks")),
            ],
            options={
                "verbose_name": "run under way",
                "verbose_name_plural": "runs under way",
                "db_table": "audit_run",
                "indexes": [
                    models.Index(fields=["job"], name="run_job"),
                    models.Index(fields=["partida_id"], name="run_partida"),
                    models.Index(fields=["from_day", "to_day"], name="run_days"),
                ],
            },
        ),
        migrations.CreateModel(
            name="RunPart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField(verbose_name="part")),
                ("work", models.JSONField(verbose_name="what is judged")),
                ("rounds_count", models.BigIntegerField(verbose_name="rounds")),
                ("state", models.TextField(default="open", verbose_name="state")),
                ("attempts", models.IntegerField(default=0, verbose_name="times begun")),
                ("claimed_at", models.DateTimeField(null=True, verbose_name="begun at")),
                ("claimed_by", models.TextField(default="", verbose_name="worker")),
                ("done_at", models.DateTimeField(null=True, verbose_name="done at")),
                ("trouble", models.TextField(default="", verbose_name="what went wrong")),
                ("result", models.JSONField(null=True, verbose_name="result")),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parts",
                        to="audit.runsheet",
                    ),
                ),
            ],
            options={
                "verbose_name": "part of a run",
                "verbose_name_plural": "parts of runs",
                "db_table": "audit_run_part",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "open")),
                        fields=["run", "attempts", "number"],
                        name="run_part_open",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("run", "number"), name="run_part_once")
                ],
            },
        ),
        migrations.RunSQL(
            operational("audit_partida_reading", "audit_run", "audit_run_part"),
            migrations.RunSQL.noop,
        ),
    ]
