"""Documents that are to be sealed, and what the signer answers."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import projections

# The signer reads what is asked and answers, once; the house reads its answers and writes none.
SIGNER = """
GRANT SELECT ON casino_document_seal TO signer;
GRANT SELECT, INSERT ON casino_document_signature TO signer;
GRANT SELECT ON casino_document_signature TO app;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0021_inspection_service"),
    ]

    operations = [
        migrations.CreateModel(
            name="DocumentSignature",
            fields=[
                (
                    "entry_id",
                    models.UUIDField(primary_key=True, serialize=False, verbose_name="entry"),
                ),
                ("signature", models.BinaryField(null=True, verbose_name="signature")),
                ("refusal", models.TextField(default="", verbose_name="refusal")),
            ],
            options={
                "verbose_name": "signature of a document",
                "verbose_name_plural": "signatures of documents",
                "db_table": "casino_document_signature",
            },
        ),
        migrations.CreateModel(
            name="DocumentSeal",
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
                ("document", models.TextField(editable=False, verbose_name="document")),
                ("sha256", models.TextField(editable=False, verbose_name="digest before the seal")),
                ("digest", models.TextField(editable=False, verbose_name="digest that is signed")),
                (
                    "certificate",
                    models.TextField(editable=False, verbose_name="certificate of the seal"),
                ),
            ],
            options={
                "verbose_name": "seal of a document",
                "verbose_name_plural": "seals of documents",
                "db_table": "casino_document_seal",
                "indexes": [models.Index(fields=["recorded_at"], name="document_seal_recorded")],
            },
        ),
        migrations.RunSQL(projections("casino_document_seal"), migrations.RunSQL.noop),
        migrations.RunSQL(SIGNER, migrations.RunSQL.noop),
    ]
