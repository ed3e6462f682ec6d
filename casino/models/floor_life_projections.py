"""Who deals, who sits, what chips lie there, which cards wait to go back."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.floor_life import (
    ChipsCounted,
    DealerLeftTable,
    DealerTookTable,
    DropCounted,
    PartidaReopened,
    RoundsDeferred,
    SeatLeft,
    SeatTaken,
    TableHandedOver,
)
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import listed, maybe_moment, text, whole


class Dealing(Projection):
    """A dealer who began or stopped dealing; `act` says which."""

    events = (DealerTookTable, DealerLeftTable)

    act = text(_("act"))
    pagador = text(_("dealer"))
    relieves = text(_("relieves"))

    class Meta:
        db_table = "casino_dealing"
        verbose_name = _("dealer at the table")
        verbose_name_plural = _("dealers at the tables")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="dealing_day_table"),
            models.Index(fields=["partida_id", "n"], name="dealing_partida"),
            models.Index(fields=["pagador", "occurred_at"], name="dealing_pagador"),
        )

    def __str__(self) -> str:
        return f"{self.pagador} {self.act}"

    @classmethod
    def rows_of(
        cls, event: DealerTookTable | DealerLeftTable, entry: EntryView
    ) -> Iterator[dict[str, object]]:
        """One change."""
        took = isinstance(event, DealerTookTable)
        relieves = event.relieves if isinstance(event, DealerTookTable) else None
        yield {
            "act": "took" if took else "left",
            "pagador": event.pagador,
            "relieves": relieves or "",
        }


class HandOver(Projection):
    """A table another fiscal de banca answers for from then on."""

    events = (TableHandedOver,)

    fiscal_de_banca = text(_("fiscal de banca"))
    relieves = text(_("relieves"))

    class Meta:
        db_table = "casino_hand_over"
        verbose_name = _("table handed over")
        verbose_name_plural = _("tables handed over")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="hand_over_day_table"),
            models.Index(fields=["partida_id", "n"], name="hand_over_partida"),
            models.Index(fields=["fiscal_de_banca", "occurred_at"], name="hand_over_fiscal"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.fiscal_de_banca}"


class Seat(Projection):
    """A seat that was taken or left; `act` says which."""

    events = (SeatTaken, SeatLeft)

    act = text(_("act"))
    seat = whole(_("seat"))
    player = text(_("player"))

    class Meta:
        db_table = "casino_seat"
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="seat_day_table"),
            models.Index(fields=["partida_id", "n"], name="seat_partida"),
        )

    def __str__(self) -> str:
        return f"{self.seat} {self.act}"

    @classmethod
    def rows_of(cls, event: SeatTaken | SeatLeft, entry: EntryView) -> Iterator[dict[str, object]]:
        """One change."""
        player = event.player if isinstance(event, SeatTaken) else None
        yield {
            "act": "taken" if isinstance(event, SeatTaken) else "left",
            "seat": event.seat,
            "player": player or "",
        }


class ChipTally(Projection):
    """The chips of a table, counted once. `total_cents` is what they make together."""

    events = (ChipsCounted,)

    moment = text(_("occasion"))
    counts = listed(_("counts"))
    total_cents = whole(_("total"))
    pagador = text(_("dealer"))
    second = text(_("second person"))

    class Meta:
        db_table = "casino_chip_tally"
        verbose_name = _("chips counted")
        verbose_name_plural = _("chips counted")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="tally_day_table"),
            models.Index(fields=["partida_id"], name="tally_partida"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.moment}"

    @classmethod
    def rows_of(cls, event: ChipsCounted, entry: EntryView) -> Iterator[dict[str, object]]:
        """One count."""
        yield same(event, cls) | {
            "counts": [
                {"value_cents": each.value_cents, "count": each.count} for each in event.counts
            ],
            "total_cents": sum(each.value_cents * each.count for each in event.counts),
        }


class DropTally(Projection):
    """The cash of a table's drop box, counted once."""

    events = (DropCounted,)

    cash_cents = whole(_("cash counted"))
    taken_at = maybe_moment(_("box taken off the table at"))
    counted_by = text(_("counted by"))
    second = text(_("second person"))

    class Meta:
        db_table = "casino_drop_tally"
        verbose_name = _("drop box counted")
        verbose_name_plural = _("drop boxes counted")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="drop_day_table"),
            models.Index(fields=["partida_id"], name="drop_partida"),
        )

    def __str__(self) -> str:
        return self.partida_id


class Deferral(Projection):
    """Rounds whose cards could not be put back yet."""

    events = (RoundsDeferred,)

    rounds = listed(_("rounds"))
    reason = text(_("reason"))
    shuffler = text(_("shuffler"))

    class Meta:
        db_table = "casino_deferral"
        verbose_name = _("cards not put back yet")
        verbose_name_plural = _("cards not put back yet")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="deferral_day_table"),
            models.Index(fields=["partida_id"], name="deferral_partida"),
        )

    def __str__(self) -> str:
        return self.partida_id


class Reopening(Projection):
    """A closing that was undone."""

    events = (PartidaReopened,)

    reason = text(_("reason"))
    authorised_by = text(_("authorised by"))

    class Meta:
        db_table = "casino_reopening"
        verbose_name = _("partida reopened")
        verbose_name_plural = _("partidas reopened")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="reopening_day_table"),
            models.Index(fields=["partida_id"], name="reopening_partida"),
        )

    def __str__(self) -> str:
        return self.partida_id
