"""The book sealed: tiles of the tree, signed checkpoints, cosignatures; files that belong to records.

Not to be undone: an entry that names a checkpoint cannot be written by the door there was before.
"""

from django.db import migrations

from casino.migrations import sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0006_outbox")]
    operations = [migrations.RunSQL(sql("0007_sealed", "0007_door"))]
