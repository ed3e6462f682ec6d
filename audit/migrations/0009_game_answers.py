"""What the checks answered of each game; findings of an article by their days."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import projections


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0008_findings_named"),
        ("casino", "0020_layout_and_special_cards"),
    ]

    operations = [
        migrations.CreateModel(
            name="GameAnswers",
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
                ("run", models.UUIDField(editable=False, verbose_name="run")),
                ("part", models.BigIntegerField(editable=False, verbose_name="part")),
                ("rounds", models.BigIntegerField(editable=False, verbose_name="rounds judged")),
                ("not_judged", models.BigIntegerField(editable=False, verbose_name="not judged")),
                (
                    "answers",
                    models.JSONField(editable=False, verbose_name="answers of the checks"),
                ),
            ],
            options={
                "verbose_name": "game judged",
                "verbose_name_plural": "games judged",
                "db_table": "audit_game_answers",
                "indexes": [
                    models.Index(fields=["partida_id", "n"], name="answers_partida"),
                    models.Index(fields=["gaming_day", "table_code"], name="answers_day_table"),
                ],
            },
        ),
        migrations.RemoveIndex(model_name="finding", name="finding_article"),
        migrations.AddIndex(
            model_name="finding",
            index=models.Index(
                fields=["rulebook", "article", "gaming_day", "n"], name="finding_article_day"
            ),
        ),
        migrations.RunSQL(projections("audit_game_answers"), migrations.RunSQL.noop),
    ]
