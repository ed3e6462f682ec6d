"""What somebody recorded of a partida: acts, still changeable, before they have a place in a
book.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple, TypedDict, TypeVar
from uuid import UUID, uuid5

from casino.events.event import EntryRef
from casino.events.partidas import Dealing, PartidaClosed, SpecialCard
from casino.events.round.round_played import RoundPlayed, Times
from casino.events.staff import Office
from casino.events.witnessing import Witnessed

SECOND: Final = timedelta(seconds=1)
MINUTE: Final = timedelta(minutes=1)
HEARD: Final = 2 * MINUTE  # how long a witness's answer is taken after he was asked
UNREAD: Final = "0" * 64  # the digest of a text nobody was shown, where there is no book
_NAMES: Final = UUID("2f9e7a52-14c3-5d1b-9c52-7d4c2f2f0b11")

Changed = TypeVar("Changed")


class Who(NamedTuple):
    """Who told something: his number, the office in which he did, through which door."""

    staff: str
    office: Office
    door: str


class Where(TypedDict):
    """Table and partida, as events of a partida tell them."""

    table: str
    partida: str


@dataclass(slots=True, eq=False)
class Act:
    """One thing recorded: when it happened, by whom, and when, where that was later.

    `event` is an event of the book, a `Word` for another act, or an event that is recorded by name,
    `ByName`. `corrects` is the act it corrects, for a coded `reason`.
    """

    at: datetime
    by: Who
    event: Any
    recorded_at: datetime | None = None
    corrects: "Act | None" = None
    reason: str = ""

    @property
    def named(self) -> list["Act"]:
        """The acts whose entries it names."""
        event, wrong = self.event, [] if self.corrects is None else [self.corrects]
        if isinstance(event, ByName):
            return [*wrong, *_named(event.final)]
        return [*wrong, event.act] if isinstance(event, Word) else wrong

    @property
    def known_at(self) -> datetime:
        """When it was recorded."""
        return self.recorded_at or self.at

    def change(self, **fields: object) -> None:
        """Tell the same otherwise."""
        if isinstance(self.event, ByName):
            self.event.otherwise |= fields
        else:
            self.event = replace(self.event, **fields)


@dataclass(frozen=True, slots=True)
class NumberOf:
    """The number an act gets in its stream."""

    act: Act


@dataclass(slots=True, eq=False)
class ByName:
    """An event of a room this one does not know, or that names entries, by its kind's name.

    `payload` is as the book writes it, but for an `Act` in the place of an entry that is named, and
    `NumberOf` one in the place of its number. `otherwise` is what a breach tells instead.
    """

    kind: str
    payload: dict[str, object]
    otherwise: dict[str, object] = field(default_factory=dict)

    @property
    def final(self) -> dict[str, Any]:
        """What is recorded in the end; None stands for what is left out."""
        return {k: v for k, v in (self.payload | self.otherwise).items() if v is not None}

    def written(self, entry_of: Callable[[Act], EntryRef]) -> dict[str, object]:
        """The payload, when the acts it names have their places in a book."""
        written: dict[str, object] = _written(self.final, entry_of)
        return written


def _named(value: object) -> Iterator[Act]:
    if isinstance(value, Act):
        yield value
    elif isinstance(value, NumberOf):
        yield value.act
    elif isinstance(value, dict):
        for each in value.values():
            yield from _named(each)
    elif isinstance(value, list):
        for each in value:
            yield from _named(each)


def _written(value: object, entry_of: Callable[[Act], EntryRef]) -> Any:
    if isinstance(value, Act):
        entry = entry_of(value)
        return {"stream": entry.stream, "n": entry.n, "leaf": entry.leaf}
    if isinstance(value, NumberOf):
        return entry_of(value.act).n
    if isinstance(value, dict):
        return {name: _written(each, entry_of) for name, each in value.items()}
    if isinstance(value, list):
        return [_written(each, entry_of) for each in value]
    return value


@dataclass(slots=True)
class Word:
    """A witness's word for an act; the event is made when the act has its place in a book."""

    act: Act
    staff: str
    office: Office
    article: str
    present_from: datetime
    present_until: datetime

    def event(self, ref: EntryRef, expires_at: datetime, text_sha256: str = UNREAD) -> Witnessed:
        """The word for an entry."""
        about = self.act.event
        where = (
            {name: about.final.get(name) for name in ("table", "partida")}
            if isinstance(about, ByName)
            else {"table": about.table, "partida": about.partida}
        )
        return Witnessed(
            **where,
            witnessed=ref,
            act=about.kind,
            staff=self.staff,
            office=self.office,
            method="pin",
            nonce=str(uuid5(_NAMES, f"{ref.stream}#{ref.leaf}/{self.staff}")),
            expires_at=expires_at,
            text_sha256=text_sha256,
            article=self.article,
            present_from=self.present_from,
            present_until=self.present_until,
        )


@dataclass(frozen=True, slots=True)
class House:
    """What is alike at all tables of a house.

    `backs` are the colours of a game's decks, `chips` the values in cents and the counts of a
    table's float, `stays` the rounds of a dealer, `player` what the names of guests begin with.
    """

    manager: Who
    chefes: tuple[Who, ...]
    inspector: Who
    backs: tuple[str, str]
    cut_card: SpecialCard
    carta_aviso: SpecialCard
    chips: tuple[tuple[int, int], ...]
    stays: int
    player: str


@dataclass(slots=True, eq=False)
class Partida:
    """One partida and everything recorded of it, in no order. `device` records its rounds.

    `wishes` are what a breach asked for, `meant_for` is its name. `pool` is the progressive prize
    that is played for, where one is.
    """

    day: date
    table: str
    number: int
    dealing: Dealing
    decks: tuple[str, ...]
    pit: Who
    chefe: Who
    house: House
    dealers: tuple[str, ...]
    device: Who
    shuffler: str | None = None
    acts: list[Act] = field(default_factory=list)
    wishes: dict[str, Any] = field(default_factory=dict)
    meant_for: str = ""
    pool: str | None = None

    @property
    def name(self) -> str:
        """As the book calls it."""
        return f"{self.table}/{self.day.isoformat()}/{self.number}"

    @property
    def ends(self) -> datetime:
        """When it was closed for good."""
        return max(act.at for act in self.of(PartidaClosed))

    @property
    def tag(self) -> str:
        """The same in short, for the numbers of its slips and incidents."""
        return f"{self.table[3:]}-{self.day:%m%d}-{self.number}"

    @property
    def where(self) -> Where:
        """Where its events happened."""
        return Where(table=self.table, partida=self.name)

    def record(self, at: datetime, event: Any, who: Who | None = None, /, **fields: object) -> Act:
        """An event, or one of that class with these fields; by its fiscal de banca or `who`."""
        if isinstance(event, type):
            event = event(**self.where, **fields)
        act = Act(at, who or self.pit, event)
        self.acts.append(act)
        return act

    def of(self, event_class: Callable[..., Any], **fields: object) -> list[Act]:
        """What was recorded of one kind with these values, as it happened."""
        assert isinstance(event_class, type)
        found = [
            act
            for act in self.acts
            if isinstance(act.event, event_class)
            and all(getattr(act.event, name) == value for name, value in fields.items())
        ]
        return sorted(found, key=lambda act: act.at)

    def of_kind(self, kind_bytes: str, **fields: object) -> list[Act]:
        """The same by the kind's name, without its version."""
        found = [
            act
            for act in self.acts
            if getattr(act.event, "kind", "") == f"{kind_bytes}/1"
            and all(getattr(act.event, name) == value for name, value in fields.items())
        ]
        return sorted(found, key=lambda act: act.at)

    def named(self, kind_bytes: str, **fields: object) -> list[Act]:
        """What was recorded of a kind of another room with these values, as it happened."""
        found = [
            act
            for act in self.acts
            if isinstance(act.event, ByName)
            and act.event.kind == kind_bytes
            and all(act.event.final.get(name) == value for name, value in fields.items())
        ]
        return sorted(found, key=lambda act: act.known_at)

    def only(self, event_class: Callable[..., Any], **fields: object) -> Act:
        """The one thing recorded of a kind."""
        (act,) = self.of(event_class, **fields)
        return act

    def drop(self, *acts: Act) -> None:
        """Let nobody have recorded these."""
        self.acts = [act for act in self.acts if act not in acts]

    @property
    def rounds(self) -> list[Act]:
        """Its rounds, as they were dealt."""
        return self.of(RoundPlayed)

    def word_for(self, act: Act) -> Act:
        """The witness's word for an act."""
        (word,) = [one for one in self.acts if isinstance(one.event, Word) and one.event.act is act]
        return word


def later(at: datetime, minutes: float) -> datetime:
    """So many minutes later."""
    return at + timedelta(minutes=minutes)


def retimed(act: Act, **moments: datetime | None) -> None:
    """Other moments of a round; those it has not got stay away."""
    times: Times | None = act.event.times
    assert times is not None
    act.change(times=replace(times, **moments))
