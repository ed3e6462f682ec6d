"""The findings that owe money, by their days."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audit", "0009_game_answers")]

    operations = [
        migrations.AddIndex(
            model_name="finding",
            index=models.Index(
                fields=["gaming_day", "n"],
                condition=models.Q(owed_cents__gt=0),
                name="finding_owed",
            ),
        ),
    ]
