"""Who asked for a verification or a copy, what it was held against, which list was handed out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audit", "0010_findings_owed")]

    operations = [
        migrations.AddField(
            model_name="verification",
            name="asked_by",
            field=models.TextField(default="", editable=False, verbose_name="asked for by"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="verification",
            name="kept",
            field=models.BigIntegerField(
                editable=False, null=True, verbose_name="kept checkpoint held against"
            ),
        ),
        migrations.AddField(
            model_name="export",
            name="of_list",
            field=models.TextField(default="", editable=False, verbose_name="list"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="export",
            name="asked_by",
            field=models.TextField(default="", editable=False, verbose_name="asked for by"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="verificationrun",
            name="older",
            field=models.TextField(default="", verbose_name="kept checkpoint"),
        ),
    ]
