"""Whether a winner had laid a chip in the round he won.

Markers and increments are told so that it can be seen whose chip it was. Who laid none wins nothing
by whatever cards, and what he is paid is another's.

Law: PT art. 45 (41, 49).
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from casino.facts.rounds import RoundPlayed
from casino.regulation.dossier import Told
from casino.regulation.finding import LAWFUL, UNDECIDED, Breach, Result
from jackpot.facts import JackpotWinner
from jackpot.progressive.stakes import Chips
from jackpot.rules.chips import Collection
from jackpot.rules.staking import in_increments, in_round
from jackpot.rules.told import OfRound, PoolEvening


@dataclass(frozen=True, slots=True)
class Laid:
    """The chips told of one round, by owner and box, and what told them.

    `seats` are the seats they came from, as far as told, each with its box; `whole` is False where
    a chip that was told without its round may belong to it.
    """

    chips: Chips
    seats: frozenset[tuple[int | None, int]]
    whole: bool
    told: tuple[Told[Any], ...]

    def has(self, owner: str, box: int, seat: int | None) -> bool:
        """Whether his chip lay on that box. In one round a seat is one player, whatever his name.

        Who collects the chips may call him otherwise than who writes the round down.
        """
        return (owner, box) in self.chips or (seat is not None and (seat, box) in self.seats)


def laid_in(pool: PoolEvening, of: OfRound, played: Told[RoundPlayed] | None) -> Laid | None:
    """The chips of a round, which may be on record; None where nobody told any, or which it was.

    Law: PT art. 41.
    """
    one = next((one for one in pool.rounds if _is(one, of, played)), None)
    if one is None:
        tells = played is not None and pool.alone and pool.rounds_tell
        if not tells:
            return None
        one = Collection(played)  # its record tells all its wagers, and no chip among them
    chips = (in_round(one) or Counter()) | (in_increments(one) or Counter())
    told = (*one.increments, *(() if one.round is None else (one.round,)))
    return Laid(chips, _seats(one), one.whole and not _loose(pool), told)


def laid_a_chip(winner: JackpotWinner, laid: Laid | None) -> Result:
    """The chip lay there, on his box and his. Law: PT art. 45."""
    if laid is None:
        return UNDECIDED
    if laid.has(winner.owner, winner.box, winner.seat):
        return LAWFUL
    if not laid.whole:
        return UNDECIDED
    return Breach({"owner": winner.owner, "box": winner.box}, {"chips": 0}, {"at_least": 1})


def _is(one: Collection, of: OfRound, played: Told[RoundPlayed] | None) -> bool:
    """Whether these are the chips of that round."""
    if played is not None and one.round is played:
        return True
    return any(_same(told.fact, of) for told in one.increments)


def _same(told: OfRound, of: OfRound) -> bool:
    if told.round is not None and of.round is not None:
        return told.round == of.round
    place = (of.shoe, of.number)
    return None not in place and (told.shoe, told.number) == place


def _seats(one: Collection) -> frozenset[tuple[int | None, int]]:
    boxes = () if one.round is None else one.round.fact.boxes
    staked = {
        (wager.seat, box.number) for box in boxes for wager in box.wagers if wager.kind == "jackpot"
    }
    collected = {(chip.seat, chip.box) for told in one.increments for chip in told.fact.chips}
    return frozenset(staked | collected)


def _loose(pool: PoolEvening) -> bool:
    """Whether chips were told of which nobody told the round."""
    return any(
        told.fact.round is None and None in (told.fact.shoe, told.fact.number)
        for one in pool.rounds
        for told in one.increments
    )
