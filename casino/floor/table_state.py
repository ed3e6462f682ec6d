"""How a table stands, and what is due there next: read off the record, as the law asks for it.

`state_of` is pure: a dossier, the rules of the day, a moment. Nothing here blocks anything: a step
that is not due can be recorded all the same.

Law: PT art. 7 to 12 (a table with a shoe), 53 to 55 (with a shuffler), 5, 51, 61.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from threading import Lock
from typing import Any, Final, Literal, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language, gettext

from casino import holding
from casino.access import open_games
from casino.events.event import Event
from casino.events.incidents import IncidentReported
from casino.events.partidas import Dealing, PartidaOpened
from casino.events.round.round_played import RoundPlayed
from casino.events.shoes import CardsShuffled, CutMade, PlayInterrupted, PlayResumed
from casino.extensions import extensions
from casino.floor import gathering
from casino.floor.how_far import (
    Stage,
    begun_since_load,
    carta_aviso_of,
    emptied_for_good,
    is_inside,
    recorded_elsewhere,
    seats_of,
    stage_of,
    standing_still,
    undecided,
    unsettled,
)
from casino.floor.table_links import alerts_at
from casino.floor.table_steps import STEPS
from casino.kept_entries import Last
from casino.law.checks.shoe.shoe_preparation import is_burnt
from casino.law.dossier import Dossier, RecordedEvent, in_time
from casino.law.game_decks import decks_in_play, decks_wanting, gone_from_the_cards
from casino.law.game_incidents import JAMS
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.law_text import LawError
from casino.law.rulebook.rulebook import LawInForce
from casino.law.rulebook.rulebook_file import load_law
from casino.previewing import RULEBOOK
from casino.queries import day_of
from casino.web.forms.warnings import Cites, cited_in

BOXES: Final = 7  # of a table nobody registered
_UNCONFIRMED: Final = "loading_witnessed"  # until it is looked at again, though it was confirmed


@dataclass(frozen=True, slots=True)
class Step:
    """Something that can be done at a table: its name, and whether it is what comes next.

    `screen` is the name of its page, `article` the number it follows from, '' for none; `entry` the
    entry it is about (a load to be witnessed), '' for none.
    """

    name: str
    article: str = ""
    entry: str = ""

    @property
    def screen(self) -> str:
        """The screen on which it is done."""
        return STEPS[self.name].screen


@dataclass(frozen=True, slots=True)
class Alert:
    """What somebody has to see to: how grave, in a sentence, which article, where it leads.

    `link` is the finding's page, `way` the screen on which it is seen to, with its words; `check`
    what it comes from. Where a room above says the same with a way, it is said once. `office` is
    whose it is to see to it, '' for anybody on the floor; `otherwise` the way's words for others.
    `game` is the earlier game it is of, in words, '' where it is of the one that is open. `since`
    is when it was found; where `due`, until when there is time; None where nobody says. `on_wall`
    is `place` without what a player is owed, which is nobody's to read on a wall; None: as `place`.
    """

    severity: str
    words: str
    cited: str = ""
    place: str = ""
    link: str = ""
    way: str = ""
    way_words: str = ""
    check: str = ""
    office: str = ""
    otherwise: str = ""
    game: str = ""
    since: datetime | None = None
    due: bool = False
    on_wall: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """A table at one moment. `partida` is None where none is open.

    `shoe` is the current shoe's number, 0 before the first; `next_shoe` the one to be made ready.
    `seats` are those occupied, as far as the record tells; `interrupted` the stop play has not gone
    on from. `standing_still` are the open jams of the machine that were recorded outside the
    partida, `recorded_elsewhere` what another table told of its machine or a deck of its, which
    decides nothing. `decks` are those in play now, `unshown` those of them nobody has exhibited
    yet; `gone` the withdrawn ones that still lie among the cards being dealt, `wanting` how many
    have to come in. `unwitnessed` are the entries of loads nobody has confirmed. `next_steps`
    begins with what comes next, where something does. `alerts` ask for attention now; those of
    earlier games and nights are `earlier`.
    """

    table: str
    now: datetime
    boxes: int = BOXES
    partida: str | None = None
    opened: RecordedEvent[PartidaOpened] | None = None
    dealing: Dealing | None = None
    continuous: bool | None = None
    decks: tuple[str, ...] = ()
    unshown: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    wanting: int = 0
    shoe: int = 0
    stage: Stage = "none"
    seats: tuple[int, ...] = ()
    players: int = 0
    last_cut: RecordedEvent[CutMade] | None = None
    carta_aviso: Literal["none", "placed", "came_out", "announced"] = "none"
    interrupted: RecordedEvent[PlayInterrupted] | None = None
    incidents: tuple[str, ...] = ()
    standing_still: tuple[IncidentReported, ...] = ()
    recorded_elsewhere: tuple[RecordedEvent[Event], ...] = ()
    complaints: tuple[str, ...] = ()
    unwitnessed: tuple[str, ...] = ()
    rounds: int = 0
    last_at: datetime | None = None
    next_steps: tuple[Step, ...] = ()
    alerts: tuple[Alert, ...] = ()
    earlier: tuple[Alert, ...] = ()

    @property
    def rulebook(self) -> str:
        """By which it is played; the house's own where nobody recorded, or none is open."""
        return self.opened.event.rulebook if self.opened is not None else RULEBOOK

    @property
    def cites(self) -> Cites:
        """What its page cites."""
        return Cites(self.rulebook)

    @property
    def within(self) -> Cites:
        """What its page cites in brackets."""
        return Cites(self.rulebook, brackets=True)

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
        """How much it asks for attention: 0 for a breach, 4 for nothing."""
        ranks = ("breach", "deviation", "warning", "note")
        return min((ranks.index(one.severity) for one in self.alerts), default=4)


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
    game = PartidaContext(dossier, rules)
    shoe = game.shoes[-1] if game.shoes else None
    shown = {recorded.event.deck for recorded in game.exhibitions}
    seats, players = seats_of(dossier)
    decks, gone = decks_in_play(game), gone_from_the_cards(game)
    alone = tuple(load.entry_id for load in game.loads if not game.witnesses_of(load))
    now_due = [one for one in alerts if not one.game and (alone or one.check != _UNCONFIRMED)]
    state: dict[str, Any] = {
        "table": dossier.table,
        "now": now,
        "boxes": boxes,
        "partida": dossier.partida,
        "opened": game.opened,
        "dealing": game.dealing,
        "continuous": game.continuous,
        "decks": decks,
        "unshown": tuple(deck for deck in decks if deck not in shown),
        "gone": gone,
        "wanting": 0 if emptied_for_good(game) else decks_wanting(game),
        "shoe": shoe.number if shoe is not None else 0,
        "stage": stage_of(shoe, game, gone),
        "seats": tuple(seat for seat in seats if seat <= boxes),
        "players": players,
        "last_cut": max(dossier.of(CutMade), key=in_time, default=None),
        "carta_aviso": carta_aviso_of(shoe),
        "interrupted": interrupted_in(dossier),
        "incidents": unsettled(game),
        "standing_still": standing_still(game),
        "recorded_elsewhere": recorded_elsewhere(game),
        "complaints": undecided(dossier),
        "unwitnessed": alone,
        "rounds": len(dossier.of(RoundPlayed)) if rounds is None else rounds,
        "last_at": max((recorded.recorded_at for recorded in dossier.entries), default=None),
        "alerts": (*_halted(game), *now_due),
        "earlier": tuple(one for one in alerts if one.game),
    }
    return TableState(**state, next_steps=tuple(_steps(TableState(**state), game)))


def _halted(game: PartidaContext) -> Iterator[Alert]:
    """What keeps the next round from being dealt until it is seen to. Law: PT art. 5, 51."""
    machine = game.dealing == "shuffler"
    within = Cites(_book_of(game), brackets=True)
    still = unsettled(game)
    for one in game.incidents:
        event = one.event
        if event.incident not in still:
            continue
        if event.category in JAMS:
            words = gettext("No round is dealt while the shuffler is jammed or its light warns.")
        elif (
            event.category == "damaged_card"
            and event.replaced is None
            and machine
            and within["5_51"]
        ):
            asked = {"a": within["5_51"]}
            words = gettext("No round before the card, or its deck, is exchanged%(a)s.") % asked
        elif event.category == "damaged_card" and event.replaced is None and within["5"]:
            asked = {"a": within["5"]}
            words = gettext("The whole deck leaves the game before the next round%(a)s.") % asked
        else:
            continue
        yield Alert(
            "warning",
            words,
            cited_in(within.book, "51") if event.category in JAMS else "",
            place=event.incident,
            way=reverse("sala:incident_steps", args=[game.dossier.table, event.incident]),
            way_words=gettext("Go to the incident"),
        )


def _book_of(game: PartidaContext) -> str:
    return game.opened.event.rulebook if game.opened is not None else RULEBOOK


def interrupted_in(dossier: Dossier) -> RecordedEvent[PlayInterrupted] | None:
    """The stop play has not gone on from."""
    stop = max(dossier.of(PlayInterrupted), key=in_time, default=None)
    resumed = max(dossier.of(PlayResumed), key=in_time, default=None)
    if stop is None or (resumed is not None and in_time(resumed) > in_time(stop)):
        return None
    return stop


def _steps(state: TableState, game: PartidaContext) -> Iterator[Step]:
    """What comes next, and then what can be done at any moment."""
    exhibit = Step("exhibit", "53" if state.dealing == "shuffler" else "7")
    if state.wanting:
        yield exhibit
    if state.unshown and state.stage in ("none", "begun") and not game.loads:
        if not state.wanting:
            yield exhibit
    elif state.interrupted is not None:
        yield Step("resume", "12")
    elif state.dealing == "shuffler":
        yield from _at_shuffler(state, game)
    else:
        yield from _at_shoe(state)
    if state.dealing != "shuffler" and state.interrupted is None:
        yield Step("interrupt", "12")
    yield Step("incident", "51" if state.dealing == "shuffler" else "5")
    yield Step("complaint", "61" if state.dealing == "shuffler" else "")
    yield Step("round")
    yield Step("dealer")
    yield Step("hand_over")
    yield Step("chips")
    if state.dealing == "shuffler" and game.loads:
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


def _at_shuffler(state: TableState, game: PartidaContext) -> Iterator[Step]:
    """Mixed by hand, loaded, confirmed. What a shuffler waives is not due."""
    since = in_time(game.loads[-1]) if game.loads else None
    mixed = any(
        since is None or in_time(recorded) > since for recorded in game.dossier.of(CardsShuffled)
    )
    if not is_inside(game):
        yield Step("load", "54") if mixed else Step("shuffle", "53")
    for entry in state.unwitnessed if cited_in(state.rulebook, "54") else ():
        yield Step("witness", "54", entry)
    burns = is_burnt(game) and "burn.cards" in game.p
    if is_inside(game) and burns and not begun_since_load(game):
        yield Step("prepare", "10")


def rules_of(dossier: Dossier) -> LawInForce:
    """The rules of a partida's day, by the rulebook it was opened with."""
    opened = dossier.of(PartidaOpened)
    try:
        law = load_law(opened[-1].event.rulebook if opened else RULEBOOK)
    except LawError:
        law = load_law(RULEBOOK)
    return law.on(dossier.gaming_day)


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as it is seen at one moment: its state and, where it is open, what that rests on.

    Of the dossier's rounds the last alone is there; they are counted where one table is asked for.
    """

    state: TableState
    dossier: Dossier | None = None
    rules: LawInForce | None = None


def looks(
    tables: Collection[str],
    now: datetime,
    patience: timedelta | None = None,
    own: Collection[str] = (),
) -> dict[str, TableView]:
    """Each of these tables, asked of the book together.

    With the alerts where a `patience` says how old those may be that are shown; where something was
    sent to one's `own` tables alone, those of the others may be as old as anybody's.
    """
    about_to_open = holding.openings(tables)
    still_open = open_games.open_partidas(tables) | about_to_open
    alone = len(tables) == 1
    gathered = gathering.dossiers(list(still_open.values()), now, counted=alone)
    boxes = gathering.boxes_of(tables)
    due = {} if patience is None else _alerts(tables, still_open, now, patience, own)
    found: dict[str, TableView] = {}
    for table in tables:
        most = boxes.get(table, BOXES)
        if table not in still_open:
            opening, left = (Step("open", "2"),), due.get(table, ())
            closed = TableState(
                table=table, now=now, boxes=most, next_steps=opening, alerts=tuple(left)
            )
            found[table] = TableView(closed)
            continue
        dossier, rounds = gathered[still_open[table]]
        rules = rules_of(dossier)
        asked = due.get(table, ())
        of = (dossier.entries, dossier.around, rules, most, rounds, asked, get_language())
        make = partial(state_of, dossier, rules, now, boxes=most, rounds=rounds, alerts=asked)
        state = replace(_states.made((dossier.partida, alone), of, make), now=now)
        found[table] = TableView(state, dossier, rules)
    return found


def load_table_view(table: str, now: datetime) -> TableView:
    """One table, without its alerts."""
    return looks([table], now)[table]


def table_state(table: str, now: datetime) -> TableState:
    """The state of one table."""
    return load_table_view(table, now).state


# Of a game of which nothing was recorded since, how it stands is known.
_states: Final[Last[TableState]] = Last()


class Seen(NamedTuple):
    """What there was to see to at a moment: by table what the watch says, then rooms above."""

    at: datetime
    watched: Mapping[str, Sequence[Any]]
    lying: Mapping[str, Sequence[Alert]]  # on a table: it outlasts its game


kept: Final[dict[str, Seen]] = {}  # of all tables as this process read it last, by language
_reading: Final = Lock()  # one thread reads it, the others wait for what it reads
_AT_ONCE: Final = timedelta(seconds=2)  # who has just recorded something has it read for his table


def _alerts(
    tables: Collection[str],
    still_open: Mapping[str, str],
    now: datetime,
    patience: timedelta,
    own: Collection[str],
) -> dict[str, tuple[Alert, ...]]:
    """What somebody has to see to at each of these tables, a thing that two rooms tell once."""
    others = _kept_for(now, timedelta(seconds=settings.ALERTS_PATIENCE)) if own else None
    if others is not None:
        seen = _kept_for(now, patience) or _besides(own, others, _seen(own, now))
    elif patience < _AT_ONCE:
        seen = _kept_for(now, patience) or _seen(tables, now)
    else:
        with _reading:
            seen = _kept_for(now, patience) or _seen(open_games.tables_known(), now)
            kept[get_language() or ""] = seen
    found: dict[str, tuple[Alert, ...]] = {}
    for table in tables:
        lying = seen.lying.get(table, ())
        seen_to = {one.check for one in lying if one.check}
        game = still_open.get(table)
        watched = seen.watched.get(table, ()) if game else ()
        of_watch = (_of_game(one, game) for one in watched if game and one.check not in seen_to)
        found[table] = (*of_watch, *lying)
    return found


def _besides(own: Collection[str], others: Seen, mine: Seen) -> Seen:
    """What there is to see to at one's own tables by now, and at the others as read before."""
    watched = {table: of for table, of in others.watched.items() if table not in own}
    lying = {table: of for table, of in others.lying.items() if table not in own}
    return Seen(others.at, {**watched, **mine.watched}, {**lying, **mine.lying})


def _kept_for(now: datetime, patience: timedelta) -> Seen | None:
    seen = kept.get(get_language() or "")
    young = seen is not None and timedelta(0) <= now - seen.at < patience
    return seen if young else None


def _seen(tables: Collection[str], now: datetime) -> Seen:
    watched: dict[str, Sequence[Any]] = {}
    for package in extensions() if tables else ():
        watched |= package.table_alerts(tables, now)
    return Seen(now, watched, alerts_at(tables, now))


def _of_game(one: Any, partida: str) -> Alert:
    """What the watch says, beside the game that is open."""
    return Alert(
        one.severity,
        one.words,
        one.cited,
        one.place,
        one.link,
        check=one.check,
        game=_earlier(one, partida),
        since=one.since,
        due=one.due,
    )


def _earlier(alert: Any, partida: str) -> str:
    """Of which night, and which game of it, an alert is; '' for the game that is open.

    What is due still asks for somebody, of whatever night it is.
    """
    if alert.due or alert.partida == partida:
        return ""
    day = day_of(alert.partida) if alert.partida else alert.day
    if day is None or (not alert.partida and day >= day_of(partida)):
        return ""
    words = gettext("of %(day)s, game %(game)s") if alert.partida else gettext("of %(day)s")
    return words % {"day": f"{day:%d/%m}", "game": alert.partida.rpartition("/")[2]}
