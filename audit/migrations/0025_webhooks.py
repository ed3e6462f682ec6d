"""Webhooks: where they go, as the book says; and what they were sent."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import operational, projections


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0024_retention"),
        ("casino", "0025_private_looks"),
    ]

    operations = [
        migrations.CreateModel(
            name="WebhookSetting",
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
                ("webhook", models.TextField(editable=False, verbose_name="webhook")),
                ("topic", models.TextField(editable=False, verbose_name="what is sent to it")),
                ("address", models.TextField(editable=False, verbose_name="address")),
            ],
            options={
                "verbose_name": "webhook",
                "verbose_name_plural": "webhooks",
                "db_table": "audit_webhook",
            },
        ),
        migrations.CreateModel(
            name="WebhookPost",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("text", models.TextField(editable=False)),
                ("made_at", models.DateTimeField(editable=False)),
                ("next_at", models.DateTimeField(editable=False, null=True)),
                ("tries", models.IntegerField(default=0, editable=False)),
                ("trouble", models.TextField(default="", editable=False)),
                ("sent_at", models.DateTimeField(editable=False, null=True)),
                ("given_up_at", models.DateTimeField(editable=False, null=True)),
                ("webhook", models.TextField(editable=False)),
                ("key", models.TextField(editable=False)),
                ("n", models.BigIntegerField(editable=False, null=True)),
            ],
            options={
                "db_table": "audit_webhook_post",
                "indexes": [
                    models.Index(fields=["webhook", "-n"], name="webhook_post_n"),
                    models.Index(
                        condition=models.Q(("next_at__isnull", False)),
                        fields=["next_at"],
                        name="webhook_next",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("webhook", "key"), name="webhook_sent_once")
                ],
            },
        ),
        migrations.RunSQL(projections("audit_webhook"), migrations.RunSQL.noop),
        migrations.RunSQL(operational("audit_webhook_post"), migrations.RunSQL.noop),
    ]
