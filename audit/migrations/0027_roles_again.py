"""The same again: the official texts of the rulebooks are theirs to read and to bring."""

from django.db import migrations

from casino.schema_digest import role_rights


def grant(_apps: object, schema_editor: object) -> None:
    """As the owner, who migrates."""
    with schema_editor.connection.cursor() as cursor:  # type: ignore[attr-defined]
        role_rights.grant(cursor)


class Migration(migrations.Migration):
    dependencies = [
        ("audit", "0026_roles"),
        ("casino", "0036_regulation_text"),
        ("jackpot", "0004_proposals"),
    ]
    operations = [migrations.RunPython(grant, migrations.RunPython.noop)]
