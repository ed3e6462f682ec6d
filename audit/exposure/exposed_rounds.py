"""Which rounds were played with decks in doubt, and the money that lay on them.

A round is certain where the record tells both that the deck was dealt from and that it began after
the last proof and no later than the end; it is possible where one of these is not recorded. Money
is in cents; `staked` is what finally lay on a box, `returned` everything handed back for it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

from audit.exposure.defects import Recorded, Span, decks_named
from casino.events.partidas import PartidaClosed, PartidaOpened
from casino.events.shoes import CardsShuffled
from casino.events.shufflers import ShufflerLoaded
from casino.law.dossier import RecordedEvent, in_time

Standing = Literal["certain", "possible"]
Phase = Literal["before", "after"]  # it was noticed


class BoxSeen(NamedTuple):
    """One box of a round: its hands' cards, and each wager's owner, stake and return in cents."""

    number: int
    hands: tuple[str, ...]
    wagers: tuple[tuple[str, int, int], ...]

    @property
    def owners(self) -> tuple[str, ...]:
        """Who staked on it, each once."""
        return tuple(dict.fromkeys(owner for owner, _, _ in self.wagers))

    @property
    def staked(self) -> int:
        """All that lay on it, in cents."""
        return sum(stake for _, stake, _ in self.wagers)

    @property
    def returned(self) -> int:
        """All that was handed back for it, in cents."""
        return sum(back for _, _, back in self.wagers)


@dataclass(frozen=True, slots=True)
class Seen:
    """A round as the trail needs it; `begins` is its first card, None where nobody recorded it."""

    entry_id: str
    stream: str
    n: int
    table: str
    partida: str
    gaming_day: date
    occurred_at: datetime
    begins: datetime | None
    round: str
    shoe: int | None
    number: int | None
    voided: str
    bank: tuple[str, ...]
    boxes: tuple[BoxSeen, ...]

    @property
    def staked(self) -> int:
        """All that lay there, in cents."""
        return sum(box.staked for box in self.boxes)

    @property
    def returned(self) -> int:
        """All that was handed back, in cents."""
        return sum(box.returned for box in self.boxes)


class Exposed(NamedTuple):
    """A round that was, or may have been, played with decks in doubt."""

    seen: Seen
    standing: Standing
    phase: Phase
    decks: tuple[str, ...]


def seen_in(payload: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `Seen` that stand in the payload of a round."""
    times = payload.get("times") or {}
    begins = times.get("first_card") or times.get("stakes_closed")
    return {
        "table": payload["table"],
        "partida": payload["partida"],
        "begins": None if begins is None else datetime.fromisoformat(begins),
        "round": payload["round"],
        "shoe": payload.get("shoe"),
        "number": payload.get("number"),
        "voided": (payload.get("voided") or {}).get("why", ""),
        "bank": tuple(payload["bank"]["cards"]),
        "boxes": tuple(_box(box) for box in payload["boxes"]),
    }


def _box(box: Mapping[str, Any]) -> BoxSeen:
    return BoxSeen(
        box["box"],
        tuple(" ".join(hand["cards"]) for hand in box["hands"]),
        tuple(
            (wager["owner"], wager["stake_cents"], wager["returned_cents"])
            for wager in box["wagers"]
        ),
    )


class Setting:
    """What a partida tells of its decks: which lay in the set, the shoe, the machine, and when."""

    def __init__(self, partida: str, entries: Iterable[Recorded]) -> None:
        self.partida = partida
        self.opened: RecordedEvent[PartidaOpened] | None = None
        self.closed: RecordedEvent[PartidaClosed] | None = None
        self.loads: list[RecordedEvent[ShufflerLoaded]] = []
        self.shoes: dict[int, frozenset[str]] = {}
        for recorded in sorted(entries, key=in_time):
            if isinstance(recorded.event, PartidaOpened):
                self.opened = self.opened or recorded
            elif isinstance(recorded.event, PartidaClosed):
                self.closed = recorded
            elif isinstance(recorded.event, ShufflerLoaded):
                self.loads.append(recorded)
            elif isinstance(recorded.event, CardsShuffled):
                there = self.shoes.get(recorded.event.shoe, frozenset())
                self.shoes[recorded.event.shoe] = there | frozenset(decks_named(recorded))

    @property
    def decks(self) -> frozenset[str]:
        """The decks the partida was opened with."""
        return frozenset(() if self.opened is None else decks_named(self.opened))

    @property
    def begins(self) -> datetime | None:
        """When it was opened, as far as recorded."""
        return None if self.opened is None else self.opened.occurred_at

    def decks_at(self, moment: datetime) -> tuple[str, ...]:
        """The decks in use at a moment: the last load's, else the set's."""
        loads = [recorded for recorded in self.loads if recorded.occurred_at <= moment]
        return decks_named(loads[-1]) if loads else tuple(sorted(self.decks))

    def dealt_from(self, deck: str, seen: Seen) -> bool | None:
        """Whether a round was dealt from a deck; None where the record does not tell."""
        if self.loads:
            before = [
                recorded for recorded in self.loads if recorded.occurred_at <= seen.occurred_at
            ]
            return deck in decks_named(before[-1]) if before else deck in self.decks or None
        if seen.shoe is not None and seen.shoe in self.shoes:
            return deck in self.shoes[seen.shoe]
        mixed = any(deck in decks for decks in self.shoes.values())
        if deck in self.decks:
            # In the set, and nothing is recorded of this shoe: unless other shoes went without it.
            return True if all(deck in decks for decks in self.shoes.values()) else None
        return None if mixed else False


def exposed(seen: Seen, spans: Iterable[Span], setting: Setting) -> Exposed | None:
    """Whether a round was, or may have been, played with one of the decks while it was in doubt."""
    standings: list[Standing] = []
    decks: list[str] = []
    phase: Phase = "after"
    for span in spans:
        within, dealt = _within(seen, span), setting.dealt_from(span.deck, seen)
        if within is False or dealt is False:
            continue
        decks.append(span.deck)
        standings.append("certain" if within and dealt else "possible")
        if (seen.begins or seen.occurred_at) <= span.noticed:
            phase = "before"
    if not decks:
        return None
    return Exposed(seen, "certain" if "certain" in standings else "possible", phase, tuple(decks))


def _within(seen: Seen, span: Span) -> bool | None:
    """Whether a round began after the proof and by the end; None where its beginning is not
    recorded.
    """
    since, until = span.since, span.until
    if since is not None and seen.occurred_at <= since:
        return False
    if until is None or seen.occurred_at <= until:
        # A deck is not looked through while a round is dealt from it: it began after the proof,
        # unless its own moments say otherwise.
        return True if since is None or seen.begins is None or seen.begins >= since else None
    return None if seen.begins is None else seen.begins <= until


# Sums


@dataclass(slots=True)
class Sum:
    """So many rounds, and their money in cents."""

    rounds: int = 0
    staked: int = 0
    returned: int = 0

    def add(self, staked: int, returned: int) -> None:
        """One round more."""
        self.rounds += 1
        self.staked += staked
        self.returned += returned

    @property
    def result(self) -> int:
        """What the players won, negative where they lost."""
        return self.returned - self.staked


@dataclass(slots=True)
class Both:
    """What is certain, and what is merely possible besides."""

    certain: Sum = field(default_factory=Sum)
    possible: Sum = field(default_factory=Sum)

    def add(self, standing: Standing, staked: int, returned: int) -> None:
        """One round more."""
        (self.certain if standing == "certain" else self.possible).add(staked, returned)


class Unrecorded(NamedTuple):
    """Rounds of a partida nobody recorded: `counted` at its close, `recorded` in all, `gaps` in
    numbers.

    `counted` is None where the close says no number. Which boxes and what money, nobody knows.
    """

    partida: str
    counted: int | None
    recorded: int
    gaps: int

    @property
    def least(self) -> int:
        """How many rounds are missing at least."""
        return max((self.counted or 0) - self.recorded, self.gaps, 0)


@dataclass(slots=True)
class Totals:
    """The sums over a trail; `last` are the money of rounds after the defect was noticed."""

    whole: Both = field(default_factory=Both)
    noticed: Both = field(default_factory=Both)
    tables: dict[str, Both] = field(default_factory=dict)
    boxes: dict[tuple[str, int], Both] = field(default_factory=dict)
    players: dict[tuple[str, str], Both] = field(default_factory=dict)  # of a game: (game, J2)
    partidas: dict[str, Both] = field(default_factory=dict)

    def add(self, exposed: Exposed) -> None:
        """One round more."""
        seen, standing = exposed.seen, exposed.standing
        money = seen.staked, seen.returned
        self.whole.add(standing, *money)
        if exposed.phase == "after":
            self.noticed.add(standing, *money)
        self.tables.setdefault(seen.table, Both()).add(standing, *money)
        self.partidas.setdefault(seen.partida, Both()).add(standing, *money)
        players: dict[str, tuple[int, int]] = {}
        for box in seen.boxes:
            key = seen.table, box.number
            self.boxes.setdefault(key, Both()).add(standing, box.staked, box.returned)
            for owner, stake, back in box.wagers:
                staked, returned = players.get(owner, (0, 0))
                players[owner] = staked + stake, returned + back
        for owner, of_round in players.items():
            self.players.setdefault((seen.partida, owner), Both()).add(standing, *of_round)


def once(rounds: Iterable[Seen]) -> Iterator[Seen]:
    """Each round once: what was recorded again of it counts nothing."""
    seen: set[str] = set()
    for one in rounds:
        if one.round not in seen:
            seen.add(one.round)
            yield one
