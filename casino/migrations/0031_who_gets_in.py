"""A first password is changed, tries count for as long each, and a second factor is asked for."""

import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone

from casino.migrations import operational


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0030_stake_reports"),
    ]

    operations = [
        migrations.AddField(
            model_name="account",
            name="password_is_temporary",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="account",
            name="asks_second",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="Authenticator",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="casino.account",
                    ),
                ),
                ("secret", models.TextField()),
                ("last_step", models.BigIntegerField(default=0)),
                ("made_at", models.DateTimeField()),
            ],
            options={"db_table": "casino_authenticator"},
        ),
        migrations.CreateModel(
            name="RecoveryCode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code_hash", models.CharField(max_length=64)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="casino.account"
                    ),
                ),
            ],
            options={
                "db_table": "casino_recovery_code",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("account", "code_hash"), name="recovery_code_once"
                    )
                ],
            },
        ),
        migrations.RunSQL(
            operational("casino_authenticator", "casino_recovery_code"), migrations.RunSQL.noop
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
