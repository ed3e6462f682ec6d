"""Mails with alerts: those to be sent, those the book says were; and when the watch looked last."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from casino.migrations import operational, projections


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0021_runs_of_tables"),
        ("casino", "0023_mail_addresses"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SentAlert",
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
                ("recipient", models.TextField(editable=False, verbose_name="recipient")),
                ("for_office", models.TextField(editable=False, verbose_name="office")),
                ("what", models.TextField(editable=False, verbose_name="what was sent")),
                ("about", models.JSONField(editable=False, verbose_name="told of")),
                ("alerts", models.BigIntegerField(editable=False, verbose_name="alerts")),
                (
                    "text_sha256",
                    models.TextField(editable=False, verbose_name="digest of the text"),
                ),
                ("message", models.UUIDField(editable=False, verbose_name="message")),
            ],
            options={
                "verbose_name": "mail sent",
                "verbose_name_plural": "mails sent",
                "db_table": "audit_sent_alert",
            },
        ),
        migrations.CreateModel(
            name="WatchLook",
            fields=[
                ("which", models.TextField(editable=False, primary_key=True, serialize=False)),
                ("at", models.DateTimeField(editable=False)),
            ],
            options={
                "db_table": "audit_watch_look",
            },
        ),
        migrations.CreateModel(
            name="Mail",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("office", models.TextField(editable=False)),
                ("what", models.TextField(editable=False)),
                ("about", models.JSONField(editable=False)),
                ("subject", models.TextField(editable=False)),
                ("text", models.TextField(editable=False)),
                ("made_at", models.DateTimeField(editable=False)),
                ("next_at", models.DateTimeField(editable=False, null=True)),
                ("tries", models.IntegerField(default=0, editable=False)),
                ("trouble", models.TextField(default="", editable=False)),
                ("sent_at", models.DateTimeField(editable=False, null=True)),
                ("given_up_at", models.DateTimeField(editable=False, null=True)),
                ("read_at", models.DateTimeField(editable=False, null=True)),
                (
                    "account",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "db_table": "audit_mail",
            },
        ),
        migrations.CreateModel(
            name="MailedAlert",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.TextField(editable=False)),
                (
                    "account",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "mail",
                    models.ForeignKey(
                        editable=False, on_delete=django.db.models.deletion.CASCADE, to="audit.mail"
                    ),
                ),
            ],
            options={
                "db_table": "audit_mailed_alert",
            },
        ),
        migrations.AddIndex(
            model_name="mail",
            index=models.Index(fields=["account", "-made_at"], name="mail_account"),
        ),
        migrations.AddIndex(
            model_name="mail",
            index=models.Index(
                condition=models.Q(("next_at__isnull", False)), fields=["next_at"], name="mail_next"
            ),
        ),
        migrations.AddIndex(
            model_name="mail",
            index=models.Index(
                condition=models.Q(("given_up_at__isnull", False)),
                fields=["given_up_at"],
                name="mail_given_up",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailedalert",
            constraint=models.UniqueConstraint(fields=("account", "key"), name="mailed_alert_once"),
        ),
        migrations.RunSQL(projections("audit_sent_alert"), migrations.RunSQL.noop),
        migrations.RunSQL(
            operational("audit_mail", "audit_mailed_alert", "audit_watch_look"),
            migrations.RunSQL.noop,
        ),
    ]
