"""How a table stands, and what is due there next: read off the record, as the law asks for it.

`state_of` is pure: a dossier, the rules of the day, a moment. Nothing here blocks anything: a step
that is not due can be recorded all the same.

Law: PT art. 7 to 12 (a table with a shoe), 53 to 55 (with a shuffler), 51, 61.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from django.conf import settings
from django.utils.module_loading import import_string

from casino.admin import open_games
from casino.facts.complaints import ComplaintDecided, ComplaintReceived
from casino.facts.floor_life import SeatLeft, SeatTaken
from casino.facts.partidas import Dealing, PartidaOpened
from casino.facts.rounds import RoundPlayed
from casino.facts.shoes import CutMade, PlayInterrupted, PlayResumed
from casino.facts.shufflers import ShufflerLoaded
from casino.previewing import RULEBOOK
from casino.regulation.dossier import Dossier, Told, in_time
from casino.regulation.floor_evening import Evening, Shoe
from casino.regulation.floor_steps import incidents_around
from casino.regulation.floor_troubles import JAMS
from casino.regulation.law import LawError, LawInForce, load_law
from casino.sala import gathering

# What is due next, by its name: the screen it is done on, and the article it follows from.
Due = Literal[
    "open", "exhibit", "resume", "shuffle_cut", "cut", "shuffle", "prepare", "last_round", "load",
    "witness", "interrupt", "incident", "complaint", "unload", "close",
]  # fmt: skip
_SCREENS: Final[dict[Due, str]] = {
    "open": "open", "exhibit": "exhibit", "resume": "interrupt", "shuffle_cut": "cut", "cut": "cut",
    "shuffle": "cut", "prepare": "shoe", "last_round": "shoe", "load": "load", "witness": "witness",
    "interrupt": "interrupt", "incident": "incident", "complaint": "complaint", "unload": "unload",
    "close": "close",
}  # fmt: skip
BOXES: Final = 7  # of a table nobody registered
Stage = Literal["none", "begun", "shuffled", "cut", "ready", "last_round", "over"]


@dataclass(frozen=True, slots=True)
class Step:
    """Something that can be done at a table: its name, and whether it is what comes next.

    `screen` is the name of its page, `article` the number it follows from, '' for none; `entry` the
    entry it is about (a load to be witnessed), '' for none.
    """

    name: Due
    article: str = ""
    entry: str = ""

    @property
    def screen(self) -> str:
        """The screen on which it is done."""
        return _SCREENS[self.name]


@dataclass(frozen=True, slots=True)
class Alert:
    """What somebody has to see to: how grave, in a sentence, which article, where it leads."""

    severity: str
    words: str
    cited: str = ""
    place: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """A table at one moment. `partida` is None where none is open.

    `shoe` is the current shoe's number, 0 before the first; `next_shoe` the one to be made ready.
    `seats` are those occupied, as far as the record tells; `interrupted` the stop play has not gone
    on from. `standing_still` are the open jams of the machine that were told outside the partida.
    `unshown` are the decks nobody has exhibited yet, `unwitnessed` the entries of loads
    nobody has confirmed. `next_steps` begins with what comes next, where something does.
    """

    table: str
    now: datetime
    boxes: int = BOXES
    partida: str | None = None
    opened: Told[PartidaOpened] | None = None
    dealing: Dealing | None = None
    continuous: bool | None = None
    decks: tuple[str, ...] = ()
    unshown: tuple[str, ...] = ()
    shoe: int = 0
    stage: Stage = "none"
    seats: tuple[int, ...] = ()
    players: int = 0
    last_cut: Told[CutMade] | None = None
    carta_aviso: Literal["none", "placed", "came_out", "announced"] = "none"
    interrupted: Told[PlayInterrupted] | None = None
    incidents: tuple[str, ...] = ()
    standing_still: tuple[str, ...] = ()
    complaints: tuple[str, ...] = ()
    unwitnessed: tuple[str, ...] = ()
    rounds: int = 0
    last_at: datetime | None = None
    next_steps: tuple[Step, ...] = ()
    alerts: tuple[Alert, ...] = ()

    @property
    def opened_at(self) -> datetime | None:
        """When the partida was opened."""
        return self.opened.occurred_at if self.opened is not None else None

    @property
    def next_shoe(self) -> int:
        """The shoe that is to be made ready: the current one until it is dealt from."""
        over = self.stage in ("none", "last_round", "over")
        return self.shoe + 1 if over else self.shoe

    @property
    def minutes_quiet(self) -> int | None:
        """Whole minutes since anything was recorded of it; None where nothing was."""
        if self.last_at is None:
            return None
        return max(0, int((self.now - self.last_at).total_seconds()) // 60)

    @property
    def gravity(self) -> int:
        """How much it asks for attention: 0 for a breach, 3 for nothing."""
        ranks = ("breach", "warning", "note")
        return min((ranks.index(one.severity) for one in self.alerts), default=3)


def state_of(
    dossier: Dossier,
    rules: LawInForce,
    now: datetime,
    *,
    boxes: int = BOXES,
    rounds: int | None = None,
    alerts: Sequence[Alert] = (),
) -> TableState:
    """The state of an open partida. `rounds` is how many it has, where the dossier has not all.

    Reads nothing but its arguments.
    """
    evening = Evening(dossier, rules)
    shoe = evening.shoes[-1] if evening.shoes else None
    stops = [*dossier.of(PlayInterrupted), *dossier.of(PlayResumed)]
    stop = max(stops, key=in_time, default=None)
    interrupted = stop if stop is not None and isinstance(stop.fact, PlayInterrupted) else None
    shown = {told.fact.deck for told in evening.exhibitions}
    seats, players = _seats(dossier)
    state: dict[str, Any] = {
        "table": dossier.table,
        "now": now,
        "boxes": boxes,
        "partida": dossier.partida,
        "opened": evening.opened,
        "dealing": evening.dealing,
        "continuous": evening.continuous,
        "decks": evening.decks,
        "unshown": tuple(deck for deck in evening.decks if deck not in shown),
        "shoe": shoe.number if shoe is not None else 0,
        "stage": _stage(shoe),
        "seats": tuple(seat for seat in seats if seat <= boxes),
        "players": players,
        "last_cut": max(dossier.of(CutMade), key=in_time, default=None),
        "carta_aviso": _carta_aviso(shoe),
        "interrupted": interrupted,
        "incidents": _unsettled(evening),
        "standing_still": _standing_still(evening),
        "complaints": _undecided(dossier),
        "unwitnessed": tuple(
            load.entry_id for load in evening.loads if not evening.witnesses_of(load)
        ),
        "rounds": len(dossier.of(RoundPlayed)) if rounds is None else rounds,
        "last_at": max((told.recorded_at for told in dossier.entries), default=None),
        "alerts": tuple(alerts),
    }
    return TableState(**state, next_steps=tuple(_steps(TableState(**state), evening)))


def _stage(shoe: Shoe | None) -> Stage:
    """How far a shoe has come. What was left out before a later step stays out."""
    if shoe is None:
        return "none"
    if shoe.spread:
        return "over"
    if shoe.announced:
        return "last_round"
    if shoe.rounds or (shoe.warnings and shoe.burns):
        return "ready"
    if shoe.cuts and shoe.shuffles:
        return "cut"
    if shoe.shuffles:
        return "shuffled"
    return "begun"


def _carta_aviso(shoe: Shoe | None) -> Literal["none", "placed", "came_out", "announced"]:
    if shoe is None:
        return "none"
    if shoe.announced:
        return "announced"
    if any(told.fact.warning_card_at is not None for told in shoe.rounds):
        return "came_out"
    return "placed" if shoe.warnings else "none"


def _unsettled(evening: Evening) -> tuple[str, ...]:
    return tuple(
        one.fact.incident
        for one in evening.incidents
        if one.fact.incident not in evening.settled and one.fact.resolved_at is None
    )


def _standing_still(evening: Evening) -> tuple[str, ...]:
    """Open jams of the machine at this table, told of another partida or of none. Law: art. 51."""
    machine = evening.opened.fact.shuffler if evening.opened is not None else None
    return tuple(
        one.fact.incident
        for one in incidents_around(evening.dossier)
        if machine is not None
        and one.fact.shuffler == machine
        and one.fact.category in JAMS
        and one.fact.incident not in evening.settled
        and one.fact.resolved_at is None
    )


def _undecided(dossier: Dossier) -> tuple[str, ...]:
    decided = {told.fact.complaint for told in dossier.anywhere(ComplaintDecided)}
    told = [one.fact.complaint for one in dossier.of(ComplaintReceived)]
    return tuple(dict.fromkeys(code for code in told if code not in decided))


def _seats(dossier: Dossier) -> tuple[list[int], int]:
    """Who sits there as far as the record tells, and how many of them play.

    What was told last is believed: a cut, a round, somebody who sat down or stood up.
    """
    seats: set[int] = set()
    players = 0
    told: list[Told[Any]] = [
        one
        for one in dossier.entries
        if isinstance(one.fact, CutMade | RoundPlayed | SeatTaken | SeatLeft)
    ]
    for one in sorted(told, key=in_time):
        fact = one.fact
        if isinstance(fact, CutMade):
            seats = set(fact.seats_occupied)
        elif isinstance(fact, RoundPlayed):
            staked = {wager.seat for box in fact.boxes for wager in box.wagers if wager.seat}
            seats = staked | set(fact.seats_occupied or ()) or seats
        elif isinstance(fact, SeatTaken):
            seats = seats | {fact.seat}
        else:
            seats = seats - {fact.seat}
        players = len(seats)
    return sorted(seats), players


def _steps(state: TableState, evening: Evening) -> Iterator[Step]:
    """What comes next, and then what can be done at any moment."""
    if state.unshown and state.stage in ("none", "begun") and not evening.loads:
        yield Step("exhibit", "53" if state.dealing == "shuffler" else "7")
    elif state.interrupted is not None:
        yield Step("resume", "12")
    elif state.dealing == "shuffler":
        yield from _at_shuffler(state, evening)
    else:
        yield from _at_shoe(state)
    if state.dealing != "shuffler" and state.interrupted is None:
        yield Step("interrupt", "12")
    yield Step("incident", "51" if state.dealing == "shuffler" else "5")
    yield Step("complaint", "61" if state.dealing == "shuffler" else "")
    if state.dealing == "shuffler" and evening.loads:
        yield Step("unload", "55")
    yield Step("close", "55" if state.dealing == "shuffler" else "")


def _at_shoe(state: TableState) -> Iterator[Step]:
    """Shuffle, cut, warning card and burnt card, last round; and again."""
    if state.stage in ("none", "last_round", "over", "begun"):
        yield Step("shuffle_cut", "8")
    elif state.stage == "shuffled":
        yield Step("cut", "8")
    elif state.stage == "cut":
        yield Step("prepare", "9")
    else:
        yield Step("last_round", "11")


def _at_shuffler(state: TableState, evening: Evening) -> Iterator[Step]:
    """Mixed by hand, loaded, confirmed. What a shuffler waives is not due."""
    inside = _inside(evening)
    mixed = any(shoe.shuffles for shoe in evening.shoes)
    if not mixed and not evening.loads:
        yield Step("shuffle", "53")
    elif not inside:
        yield Step("load", "54")
    for entry in state.unwitnessed:
        yield Step("witness", "54", entry)


def _inside(evening: Evening) -> bool:
    """Whether the cards lie in the machine: loaded, and not taken out since."""
    moved: list[Told[Any]] = [*evening.loads, *evening.unloads]
    last = max(moved, key=in_time, default=None)
    return last is not None and isinstance(last.fact, ShufflerLoaded)


def rules_of(dossier: Dossier) -> LawInForce:
    """The rules of a partida's day, by the rulebook it was opened with."""
    opened = dossier.of(PartidaOpened)
    try:
        law = load_law(opened[-1].fact.rulebook if opened else RULEBOOK)
    except LawError:
        law = load_law(RULEBOOK)
    return law.on(dossier.gaming_day)


@dataclass(frozen=True, slots=True)
class Look:
    """A table as it is seen at one moment: its state and, where it is open, what that rests on.

    Of the dossier's rounds the last alone is there; they are counted where one table is asked for.
    """

    state: TableState
    dossier: Dossier | None = None
    rules: LawInForce | None = None


def looks(tables: Collection[str], now: datetime) -> dict[str, Look]:
    """Each of these tables, asked of the book together."""
    still_open = open_games.open_partidas(tables)
    gathered = gathering.dossiers(list(still_open.values()), now, counted=len(tables) == 1)
    boxes = gathering.boxes_of(tables)
    due = _alerts(tables, now)
    found: dict[str, Look] = {}
    for table in tables:
        most = boxes.get(table, BOXES)
        if table not in still_open:
            opening = (Step("open", "2"),)
            found[table] = Look(TableState(table=table, now=now, boxes=most, next_steps=opening))
            continue
        dossier, rounds = gathered[still_open[table]]
        rules = rules_of(dossier)
        state = state_of(dossier, rules, now, boxes=most, rounds=rounds, alerts=due.get(table, ()))
        found[table] = Look(state, dossier, rules)
    return found


def look_at(table: str, now: datetime) -> Look:
    """One table."""
    return looks([table], now)[table]


def table_state(table: str, now: datetime) -> TableState:
    """The state of one table."""
    return look_at(table, now).state


def _alerts(tables: Collection[str], now: datetime) -> dict[str, tuple[Alert, ...]]:
    """What whoever watches the floor has to say of these tables."""
    named = getattr(settings, "FLOOR_ALERTS", "")
    if not named or not tables:
        return {}
    told = import_string(named)(tables, now)
    return {
        table: tuple(Alert(one.severity, one.words, one.cited, one.place, one.link) for one in of)
        for table, of in told.items()
    }
