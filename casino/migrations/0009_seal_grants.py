"""Who may use the shelves of the seal."""

from django.db import migrations

from casino.migrations import projections

PROJECTIONS = (
    "casino_epoch",
    "casino_epoch_approval",
    "casino_restoration",
    "casino_schema_record",
    "casino_signing_key",
)


class Migration(migrations.Migration):
    dependencies = [("casino", "0008_seal_shelves")]
    operations = [migrations.RunSQL(projections(*PROJECTIONS), migrations.RunSQL.noop)]
