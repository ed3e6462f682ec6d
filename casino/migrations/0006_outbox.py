"""Jobs that ended long ago may be forgotten."""

from django.db import migrations

from casino.migrations import sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0005_jobs")]
    operations = [migrations.RunSQL(sql("0006_outbox"), "DROP FUNCTION outbox_forget")]
