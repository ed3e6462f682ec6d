"""The tables of the room and their limits, as they were set one after the other."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.tables import LimitsSet, TableRegistered
from casino.models.projection import Projection
from casino.models.projection_columns import maybe_truth, moment, text, whole


class Table(Projection):
    """A table as it was laid out from this entry on."""

    events = (TableRegistered,)

    boxes = whole(_("boxes"))
    place = text(_("place"))
    layout = text(_("form of the table"))
    numbering = text(_("numbering of the boxes"))
    boxes_marked = maybe_truth(_("boxes marked on the cloth"))
    jackpot_place = maybe_truth(_("has a place for the jackpot chip"))
    jackpot_marking = text(_("marking of the jackpot"))

    class Meta:
        db_table = "casino_table"
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        indexes = (models.Index(fields=["table_code", "n"], name="table_code_n"),)

    def __str__(self) -> str:
        return self.table_code


class Limits(Projection):
    """A table's limits from `valid_from` on, in cents."""

    events = (LimitsSet,)

    minimum_cents = whole(_("minimum"))
    maximum_cents = whole(_("maximum"))
    valid_from = moment(_("from"))
    approved_by = text(_("approved by"))
    reference = text(_("reference"))

    class Meta:
        db_table = "casino_limits"
        verbose_name = _("limits")
        verbose_name_plural = _("limits of the tables")
        indexes = (models.Index(fields=["table_code", "valid_from"], name="limits_from"),)

    def __str__(self) -> str:
        return f"{self.table_code} {self.minimum_cents}–{self.maximum_cents}"
