"""Who may do what to this package's shelves."""

from django.db import migrations

from casino.migrations import projections

PROJECTIONS = (
    "audit_finding",
    "audit_finding_supersession",
    "audit_reconciliation",
    "audit_reconciliation_result",
)


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_shelves"), ("casino", "0004_grants")]
    operations = [migrations.RunSQL(projections(*PROJECTIONS), migrations.RunSQL.noop)]
