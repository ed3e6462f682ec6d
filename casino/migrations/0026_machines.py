"""Machines that call the API, and the numbers of their messages, which are used once."""

import django.db.models.deletion
from django.db import migrations, models

GRANTS = """
GRANT SELECT, INSERT, UPDATE ON oauth2_provider_application, casino_api_client TO app;
GRANT SELECT, INSERT, UPDATE, DELETE ON oauth2_provider_accesstoken TO app;
-- A token that is deleted is looked for there; none is ever given.
GRANT SELECT, UPDATE ON oauth2_provider_refreshtoken TO app;
GRANT SELECT, INSERT ON casino_api_message TO app;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0025_private_looks"),
        ("oauth2_provider", "0022_refreshtoken_token_family_index"),
    ]

    operations = [
        migrations.CreateModel(
            name="ApiClient",
            fields=[
                (
                    "application",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="oauth2_provider.Application",
                    ),
                ),
                (
                    "number",
                    models.CharField(editable=False, max_length=40, unique=True),
                ),
                ("tables", models.JSONField(editable=False)),
                ("scopes", models.JSONField(editable=False)),
                ("made_by", models.TextField(editable=False)),
                ("made_at", models.DateTimeField(editable=False)),
                (
                    "revoked_at",
                    models.DateTimeField(editable=False, null=True),
                ),
                (
                    "highest",
                    models.BigIntegerField(default=0, editable=False),
                ),
                (
                    "taken",
                    models.BigIntegerField(default=0, editable=False),
                ),
                (
                    "last_at",
                    models.DateTimeField(editable=False, null=True),
                ),
                (
                    "skew_ms",
                    models.BigIntegerField(editable=False, null=True),
                ),
            ],
            options={
                "db_table": "casino_api_client",
            },
        ),
        migrations.CreateModel(
            name="ApiMessage",
            fields=[
                ("id", models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ("number", models.BigIntegerField(editable=False)),
                ("sha256", models.CharField(editable=False, max_length=64)),
                ("sent_at", models.DateTimeField(editable=False)),
                ("received_at", models.DateTimeField(editable=False)),
                (
                    "client",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="casino.apiclient",
                    ),
                ),
            ],
            options={
                "db_table": "casino_api_message",
                "constraints": [
                    models.UniqueConstraint(fields=("client", "number"), name="api_message_once")
                ],
            },
        ),
        migrations.RunSQL(GRANTS, migrations.RunSQL.noop),
    ]
