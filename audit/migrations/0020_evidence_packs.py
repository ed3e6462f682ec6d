"""Evidence packs: what is asked for beside a report, and the pieces of the file."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import operational


class Migration(migrations.Migration):
    dependencies = [("audit", "0019_sealed_reports")]

    operations = [
        migrations.AddField(
            model_name="reportrequest",
            name="pack",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="members",
                to="audit.reportrequest",
            ),
        ),
        migrations.AddField(
            model_name="reportrequest",
            name="pack_of",
            field=models.TextField(default="", verbose_name="evidence of"),
        ),
        migrations.AddField(
            model_name="reportrequest",
            name="of_partida",
            field=models.TextField(default="", verbose_name="partida"),
        ),
        migrations.AddField(
            model_name="reportrequest",
            name="kept",
            field=models.TextField(default="", verbose_name="checkpoint kept"),
        ),
        migrations.AddField(
            model_name="reportrequest",
            name="listed",
            field=models.JSONField(null=True, verbose_name="files"),
        ),
        migrations.AddField(
            model_name="reportrequest",
            name="cited",
            field=models.JSONField(default=list, verbose_name="entries cited"),
        ),
        migrations.CreateModel(
            name="PackPiece",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.IntegerField(verbose_name="number")),
                ("content", models.BinaryField(verbose_name="bytes")),
                (
                    "request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pieces",
                        to="audit.reportrequest",
                    ),
                ),
            ],
            options={
                "verbose_name": "piece of an evidence pack",
                "verbose_name_plural": "pieces of evidence packs",
                "db_table": "audit_pack_piece",
                "constraints": [
                    models.UniqueConstraint(fields=("request", "number"), name="pack_piece_once")
                ],
            },
        ),
        migrations.RunSQL(operational("audit_pack_piece"), migrations.RunSQL.noop),
    ]
