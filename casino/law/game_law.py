"""By which law and which limits a round is judged: those of its game, whatever it tells itself.

What a device or a file says of the law and of the limits decides only where no opening is recorded.
A difference is found by checks of its own: the house's for the rulebook, the law's for the limits.

Law: PT art. 14, 37.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from casino.events.partidas import PartidaOpened
from casino.events.round.round_played import Limits, RoundPlayed
from casino.events.tables import LimitsSet
from casino.law.dossier import RecordedEvent, in_time


def staked_at(played: RoundPlayed, at: datetime) -> datetime:
    """When its stakes were marked, as far as it is told: else at `at`, when it happened."""
    times = played.times
    return at if times is None else times.stakes_closed or times.first_card or at


def limits_in_force(
    limits_set: Iterable[RecordedEvent[LimitsSet]], at: datetime, known_by: datetime | None = None
) -> RecordedEvent[LimitsSet] | None:
    """The limits the house had set for the table by a moment: the last to begin to hold.

    As the book knew them by another, when what is judged was recorded; None: as it knows them now.
    """
    by_then = [
        one
        for one in limits_set
        if one.event.valid_from <= at
        and one.occurred_at <= at
        and (known_by is None or one.recorded_at <= known_by)
    ]
    return max(
        by_then, key=lambda recorded: (recorded.event.valid_from, *in_time(recorded)), default=None
    )


def recorded_limits(
    opened: RecordedEvent[PartidaOpened],
    limits_set: Iterable[RecordedEvent[LimitsSet]],
    at: datetime,
    known_by: datetime | None = None,
) -> RecordedEvent[PartidaOpened] | RecordedEvent[LimitsSet]:
    """What tells the limits of a game at a moment: its opening, or what was set for it since."""
    later = [recorded for recorded in limits_set if recorded.event.valid_from > opened.occurred_at]
    return limits_in_force(later, at, known_by) or opened


def limits_in(recorded: RecordedEvent[PartidaOpened] | RecordedEvent[LimitsSet]) -> Limits:
    """The limits an opening tells, or those that were set."""
    there = recorded.event.limits if isinstance(recorded.event, PartidaOpened) else recorded.event
    return Limits(there.minimum_cents, there.maximum_cents)


def limits_of(
    opened: RecordedEvent[PartidaOpened],
    limits_set: Iterable[RecordedEvent[LimitsSet]],
    at: datetime,
    known_by: datetime | None = None,
) -> Limits:
    """The limits of a game at a moment."""
    return limits_in(recorded_limits(opened, limits_set, at, known_by))


class Game(NamedTuple):
    """What tells by which law and limits the rounds of a game are judged."""

    opened: RecordedEvent[PartidaOpened] | None
    limits_set: Sequence[RecordedEvent[LimitsSet]] = ()

    def rulebook(self, played: RoundPlayed) -> str:
        """The rulebook of a round: its game's, else the one it names, else ""."""
        if self.opened is not None:
            return self.opened.event.rulebook
        return played.rulebook or ""

    def limits(
        self, played: RoundPlayed, at: datetime, known_by: datetime | None = None
    ) -> Limits | None:
        """The limits a round that happened at a moment was played under; None of no game.

        `known_by` is when it was recorded: limits told afterwards were not those of its table.
        """
        if self.opened is None:
            return None
        return limits_of(self.opened, self.limits_set, staked_at(played, at), known_by)

    def judged(
        self, played: RoundPlayed, at: datetime, known_by: datetime | None = None
    ) -> RoundPlayed:
        """A round with its game's law and limits in the place of its own, as it is recorded step by
        step; of no game, as it is."""
        book = self.rulebook(played) or None
        limits = self.limits(played, at, known_by) or played.limits
        return replace(played, rulebook=book, limits=limits)
