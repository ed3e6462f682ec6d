"""Who may do what to this package's shelves."""

from django.db import migrations

from casino.migrations import projections

PROJECTIONS = (
    "jackpot_increment",
    "jackpot_contribution",
)


class Migration(migrations.Migration):
    dependencies = [("jackpot", "0001_shelves"), ("casino", "0004_grants")]
    operations = [migrations.RunSQL(projections(*PROJECTIONS), migrations.RunSQL.noop)]
