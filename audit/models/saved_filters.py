"""What somebody calls a filter of the list of findings: his own preference, and no evidence."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models

from casino.models.projection import Category

MOST: Final = 20  # of one person
LONGEST_NAME: Final = 60
LONGEST_QUERY: Final = 1_000


class SavedFilter(models.Model):
    """A name for the query of the list's address, without its question mark."""

    category: ClassVar[Category] = "operational"

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", editable=False
    )
    name = models.CharField(max_length=LONGEST_NAME, editable=False)
    query = models.CharField(max_length=LONGEST_QUERY, editable=False)

    class Meta:
        db_table = "audit_saved_filter"
        constraints = (
            models.UniqueConstraint(fields=["account", "name"], name="saved_filter_once"),
        )

    def __str__(self) -> str:
        return self.name
