"""The same door and the same guards, with fewer looks at the book for each entry.

Going back leaves them as they are: the door of 0007 does nothing more and nothing less.
"""

from django.db import migrations

from casino.migrations import sql


class Migration(migrations.Migration):
    dependencies = [("casino", "0010_entrance_and_files")]
    operations = [migrations.RunSQL(sql("0011_door"), migrations.RunSQL.noop)]
