"""The cash of tables' drop boxes, as it was counted."""

from django.db import migrations, models

from casino.migrations import projections, shared, text

# As those of any projection whose records people bring on pages.
ROLES = """
GRANT SELECT, INSERT ON casino_drop_tally TO web, worker;
GRANT SELECT ON casino_drop_tally TO machines;
"""


class Migration(migrations.Migration):
    dependencies = [("casino", "0037_figures_set")]

    operations = [
        migrations.CreateModel(
            name="DropTally",
            fields=[
                *shared(),
                ("cash_cents", models.BigIntegerField(editable=False, verbose_name="cash counted")),
                (
                    "taken_at",
                    models.DateTimeField(
                        editable=False, null=True, verbose_name="box taken off the table at"
                    ),
                ),
                ("counted_by", text("counted by")),
                ("second", text("second person")),
            ],
            options={
                "verbose_name": "drop box counted",
                "verbose_name_plural": "drop boxes counted",
                "db_table": "casino_drop_tally",
                "indexes": [
                    models.Index(fields=["gaming_day", "table_code"], name="drop_day_table"),
                    models.Index(fields=["partida_id"], name="drop_partida"),
                ],
            },
        ),
        migrations.RunSQL(projections("casino_drop_tally") + ROLES, migrations.RunSQL.noop),
    ]
