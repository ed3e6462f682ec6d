"""Figures of rulebooks that two persons set; the roles read and write them as what is like them."""

from django.db import migrations, models

from casino.migrations import projections, shared, text

# As those of any projection whose records people bring on pages.
ROLES = """
GRANT SELECT, INSERT ON casino_figures_set TO web, worker;
GRANT SELECT ON casino_figures_set TO machines;
"""


class Migration(migrations.Migration):
    dependencies = [("casino", "0036_regulation_text")]

    operations = [
        migrations.CreateModel(
            name="FigureSetting",
            fields=[
                *shared(),
                ("rulebook", text("rulebook")),
                ("since", models.DateField(editable=False, verbose_name="first gaming day")),
                ("figures", models.JSONField(editable=False, verbose_name="figures")),
                ("source", text("source")),
                (
                    "asked_n",
                    models.BigIntegerField(editable=False, verbose_name="entry of the request"),
                ),
            ],
            options={
                "verbose_name": "figures set by two persons",
                "verbose_name_plural": "figures set by two persons",
                "db_table": "casino_figures_set",
                "indexes": [
                    models.Index(fields=["rulebook", "since"], name="figures_set_rulebook")
                ],
            },
        ),
        migrations.RunSQL(projections("casino_figures_set") + ROLES, migrations.RunSQL.noop),
    ]
