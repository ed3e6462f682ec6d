"""The list of corrections asked for holds withdrawals too: `withdrawal-asked/1` makes rows there.

What counts is told by the view of 0016 as it stands: a withdrawal is a correction that puts nothing
in the place of what it names, and `corrected/1` decides on either.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("casino", "0019_people_of_the_floor")]
    operations = [
        migrations.AlterModelOptions(
            name="supersession",
            options={
                "verbose_name": "correction or withdrawal asked for",
                "verbose_name_plural": "corrections and withdrawals asked for",
            },
        ),
        migrations.AlterModelOptions(
            name="correction",
            options={
                "verbose_name": "correction or withdrawal decided",
                "verbose_name_plural": "corrections and withdrawals decided",
            },
        ),
    ]
