"""What a tablet sent and can still take back: an act of the floor, held for some seconds."""

from typing import ClassVar

from django.db import models

from casino.models.projection import Category


class HeldRecord(models.Model):
    """One form's records before they are entries of the book; `casino.holding` alone touches it.

    `submissions` tell each record whole, with its own key: written twice they are one. `trouble` is
    why they could not be written (template and values of a phrase), `failed_at` since when nobody
    tries; such a row stays until somebody has read it.
    """

    category: ClassVar[Category] = "operational"

    key = models.UUIDField(primary_key=True, editable=False)
    table_code = models.TextField(db_index=True, editable=False)
    partida_id = models.TextField(editable=False)
    staff = models.TextField(editable=False)
    made_at = models.DateTimeField(editable=False)
    due_at = models.DateTimeField(editable=False)
    submissions = models.JSONField(editable=False)
    trouble = models.JSONField(null=True, editable=False)
    failed_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        db_table = "casino_held_record"

    def __str__(self) -> str:
        return f"{self.table_code} {self.key}"
