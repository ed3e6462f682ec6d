"""What a finding is cited anew as, and which late entries cured one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("audit", "0007_pool_replays")]

    operations = [
        migrations.AddField(
            model_name="findingsupersession",
            name="successor",
            field=models.TextField(default="", editable=False, verbose_name="cited anew as"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="findingsupersession",
            name="cured_by",
            field=models.JSONField(default=list, editable=False, verbose_name="cured by"),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name="findingsupersession",
            index=models.Index(
                condition=models.Q(("successor", ""), _negated=True),
                fields=["successor"],
                name="cited_anew_as",
            ),
        ),
    ]
