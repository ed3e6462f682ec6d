"""A letter's sending is looked up by its number, which is the notice's reference."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0023_mail_addresses"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["reference"], name="notice_reference"),
        ),
    ]
