"""Acts upon the house's keys, and restorations, are decided on by a second person."""

from django.db import migrations, models

from casino.migrations import projections, shared, text


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0034_directory_offices"),
    ]

    operations = [
        migrations.CreateModel(
            name="HouseActDecision",
            fields=[
                *shared(),
                ("act_stream", text("stream of the entry")),
                (
                    "act_n",
                    models.BigIntegerField(editable=False, verbose_name="number of the entry"),
                ),
                ("act_leaf", text("leaf of the entry")),
                ("decision", text("decision")),
            ],
            options={
                "verbose_name": "act of two persons decided",
                "verbose_name_plural": "acts of two persons decided",
                "db_table": "casino_house_act_decision",
            },
        ),
        migrations.CreateModel(
            name="PepperChange",
            fields=[
                *shared(),
                ("pepper", text("name of the pepper")),
                ("reason", text("reason")),
            ],
            options={
                "verbose_name": "pepper changed",
                "verbose_name_plural": "peppers changed",
                "db_table": "casino_pepper_change",
            },
        ),
        migrations.RunSQL(
            projections("casino_house_act_decision", "casino_pepper_change"), migrations.RunSQL.noop
        ),
    ]
