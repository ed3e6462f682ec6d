"""What the inspection service is asked for and answers: leaves, approved limits, receipts."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import projections


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0020_layout_and_special_cards"),
    ]

    operations = [
        migrations.CreateModel(
            name="LeaveDecision",
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
                ("leave", models.TextField(editable=False, verbose_name="number of the leave")),
                ("decision", models.TextField(editable=False, verbose_name="decision")),
                ("document", models.TextField(editable=False, verbose_name="document")),
                (
                    "decided_at",
                    models.DateTimeField(editable=False, null=True, verbose_name="decided at"),
                ),
                ("cards", models.JSONField(editable=False, null=True, verbose_name="cards")),
            ],
            options={
                "verbose_name": "leave decided on",
                "verbose_name_plural": "leaves decided on",
                "db_table": "casino_leave_decision",
                "indexes": [
                    models.Index(fields=["gaming_day"], name="leave_decision_day"),
                    models.Index(fields=["leave"], name="leave_decision_leave"),
                ],
            },
        ),
        migrations.CreateModel(
            name="LeaveRequest",
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
                ("leave", models.TextField(editable=False, verbose_name="number of the leave")),
                ("deck", models.TextField(editable=False, verbose_name="deck")),
                ("cards", models.JSONField(editable=False, verbose_name="cards")),
                ("grounds", models.TextField(editable=False, verbose_name="grounds")),
                ("document", models.TextField(editable=False, verbose_name="document")),
                ("incident", models.TextField(editable=False, verbose_name="incident")),
            ],
            options={
                "verbose_name": "leave asked for",
                "verbose_name_plural": "leaves asked for",
                "db_table": "casino_leave_request",
                "indexes": [
                    models.Index(fields=["gaming_day"], name="leave_request_day"),
                    models.Index(fields=["leave"], name="leave_request_leave"),
                ],
            },
        ),
        migrations.CreateModel(
            name="LimitsApproval",
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
                ("tables", models.JSONField(editable=False, verbose_name="tables")),
                ("minimum_cents", models.BigIntegerField(editable=False, verbose_name="minimum")),
                ("maximum_cents", models.BigIntegerField(editable=False, verbose_name="maximum")),
                ("valid_from", models.DateTimeField(editable=False, verbose_name="from")),
                ("document", models.TextField(editable=False, verbose_name="document")),
            ],
            options={
                "verbose_name": "approved limits",
                "verbose_name_plural": "approved limits",
                "db_table": "casino_limits_approval",
                "indexes": [models.Index(fields=["valid_from"], name="limits_approval_from")],
            },
        ),
        migrations.CreateModel(
            name="NoticeReceipt",
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
                ("notice", models.TextField(editable=False, verbose_name="notice")),
                (
                    "received_at",
                    models.DateTimeField(editable=False, null=True, verbose_name="received at"),
                ),
                ("reference", models.TextField(editable=False, verbose_name="reference")),
            ],
            options={
                "verbose_name": "notice received",
                "verbose_name_plural": "notices received",
                "db_table": "casino_notice_receipt",
                "indexes": [
                    models.Index(fields=["gaming_day"], name="notice_receipt_day"),
                    models.Index(fields=["notice"], name="notice_receipt_notice"),
                ],
            },
        ),
        migrations.RunSQL(
            projections(
                "casino_leave_request",
                "casino_leave_decision",
                "casino_limits_approval",
                "casino_notice_receipt",
            ),
            migrations.RunSQL.noop,
        ),
    ]
