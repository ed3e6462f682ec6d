"""What was done around the book: projections made again, private values erased, files taken in."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.keeping import Erased, ImportConfirmed, ProjectionRebuilt
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import maybe_whole, text, whole


class Rebuild(Projection):
    """A projection that was made again: what stands there now, what stood there before."""

    events = (ProjectionRebuilt,)

    shelf = text(_("shelf"))
    rows = whole(_("rows"))
    sha256 = text(_("digest"))
    rows_before = maybe_whole(_("rows before"))
    sha256_before = text(_("digest before"))

    class Meta:
        db_table = "casino_rebuild"
        verbose_name = _("shelf made again")
        verbose_name_plural = _("shelves made again")

    def __str__(self) -> str:
        return self.shelf


class Erasure(Projection):
    """A private value of an entry that was erased."""

    events = (Erased,)

    entry_stream = text(_("stream of the entry"))
    entry_n = whole(_("number of the entry"))
    entry_leaf = text(_("leaf of the entry"))
    field = text(_("field"))
    legal_basis = text(_("legal basis"))
    reference = text(_("reference"))

    class Meta:
        db_table = "casino_erasure"
        verbose_name = _("erasure")
        verbose_name_plural = _("erasures")
        indexes = (models.Index(fields=["entry_stream", "entry_n"], name="erasure_entry"),)

    def __str__(self) -> str:
        return f"{self.entry_stream} {self.entry_n} {self.field}"

    @classmethod
    def rows_of(cls, event: Erased, entry: EntryView) -> Iterator[dict[str, object]]:
        """One value."""
        yield same(event, cls) | {
            "entry_stream": event.entry.stream,
            "entry_n": event.entry.n,
            "entry_leaf": event.entry.leaf,
        }


class ImportConfirmation(Projection):
    """A file whose records a second person had written."""

    events = (ImportConfirmed,)

    content = text(_("content of the file"))
    file_sha256 = text(_("digest of the file"))
    records = whole(_("records"))
    brought_by = text(_("brought by"))
    mapping_sha256 = text(_("digest of the mapping"))

    class Meta:
        db_table = "casino_import_confirmation"
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        indexes = (models.Index(fields=["file_sha256"], name="import_file"),)

    def __str__(self) -> str:
        return self.file_sha256[:12]
