"""Rates per thousand rounds, of one period beside another, and from which number they say anything.

Pure. A rate is a Fraction of events per thousand rounds. Few rounds say little: where no more than
EXPECTED events are to be expected by the rate of all, chance alone doubles their number in one of
thirty cases (a Poisson law of mean 5 gives 10 or more in 3.2 of 100).
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

PER: Final = 1_000  # rounds
EXPECTED: Final = 5  # events


class Tally(NamedTuple):
    """So many events in so many rounds."""

    rounds: int = 0
    events: int = 0

    @property
    def rate(self) -> Fraction | None:
        """Events per thousand rounds; None where there was no round."""
        return Fraction(self.events * PER, self.rounds) if self.rounds else None

    def plus(self, added: "Tally") -> "Tally":
        """Both together."""
        return Tally(self.rounds + added.rounds, self.events + added.events)


class Line(NamedTuple):
    """One table, dealer, device or article: this period, and the one it is held against."""

    who: str
    now: Tally
    before: Tally

    @property
    def change(self) -> Fraction | None:
        """By how much the rate differs; None where one of the two has none."""
        now, before = self.now.rate, self.before.rate
        return None if now is None or before is None else now - before


class Group(NamedTuple):
    """Lines of one kind. `least` are the rounds from which a line says something; None where no
    event gives a rate to expect.
    """

    lines: tuple[Line, ...]
    total: Line
    least: int | None

    def says_little(self, line: Line) -> bool:
        """Whether one of its two periods has too few rounds to say anything."""
        if self.least is None:
            return False
        return min(line.now.rounds, line.before.rounds) < self.least


def least_rounds(whole: Tally) -> int | None:
    """Rounds in which EXPECTED events are to be expected by the rate of all, rounded up."""
    if not whole.events:
        return None
    return -(-EXPECTED * whole.rounds // whole.events)


def group_of(
    now: Mapping[str, Tally], before: Mapping[str, Tally], totals: tuple[Tally, Tally]
) -> Group:
    """The lines of two periods, the highest rate first; what says little comes last.

    `totals` are all rounds and events of the two periods, those of no line included.
    """
    whole = Line("", *totals)
    least = least_rounds(totals[0].plus(totals[1]))
    lines = [Line(who, now.get(who, Tally()), before.get(who, Tally())) for who in {*now, *before}]
    group = Group(tuple(lines), whole, least)
    return group._replace(lines=tuple(sorted(lines, key=lambda line: _place(group, line))))


def _place(group: Group, line: Line) -> tuple[bool, Fraction, int, str]:
    return group.says_little(line), -(line.now.rate or Fraction(0)), -line.now.rounds, line.who


def tallied(rounds: Mapping[str, int], events: Mapping[str, int]) -> dict[str, Tally]:
    """Rounds and events by the same names; what has events and no round is there too."""
    return {who: Tally(rounds.get(who, 0), events.get(who, 0)) for who in {*rounds, *events}}


def of_all(tallies: Iterable[Tally]) -> Tally:
    """All of them together."""
    total = Tally()
    for one in tallies:
        total = total.plus(one)
    return total
