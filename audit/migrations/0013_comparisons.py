"""What would hold with a reading taken otherwise, or as a rulebook stood on a day; all differences."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import operational


class Migration(migrations.Migration):
    dependencies = [("audit", "0012_compared")]

    operations = [
        migrations.AddField(
            model_name="runsheet",
            name="readings",
            field=models.JSONField(default=dict, verbose_name="readings"),
        ),
        migrations.AddField(
            model_name="runsheet",
            name="law_day",
            field=models.DateField(null=True, verbose_name="the rulebook as of"),
        ),
        migrations.AddField(
            model_name="reconciliation",
            name="readings",
            field=models.JSONField(
                editable=False, null=True, verbose_name="readings taken otherwise"
            ),
        ),
        migrations.AddField(
            model_name="reconciliation",
            name="law_day",
            field=models.DateField(editable=False, null=True, verbose_name="the rulebook as of"),
        ),
        migrations.CreateModel(
            name="RunDifference",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("place", models.IntegerField(verbose_name="place")),
                ("change", models.TextField(verbose_name="difference")),
                ("rulebook", models.TextField(verbose_name="rulebook")),
                ("article", models.TextField(verbose_name="article")),
                ("check_name", models.TextField(verbose_name="check")),
                ("partida_id", models.TextField(verbose_name="partida")),
                ("now", models.JSONField(null=True, verbose_name="now")),
                ("then", models.JSONField(null=True, verbose_name="then")),
                ("to_players", models.BigIntegerField(default=0, verbose_name="to players")),
                ("to_house", models.BigIntegerField(default=0, verbose_name="to the house")),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="differences",
                        to="audit.runsheet",
                    ),
                ),
            ],
            options={
                "verbose_name": "difference of a comparison",
                "verbose_name_plural": "differences of comparisons",
                "db_table": "audit_run_difference",
                "constraints": [
                    models.UniqueConstraint(fields=["run", "place"], name="difference_once")
                ],
                "indexes": [
                    models.Index(
                        fields=["run", "change", "article", "place"], name="difference_listed"
                    )
                ],
            },
        ),
        migrations.RunSQL(operational("audit_run_difference"), migrations.RunSQL.noop),
    ]
