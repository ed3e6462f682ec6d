"""Which offices somebody's groups in the house's directory stand for."""

import django.db.models.deletion
from django.db import migrations, models

from casino.migrations import operational


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0033_by_two_persons"),
    ]

    operations = [
        migrations.CreateModel(
            name="DirectoryOffices",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="casino.account",
                    ),
                ),
                ("offices", models.JSONField()),
                ("seen_at", models.DateTimeField()),
            ],
            options={"db_table": "casino_directory_offices"},
        ),
        migrations.RunSQL(operational("casino_directory_offices"), migrations.RunSQL.noop),
    ]
