"""The house's letters, and that they reached whom they were sent to, as the book says."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from audit.letter_events import LetterIssued, LetterReceived
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import maybe_moment, text, whole


class Letter(Projection):
    """A letter that was made, by its number."""

    events = (LetterIssued,)

    document = text(_("number"))
    letter = text(_("kind of letter"))
    matter = text(_("about"))
    year = whole(_("year"))
    number = whole(_("number"))
    request = models.UUIDField(_("request"), editable=False)
    letter_language = text(_("language"))
    json_sha256 = text(_("digest of the JSON"))
    proofs_sha256 = text(_("digest of the proofs"))
    entries = whole(_("entries cited"))
    size = whole(_("size"))
    root = text(_("root"))
    reply_to = text(_("answers the reference"))

    class Meta:
        db_table = "audit_letter"
        verbose_name = _("letter of the house")
        verbose_name_plural = _("pieces of correspondence")
        indexes = (
            models.Index(fields=["document"], name="letter_document"),
            models.Index(fields=["request"], name="letter_request"),
            models.Index(fields=["matter"], name="letter_matter"),
        )

    def __str__(self) -> str:
        return self.document

    @classmethod
    def rows_of(cls, event: LetterIssued, entry: EntryView) -> Iterator[dict[str, object]]:
        """One letter, with its number as it is cited."""
        yield same(event, cls) | {"document": event.document}

    @property
    def report(self) -> str:
        """Which of the house's documents it is."""
        return self.letter


class LetterReceipt(Projection):
    """A letter that reached whom it was sent to, as the house says."""

    events = (LetterReceived,)

    document = text(_("number of the letter"))
    how = text(_("how it was received"))
    received_at = maybe_moment(_("received at"))
    reference = text(_("reference"))

    class Meta:
        db_table = "audit_letter_receipt"
        verbose_name = _("receipt of a letter")
        verbose_name_plural = _("receipts of letters")
        indexes = (models.Index(fields=["document"], name="letter_receipt_document"),)

    def __str__(self) -> str:
        return self.document
