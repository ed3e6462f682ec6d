"""Who asked for a reconciliation on a page, as its entry tells it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audit", "0014_replay_asked_by")]

    operations = [
        migrations.AddField(
            model_name="reconciliation",
            name="asked_by",
            field=models.TextField(default="", editable=False, verbose_name="asked for by"),
            preserve_default=False,
        ),
    ]
