"""Verifications of the book under way."""

from django.db import migrations, models

from casino.migrations import operational


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0005_verification_grants"),
    ]

    operations = [
        migrations.CreateModel(
            name="VerificationRun",
            fields=[
                ("run", models.UUIDField(primary_key=True, serialize=False, verbose_name="run")),
                ("job", models.TextField(verbose_name="job")),
                ("why", models.TextField(verbose_name="reason")),
                ("asked_by", models.TextField(default="", verbose_name="asked by")),
                ("state", models.TextField(default="open", verbose_name="state")),
                ("part", models.IntegerField(default=0, verbose_name="part")),
                ("phase", models.TextField(default="", verbose_name="what is looked at")),
                ("carried", models.JSONField(null=True, verbose_name="carried on")),
                ("code_version", models.TextField(default="", verbose_name="program")),
                ("done", models.BigIntegerField(default=0, verbose_name="done")),
                ("total", models.BigIntegerField(default=0, verbose_name="to be done")),
                ("size", models.BigIntegerField(default=0, verbose_name="size")),
                ("entries", models.BigIntegerField(default=0, verbose_name="entries")),
                ("problems", models.BigIntegerField(default=0, verbose_name="problems")),
                ("found", models.JSONField(default=list, verbose_name="problems found")),
                ("unseen", models.JSONField(default=list, verbose_name="not looked at")),
                ("asked_at", models.DateTimeField(verbose_name="asked for at")),
                ("began_at", models.DateTimeField(null=True, verbose_name="begun at")),
                ("ended_at", models.DateTimeField(null=True, verbose_name="ended at")),
            ],
            options={
                "verbose_name": "verification under way",
                "verbose_name_plural": "verifications under way",
                "db_table": "audit_verification_run",
                "indexes": [models.Index(fields=["-asked_at"], name="verification_run_asked")],
            },
        ),
        migrations.RunSQL(operational("audit_verification_run"), migrations.RunSQL.noop),
    ]
