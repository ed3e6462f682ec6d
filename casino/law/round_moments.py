"""When rounds were dealt, as far as recorded, against the moment of something else.

A round begins no later than it is said to have occurred. Where its first card was not timed that is
all that is known, and whether it was dealt after a moment may stay open.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final, NamedTuple, Protocol

from casino.events.round.round_played import RoundPlayed
from casino.law.dossier import RecordedEvent
from casino.law.finding import LAWFUL, UNDECIDED, Verdict, Where
from casino.law.partida_context import PartidaContext, in_place
from casino.law.questions import Shown, breach

Round = RecordedEvent[RoundPlayed]
ROUNDS_CITED: Final = 200  # of a stretch of rounds that rests on one thing, as evidence


class OfRound(Protocol):
    """What names a round: by its UUID, by shoe and number, or not at all."""

    @property
    def round(self) -> str | None:
        """Its UUID."""

    @property
    def shoe(self) -> int | None:
        """Its shoe."""

    @property
    def number(self) -> int | None:
        """Its number in the shoe."""


def round_named(of: OfRound, rounds: Iterable[Round]) -> Round | None:
    """The record of a round; None where nobody recorded it, or which it was."""
    place = None if None in (of.shoe, of.number) else (of.shoe, of.number)
    for recorded in rounds:
        event = recorded.event
        if event.round == of.round if of.round is not None else (event.shoe, event.number) == place:
            return recorded
    return None


def round_place(recorded: Round) -> Where:
    """A round by its number, or by its UUID where nobody numbered it."""
    if recorded.event.number is None:
        return {"round": recorded.event.round}
    shoe: Where = {} if recorded.event.shoe is None else {"shoe": recorded.event.shoe}
    return {**shoe, "number": recorded.event.number}


class Sorted(NamedTuple):
    """The rounds of which something holds, and whether it may hold of others."""

    sure: list[Round]
    doubtful: bool

    @property
    def any(self) -> bool | None:
        """Whether it holds of any; None where nobody knows."""
        return True if self.sure else None if self.doubtful else False


def sort_out(rounds: Iterable[Round], holds: Callable[[Round], bool | None]) -> Sorted:
    """Ask something of every round."""
    sure, doubtful = [], False
    for recorded in rounds:
        answer = holds(recorded)
        if answer:
            sure.append(recorded)
        doubtful = doubtful or answer is None
    return Sorted(sure, doubtful)


def first_card(recorded: Round) -> datetime | None:
    """When its first card was dealt, if anybody timed it."""
    times = recorded.event.times
    return times.first_card if times is not None else None


def inserted(recorded: Round) -> datetime | None:
    """When its cards went back into the shuffler, if anybody timed it."""
    times = recorded.event.times
    return times.inserted if times is not None else None


def collected(recorded: Round) -> datetime | None:
    """When its cards were collected from the table, if anybody timed it."""
    times = recorded.event.times
    return times.collected if times is not None else None


def rounds_between(game: PartidaContext, start: datetime, end: datetime | None = None) -> Sorted:
    """The rounds of a game dealt after a moment, and before another, None standing for no end."""
    return sort_out(game.dossier.of(RoundPlayed), lambda one: dealt_between(one, start, end))


def none_dealt(dealt: Sorted, *shown_by: Shown, cited: int = ROUNDS_CITED) -> Verdict:
    """Whether no round was dealt then; `shown_by` is what forbade it, the rounds show the rest."""
    if not dealt.sure:
        return UNDECIDED if dealt.doubtful else LAWFUL
    rounds = sorted(dealt.sure, key=in_place)[:cited]
    return breach({"rounds": len(dealt.sure)}, {"rounds": 0}, *shown_by, *rounds)


def dealt_after(recorded: Round, moment: datetime) -> bool | None:
    """Whether a round was begun after a moment; None where nobody knows."""
    began = first_card(recorded)
    if began is not None:
        return began > moment
    return False if recorded.occurred_at <= moment else None


def dealt_between(recorded: Round, start: datetime, end: datetime | None) -> bool | None:
    """Whether a round was begun after `start` and before `end`, None standing for no end."""
    after = dealt_after(recorded, start)
    if not after or end is None:
        return after
    began = first_card(recorded)
    assert began is not None
    return began < end
