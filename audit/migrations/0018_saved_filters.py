"""Filters of the list of findings under a name: a person's preference, beside the book."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from casino.migrations import operational


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0017_draws"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name="SavedFilter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(editable=False, max_length=60)),
                ("query", models.CharField(editable=False, max_length=1000)),
                (
                    "account",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "db_table": "audit_saved_filter",
                "constraints": [
                    models.UniqueConstraint(fields=["account", "name"], name="saved_filter_once")
                ],
            },
        ),
        migrations.RunSQL(operational("audit_saved_filter"), migrations.RunSQL.noop),
    ]
