"""The official texts of the rulebooks, as they were received."""

from django.db import migrations, models

from casino.migrations import projections, shared, text


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0035_two_persons"),
    ]

    operations = [
        migrations.CreateModel(
            name="RegulationText",
            fields=[
                *shared(),
                ("rulebook", text("rulebook")),
                ("title", text("title of the text")),
                ("file_sha256", text("digest of the file")),
                (
                    "in_force",
                    models.DateField(editable=False, null=True, verbose_name="in force from"),
                ),
            ],
            options={
                "verbose_name": "official text",
                "verbose_name_plural": "official texts",
                "db_table": "casino_regulation_text",
                "indexes": [
                    models.Index(fields=["rulebook", "in_force"], name="regulation_text_rulebook")
                ],
            },
        ),
        migrations.RunSQL(projections("casino_regulation_text"), migrations.RunSQL.noop),
    ]
