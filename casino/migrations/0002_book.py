"""The book: its tables, what they refuse, the one door, and who may use it."""

from django.db import migrations

from casino.migrations import sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0001_accounts")]
    operations = [
        migrations.RunSQL(
            sql("0002_tables", "0002_guards", "0002_doors", "0002_grants"), sql("0002_undo")
        )
    ]
