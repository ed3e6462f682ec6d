"""The floor's other shelves searched by day and table, as those before them are."""

from typing import Final

from django.db import migrations, models

# The index a shelf gets, by the shelf.
NAMES: Final = {
    "chiptally": "tally",
    "complaintdecision": "decision",
    "dealing": "dealing",
    "deckwithdrawal": "withdrawal",
    "deferral": "deferral",
    "emptiness": "emptiness",
    "footagehold": "footage",
    "incidentsteprow": "step",
    "lidopening": "opening",
    "reopening": "reopening",
    "replacement": "replacement",
    "review": "review",
    "seat": "seat",
}


class Migration(migrations.Migration):
    dependencies = [
        ("casino", "0014_namings"),
    ]

    operations = [
        migrations.AddIndex(
            model_name=projection,
            index=models.Index(fields=["gaming_day", "table_code"], name=f"{name}_day_table"),
        )
        for projection, name in NAMES.items()
    ]
