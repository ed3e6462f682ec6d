"""Who may use the shelves of verifications and exports."""

from django.db import migrations

from casino.migrations import projections


class Migration(migrations.Migration):
    dependencies = [("audit", "0004_verification_shelves"), ("casino", "0009_seal_grants")]
    operations = [
        migrations.RunSQL(projections("audit_verification", "audit_export"), migrations.RunSQL.noop)
    ]
