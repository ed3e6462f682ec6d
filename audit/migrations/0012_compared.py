"""What a run under another rulebook came to, beside what stands."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audit", "0011_verified_against")]

    operations = [
        migrations.AddField(
            model_name="runsheet",
            name="compared",
            field=models.JSONField(null=True, verbose_name="compared with what stands"),
        ),
    ]
