"""What a table's night comes to: hours open, rounds, money by the rounds and by the counted chips.

Pure. Units: cents; results are the house's: what it kept, negative where it lost. What nobody
recorded is None, and so is every sum that would need it: nothing is guessed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple


class Span(NamedTuple):
    """From one moment to another; `until` is None while it lasts."""

    since: datetime
    until: datetime | None


class Dealt(NamedTuple):
    """The rounds of one game that name one dealer ('' for none), the first and the last of them."""

    partida: str
    table: str
    dealer: str
    rounds: int
    staked: int
    returned: int
    first: datetime
    last: datetime

    @property
    def result(self) -> int:
        """What the house kept of these rounds."""
        return self.staked - self.returned


class Change(NamedTuple):
    """Somebody took a post, or left it (`takes` false)."""

    at: datetime
    person: str
    takes: bool


class Counts(NamedTuple):
    """A game's chips as they were counted, in cents; None where no count is on record.

    `drop` is the cash counted of its boxes.

    What nobody recorded as brought or taken away is 0: each fill and credit has its own record.
    """

    opening: int | None = None
    fills: int = 0
    credits: int = 0
    closing: int | None = None
    drop: int | None = None

    @property
    def result(self) -> int | None:
        """What the tray gained, cents, without what was sold for the cash of the drop box."""
        if self.opening is None or self.closing is None:
            return None
        return self.closing + self.credits - self.opening - self.fills

    def plus(self, added: "Counts") -> "Counts":
        """Both together: a count missing in one of them is missing in both."""
        return Counts(
            _both(self.opening, added.opening),
            self.fills + added.fills,
            self.credits + added.credits,
            _both(self.closing, added.closing),
            _both(self.drop, added.drop),
        )


class Post(NamedTuple):
    """Somebody at a table: when he held the post, and how many rounds name him (as dealer)."""

    person: str
    spans: tuple[Span, ...]
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class GameNight:
    """One game of the night; `open` are its hours, several where a closing was undone."""

    partida: str
    table: str
    open: tuple[Span, ...]
    dealt: tuple[Dealt, ...]
    counts: Counts
    dealers: tuple[Post, ...]
    fiscais: tuple[Post, ...]


@dataclass(frozen=True, slots=True)
class TableNight:
    """A table's games of one day, together."""

    table: str
    games: tuple[GameNight, ...]

    @property
    def _dealt(self) -> list[Dealt]:
        return [one for game in self.games for one in game.dealt]

    @property
    def rounds(self) -> int:
        """Rounds on record."""
        return sum(one.rounds for one in self._dealt)

    @property
    def staked(self) -> int:
        """All that lay there, cents."""
        return sum(one.staked for one in self._dealt)

    @property
    def returned(self) -> int:
        """All that was handed back, cents."""
        return sum(one.returned for one in self._dealt)

    @property
    def result(self) -> int:
        """What the house kept by the rounds, cents."""
        return self.staked - self.returned

    @property
    def open(self) -> tuple[Span, ...]:
        """Its hours, in order."""
        return tuple(sorted((span for game in self.games for span in game.open), key=_begins))

    @property
    def counts(self) -> Counts:
        """The chips of all its games; Counts() where there is none."""
        if not self.games:
            return Counts()
        first, *others = (game.counts for game in self.games)
        for other in others:
            first = first.plus(other)
        return first

    @property
    def dealers(self) -> tuple[Post, ...]:
        """Who dealt, each once."""
        return together(post for game in self.games for post in game.dealers)

    @property
    def fiscais(self) -> tuple[Post, ...]:
        """Who answered for it as fiscal de banca, each once."""
        return together(post for game in self.games for post in game.fiscais)


def open_time(spans: Iterable[Span], now: datetime) -> timedelta:
    """How long these hours are together; what still lasts is counted up to now."""
    lengths = (max((span.until or now) - span.since, timedelta(0)) for span in spans)
    return sum(lengths, timedelta(0))


def hours(
    opened: datetime, closed: Sequence[datetime], reopened: Sequence[datetime]
) -> tuple[Span, ...]:
    """A game's hours out of its opening, its closings and what undid them.

    A second closing that nothing undid adds nothing; a reopening of what was open neither.
    """
    spans, since = [], opened
    is_open = True
    acts = sorted([(at, False) for at in closed] + [(at, True) for at in reopened])
    for at, opens in acts:
        if opens and not is_open:
            since, is_open = at, True
        elif not opens and is_open:
            spans.append(Span(since, at))
            is_open = False
    return (*spans, Span(since, None)) if is_open else tuple(spans)


def posts(changes: Iterable[Change], ends: datetime | None) -> tuple[Post, ...]:
    """Who held a post and when, out of its changes; whoever takes it relieves who had it.

    `ends` is when the table closed, None while it is open.
    """
    held: list[Post] = []
    now: Change | None = None
    for change in sorted(changes, key=lambda one: one.at):
        if change.takes == (now is not None and change.person == now.person):
            continue  # he has it already, or leaves what another has taken since
        if now is not None:
            held.append(Post(now.person, (Span(now.at, change.at),)))
        now = change if change.takes else None
    if now is not None:
        held.append(Post(now.person, (Span(now.at, ends),)))
    return together(held)


def with_rounds(post: Iterable[Post], dealt: Iterable[Dealt]) -> tuple[Post, ...]:
    """The dealers of a game with the rounds that name them.

    Of whom rounds alone tell, the time is from his first round to his last.
    """
    named = [
        Post(one.dealer, (Span(one.first, one.last),), one.rounds) for one in dealt if one.dealer
    ]
    rounds = {one.person: one.rounds for one in together(named)}
    there = [one._replace(rounds=rounds.pop(one.person, 0)) for one in post]
    return (*there, *(one for one in together(named) if one.person in rounds))


def together(several: Iterable[Post]) -> tuple[Post, ...]:
    """Each person once, with all his times and rounds, in the order they came."""
    found: dict[str, Post] = {}
    for one in several:
        before = found.get(one.person, Post(one.person, ()))
        found[one.person] = Post(
            one.person, (*before.spans, *one.spans), before.rounds + one.rounds
        )
    return tuple(found.values())


def by_table(games: Iterable[GameNight]) -> tuple[TableNight, ...]:
    """The tables of a night, by their codes."""
    found: dict[str, TableNight] = {}
    for game in games:
        there = found.get(game.table, TableNight(game.table, ()))
        found[game.table] = replace(there, games=(*there.games, game))
    return tuple(found[table] for table in sorted(found))


def _both(one: int | None, added: int | None) -> int | None:
    return None if one is None or added is None else one + added


def _begins(span: Span) -> datetime:
    return span.since
