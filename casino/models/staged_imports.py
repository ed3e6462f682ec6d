"""Files that were brought and wait for a second person: outside the book, and not for long.

Operational: the book tells which file was confirmed and holds its records; these tables only what
has been made of it so far. Losing them costs a file that can be brought again.
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.models.projection import Category

# Brought and being judged; cannot be taken in as it is; waits for a second person; confirmed and
# being written; all of it in the book; thrown away by a person, or kept too long.
JUDGING, FAULTY, WAITING, WRITING, DONE, DISCARDED = (
    "judging", "faulty", "waiting", "writing", "done", "discarded",
)  # fmt: skip


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
    content = models.TextField(_("content of the file"))
    by_staff = models.TextField(_("brought by"))
    by_office = models.TextField(_("office"))
    brought_at = models.DateTimeField(_("brought at"))
    file_name = models.TextField(_("name of the file"))
    file_sha256 = models.TextField(_("digest of the file"))
    file_bytes = models.BigIntegerField(_("size in bytes"))
    mapping_name = models.TextField(_("mapping"), default="")
    mapping = models.TextField(_("text of the mapping"), default="")
    state = models.TextField(_("state"), default=JUDGING)
    unusable = models.JSONField(_("why it cannot be read"), null=True)
    read_bytes = models.BigIntegerField(_("bytes read"), default=0)
    lines = models.BigIntegerField(_("lines"), default=0)
    records = models.BigIntegerField(_("records"), default=0)
    repeated = models.BigIntegerField(_("in the book already"), default=0)
    faulty = models.BigIntegerField(_("faulty lines"), default=0)
    judged = models.JSONField(_("what was found"), default=dict)
    confirmed_by = models.TextField(_("confirmed by"), default="")
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True)
    entry = models.UUIDField(_("entry"), null=True)
    written = models.BigIntegerField(_("written"), default=0)
    refused = models.BigIntegerField(_("refused by the book"), default=0)
    ended_at = models.DateTimeField(_("ended at"), null=True)

    class Meta:
        db_table = "casino_staged_import"
        verbose_name = _("file brought")
        verbose_name_plural = _("files brought")
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
    what = models.TextField(_("what it holds"))
    number = models.IntegerField(_("number"))
    content = models.BinaryField(_("bytes"))
    count = models.IntegerField(_("records"), default=0)
    done = models.BooleanField(_("written"), default=False)

    class Meta:
        db_table = "casino_staged_piece"
        verbose_name = _("piece of a file brought")
        verbose_name_plural = _("pieces of files brought")
        constraints = (
            models.UniqueConstraint(fields=["of", "what", "number"], name="staged_piece_once"),
        )

    def __str__(self) -> str:
        return f"{self.of_id} {self.what} {self.number}"
