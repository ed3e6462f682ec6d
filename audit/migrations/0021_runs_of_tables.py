"""A run may look at some tables alone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audit", "0020_evidence_packs")]

    operations = [
        migrations.AddField(
            model_name="runsheet",
            name="tables",
            field=models.JSONField(default=list, verbose_name="tables"),
        ),
    ]
