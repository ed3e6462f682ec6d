"""One view that says which entries do not count: every reader asks it, in SQL or by its model."""

from django.db import migrations, models

from casino.migrations import sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0015_days_of_the_floor")]
    operations = [
        migrations.RunSQL(sql("0016_not_counting"), "DROP VIEW casino_not_counting"),
        migrations.CreateModel(
            name="NotCounting",
            fields=[
                ("row", models.TextField(primary_key=True, serialize=False)),
                ("stream", models.TextField()),
                ("n", models.BigIntegerField()),
                ("partida_id", models.TextField()),
                ("since_n", models.BigIntegerField()),
                ("until_n", models.BigIntegerField(null=True)),
            ],
            options={"db_table": "casino_not_counting", "managed": False},
        ),
    ]
