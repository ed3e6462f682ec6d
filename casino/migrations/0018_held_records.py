"""Acts of the floor that can still be taken back."""

from django.db import migrations, models

from casino.migrations import operational


class Migration(migrations.Migration):
    dependencies = [("casino", "0017_withdrawals")]
    operations = [
        migrations.CreateModel(
            name="HeldRecord",
            fields=[
                ("key", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("table_code", models.TextField(db_index=True, editable=False)),
                ("partida_id", models.TextField(editable=False)),
                ("staff", models.TextField(editable=False)),
                ("made_at", models.DateTimeField(editable=False)),
                ("due_at", models.DateTimeField(editable=False)),
                ("submissions", models.JSONField(editable=False)),
                ("trouble", models.JSONField(editable=False, null=True)),
                ("failed_at", models.DateTimeField(editable=False, null=True)),
            ],
            options={"db_table": "casino_held_record"},
        ),
        migrations.RunSQL(operational("casino_held_record"), migrations.RunSQL.noop),
    ]
