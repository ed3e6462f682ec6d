"""The official texts of the rulebooks."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.regulations import RegulationTextReceived
from casino.models.projection import Projection
from casino.models.projection_columns import text


class RegulationText(Projection):
    """An official text that came into the house."""

    events = (RegulationTextReceived,)

    rulebook = text(_("rulebook"))
    title = text(_("title of the text"))
    file_sha256 = text(_("digest of the file"))
    in_force = models.DateField(_("in force from"), null=True, editable=False)

    class Meta:
        db_table = "casino_regulation_text"
        verbose_name = _("official text")
        verbose_name_plural = _("official texts")
        indexes = (models.Index(fields=["rulebook", "in_force"], name="regulation_text_rulebook"),)

    def __str__(self) -> str:
        return self.title
