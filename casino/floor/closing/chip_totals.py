"""What chips come to: by value, in all, and against what the table began with.

A float that was never recorded is not made up: then nothing is compared. Pure, but for the words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from casino.events.floor_life import ChipsCounted
from casino.events.partidas import ChipCount
from casino.law.partida_context import PartidaContext
from casino.web.display.money_and_time import money


@dataclass(frozen=True, slots=True)
class Float:
    """What the table began with, and what was brought and taken away since, in cents."""

    opening: int
    fills: int
    credits: int

    @property
    def expected(self) -> int:
        """What would lie there if nobody had won or lost."""
        return self.opening + self.fills - self.credits


def total(counts: Iterable[ChipCount]) -> int:
    """What chips come to. Units: cents."""
    return sum(one.value_cents * one.count for one in counts)


def float_of(game: PartidaContext) -> Float | None:
    """The float of a game: counted at the opening, or named by it; None where neither was
    recorded.
    """
    tallies = game.dossier.of(ChipsCounted)
    first = _tally_rows(tallies, "opening")
    opened = game.opened
    if first:
        opening = total(first[-1])
    elif opened is not None and opened.event.counts:
        opening = total(opened.event.counts)
    else:
        return None
    fills, taken = (sum(map(total, _tally_rows(tallies, when))) for when in ("fill", "credit"))
    return Float(opening, fills, taken)


def closing_of(game: PartidaContext) -> int | None:
    """What was counted at the closing last; None where nobody counted. Units: cents."""
    counted = _tally_rows(game.dossier.of(ChipsCounted), "closing")
    return total(counted[-1]) if counted else None


def compared(counted: int, began: Float) -> str:
    """The difference to the float, in words."""
    off = counted - began.expected
    if not off:
        return gettext("As much as the table began with.")
    values = {"amount": money(abs(off))}
    if off > 0:
        return gettext("%(amount)s more than the table began with.") % values
    return gettext("%(amount)s less than the table began with.") % values


def _tally_rows(tallies: Sequence[object], when: str) -> list[tuple[ChipCount, ...]]:
    events = [value.event for value in tallies]  # type: ignore[attr-defined]
    return [event.counts for event in events if event.moment == when]
