"""The concession holder's proposal on which terms were set."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0003_pools")]

    operations = [
        migrations.AddField(
            "jackpotterms",
            "proposal",
            models.TextField(
                default="", editable=False, verbose_name="proposal of the concession holder"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "jackpotterms",
            "proposed_on",
            models.DateField(null=True, editable=False, verbose_name="proposed on"),
        ),
    ]
