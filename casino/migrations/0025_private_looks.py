"""The log of looks at private values: the application puts rows there and never changes one."""

from __future__ import annotations

from django.db import migrations, models

# No other role reads it: it tells of inspectors' own notes too.
GUARDS = """
GRANT SELECT, INSERT ON casino_private_look TO app;
CREATE TRIGGER casino_private_look_rows BEFORE UPDATE OR DELETE ON casino_private_look
    FOR EACH ROW EXECUTE FUNCTION book_refuse();
CREATE TRIGGER casino_private_look_whole BEFORE TRUNCATE ON casino_private_look
    FOR EACH STATEMENT EXECUTE FUNCTION book_refuse();
ALTER TABLE casino_private_look ENABLE ALWAYS TRIGGER casino_private_look_rows;
ALTER TABLE casino_private_look ENABLE ALWAYS TRIGGER casino_private_look_whole;
"""


def text(name: str) -> models.TextField[str, str]:
    return models.TextField(editable=False, verbose_name=name)


class Migration(migrations.Migration):
    dependencies = [("casino", "0024_notice_reference")]
    operations = [
        migrations.CreateModel(
            name="PrivateLook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(editable=False, verbose_name="when")),
                ("staff", text("who looked")),
                ("entry", models.UUIDField(editable=False, null=True, verbose_name="entry")),
                ("kind", text("kind")),
                ("field", text("field")),
                ("page", text("page")),
            ],
            options={
                "verbose_name": "look at a private value",
                "verbose_name_plural": "looks at private values",
                "db_table": "casino_private_look",
                "indexes": [
                    models.Index(fields=["entry"], name="private_look_entry"),
                    models.Index(fields=["staff", "at"], name="private_look_staff"),
                ],
            },
        ),
        migrations.RunSQL(GUARDS, migrations.RunSQL.noop),
    ]
