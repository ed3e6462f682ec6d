"""What chips come to: by value, in all, and against what the table began with.

A float that was never recorded is not made up: then nothing is compared. Pure, but for the words.
`equation_of` is the whole money of a game, as the check of it reads it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext

from casino.events.floor_life import ChipsCounted
from casino.events.partidas import ChipCount
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.lacking import lacking
from casino.law.table_money import Checkpoint, Counted, money_of, total
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


CHECK: Final = "chips_are_those_of_the_game"


@dataclass(frozen=True, slots=True)
class Equation:
    """The money of a game in words: its terms with their sign, what they come to, what lacks.

    `terms` are (sign, what it is, amount or '' where it is not on record), `between` the counts
    during the game. `off` and `since` are '' where nothing is off or it is not decidable.
    """

    terms: Sequence[tuple[str, str, str]]
    expected: str
    counted: str
    off: str
    since: datetime | None
    rounds: int
    between: Sequence[tuple[datetime, str, str]]
    lacks: Sequence[str]


def equation_of(game: PartidaContext) -> Equation:
    """The chips of a game at its closing out of everything that moved them."""
    found = money_of(game)
    off = 0 if found.missing else found.difference or 0
    drop = "" if found.drop is None else money(found.drop)
    terms = (
        ("", gettext("Chips at the opening"), _money(found.opening)),
        ("+", gettext("Chips brought"), money(found.fills)),
        ("−", gettext("Chips taken away"), money(found.credits)),
        ("−", gettext("Chips sold for cash: counted of the drop box"), drop),
        ("+", gettext("Staked in the rounds"), money(found.staked)),
        ("−", gettext("Handed back in the rounds"), money(found.returned)),
    )
    told = (lacking(CHECK, name) for name in found.missing)
    return Equation(
        terms=terms,
        expected="" if found.expected is None else money(found.expected),
        counted=_money(found.closing),
        off=_off(off),
        since=found.agreed.at if off and found.agreed is not None else None,
        rounds=len(found.rounds_since) if off else 0,
        between=[_between(one) for one in found.checkpoints],
        lacks=[gettext(one.what) for one in told if one is not None],
    )


def _money(count: Counted | None) -> str:
    return "" if count is None else money(count.cents)


def _off(cents: int) -> str:
    if not cents:
        return ""
    words = gettext("%(amount)s too many") if cents > 0 else gettext("%(amount)s missing")
    return words % {"amount": money(abs(cents))}


def _between(checkpoint: Checkpoint) -> tuple[datetime, str, str]:
    if checkpoint.off is None:
        said = gettext("decides nothing")
    elif checkpoint.off:
        said = gettext("%(off)s, at least") % {"off": _off(checkpoint.off)}
    else:
        said = gettext("may be right")
    return checkpoint.counted.at, money(checkpoint.counted.cents), said
