"""What a sensor saw of a box's stake, held against the stake the round is recorded with.

A table whose sensor reports nothing is asked nothing, and so is a round without signals. Only the
stake a box began with is asked about: doubles, splits and insurance lie on other spots.

Law: PT art. 13; that both agree where nothing was seen to change is the house's own control.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from casino.events.round.round_played import Box, RoundPlayed, Wager
from casino.events.stake_signals import StakeSignal
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, Where, upholds
from casino.law.partida_context import PartidaContext
from casino.law.questions import breach, together
from casino.law.round_moments import Round, round_place
from casino.law.rounds.play import STAKED, recorded_stakes

Signal = RecordedEvent[StakeSignal]
NOTHING: Final = 0  # what lies on a box of which the round tells no stake


class _Seen(NamedTuple):
    """What was seen of one box, or of one owner's stake there, and the round it was.

    `closed` is the last signal of what lay there at the closing, `changes` those that came after
    it before the round was paid; `stake` is what the round tells, None where it does not tell it.
    """

    where: Where
    round: Round
    closed: Signal
    changes: Sequence[Signal]
    stake: int | None
    gained: int  # what was handed back beyond the stakes that play with the cards, in cents


def _reporting(game: PartidaContext) -> bool:
    return bool(game.dossier.of(StakeSignal))


def _of_each(game: PartidaContext, ask: Callable[[_Seen], Verdict]) -> Verdict:
    """Every box that was seen; open where the round or what lay at the closing is not on record."""
    played = {one.event.round: one for one in reversed(game.dossier.of(RoundPlayed))}
    spots: dict[tuple[str, int, str | None], list[Signal]] = defaultdict(list)
    for signal in sorted(game.dossier.of(StakeSignal), key=in_time):
        event = signal.event
        spots[event.round, event.box, event.owner].append(signal)
    verdicts: list[Verdict] = []
    for (uuid, number, owner), signals in spots.items():
        recorded = played.get(uuid)
        if recorded is None:
            verdicts.append(UNDECIDED)
        elif recorded.event.voided is None:
            seen = _seen(recorded, number, owner, signals)
            verdicts.append(UNDECIDED if seen is None else ask(seen))
    return together(verdicts)


def _seen(
    recorded: Round, number: int, owner: str | None, signals: Sequence[Signal]
) -> _Seen | None:
    """None where nobody saw what lay there at the closing."""
    places = [place for place, one in enumerate(signals) if one.event.phase == "closed"]
    if not places:
        return None
    paid = recorded.event.times.paid if recorded.event.times is not None else None
    changes = [one for one in signals[places[-1] + 1 :] if paid is None or one.occurred_at <= paid]
    where = {**round_place(recorded), "box": number} | ({"owner": owner} if owner else {})
    box = next((one for one in recorded.event.boxes if one.number == number), None)
    stake, gained = (NOTHING, 0) if box is None else (_stake(box, owner), _gained(box, owner))
    return _Seen(where, recorded, signals[places[-1]], changes, stake, gained)


def _stake(box: Box, owner: str | None) -> int | None:
    """What all of a box's owners began with, or one of them; None where nobody recorded it."""
    stakes = recorded_stakes(box)
    mine = stakes.values() if owner is None else [stakes[owner]] if owner in stakes else []
    known = [cents for _, cents in mine if cents is not None]
    return sum(known) if len(known) == len(mine) else None


def _gained(box: Box, owner: str | None) -> int:
    def counts(wager: Wager) -> bool:
        return wager.kind in STAKED and owner in (None, wager.owner)

    return sum(one.returned_cents - one.stake_cents for one in box.wagers if counts(one))


@upholds(
    "partida",
    "A round is played for the stakes that lay there when they were closed.",
    only=_reporting,
)
def round_follows_the_closed_stakes(game: PartidaContext) -> Verdict:
    """No round is recorded with an amount that a sensor saw only after the stakes were closed.

    What was changed and put right again is no breach. Where the round does not tell what a box
    began with, a change that stayed and was to its owner's good is one: more where he won, less
    where he lost. Open where an amount was seen to change and the round tells a third.

    Law: PT art. 13.
    """
    return _of_each(game, _followed)


def _followed(seen: _Seen) -> Verdict:
    closed = seen.closed.event.amount_cents
    moved = [one for one in seen.changes if one.event.amount_cents != closed]
    if not moved or seen.stake == closed:
        return LAWFUL
    if seen.stake is None:
        last = seen.changes[-1]
        more = last.event.amount_cents - closed
        if not more:
            return LAWFUL  # put right
        if more * seen.gained <= 0:
            return UNDECIDED
        followed = last
    else:
        same = [one for one in moved if one.event.amount_cents == seen.stake]
        if not same:
            return UNDECIDED
        followed = same[0]
    found = {"stake_cents": followed.event.amount_cents, "moment": followed.occurred_at}
    shown = seen.closed, followed, seen.round
    return breach(found, {"stake_cents": closed}, *shown, where=seen.where)


@upholds(
    "partida",
    "A round is recorded with the stakes its sensor saw.",
    only=_reporting,
    severity="deviation",
)
def stakes_recorded_as_seen(game: PartidaContext) -> Verdict:
    """What a box began with is what lay there at the closing, or what was then seen to change."""
    return _of_each(game, _as_seen)


def _as_seen(seen: _Seen) -> Verdict:
    if seen.stake is None:
        return UNDECIDED
    closed = seen.closed.event.amount_cents
    if seen.stake in (closed, *(one.event.amount_cents for one in seen.changes)):
        return LAWFUL
    found, asked = {"stake_cents": seen.stake}, {"stake_cents": closed}
    return breach(found, asked, seen.closed, *seen.changes, seen.round, where=seen.where)
