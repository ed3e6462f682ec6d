"""Wrong passwords that count, files that wait for their record, and who names which file."""

from django.db import migrations, models

from casino.migrations import operational

# Entries that name files are few. The marker is `"attachments":` in bytes: no text within an entry
# can hold it, for there its quotation marks would be written otherwise.
WITH_FILES = r"""
CREATE INDEX book_entry_with_files ON book_entry (id)
    WHERE position('\x226174746163686d656e7473223a'::bytea IN entry) > 0
"""


class Migration(migrations.Migration):
    dependencies = [("casino", "0009_seal_grants")]

    operations = [
        migrations.CreateModel(
            name="WaitingFile",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("staff", models.TextField(editable=False, verbose_name="staff number")),
                ("name", models.TextField(editable=False, verbose_name="name")),
                ("content", models.BinaryField()),
                (
                    "sent_at",
                    models.DateTimeField(db_index=True, editable=False, verbose_name="sent at"),
                ),
            ],
            options={
                "verbose_name": "file waiting",
                "verbose_name_plural": "files waiting",
                "db_table": "casino_waiting_file",
            },
        ),
        migrations.CreateModel(
            name="LoginTry",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("whose", models.TextField(editable=False)),
                ("tried_at", models.DateTimeField(db_index=True, editable=False)),
            ],
            options={
                "db_table": "casino_login_try",
                "indexes": [models.Index(fields=["whose", "tried_at"], name="login_try_whose")],
            },
        ),
        migrations.RunSQL(
            operational("casino_waiting_file", "casino_login_try"), migrations.RunSQL.noop
        ),
        migrations.RunSQL(WITH_FILES, "DROP INDEX book_entry_with_files"),
    ]
