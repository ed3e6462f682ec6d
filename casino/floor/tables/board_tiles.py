"""What the board on the wall says of every table: read off the book, the same for whoever looks.

No name, no code of a player, nothing private: people stand here by their staff numbers, as in the
book. docs/display.md says how large it is written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from math import ceil
from typing import Final, NamedTuple

from django.conf import settings
from django.utils.timezone import localtime
from django.utils.translation import gettext, npgettext

from casino.access.open_games import tables_known
from casino.events.event_policy import HEAD, MANAGER
from casino.extensions import extensions
from casino.floor.closing.still_missing import chefe_of, fiscal_of
from casino.floor.step_words import step_word
from casino.floor.table_links import figures_at
from casino.floor.table_state import Alert, TableState, TableView, looks
from casino.floor.tables.all_tables import first_step
from casino.house_day import house_day_at
from casino.law.partida_context import PartidaContext
from casino.web.forms.people_choices import listed

GRAVITIES: Final = ("breach", "deviation", "warning", "note")
SAID: Final = {1: 4, 2: 2}  # how much a tile names by rows, else one; what is left is counted
MOST_COLUMNS: Final = 8
MOST_ROWS: Final = 8  # further tables are scrolled to
_SHAPE: Final = 1.55  # how much wider than high a tile is at least
_WALL: Final = (1900, 940)  # px of a screen of 1920 x 1080 that are left for the tiles
_HOURS: Final = 120  # minutes from which a stretch is given in hours


@dataclass(frozen=True, slots=True)
class DayFound:
    """The open findings of a gaming day at one table.

    `counts` by gravity, as GRAVITIES names them; `breaches` the newest breaches.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    breaches: Sequence[Alert] = ()


class Line(NamedTuple):
    """One thing a tile says: how grave ('' for what simply comes next), in words, since when."""

    tone: str
    words: str
    when: str = ""


class Count(NamedTuple):
    """How many findings of a gravity, and the two in words."""

    gravity: str
    n: int
    words: str


@dataclass(frozen=True, slots=True)
class BoardTile:
    """One table. `tone` is the gravest of what it says; `left` how much more there is to say."""

    table: str
    tone: str
    standing: str
    is_open: bool
    lines: tuple[Line, ...]
    left: int
    counts: tuple[Count, ...]
    fiscal: str
    chefe: str


@dataclass(frozen=True, slots=True)
class Board:
    """The whole room at one moment. `pools` are label and value, `counts` those of the whole day.

    `chefes` are those on duty, and those an open table names. `columns` and `rows` are how the
    tiles lie on a wall.
    """

    tiles: tuple[BoardTile, ...]
    counts: tuple[Count, ...]
    pools: tuple[tuple[str, str], ...]
    chefes: tuple[str, ...]
    managers: tuple[str, ...]
    columns: int
    rows: int

    @property
    def open_now(self) -> int:
        """How many tables are open."""
        return sum(one.is_open for one in self.tiles)


def board_at(now: datetime) -> Board:
    """The room at a moment: a number of questions that does not grow with its tables."""
    tables = tables_known()
    found = found_of(house_day_at(now))
    views = looks(tables, now, timedelta(seconds=settings.ALERTS_PATIENCE))
    on_duty = [(one.number, one.duty) for one in listed(now, names=False)]
    columns, rows = arranged(len(tables))
    most = SAID.get(rows, 1)
    totals = {one: sum(of.counts.get(one, 0) for of in found.values()) for one in GRAVITIES}
    tiles = tuple(_tile(views[of], found.get(of, DayFound()), now, most) for of in tables)
    heads = [number for number, duty in on_duty if HEAD in duty]
    heads += [one.chefe for one in tiles if one.is_open and one.chefe]
    return Board(
        tiles=tiles,
        counts=_counted(totals),
        pools=tuple(dict(each for view in views.values() for each in figures_at(view)).items()),
        chefes=tuple(dict.fromkeys(heads)),
        managers=tuple(number for number, duty in on_duty if MANAGER in duty),
        columns=columns,
        rows=rows,
    )


def found_of(day: date) -> dict[str, DayFound]:
    """By table ('' for what is of none) what the packages of the house found of a gaming day."""
    found: dict[str, DayFound] = {}
    for package in extensions():
        found |= package.day_findings(day)
    return found


def arranged(tables: int) -> tuple[int, int]:
    """How many columns and rows make the tiles of a wall the largest."""
    width, height = _WALL
    ways = [(n, max(1, ceil(tables / n))) for n in range(1, min(MOST_COLUMNS, max(1, tables)) + 1)]
    columns, rows = max(ways, key=lambda way: min(width / way[0] / _SHAPE, height / way[1]))
    return columns, min(rows, MOST_ROWS)


def _tile(view: TableView, of_day: DayFound, now: datetime, most: int) -> BoardTile:
    state = view.state
    known = {alert.check for alert in state.alerts}
    alerts = [one for one in of_day.breaches if one.check not in known] + [*state.alerts]
    alerts.sort(key=lambda one: GRAVITIES.index(one.severity))
    lines = [Line(one.severity, _alert_words(one), _when(one, now)) for one in alerts[:most]]
    step = first_step(state)
    if len(lines) < most and state.partida and step is not None and step.name != "last_round":
        lines.append(Line("", step_word(step), _stretch(state.minutes_quiet)))
    game = None
    if view.dossier is not None and view.rules is not None:
        game = PartidaContext(view.dossier, view.rules)
    return BoardTile(
        table=state.table,
        tone=alerts[0].severity if alerts else "",
        standing=_standing(state),
        is_open=state.partida is not None,
        lines=tuple(lines),
        left=max(0, len(alerts) - most),
        counts=_counted(of_day.counts),
        fiscal=fiscal_of(game) if game is not None else "",
        chefe=chefe_of(game) if game is not None else "",
    )


def _standing(state: TableState) -> str:
    """How a table stands, in a word or two."""
    step = first_step(state)
    if state.partida is None:
        return gettext("Closed")
    if state.interrupted is not None:
        return gettext("Stopped")
    if state.incidents:
        return gettext("Incident")
    if step is None or step.name == "last_round":
        return gettext("Playing")
    if step.name == "exhibit":
        return gettext("To exhibit")
    return gettext("Preparing")


def _alert_words(alert: Alert) -> str:
    """In words: where, and the article, stand at the end, where there may be no room for them."""
    place = alert.place if alert.on_wall is None else alert.on_wall
    around = ", ".join(filter(None, (place, alert.cited.replace(" ", "\N{NO-BREAK SPACE}"))))
    return f"{alert.words} ({around})" if around else alert.words


def _when(alert: Alert, now: datetime) -> str:
    """Until when there is time, or for how long it has stood there; '' where nobody says."""
    if alert.since is None:
        return ""
    if alert.due:
        return gettext("until %(at)s") % {"at": f"{localtime(alert.since):%H:%M}"}
    return _stretch(max(0, int((now - alert.since).total_seconds()) // 60))


def _stretch(minutes: int | None) -> str:
    if minutes is None or minutes < 1:
        return ""
    if minutes < _HOURS:
        return gettext("for %(n)s min") % {"n": minutes}
    return gettext("for %(n)s h") % {"n": minutes // 60}


def _counted(counts: Mapping[str, int]) -> tuple[Count, ...]:
    return tuple(
        Count(one, counts[one], _gravity(one, counts[one])) for one in GRAVITIES if counts.get(one)
    )


def _gravity(gravity: str, n: int) -> str:
    """What stands beside a number of findings."""
    words = {
        "breach": npgettext("beside a number", "breach", "breaches", n),
        "deviation": npgettext("beside a number", "deviation", "deviations", n),
        "warning": npgettext("beside a number", "warning", "warnings", n),
        "note": npgettext("beside a number", "note", "notes", n),
    }
    return words[gravity]
