"""Whose right the cut is: article 8 as a rule of turns, shoe after shoe.

At the start, and after an interruption, the right is the lowest occupied seat's; with every further
shoe it moves on. A seat that declines passes it on to the next; when all decline the fiscal de
banca cuts, and the next shoe begins again as at the start. A door asks this before the cut, a check
after it.

Law: PT art. 8.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

# What may come between two cuts: play stopped for lack of players or of stakes or a closing undone,
# a stop for another reason, another dealer.
Break = Literal["stop", "other_stop", "dealer_change"]


# What a reading counts besides.
_ALSO: Final[Mapping[str, Break]] = {
    "any_stop": "other_stop", "dealer_change_too": "dealer_change",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LastCut:
    """The cut of the shoe before: the seat whose right it was and the seat that cut.

    `due` None: nobody knows, or nobody had the right. `by` None: the house cut, not a player.
    """

    due: int | None
    by: int | None


@dataclass(frozen=True, slots=True)
class Right:
    """The seats to be asked, in their order; none where the fiscal de banca cuts at once.

    `readings` are those on which this order hangs.
    """

    seats: tuple[int, ...]
    readings: tuple[str, ...] = ()

    @property
    def due(self) -> int | None:
        """The seat whose right it is; None where it is the fiscal de banca's."""
        return self.seats[0] if self.seats else None

    def passes_to(self, declined: Iterable[int]) -> int | None:
        """The first seat that has not declined; None where the cut is the fiscal de banca's."""
        refused = set(declined)
        return next((seat for seat in self.seats if seat not in refused), None)


def starts_over(
    breaks: Iterable[Break | None], figures: Mapping[str, Any]
) -> tuple[bool | None, tuple[str, ...]]:
    """Whether what came between two cuts starts the turns over, and the reading this hangs on.

    A break of None is one of which nobody knows whether it happened; the answer is None where it
    would decide.
    """
    listed = set(breaks)
    if "stop" in listed:
        return True, ("interruption",)
    counted = _ALSO.get(figures["cut.reset_by"])
    if counted in listed:
        return True, ("interruption",)
    if counted == "dealer_change":
        return (None if None in listed else False), ("interruption",)
    return False, ("interruption",) if listed & {"other_stop", "dealer_change"} else ()


def next_cutter(
    seats_occupied: Sequence[int], last_cut: LastCut | None, figures: Mapping[str, object]
) -> Right | None:
    """Whose right the next cut is, with these seats occupied.

    `last_cut` is None where the game begins or begins again; `figures` are the rulebook's
    parameters of the day. None where it hangs on a right of the shoe before that nobody knows.
    """
    seats = tuple(sorted(seats_occupied))
    if not seats or last_cut is None or last_cut.by is None:
        return Right(seats)
    readings: tuple[str, ...] = ()
    from_seat = last_cut.by
    if last_cut.due != last_cut.by:
        readings = ("cut-after-refusal",)
        if figures["cut.after_refusal"] == "from_due":
            if last_cut.due is None:
                return None
            from_seat = last_cut.due
    higher = tuple(seat for seat in seats if seat > from_seat)
    if higher:
        return Right(higher + seats[: len(seats) - len(higher)], readings)
    readings = (*readings, "cut-wraps")
    if figures["cut.after_highest_seat"] == "fiscal_de_banca":
        return Right((), readings)
    return Right(seats, readings)
