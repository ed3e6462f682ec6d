"""Rounds while nothing may be dealt: the table is closed, play is stopped, the shoe is over.

Law: PT art. 7 and 55 (a game that is over), 8 and 12 (a stop), 11 (a shoe that is over).
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from casino.events.event import Event
from casino.events.floor_life import PartidaReopened
from casino.events.partidas import PartidaClosed
from casino.events.shoes import CardsShuffled, CutMade, PlayInterrupted, PlayResumed
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, UNDECIDED, Breach, Verdict, upholds
from casino.law.partida_context import PartidaContext, Shoe, not_at_a_shuffler, unmeant_closings
from casino.law.questions import breach, together
from casino.law.round_moments import dealt_after, none_dealt, rounds_between, sort_out


class _Stretch(NamedTuple):
    """A time in which nothing is dealt, and what tells of its begin; without an end it goes on."""

    since: RecordedEvent[Event]
    until: datetime | None


def _stretches(
    begins: Iterable[RecordedEvent[Event]], ends: Iterable[RecordedEvent[Event]]
) -> list[_Stretch]:
    """From each begin to the first end that follows it."""
    ended = sorted(ends, key=in_time)
    found = []
    for recorded in sorted(begins, key=in_time):
        later = (end.occurred_at for end in ended if in_time(end) > in_time(recorded))
        found.append(_Stretch(recorded, next(later, None)))
    return found


def _none_dealt(game: PartidaContext, stretch: _Stretch) -> Verdict:
    meanwhile = rounds_between(game, stretch.since.occurred_at, stretch.until)
    return none_dealt(meanwhile, stretch.since)


@upholds("partida", "No round is dealt at a table that is closed.", severity="deviation")
def no_round_after_closing(game: PartidaContext) -> Verdict:
    """From a closing until the table is opened again, if ever it is.

    Its cards were not shown for what is dealt then, nor do they lie ready for it any more. Where
    the closing was undone because nobody meant it, whether the table was closed is open.

    Law: PT art. 7, 55.
    """
    closings = game.dossier.of(PartidaClosed)
    answers = []
    for stretch in _stretches(closings, game.reopened):
        dealt = _none_dealt(game, stretch)
        meant = stretch.until not in unmeant_closings(game)
        answers.append(dealt if meant or dealt == LAWFUL else UNDECIDED)
    return together(answers)


@upholds("partida", "A game is closed once, until it is opened again.", severity="warning")
def closed_once(game: PartidaContext) -> Verdict:
    """No second closing follows the first: which of the two counted nobody could tell.

    Law: PT art. 7.
    """
    closings = sorted(game.dossier.of(PartidaClosed), key=in_time)
    for first, then in pairwise(closings):
        if not any(in_time(first) < in_time(one) < in_time(then) for one in game.reopened):
            return breach({"closings": 2}, {"closings": 1}, first, then)
    return LAWFUL if closings else None


@upholds("partida", "No round is dealt while play is recorded as interrupted.", severity="warning")
def no_round_while_interrupted(game: PartidaContext) -> Verdict:
    """Until play is told to go on, or cards are made ready again, which shows that it did.

    Told once of all stops. Where another dealer takes over play goes on with his first round.

    Law: PT art. 8, 12.
    """
    ends: list[RecordedEvent[Event]] = []
    for kind in (PlayResumed, PartidaReopened, PartidaClosed, CardsShuffled, CutMade):
        ends += game.dossier.of(kind)
    ends += game.loads
    stops = [one for one in game.dossier.of(PlayInterrupted) if one.event.reason != "dealer_change"]
    answers = [_none_dealt(game, stretch) for stretch in _stretches(stops, ends)]
    found = [one for one in answers if isinstance(one, Breach)]
    if len(found) < 2:
        return together(answers)
    return breach(
        {"rounds": sum(one.observed["rounds"] for one in found)},
        {"rounds": 0},
        *tuple(dict.fromkeys(entry for one in found for entry in one.evidence)),
    )


@upholds(
    "shoe_on_record",
    "No round is dealt from a shoe once the next is made ready.",
    only=not_at_a_shuffler,
)
def no_round_of_a_shoe_left_behind(game: PartidaContext, shoe: Shoe) -> Verdict:
    """Its cards lie in the next shoe since they were shuffled. Law: PT art. 11."""
    if not shoe.rounds:
        return None
    following = [
        one for other in game.shoes if other.number > shoe.number for one in other.shuffles
    ]
    if not following:
        return None
    ready = min(following, key=in_time)
    late = sort_out(shoe.rounds, lambda recorded: dealt_after(recorded, ready.occurred_at))
    return none_dealt(late, ready)
