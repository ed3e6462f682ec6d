"""The book's seal: keys that were named, epochs, what the schema looked like, losses made good."""

from collections.abc import Iterator
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.sealing import (
    BookRestored,
    DocumentSealAsked,
    EpochApproved,
    EpochBegun,
    HouseActDecided,
    PepperChanged,
    SchemaRecorded,
    SigningKeyNamed,
    SigningKeyNamedAlone,
)
from casino.models.projection import Category, EntryView, Projection, same
from casino.models.projection_columns import listed, text, whole


class SigningKey(Projection):
    """A key that signs checkpoints."""

    events = (SigningKeyNamed, SigningKeyNamedAlone)

    vkey = text(_("public key"))
    replaces = text(_("takes over from"))
    reason = text(_("reason"))

    class Meta:
        db_table = "casino_signing_key"
        verbose_name = _("signing key")
        verbose_name_plural = _("signing keys")

    def __str__(self) -> str:
        return self.vkey


class HouseActDecision(Projection):
    """A second person's word on an act upon the house's keys."""

    events = (HouseActDecided,)

    act_stream = text(_("stream of the entry"))
    act_n = whole(_("number of the entry"))
    act_leaf = text(_("leaf of the entry"))
    decision = text(_("decision"))

    class Meta:
        db_table = "casino_house_act_decision"
        verbose_name = _("act of two persons decided")
        verbose_name_plural = _("acts of two persons decided")

    def __str__(self) -> str:
        return f"{self.act_stream} {self.act_n}"

    @classmethod
    def rows_of(cls, event: HouseActDecided, entry: EntryView) -> Iterator[dict[str, object]]:
        """One decision."""
        act = event.act
        yield same(event, cls) | {"act_stream": act.stream, "act_n": act.n, "act_leaf": act.leaf}


class PepperChange(Projection):
    """Another pepper of personal codes, by its name."""

    events = (PepperChanged,)

    pepper = text(_("name of the pepper"))
    reason = text(_("reason"))

    class Meta:
        db_table = "casino_pepper_change"
        verbose_name = _("pepper changed")
        verbose_name_plural = _("peppers changed")

    def __str__(self) -> str:
        return self.pepper


class Epoch(Projection):
    """A new name under which the book is signed after a loss."""

    events = (EpochBegun,)

    origin = text(_("name"))
    lost_origin = text(_("name before"))
    lost_size = whole(_("size that was signed"))
    lost_root = text(_("root that was signed"))
    reason = text(_("reason"))
    reference = text(_("reference"))

    class Meta:
        db_table = "casino_epoch"
        verbose_name = _("epoch")
        verbose_name_plural = _("epochs")

    def __str__(self) -> str:
        return self.origin


class EpochApproval(Projection):
    """A second person's word on an epoch."""

    events = (EpochApproved,)

    begun_stream = text(_("stream of the entry"))
    begun_n = whole(_("number of the entry"))
    begun_leaf = text(_("leaf of the entry"))

    class Meta:
        db_table = "casino_epoch_approval"
        verbose_name = _("epoch approved")
        verbose_name_plural = _("epochs approved")

    def __str__(self) -> str:
        return f"{self.begun_stream} {self.begun_n}"

    @classmethod
    def rows_of(cls, event: EpochApproved, entry: EntryView) -> Iterator[dict[str, object]]:
        """One approval."""
        begun = event.begun
        yield {"begun_stream": begun.stream, "begun_n": begun.n, "begun_leaf": begun.leaf}


class SchemaRecord(Projection):
    """What the database looked like when it was recorded."""

    events = (SchemaRecorded,)

    sha256 = text(_("digest"))
    migrations = listed(_("migrations"))
    server = text(_("server"))

    class Meta:
        db_table = "casino_schema_record"
        verbose_name = _("schema of the database")
        verbose_name_plural = _("schemas of the database")

    def __str__(self) -> str:
        return self.sha256


class Restoration(Projection):
    """Lost entries that were put back."""

    events = (BookRestored,)

    size = whole(_("size"))
    root = text(_("root"))
    entries = whole(_("entries put back"))
    source = text(_("source"))
    reason = text(_("reason"))

    class Meta:
        db_table = "casino_restoration"
        verbose_name = _("restoration")
        verbose_name_plural = _("restorations")

    def __str__(self) -> str:
        return str(self.size)


class DocumentSeal(Projection):
    """A document whose seal was asked for; the signer looks here for what to sign."""

    events = (DocumentSealAsked,)

    document = text(_("document"))
    sha256 = text(_("digest before the seal"))
    digest = text(_("digest that is signed"))
    certificate = text(_("certificate of the seal"))

    class Meta:
        db_table = "casino_document_seal"
        verbose_name = _("seal of a document")
        verbose_name_plural = _("seals of documents")
        indexes = (models.Index(fields=["recorded_at"], name="document_seal_recorded"),)

    def __str__(self) -> str:
        return self.document


class DocumentSignature(models.Model):
    """What the signer answered to a seal that was asked for: its signature, or why there is none.

    Operational: a signature proves itself by the certificate, and can be made again.
    """

    category: ClassVar[Category] = "operational"

    entry_id = models.UUIDField(_("entry"), primary_key=True)
    signature = models.BinaryField(_("signature"), null=True)
    refusal = models.TextField(_("refusal"), default="")

    class Meta:
        db_table = "casino_document_signature"
        verbose_name = _("signature of a document")
        verbose_name_plural = _("signatures of documents")

    def __str__(self) -> str:
        return str(self.entry_id)
