"""Chips that feed a pool: increments made by hand, and each chip a round or one of them tells."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.round.round_played import RoundPlayed
from casino.models.projection import (
    WHAT_COUNTS,
    EntryView,
    Lock,
    Projection,
    ProjectionRow,
    same,
)
from casino.models.projection_columns import (
    listed,
    maybe_truth,
    maybe_uuid,
    maybe_whole,
    text,
    whole,
)
from jackpot.events import JackpotIncremented
from jackpot.models.locks import pool_lock

ROUND: Final = "round"
INCREMENT: Final = "increment"
MOST: Final = 50  # rows for the chips of one owner on one box


class JackpotIncrement(Projection):
    """Jackpot chips collected by hand and put on the display. `chips` counts them all."""

    events = (JackpotIncremented,)

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

    @classmethod
    def rows_of(cls, event: JackpotIncremented, entry: EntryView) -> Iterator[dict[str, object]]:
        """One increment."""
        yield same(event, cls) | {
            "chips": sum(chip.n for chip in event.chips),
            "owners": sorted({chip.owner for chip in event.chips}),
        }

    @classmethod
    def locks_of(cls, event: JackpotIncremented) -> Iterable[Lock]:
        """Contributions to a pool may run beside each other, but not beside a payout."""
        return (Lock(pool_lock(event.jackpot), shared=True),)


class Contribution(ProjectionRow):
    """One chip of one owner on one box in one round: his first, his second and so on by `chip`.

    `told_by` says whether a round told it (``"round"``) or an increment made by hand
    (``"increment"``): a table marked by hand tells the same chips twice, and they must agree; which
    of them feeds the meter is for the approved terms to say. A round does not name its pool; its
    partida does. `chips` is 1; only where somebody tells of more than `MOST` on a box the last row
    stands for the rest. `stake_cents` and `returned_cents` are the row's own part.
    """

    events = (JackpotIncremented, RoundPlayed)

    told_by = text(_("told by"))
    jackpot = text(_("jackpot"))
    round = maybe_uuid(_("round"))
    shoe = maybe_whole(_("shoe"))
    number = maybe_whole(_("number in the shoe"))
    box = whole(_("box"))
    owner = text(_("owner"))
    chip = whole(_("chip of this owner here"))
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
            # What came to a pool since a seal: a range of each table's stream.
            models.Index(
                fields=["jackpot", "stream", "n"],
                include=[
                    "told_by",
                    "partida_id",
                    "occurred_at",
                    "recorded_at",
                    "chips",
                    "stake_cents",
                ],
                name="contribution_since",
            ),
        )
        constraints = (
            models.UniqueConstraint(
                fields=["jackpot", "entry", "box", "owner", "chip"], name="contribution_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.partida_id} {self.box} {self.owner}"

    @classmethod
    def rows_of(
        cls, event: JackpotIncremented | RoundPlayed, entry: EntryView
    ) -> Iterator[dict[str, object]]:
        """The chips of an increment or of a round, one by one."""
        yield from _of_round(event) if isinstance(event, RoundPlayed) else _of_increment(event)

    @classmethod
    def locks_of(cls, event: JackpotIncremented | RoundPlayed) -> Iterable[Lock]:
        """An increment's pool; a round does not say of which pool, so it keeps off all of them."""
        if isinstance(event, JackpotIncremented):
            return JackpotIncrement.locks_of(event)
        if any(wager.kind == "jackpot" for box in event.boxes for wager in box.wagers):
            return (Lock(WHAT_COUNTS, shared=True),)
        return ()


def _of_increment(event: JackpotIncremented) -> Iterator[dict[str, object]]:
    """The chips of an increment, one by one."""
    laid: Counter[tuple[int, str]] = Counter()
    for chip in event.chips:
        worth = None if event.chip_cents is None else chip.n * event.chip_cents
        before = laid[chip.box, chip.owner]
        for number, n, stake in _one_by_one(chip.n, worth):
            yield {
                "told_by": INCREMENT,
                "jackpot": event.jackpot,
                "round": event.round,
                "shoe": event.shoe,
                "number": event.number,
                "box": chip.box,
                "owner": chip.owner,
                "chip": before + number,
                "seat": chip.seat,
                "chips": n,
                "stake_cents": stake,
                "returned_cents": None,
                "marked": chip.marked,
            }
        laid[chip.box, chip.owner] += chip.n


def _of_round(event: RoundPlayed) -> Iterator[dict[str, object]]:
    """The jackpot wagers of a round, chip by chip."""
    laid: Counter[tuple[int, str]] = Counter()
    for box in event.boxes:
        for wager in box.wagers:
            if wager.kind != "jackpot":
                continue
            before = laid[box.number, wager.owner]
            for number, n, stake in _one_by_one(wager.chip or 1, wager.stake_cents):
                yield {
                    "told_by": ROUND,
                    "jackpot": "",
                    "round": event.round,
                    "shoe": event.shoe,
                    "number": event.number,
                    "box": box.number,
                    "owner": wager.owner,
                    "chip": before + number,
                    "seat": wager.seat,
                    "chips": n,
                    "stake_cents": stake,
                    "returned_cents": wager.returned_cents if number == 1 else 0,
                    "marked": None,
                }
            laid[box.number, wager.owner] += wager.chip or 1


def _one_by_one(n: int, stake_cents: int | None) -> Iterator[tuple[int, int, int | None]]:
    """Number, chips and stake of each row: one a chip, at most `MOST`.

    What does not divide evenly lies with the first chips, so that nothing is lost.
    """
    each, rest = divmod(stake_cents or 0, n)
    for number in range(1, min(n, MOST) + 1):
        chips = 1 if number < MOST else n - MOST + 1
        odd = min(max(rest - number + 1, 0), chips)
        yield number, chips, None if stake_cents is None else each * chips + odd
