"""A password somebody else set is changed before anything else; tries count for as long each."""

from django.db import migrations, models
from django.utils import timezone


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0029_shoe_reports"),
    ]

    operations = [
        migrations.AddField(
            model_name="account",
            name="password_is_temporary",
            field=models.BooleanField(default=False),
        ),
        # Those under way: a quarter of an hour of them is forgotten.
        migrations.RunSQL("DELETE FROM casino_login_try", migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="logintry",
            name="tried_at",
            field=models.DateTimeField(editable=False),
        ),
        migrations.AddField(
            model_name="logintry",
            name="counts_until",
            field=models.DateTimeField(db_index=True, default=timezone.now, editable=False),
            preserve_default=False,
        ),
    ]
