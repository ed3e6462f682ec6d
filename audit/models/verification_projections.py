"""What was done so that others can check the book: verifications ended, bundles handed out."""

from django.utils.translation import gettext_lazy as _

from audit.events import BookVerified, ExportMade
from casino.models.projection import Projection
from casino.models.projection_columns import maybe_uuid, maybe_whole, text, truth, whole


class Verification(Projection):
    """The book was verified from its first entry to the size that stands here."""

    events = (BookVerified,)

    size = whole(_("size"))
    root = text(_("root"))
    entries = whole(_("entries"))
    problems = whole(_("problems"))
    why = text(_("asked by"))
    run = maybe_uuid(_("run"))
    asked_by = text(_("asked for by"))
    kept = maybe_whole(_("kept checkpoint held against"))

    class Meta:
        db_table = "audit_verification"
        verbose_name = _("verification of the book")
        verbose_name_plural = _("verifications of the book")

    def __str__(self) -> str:
        return str(self.size)


class Export(Projection):
    """A bundle or a proof that was handed out."""

    events = (ExportMade,)

    extent = text(_("extent"))
    of_table = text(_("table"))
    from_index = maybe_whole(_("from index"))
    to_index = maybe_whole(_("to index"))
    entries = whole(_("entries"))
    size = whole(_("size"))
    root = text(_("root"))
    openings = truth(_("with private values"))
    of_list = text(_("list"))
    asked_by = text(_("asked for by"))

    class Meta:
        db_table = "audit_export"
        verbose_name = _("export")
        verbose_name_plural = _("exports")

    def __str__(self) -> str:
        return f"{self.extent} {self.size}"
