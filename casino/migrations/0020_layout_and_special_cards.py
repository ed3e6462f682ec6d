"""Whether a table's boxes are marked, and how many special cards there were where none is told."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("casino", "0018_held_records")]

    operations = [
        migrations.AddField(
            "partida",
            "special_cards",
            models.BigIntegerField(null=True, editable=False, verbose_name="special cards"),
        ),
        migrations.AddField(
            "table",
            "boxes_marked",
            models.BooleanField(
                null=True, editable=False, verbose_name="boxes marked on the cloth"
            ),
        ),
    ]
