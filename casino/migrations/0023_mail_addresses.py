"""Where people are sent mail: set by each for himself, in no entry of the book."""

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

from casino.migrations import operational


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0022_document_seals"),
    ]

    operations = [
        migrations.CreateModel(
            name="MailAddress",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("address", models.EmailField(max_length=254, verbose_name="e-mail address")),
            ],
            options={
                "db_table": "casino_mail_address",
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("address"), name="mail_address_once"
                    )
                ],
            },
        ),
        migrations.RunSQL(operational("casino_mail_address"), migrations.RunSQL.noop),
    ]
