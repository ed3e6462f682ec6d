"""Draws of tables and rounds to be looked at: what was committed to, and what was drawn."""

from collections.abc import Iterator
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from audit.draw_events import DrawCommitted, DrawMade
from audit.models.finding_projections import named
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import listed, text, whole

_ROUNDS: Final = ("rounds", "reserve_rounds")


class DrawCommitment(Projection):
    """An inspector's commitment to a draw. `tables` is empty where all are drawn from."""

    events = (DrawCommitted,)

    draw = whole(_("draw"))
    from_day = models.DateField(_("from the gaming day"), editable=False)
    to_day = models.DateField(_("to the gaming day"), editable=False)
    tables = listed(_("tables drawn from"))
    tables_wanted = whole(_("tables to draw"))
    tables_in_reserve = whole(_("tables in reserve"))
    rounds_wanted = whole(_("rounds to draw"))
    rounds_in_reserve = whole(_("rounds in reserve"))
    commitment = text(_("commitment"))

    class Meta:
        db_table = "audit_draw_commitment"
        verbose_name = _("commitment to a draw")
        verbose_name_plural = _("commitments to draws")
        indexes = (
            models.Index(fields=["draw"], name="draw_commitment_number"),
            models.Index(fields=["commitment"], name="draw_commitment_once"),
        )

    def __str__(self) -> str:
        return str(self.draw)


class DrawResult(Projection):
    """What was drawn. Rounds are a list of objects `stream`, `n`, `leaf`, in the draw's order."""

    events = (DrawMade,)

    draw = whole(_("draw"))
    secret = text(_("secret"))
    size = whole(_("entries under the root"))
    root = text(_("root"))
    population = whole(_("rounds drawn from"))
    population_tables = whole(_("tables drawn from"))
    digest = text(_("digest of the population"))
    tables = listed(_("tables drawn"))
    reserve_tables = listed(_("tables in reserve"))
    rounds = listed(_("rounds drawn"))
    reserve_rounds = listed(_("rounds in reserve"))

    class Meta:
        db_table = "audit_draw_result"
        verbose_name = _("draw made")
        verbose_name_plural = _("draws made")
        indexes = (models.Index(fields=["draw"], name="draw_result_number"),)

    def __str__(self) -> str:
        return str(self.draw)

    @classmethod
    def rows_of(cls, event: DrawMade, entry: EntryView) -> Iterator[dict[str, object]]:
        """The draw; its rounds as the entry names them."""
        rounds = {name: [named(ref) for ref in getattr(event, name)] for name in _ROUNDS}
        yield same(event, cls) | rounds
