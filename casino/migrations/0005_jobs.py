"""How often a job was begun."""

from django.db import migrations, models

from casino.migrations import operational


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0004_grants"),
    ]

    operations = [
        migrations.CreateModel(
            name="JobTry",
            fields=[
                ("key", models.TextField(primary_key=True, serialize=False, verbose_name="job")),
                ("topic", models.TextField(verbose_name="topic")),
                ("tries", models.IntegerField(verbose_name="times begun")),
                ("began_at", models.DateTimeField(verbose_name="last begun at")),
                ("worker", models.TextField(verbose_name="worker")),
                ("trouble", models.TextField(default="", verbose_name="what went wrong")),
                ("failed_at", models.DateTimeField(null=True, verbose_name="given up at")),
            ],
            options={
                "verbose_name": "job begun",
                "verbose_name_plural": "jobs begun",
                "db_table": "casino_job_try",
            },
        ),
        migrations.RunSQL(operational("casino_job_try"), migrations.RunSQL.noop),
    ]
