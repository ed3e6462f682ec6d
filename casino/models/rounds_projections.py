"""The rounds that were played: one row each, in partitions of a month of gaming days.

The table is made by SQL (RANGE partitions, key gaming_day and entry_id, no foreign key to it);
a query always names the gaming day or a range of them. The cards and the settlement are read
from the entry's bytes.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import ClassVar

from django.db import connections, models
from django.utils.translation import gettext_lazy as _

from casino.events.round.round_played import RoundPlayed
from casino.events.stake_signals import StakeSignal
from casino.models.projection import EntryView, Projection, ProjectionBase, blank
from casino.models.projection_columns import maybe_whole, text, whole


class Round(ProjectionBase):
    """A round. `staked_cents` and `returned_cents` are the sums of all its wagers.

    `boxes` is how many boxes were played, `bank` its cards, ``"TH 7C"``. `voided` says why the
    whole round was voided, '' where it was not.
    """

    events = (RoundPlayed,)

    in_parts: ClassVar[bool] = True

    entry_id = models.UUIDField(primary_key=True, editable=False)
    round = models.UUIDField(_("round"), editable=False)
    shoe = maybe_whole(_("shoe"))
    number = maybe_whole(_("number in the shoe"))
    dealer = text(_("dealer"))
    rulebook = text(_("rulebook"))
    boxes = whole(_("boxes"))
    staked_cents = whole(_("staked"))
    returned_cents = whole(_("returned"))
    bank = text(_("bank"))
    voided = text(_("voided"))

    class Meta:
        managed = False  # made by SQL: Django knows no partitions
        db_table = "casino_round"
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        indexes = (
            models.Index(fields=["gaming_day", "table_code", "n"], name="round_day_table"),
            models.Index(fields=["partida_id", "shoe", "number"], name="round_partida"),
            models.Index(fields=["round"], name="round_uuid"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.shoe or '?'}/{self.number or '?'}"

    @classmethod
    def make_room(cls, days: Iterable[date], using: str = "default") -> None:
        """A partition for every month of these days, where there is none yet."""
        with connections[using].cursor() as cursor:
            for month in sorted({day.replace(day=1) for day in days}):
                cursor.execute("SELECT ensure_round_partition(%s)", [month])

    @classmethod
    def rows_of(cls, event: RoundPlayed, entry: EntryView) -> Iterator[dict[str, object]]:
        """One round, summed up."""
        wagers = [wager for box in event.boxes for wager in box.wagers]
        yield {
            "round": event.round,
            "shoe": event.shoe,
            "number": event.number,
            "dealer": blank(event.dealer),
            "rulebook": blank(event.rulebook),
            "boxes": len(event.boxes),
            "staked_cents": sum(wager.stake_cents for wager in wagers),
            "returned_cents": sum(wager.returned_cents for wager in wagers),
            "bank": " ".join(event.bank.cards),
            "voided": blank(event.voided),
        }


class StakeReport(Projection):
    """Stakes that sensors saw when they were closed, or saw changed afterwards."""

    events = (StakeSignal,)

    round = models.UUIDField(_("round"), editable=False)
    box = whole(_("box"))
    owner = text(_("owner"))
    phase = text(_("phase"))
    amount_cents = whole(_("amount"))

    class Meta:
        db_table = "casino_stake_report"
        verbose_name = _("stake seen by a sensor")
        verbose_name_plural = _("stakes seen by sensors")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="stake_report_day_table"),
            models.Index(fields=["partida_id", "round"], name="stake_report_round"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.box}"
