"""Every role of the running house gets what it shall have (`casino.schema_digest.role_rights`)."""

from django.db import migrations

from casino.schema_digest import role_rights


def grant(_apps: object, schema_editor: object) -> None:
    """As the owner, who migrates."""
    with schema_editor.connection.cursor() as cursor:  # type: ignore[attr-defined]
        role_rights.grant(cursor)


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0025_webhooks"),
        ("casino", "0035_two_persons"),
        ("jackpot", "0004_proposals"),
    ]
    operations = [migrations.RunPython(grant, migrations.RunPython.noop)]
