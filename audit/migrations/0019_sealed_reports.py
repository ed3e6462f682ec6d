"""Reports that were issued, those asked for, their files."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import operational, projections


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0018_saved_filters"),
        ("casino", "0022_document_seals"),
    ]

    operations = [
        migrations.CreateModel(
            name="ReportIssue",
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
                ("report", models.TextField(editable=False, verbose_name="report")),
                ("year", models.BigIntegerField(editable=False, verbose_name="year")),
                ("number", models.BigIntegerField(editable=False, verbose_name="number")),
                ("request", models.UUIDField(editable=False, verbose_name="request")),
                ("report_language", models.TextField(editable=False, verbose_name="language")),
                ("from_day", models.DateField(editable=False, verbose_name="from the gaming day")),
                ("to_day", models.DateField(editable=False, verbose_name="to the gaming day")),
                (
                    "json_sha256",
                    models.TextField(editable=False, verbose_name="digest of the JSON"),
                ),
                (
                    "proofs_sha256",
                    models.TextField(editable=False, verbose_name="digest of the proofs"),
                ),
                ("entries", models.BigIntegerField(editable=False, verbose_name="entries cited")),
                ("size", models.BigIntegerField(editable=False, verbose_name="size")),
                ("root", models.TextField(editable=False, verbose_name="root")),
                ("of_table", models.TextField(editable=False, verbose_name="table")),
                ("of_jackpot", models.TextField(editable=False, verbose_name="jackpot")),
            ],
            options={
                "verbose_name": "report issued",
                "verbose_name_plural": "reports issued",
                "db_table": "audit_report",
                "indexes": [
                    models.Index(fields=["year", "number"], name="report_number"),
                    models.Index(fields=["request"], name="report_request"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ReportRequest",
            fields=[
                (
                    "request",
                    models.UUIDField(primary_key=True, serialize=False, verbose_name="request"),
                ),
                ("by_staff", models.TextField(verbose_name="asked for by")),
                ("by_office", models.TextField(verbose_name="office")),
                ("by_door", models.TextField(verbose_name="door")),
                ("report", models.TextField(verbose_name="report")),
                ("report_language", models.TextField(verbose_name="language")),
                ("from_day", models.DateField(verbose_name="from the gaming day")),
                ("to_day", models.DateField(verbose_name="to the gaming day")),
                ("of_table", models.TextField(default="", verbose_name="table")),
                ("of_jackpot", models.TextField(default="", verbose_name="jackpot")),
                ("findings", models.JSONField(default=list, verbose_name="findings")),
                ("asked_at", models.DateTimeField(verbose_name="asked for at")),
                ("state", models.TextField(default="open", verbose_name="state")),
                ("step", models.TextField(default="", verbose_name="step")),
                ("turn", models.IntegerField(default=0, verbose_name="turn")),
                ("refusal", models.TextField(default="", verbose_name="what is in the way")),
                ("document", models.BinaryField(null=True, verbose_name="JSON")),
                ("proofs", models.BinaryField(null=True, verbose_name="proofs")),
                ("number", models.TextField(default="", verbose_name="number")),
                ("expires_at", models.DateTimeField(null=True, verbose_name="files expire at")),
            ],
            options={
                "verbose_name": "report asked for",
                "verbose_name_plural": "reports asked for",
                "db_table": "audit_report_request",
                "indexes": [
                    models.Index(fields=["by_staff", "-asked_at"], name="report_request_by")
                ],
            },
        ),
        migrations.CreateModel(
            name="ReportFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("volume", models.IntegerField(verbose_name="volume")),
                ("pages", models.IntegerField(default=0, verbose_name="pages")),
                (
                    "unsealed_sha256",
                    models.TextField(default="", verbose_name="digest before the seal"),
                ),
                ("prepared", models.BinaryField(null=True, verbose_name="before the seal")),
                ("covered", models.JSONField(null=True, verbose_name="what the seal covers")),
                ("seal_entry", models.UUIDField(null=True, verbose_name="entry of the seal")),
                ("content", models.BinaryField(null=True, verbose_name="file")),
                ("sha256", models.TextField(default="", verbose_name="digest")),
                ("bytes_count", models.BigIntegerField(default=0, verbose_name="size in bytes")),
                (
                    "request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="files",
                        to="audit.reportrequest",
                    ),
                ),
            ],
            options={
                "verbose_name": "file of a report",
                "verbose_name_plural": "files of reports",
                "db_table": "audit_report_file",
                "constraints": [
                    models.UniqueConstraint(fields=("request", "volume"), name="report_volume_once")
                ],
            },
        ),
        migrations.RunSQL(projections("audit_report"), migrations.RunSQL.noop),
        migrations.RunSQL(
            operational("audit_report_request", "audit_report_file"), migrations.RunSQL.noop
        ),
    ]
