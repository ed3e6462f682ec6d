"""Whether a winner had laid a chip in the round he won.

Markers and increments are recorded so that it can be seen whose chip it was. Who laid none wins
nothing by whatever cards, and what he is paid is another's. Where nobody recorded which round it
was, whoever laid a chip in none of them laid none in that one.

Law: PT art. 45 (41, 49).
"""

from collections import Counter
from dataclasses import dataclass, replace

from casino.events.event import Event
from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Verdict
from casino.law.questions import breach
from casino.law.round_moments import OfRound
from jackpot.events import JackpotWinner, JackpotWon
from jackpot.progressive.stakes import Chips
from jackpot.rules.chip_checks import Collection
from jackpot.rules.conditions import CITED_AT_MOST
from jackpot.rules.pool_evening import PoolEvening, entries_of
from jackpot.rules.staking import chips_of


@dataclass(frozen=True, slots=True)
class Laid:
    """The chips told of one round, by owner and box, and what told them.

    `seats` are the seats they came from, as far as recorded, each with its box; `others` the chips
    that may belong to it too, because nobody recorded their round. `named` is False where nobody
    recorded which round it was: then all the game's chips are such.
    """

    chips: Chips
    seats: frozenset[tuple[int | None, int]]
    others: tuple["Laid", ...]
    recorded: tuple[RecordedEvent[Event], ...]
    named: bool = True

    def has(self, owner: str, box: int, seat: int | None) -> bool:
        """Whether his chip lay on that box. In one round a seat is one player, whatever his name.

        Who collects the chips may call him otherwise than who writes the round down.
        """
        return (owner, box) in self.chips or (seat is not None and (seat, box) in self.seats)

    def may_have(self, owner: str, box: int, seat: int | None) -> bool:
        """Whether a chip of which nobody recorded the round may be his: of his name, box or
        seat.
        """
        return any(
            owner == name or box == where for other in self.others for name, where in other.chips
        ) or any(seat is not None and seat == of for other in self.others for of, _ in other.seats)


def laid_in(
    pool: PoolEvening, of: OfRound, played: RecordedEvent[RoundPlayed] | None
) -> Laid | None:
    """The chips of a round, which may be on record; None where nobody recorded any, or which it
    was.

    Law: PT art. 41.
    """
    one = next((one for one in pool.rounds if _is(one, of, played)), None)
    if one is None:
        records = played is not None and pool.alone and pool.rounds_name_chips
        if not records:
            return None
        one = Collection(played)  # its record tells all its wagers, and no chip among them
    whole = one.whole and not _loose(pool)
    others = () if whole else tuple(_laid(other) for other in pool.rounds if other is not one)
    return replace(_laid(one), others=others)


def laid_in_some(pool: PoolEvening, win: RecordedEvent[JackpotWon]) -> Laid | None:
    """The chips of the game, for a win of which nobody recorded the round.

    None where its round is told, and where no chip was told of before it.

    Law: PT art. 41.
    """
    of = win.event
    if of.round is not None or None not in (of.shoe, of.number):
        return None
    before = [one for one in entries_of(pool.rounds) if one.occurred_at <= win.occurred_at]
    if not before:
        return None
    events = tuple(sorted(before, key=in_time)[-CITED_AT_MOST:])
    return Laid(Counter(), frozenset(), tuple(map(_laid, pool.rounds)), events, named=False)


def laid_a_chip(winner: JackpotWinner, laid: Laid | None) -> Verdict:
    """The chip lay there, on his box and his. Law: PT art. 45."""
    if laid is None:
        return UNDECIDED
    his = winner.owner, winner.box, winner.seat
    if laid.has(*his):
        return LAWFUL
    if laid.may_have(*his):
        return UNDECIDED
    observed = {"chips": 0} if laid.named else {"chips_in_game": 0}
    return breach(observed, {"at_least": 1}, where={"owner": winner.owner, "box": winner.box})


def _laid(collection: Collection) -> Laid:
    chips = chips_of(collection)
    listed = (*collection.increments, *(() if collection.round is None else (collection.round,)))
    return Laid(chips, _seats(collection), (), listed)


def _is(collection: Collection, of: OfRound, played: RecordedEvent[RoundPlayed] | None) -> bool:
    """Whether these are the chips of that round."""
    if played is not None and collection.round is played:
        return True
    return any(_same(recorded.event, of) for recorded in collection.increments)


def _same(of_round: OfRound, of: OfRound) -> bool:
    if of_round.round is not None and of.round is not None:
        return of_round.round == of.round
    place = (of.shoe, of.number)
    return None not in place and (of_round.shoe, of_round.number) == place


def _seats(collection: Collection) -> frozenset[tuple[int | None, int]]:
    boxes = () if collection.round is None else collection.round.event.boxes
    staked = {
        (wager.seat, box.number) for box in boxes for wager in box.wagers if wager.kind == "jackpot"
    }
    collected = {(chip.seat, chip.box) for one in collection.increments for chip in one.event.chips}
    return frozenset(staked | collected)


def _loose(pool: PoolEvening) -> bool:
    """Whether chips were recorded of which nobody recorded the round."""
    return any(
        recorded.event.round is None and None in (recorded.event.shoe, recorded.event.number)
        for one in pool.rounds
        for recorded in one.increments
    )
