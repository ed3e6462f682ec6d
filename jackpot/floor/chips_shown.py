"""Whose chip lay there: what the tiles of a win show, for each round that can be meant.

What is shown is what the law's check asks of the win afterwards. Pure: read off the partida's
record.

Law: PT art. 41, 45.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from casino.events.round.round_played import RoundPlayed
from casino.law.round_moments import round_named
from jackpot.floor.pool_standing import Standing
from jackpot.floor.rounds_meant import Offered
from jackpot.floor.seats import Seat, Which, increments_of
from jackpot.rules.laid import Laid, laid_in
from jackpot.rules.pool_evening import PoolEvening, pools_of


@dataclass(frozen=True, slots=True)
class OfRound:
    """The chips of a round that can be meant, by its place among the tiles.

    `number` is None where no round is named, `recorded` whether its chips are, `meant` whether
    it is the one that is ticked.
    """

    place: int
    value: str
    number: int | None
    recorded: bool
    meant: bool
    laid: Laid | None = None


@dataclass(frozen=True, slots=True)
class OnTile:
    """What a tile says of its seat's chip in one round; `bare` where it is recorded that none
    lay.
    """

    of: OfRound
    words: str
    bare: bool


@dataclass(frozen=True, slots=True)
class Tile:
    """A seat, and what it says for each round."""

    seat: Seat
    chips: tuple[OnTile, ...]

    @property
    def known(self) -> bool:
        """Whether somebody is known to sit there, or a chip to have lain there."""
        known = any(one.words and not one.bare for one in self.chips)
        return self.seat.taken or self.seat.chip or known


def chips_shown(on: Standing, offered: Sequence[Offered], meant: str) -> list[OfRound]:
    """What is recorded of the chips of each round offered; of the game where none is."""
    (pool,) = (one for one in pools_of(on.dossier, on.rules) if one.jackpot == on.jackpot)
    collected = bool(increments_of(on.dossier, on.jackpot))
    found = []
    for place, one in enumerate(offered):
        if one.which is None:
            found.append(OfRound(place, one.value, None, True, one.value == meant))
            continue
        laid, number = _laid(pool, one.which), one.which.number
        known = laid is not None
        found.append(OfRound(place, one.value, number, known, one.value == meant, laid))
    return found or [OfRound(0, "", None, collected, True)]


def _laid(pool: PoolEvening, which: Which) -> Laid | None:
    return laid_in(pool, which, round_named(which, pool.dossier.of(RoundPlayed)))


def tiles_of(seats: Sequence[Seat], shown: Sequence[OfRound]) -> list[Tile]:
    """Each seat, with what its tile says of its chip."""
    return [Tile(seat, tuple(_on_tile(seat, one) for one in shown)) for seat in seats]


def _on_tile(seat: Seat, of: OfRound) -> OnTile:
    if of.number is None:
        return OnTile(of, gettext("chip last time") if seat.chip else "", False)
    if of.laid is None:
        return OnTile(of, "", False)
    if of.laid.has(seat.owner, seat.box, seat.number):
        return OnTile(of, gettext("chip this round"), False)
    return OnTile(of, gettext("no chip"), True)
