"""Requests that two persons decide, codes for a log-in made anew, and the security log kept."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import operational, projections, shared, sql, text


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0032_roles"),
    ]

    operations = [
        migrations.CreateModel(
            name="StaffRequest",
            fields=[
                *shared(),
                ("person", text("staff number")),
                ("change", text("what is asked for")),
                ("held", text("office held")),
                (
                    "valid_until",
                    models.DateTimeField(editable=False, null=True, verbose_name="until"),
                ),
                ("reference", text("reference")),
            ],
            options={
                "verbose_name": "request that two decide",
                "verbose_name_plural": "requests that two decide",
                "db_table": "casino_staff_request",
                "indexes": [models.Index(fields=["person", "n"], name="staff_request_person")],
            },
        ),
        migrations.CreateModel(
            name="StaffRequestDecision",
            fields=[
                *shared(),
                (
                    "asked_n",
                    models.BigIntegerField(editable=False, verbose_name="entry of the request"),
                ),
                ("decision", text("decision")),
                ("reason", text("reason")),
            ],
            options={
                "verbose_name": "request decided",
                "verbose_name_plural": "requests decided",
                "db_table": "casino_staff_request_decision",
                "indexes": [models.Index(fields=["asked_n"], name="staff_request_decided")],
            },
        ),
        migrations.CreateModel(
            name="LoginReset",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="casino.account",
                    ),
                ),
                ("code_hash", models.CharField(max_length=64)),
                ("expires_at", models.DateTimeField()),
                ("asked_n", models.BigIntegerField()),
            ],
            options={"db_table": "casino_login_reset"},
        ),
        migrations.CreateModel(
            name="SecurityEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(editable=False, verbose_name="when")),
                ("event", text("what happened")),
                ("staff", text("staff number")),
                ("address", text("address")),
                ("about", text("about")),
            ],
            options={
                "verbose_name": "event of the security log",
                "verbose_name_plural": "events of the security log",
                "db_table": "casino_security_event",
                "indexes": [
                    models.Index(fields=["staff", "id"], name="security_event_staff"),
                    models.Index(fields=["event", "at"], name="security_event_at"),
                    models.Index(fields=["address", "at"], name="security_event_address"),
                ],
            },
        ),
        migrations.RunSQL(
            projections("casino_staff_request", "casino_staff_request_decision"),
            migrations.RunSQL.noop,
        ),
        migrations.RunSQL(operational("casino_login_reset"), migrations.RunSQL.noop),
        migrations.RunSQL(sql("0033_security_log"), "DROP FUNCTION security_log_forget"),
    ]
