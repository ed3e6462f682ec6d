"""The shelves of the progressive: increments, and every chip that feeds a pool."""

from collections.abc import Iterator
from typing import Any, Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.facts.rounds import RoundPlayed
from casino.models.columns import (
    listed,
    maybe_truth,
    maybe_uuid,
    maybe_whole,
    same,
    text,
    whole,
)
from casino.models.shelf import EntryView, Lock, Shelf, ShelfRow, Shelving
from jackpot.facts import JackpotIncremented


class JackpotIncrement(Shelf):
    """Jackpot chips collected by hand and put on the display. `chips` counts them all."""

    jackpot = text(_("jackpot"))
    round = maybe_uuid(_("round"))
    shoe = maybe_whole(_("shoe"))
    number = maybe_whole(_("number in the shoe"))
    chips = whole(_("chips"))
    owners = listed(_("owners"))
    chip_cents = maybe_whole(_("worth of a chip"))
    display_cents = maybe_whole(_("display afterwards"))
    closing_called = maybe_truth(_("stakes called closed"))
    collected_before_deal = maybe_truth(_("collected before the deal"))

    class Meta:
        db_table = "jackpot_increment"
        verbose_name = _("jackpot increment")
        verbose_name_plural = _("jackpot increments")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="increment_day_table"),
            models.Index(fields=["partida_id"], name="increment_partida"),
            models.Index(fields=["jackpot", "occurred_at"], name="increment_jackpot"),
        )

    def __str__(self) -> str:
        return f"{self.jackpot} {self.partida_id}"


class Contribution(ShelfRow):
    """The chips of one owner on one box in one round.

    `told_by` says whether a round told it (``"round"``) or an increment made by hand
    (``"increment"``): a table marked by hand tells the same chips twice, and they must agree. A
    round does not name its pool; its partida does.
    """

    told_by = text(_("told by"))
    jackpot = text(_("jackpot"))
    round = maybe_uuid(_("round"))
    shoe = maybe_whole(_("shoe"))
    number = maybe_whole(_("number in the shoe"))
    box = whole(_("box"))
    owner = text(_("owner"))
    seat = maybe_whole(_("seat"))
    chips = whole(_("chips"))
    stake_cents = maybe_whole(_("staked"))
    returned_cents = maybe_whole(_("returned"))
    marked = maybe_truth(_("replaced by a marker"))

    class Meta:
        db_table = "jackpot_contribution"
        verbose_name = _("jackpot contribution")
        verbose_name_plural = _("jackpot contributions")
        indexes = (
            models.Index(fields=["gaming_day", "table_code"], name="contribution_day_table"),
            models.Index(fields=["partida_id"], name="contribution_partida"),
            models.Index(fields=["round"], name="contribution_round"),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.box} {self.owner}"


def rows_of_increment(fact: JackpotIncremented, entry: EntryView) -> Iterator[dict[str, Any]]:
    """One increment."""
    yield same(fact, JackpotIncrement) | {
        "chips": sum(chip.n for chip in fact.chips),
        "owners": sorted({chip.owner for chip in fact.chips}),
    }


def rows_of_chips(fact: JackpotIncremented, entry: EntryView) -> Iterator[dict[str, Any]]:
    """The chips of an increment, as they were listed."""
    for chip in fact.chips:
        yield {
            "told_by": "increment",
            "jackpot": fact.jackpot,
            "round": fact.round,
            "shoe": fact.shoe,
            "number": fact.number,
            "box": chip.box,
            "owner": chip.owner,
            "seat": chip.seat,
            "chips": chip.n,
            "stake_cents": None if fact.chip_cents is None else chip.n * fact.chip_cents,
            "returned_cents": None,
            "marked": chip.marked,
        }


def rows_of_wagers(fact: RoundPlayed, entry: EntryView) -> Iterator[dict[str, Any]]:
    """The jackpot wagers of a round, box by box."""
    for box in fact.boxes:
        for wager in box.wagers:
            if wager.kind == "jackpot":
                yield {
                    "told_by": "round",
                    "jackpot": "",
                    "round": fact.round,
                    "shoe": fact.shoe,
                    "number": fact.number,
                    "box": box.number,
                    "owner": wager.owner,
                    "seat": wager.seat,
                    "chips": wager.chip,
                    "stake_cents": wager.stake_cents,
                    "returned_cents": wager.returned_cents,
                    "marked": None,
                }


def pool_of(fact: JackpotIncremented) -> Lock:
    """Contributions to a pool may run beside each other, but not beside a payout."""
    return Lock(f"jackpot/{fact.jackpot}", shared=True)


SHELVES: Final[dict[type, list[Shelving]]] = {
    JackpotIncremented: [
        (JackpotIncrement, rows_of_increment, pool_of),
        (Contribution, rows_of_chips, pool_of),
    ],
    RoundPlayed: [(Contribution, rows_of_wagers, None)],
}
