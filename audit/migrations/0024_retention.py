"""Erasure proposed, decided on and suspended; requests of data subjects."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

from casino.migrations import projections, shared, text


def day(name: str) -> Any:
    return models.DateField(editable=False, null=True, verbose_name=name)


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0023_letters"),
        ("casino", "0024_notice_reference"),
    ]
    operations = [
        migrations.CreateModel(
            name="ErasureProposal",
            fields=[
                *shared(),
                ("basis", text("legal basis")),
                ("request", text("request")),
                ("values", models.JSONField(editable=False, verbose_name="private values")),
            ],
            options={
                "verbose_name": "proposal of erasure",
                "verbose_name_plural": "proposals of erasure",
                "db_table": "audit_erasure_proposal",
            },
        ),
        migrations.CreateModel(
            name="ErasureDecision",
            fields=[
                *shared(),
                ("proposed_n", models.BigIntegerField(editable=False, verbose_name="proposal")),
                ("decision", text("decision")),
            ],
            options={
                "verbose_name": "decision on an erasure",
                "verbose_name_plural": "decisions on erasures",
                "db_table": "audit_erasure_decision",
                "indexes": [models.Index(fields=["proposed_n"], name="erasure_decision_of")],
            },
        ),
        migrations.CreateModel(
            name="ErasureSuspension",
            fields=[
                *shared(),
                ("suspension", text("suspension")),
                ("lifts", models.BooleanField(editable=False, verbose_name="lifted")),
                ("ordered_by", text("ordered by")),
                ("reference", text("reference")),
                ("of_partida", text("of the game")),
                ("from_day", day("from the gaming day")),
                ("to_day", day("to the gaming day")),
            ],
            options={
                "verbose_name": "suspension of erasure",
                "verbose_name_plural": "suspensions of erasure",
                "db_table": "audit_erasure_suspension",
                "indexes": [models.Index(fields=["suspension"], name="erasure_suspension_hold")],
            },
        ),
        migrations.CreateModel(
            name="SubjectRequest",
            fields=[
                *shared(),
                ("request", text("request")),
                ("asks", text("asks for")),
                ("about", text("about")),
                (
                    "received_on",
                    models.DateField(editable=False, verbose_name="received on"),
                ),
                ("reference", text("reference")),
            ],
            options={
                "verbose_name": "request of a data subject",
                "verbose_name_plural": "requests of data subjects",
                "db_table": "audit_subject_request",
                "indexes": [models.Index(fields=["request"], name="subject_request_number")],
            },
        ),
        migrations.RunSQL(
            projections(
                "audit_erasure_proposal",
                "audit_erasure_decision",
                "audit_erasure_suspension",
                "audit_subject_request",
            ),
            migrations.RunSQL.noop,
        ),
    ]
