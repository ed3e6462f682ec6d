"""The book as the database keeps it: entries, their streams, and what still has to be done.

The tables are made by SQL in the second migration (guards, generated columns and all); these
classes only read them. Nothing here is written through the ORM: the application lacks the right.
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.models.projection import Category


class BookStream(models.Model):
    """One numbered series of entries, and the last of them. Changed only by `ledger_append`."""

    category: ClassVar[Category] = "book"

    id = models.BigIntegerField(primary_key=True, editable=False)
    name = models.TextField(_("name"), unique=True, editable=False)
    head_n = models.BigIntegerField(editable=False)
    head_hash = models.BinaryField(null=True, editable=False)

    class Meta:
        managed = False
        db_table = "book_stream"
        verbose_name = _("stream")
        verbose_name_plural = _("streams")

    def __str__(self) -> str:
        return self.name


class BookEntry(models.Model):
    """One entry: the canonical bytes that were hashed, and what is needed to find them."""

    category: ClassVar[Category] = "book"

    id = models.UUIDField(primary_key=True, editable=False)
    stream = models.ForeignKey(BookStream, on_delete=models.DO_NOTHING, related_name="entries")
    n = models.BigIntegerField(_("number in the stream"), editable=False)
    key = models.UUIDField(unique=True, editable=False)
    kind = models.TextField(_("kind"), editable=False)
    gaming_day = models.DateField(_("gaming day"), editable=False)
    table_code = models.TextField(_("table"), editable=False)
    partida_id = models.TextField(_("partida"), editable=False)
    occurred_at = models.DateTimeField(_("occurred at"), editable=False)
    recorded_at = models.DateTimeField(_("recorded at"), editable=False)
    entry = models.BinaryField(_("canonical bytes"), editable=False)
    leaf_hash = models.BinaryField(_("leaf hash"), editable=False)

    class Meta:
        managed = False
        db_table = "book_entry"
        verbose_name = _("entry")
        verbose_name_plural = _("entries")

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class BookPending(models.Model):
    """An entry that is not in the tree yet."""

    category: ClassVar[Category] = "book"

    entry = models.OneToOneField(BookEntry, primary_key=True, on_delete=models.DO_NOTHING)

    class Meta:
        managed = False
        db_table = "book_pending"

    def __str__(self) -> str:
        return str(self.entry_id)


class BookLeaf(models.Model):
    """Where an entry stands in the tree."""

    category: ClassVar[Category] = "book"

    idx = models.BigIntegerField(primary_key=True, editable=False)
    entry = models.OneToOneField(BookEntry, on_delete=models.DO_NOTHING, editable=False)

    class Meta:
        managed = False
        db_table = "book_leaf"

    def __str__(self) -> str:
        return str(self.idx)


class BookTree(models.Model):
    """The tree's root each time it grew. `frontier` is what is needed to make it grow again."""

    category: ClassVar[Category] = "book"

    size = models.BigIntegerField(primary_key=True, editable=False)
    root = models.BinaryField(editable=False)
    frontier = models.BinaryField(editable=False)
    made_at = models.DateTimeField(editable=False)

    class Meta:
        managed = False
        db_table = "book_tree"

    def __str__(self) -> str:
        return str(self.size)


class BookTile(models.Model):
    """256 hashes of the tree at one level: see tlog-tiles. Full tiles only."""

    category: ClassVar[Category] = "book"

    pk = models.CompositePrimaryKey("level", "n")
    level = models.IntegerField(editable=False)
    n = models.BigIntegerField(editable=False)
    hashes = models.BinaryField(editable=False)

    class Meta:
        managed = False
        db_table = "book_tile"

    def __str__(self) -> str:
        return f"{self.level}/{self.n}"


class BookCheckpoint(models.Model):
    """A tree head as it was signed and published; `note` is the signed note, byte for byte."""

    category: ClassVar[Category] = "book"

    size = models.BigIntegerField(_("size"), primary_key=True, editable=False)
    root = models.BinaryField(_("root"), editable=False)
    note = models.TextField(_("signed note"), editable=False)
    signed_at = models.DateTimeField(_("signed at"), editable=False)

    class Meta:
        managed = False
        db_table = "book_checkpoint"

    def __str__(self) -> str:
        return str(self.size)


class BookCosignature(models.Model):
    """A witness's signature under a checkpoint, as one line of a note."""

    category: ClassVar[Category] = "book"

    pk = models.CompositePrimaryKey("size", "line")
    size = models.BigIntegerField(_("size"), editable=False)
    line = models.TextField(_("line"), editable=False)
    cosigned_at = models.DateTimeField(_("cosigned at"), editable=False)
    taken_at = models.DateTimeField(_("taken at"), editable=False)

    class Meta:
        managed = False
        db_table = "book_cosignature"

    def __str__(self) -> str:
        return str(self.size)


class JobOutbox(models.Model):
    """A job that was decided on in some record's transaction; `published_at` once it was sent."""

    category: ClassVar[Category] = "operational"

    id = models.BigIntegerField(primary_key=True, editable=False)
    topic = models.TextField(editable=False)
    key = models.TextField(unique=True, editable=False)
    args = models.JSONField(editable=False)
    entry_id = models.UUIDField(null=True, editable=False)
    due_at = models.DateTimeField(editable=False)
    published_at = models.DateTimeField(null=True, editable=False)
    attempts = models.IntegerField(editable=False)
    done_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        managed = False
        db_table = "job_outbox"
        verbose_name = _("job to be sent")
        verbose_name_plural = _("jobs to be sent")

    def __str__(self) -> str:
        return f"{self.topic} {self.key}"
