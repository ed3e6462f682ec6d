"""What is held outside the book: an act of the floor that a tablet can still take back, for some
seconds; a file of records that waits for a second person, for some days.
"""

from typing import ClassVar, Final

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


# Brought and being judged; cannot be taken in as it is; waits for a second person; confirmed and
# being written; all of it in the book; thrown away by a person, or kept too long.
JUDGING, FAULTY, WAITING, WRITING, DONE, DISCARDED = (
    "judging", "faulty", "waiting", "writing", "done", "discarded",
)  # fmt: skip


ROUNDS: Final = "rounds"  # what a file holds
FIRST_DAY: Final = "first_day"


class StagedImport(models.Model):
    """A file from its being brought to its last record.

    `content` is what it holds ("rounds", "first_day"); `mapping` the text of its mapping file, ''
    for none. `unusable` says why nothing of it can be read, as `phrase_json` writes it.
    `lines` were read, `records` can be written, `repeated` of them are in the book already,
    `faulty` lines cannot be taken in; `judged` is what was found beforehand (`casino.importing`).
    `written` are those written since it was confirmed, `refused` those the book then refused.
    """

    category: ClassVar[Category] = "operational"

    id = models.UUIDField(primary_key=True, editable=False)
    content = models.TextField()
    by_staff = models.TextField()
    by_office = models.TextField()
    brought_at = models.DateTimeField()
    file_name = models.TextField()
    file_sha256 = models.TextField()
    file_bytes = models.BigIntegerField()
    mapping_name = models.TextField(default="")
    mapping = models.TextField(default="")
    state = models.TextField(default=JUDGING)
    unusable = models.JSONField(null=True)
    read_bytes = models.BigIntegerField(default=0)
    lines = models.BigIntegerField(default=0)
    records = models.BigIntegerField(default=0)
    repeated = models.BigIntegerField(default=0)
    faulty = models.BigIntegerField(default=0)
    judged = models.JSONField(default=dict)
    confirmed_by = models.TextField(default="")
    confirmed_at = models.DateTimeField(null=True)
    entry = models.UUIDField(null=True)
    written = models.BigIntegerField(default=0)
    refused = models.BigIntegerField(default=0)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "casino_staged_import"
        indexes = (models.Index(fields=["-brought_at"], name="staged_import_brought"),)
        constraints = (
            # The same bytes are brought once; what was thrown away can be brought again.
            models.UniqueConstraint(
                fields=["content", "file_sha256"],
                condition=~models.Q(state=DISCARDED),
                name="staged_import_once",
            ),
        )

    def __str__(self) -> str:
        return self.file_name


class StagedPiece(models.Model):
    """Some of a file: its bytes as brought ("file"), records ready to be written ("records"), or
    lines that cannot be taken in ("faults"). Erased as soon as nobody needs it any more.

    `count` are the records or lines in it; `done` that its records are in the book.
    """

    category: ClassVar[Category] = "erasable"

    of = models.ForeignKey(StagedImport, on_delete=models.CASCADE, related_name="pieces")
    what = models.TextField()
    number = models.IntegerField()
    content = models.BinaryField()
    count = models.IntegerField(default=0)
    done = models.BooleanField(default=False)

    class Meta:
        db_table = "casino_staged_piece"
        constraints = (
            models.UniqueConstraint(fields=["of", "what", "number"], name="staged_piece_once"),
        )

    def __str__(self) -> str:
        return f"{self.of_id} {self.what} {self.number}"
