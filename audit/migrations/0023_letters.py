"""Letters that were made, their receipts; what a letter that is asked for answers."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import projections


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0022_mails"),
        ("casino", "0024_notice_reference"),
    ]

    operations = [
        migrations.AddField(
            model_name="reportrequest",
            name="reply_to",
            field=models.TextField(default="", verbose_name="answers the reference"),
        ),
        migrations.CreateModel(
            name="Letter",
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
                ("document", models.TextField(editable=False, verbose_name="number")),
                ("letter", models.TextField(editable=False, verbose_name="kind of letter")),
                ("matter", models.TextField(editable=False, verbose_name="about")),
                ("year", models.BigIntegerField(editable=False, verbose_name="year")),
                ("number", models.BigIntegerField(editable=False, verbose_name="number")),
                ("request", models.UUIDField(editable=False, verbose_name="request")),
                ("letter_language", models.TextField(editable=False, verbose_name="language")),
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
                (
                    "reply_to",
                    models.TextField(editable=False, verbose_name="answers the reference"),
                ),
            ],
            options={
                "verbose_name": "letter of the house",
                "verbose_name_plural": "pieces of correspondence",
                "db_table": "audit_letter",
                "indexes": [
                    models.Index(fields=["document"], name="letter_document"),
                    models.Index(fields=["request"], name="letter_request"),
                    models.Index(fields=["matter"], name="letter_matter"),
                ],
            },
        ),
        migrations.CreateModel(
            name="LetterReceipt",
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
                ("document", models.TextField(editable=False, verbose_name="number of the letter")),
                ("how", models.TextField(editable=False, verbose_name="how it was received")),
                (
                    "received_at",
                    models.DateTimeField(editable=False, null=True, verbose_name="received at"),
                ),
                ("reference", models.TextField(editable=False, verbose_name="reference")),
            ],
            options={
                "verbose_name": "receipt of a letter",
                "verbose_name_plural": "receipts of letters",
                "db_table": "audit_letter_receipt",
                "indexes": [models.Index(fields=["document"], name="letter_receipt_document")],
            },
        ),
        migrations.RunSQL(
            projections("audit_letter", "audit_letter_receipt"), migrations.RunSQL.noop
        ),
    ]
