"""What is done about findings: their numbers, the steps of their cases, inspectors' notes."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import projections


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0015_reconciliation_asked_by"),
        ("casino", "0021_inspection_service"),
    ]

    operations = [
        migrations.CreateModel(
            name="CaseNote",
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
                ("case", models.TextField(editable=False, verbose_name="case")),
                ("finding", models.TextField(editable=False, verbose_name="finding")),
            ],
            options={
                "verbose_name": "inspector's note",
                "verbose_name_plural": "inspectors' notes",
                "db_table": "audit_case_note",
                "indexes": [models.Index(fields=["case", "n"], name="case_note_case")],
            },
        ),
        migrations.CreateModel(
            name="CaseStep",
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
                ("kind", models.TextField(editable=False, verbose_name="step")),
                ("case", models.TextField(editable=False, verbose_name="case")),
                ("finding", models.TextField(editable=False, verbose_name="finding")),
                ("responsible", models.TextField(editable=False, verbose_name="responsible")),
                (
                    "answer_by",
                    models.DateTimeField(editable=False, null=True, verbose_name="answer until"),
                ),
                (
                    "remedy_from",
                    models.DateField(editable=False, null=True, verbose_name="remedy holds from"),
                ),
                ("camera", models.TextField(editable=False, verbose_name="camera")),
                (
                    "recorded_from",
                    models.DateTimeField(editable=False, null=True, verbose_name="recorded from"),
                ),
                (
                    "recorded_until",
                    models.DateTimeField(editable=False, null=True, verbose_name="recorded until"),
                ),
                ("hold", models.TextField(editable=False, verbose_name="number of the hold")),
                ("decision", models.TextField(editable=False, verbose_name="decision")),
                ("reason", models.TextField(editable=False, verbose_name="reason")),
                (
                    "owed_cents",
                    models.BigIntegerField(
                        editable=False, null=True, verbose_name="owed by the decision"
                    ),
                ),
                (
                    "paid_cents",
                    models.BigIntegerField(editable=False, null=True, verbose_name="paid"),
                ),
                ("paid_to", models.TextField(editable=False, verbose_name="paid to")),
                ("owner", models.TextField(editable=False, verbose_name="owner")),
                ("means", models.TextField(editable=False, verbose_name="means of payment")),
                ("document", models.TextField(editable=False, verbose_name="document")),
                ("reference", models.TextField(editable=False, verbose_name="reference")),
            ],
            options={
                "verbose_name": "step of a case",
                "verbose_name_plural": "steps of cases",
                "db_table": "audit_case_step",
                "indexes": [
                    models.Index(fields=["case", "n"], name="case_step_case"),
                    models.Index(fields=["gaming_day", "table_code"], name="case_step_day_table"),
                    models.Index(fields=["kind", "n"], name="case_step_kind"),
                ],
            },
        ),
        migrations.CreateModel(
            name="CaseNumber",
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
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("finding", models.TextField(editable=False, verbose_name="finding")),
                ("case", models.TextField(editable=False, verbose_name="case")),
                ("year", models.BigIntegerField(editable=False, verbose_name="year")),
                (
                    "number",
                    models.BigIntegerField(editable=False, verbose_name="number of the case"),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="casino.bookentry",
                    ),
                ),
            ],
            options={
                "verbose_name": "number of a case",
                "verbose_name_plural": "numbers of cases",
                "db_table": "audit_case_number",
                "indexes": [
                    models.Index(fields=["finding"], name="case_number_finding"),
                    models.Index(fields=["year", "number"], name="case_number_year"),
                    models.Index(fields=["case"], name="case_number_case"),
                ],
            },
        ),
        migrations.RunSQL(
            projections("audit_case_number", "audit_case_step", "audit_case_note"),
            migrations.RunSQL.noop,
        ),
    ]
