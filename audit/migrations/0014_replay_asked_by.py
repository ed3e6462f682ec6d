"""Who asked for a replay of a pool, as its entry tells it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audit", "0013_comparisons")]

    operations = [
        migrations.AddField(
            model_name="poolreplay",
            name="asked_by",
            field=models.TextField(default="", editable=False, verbose_name="asked for by"),
            preserve_default=False,
        ),
    ]
