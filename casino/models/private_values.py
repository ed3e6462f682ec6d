"""What the book only commits to: names, contacts, what people wrote. It can be erased."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.models.projection import Category


class PrivateValue(models.Model):
    """The value of one private field of one entry, and the salt its commitment was made with.

    After erasure both are NULL and the row stays, so that nobody takes it for one never told.
    """

    category: ClassVar[Category] = "erasable"

    entry = models.ForeignKey(
        "casino.BookEntry", on_delete=models.DO_NOTHING, related_name="+", editable=False
    )
    field = models.TextField(_("field"), editable=False)
    salt = models.BinaryField(null=True, editable=False)
    value = models.JSONField(_("value"), null=True, editable=False)

    class Meta:
        db_table = "casino_private_value"
        verbose_name = _("private value")
        verbose_name_plural = _("private values")
        constraints = (
            models.UniqueConstraint(fields=["entry", "field"], name="private_value_once"),
        )

    def __str__(self) -> str:
        return self.field


class Attachment(models.Model):
    """A file that belongs to records, by the digest they hold. Erased, its content is NULL."""

    category: ClassVar[Category] = "erasable"

    sha256 = models.TextField(_("digest"), primary_key=True, editable=False)
    media_type = models.TextField(_("kind of file"), editable=False)
    size = models.BigIntegerField(_("size"), editable=False)
    content = models.BinaryField(null=True, editable=False)
    stored_at = models.DateTimeField(_("stored at"), editable=False)

    class Meta:
        managed = False
        db_table = "casino_attachment"
        verbose_name = _("attachment")
        verbose_name_plural = _("attachments")

    def __str__(self) -> str:
        return self.sha256


class PrivateLook(models.Model):
    """Somebody was shown a private value: whose, of which entry, on which page; never the value.

    `entry` is None where a list showed those of many. Rows are put there and never changed.
    """

    category: ClassVar[Category] = "log"

    at = models.DateTimeField(_("when"), editable=False)
    staff = models.TextField(_("who looked"), editable=False)
    entry = models.UUIDField(_("entry"), null=True, editable=False)
    kind = models.TextField(_("kind"), editable=False)
    field = models.TextField(_("field"), editable=False)
    page = models.TextField(_("page"), editable=False)

    class Meta:
        db_table = "casino_private_look"
        verbose_name = _("look at a private value")
        verbose_name_plural = _("looks at private values")
        indexes = (
            models.Index(fields=["entry"], name="private_look_entry"),
            models.Index(fields=["staff", "at"], name="private_look_staff"),
        )

    def __str__(self) -> str:
        return f"{self.staff} {self.field}"


class WaitingFile(models.Model):
    """A file of a form that came back with a question: kept until it is recorded, a day at most.

    Nobody but who sent it gets it, and only into a record.
    """

    category: ClassVar[Category] = "erasable"

    id = models.UUIDField(primary_key=True, editable=False)
    staff = models.TextField(_("staff number"), editable=False)
    name = models.TextField(_("name"), editable=False)
    content = models.BinaryField(editable=False)
    sent_at = models.DateTimeField(_("sent at"), db_index=True, editable=False)

    class Meta:
        db_table = "casino_waiting_file"
        verbose_name = _("file waiting")
        verbose_name_plural = _("files waiting")

    def __str__(self) -> str:
        return str(self.id)
