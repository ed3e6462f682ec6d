"""S1: every table at one look, those that ask for attention first; and one table by itself."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import capfirst

from casino import clock
from casino.admin import permits
from casino.admin.entry_page import author_of
from casino.admin.kind_words import kind_word
from casino.admin.offices import offices_of
from casino.facts.rounds import RoundPlayed
from casino.models import BookEntry
from casino.queries import fact_kinds
from casino.recording.authority import MANAGER, writers_of
from casino.sala import carried, cutting, gathering, shoe
from casino.sala.access import (
    AT_THE_TABLE,
    EVERYWHERE,
    FLOOR,
    OVERSEERS,
    acts_at_which,
    floor_page,
)
from casino.sala.correcting import corrected_here
from casino.sala.cut_plan import plan_of
from casino.sala.showing import shown
from casino.sala.state import Alert, Look, Step, TableState, look_at, looks
from casino.sala.step_words import (
    article_of,
    carta_aviso_word,
    how_dealt,
    last_cut_words,
    step_url,
    step_word,
)
from casino.sala.watched import watched
from casino.sala.ways import Way, kinds_elsewhere, page_of, ways_at

LOOKERS: Final = FLOOR | OVERSEERS
TOLD: Final = 3  # alerts on a tile
LATELY: Final = 8  # records below a table
# What comes next rather than what can be done at any moment.
_NEXT: Final = frozenset(
    {"open", "exhibit", "resume", "shuffle_cut", "cut", "shuffle", "prepare", "last_round", "load",
     "witness"}
)  # fmt: skip
# Who records what a step leads to.
_WRITES: Final = {
    "open": "partida-opened/1", "exhibit": "deck-inspected/1", "resume": "play-resumed/1",
    "shuffle_cut": "cut-made/1", "cut": "cut-made/1", "shuffle": "cards-shuffled/1",
    "prepare": "carta-aviso-placed/1", "last_round": "last-round-announced/1",
    "load": "shuffler-loaded/1", "witness": "witnessed/1", "interrupt": "play-interrupted/1",
    "incident": "incident-reported/1", "complaint": "complaint-received/1",
    "unload": "shuffler-unloaded/1", "close": "partida-closed/1",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tile:
    """A table on S1. `url` is '' where he may not act there; `more` the alerts not shown."""

    state: TableState
    url: str
    next: str
    article: str
    how: str
    alerts: tuple[Alert, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Line:
    """Something recorded lately: what, how many others like it went before, by whom.

    `url` is the page of a room above the floor that shows it, with its words; '' for none.
    """

    at: datetime
    what: str
    more: str
    who: str
    entry: str
    corrigible: bool
    url: str = ""
    words: str = ""


@floor_page(LOOKERS, reads_only=True)
def floor_view(request: HttpRequest) -> HttpResponse:
    """S1. The whole floor is seen by everybody on it; one is led where one may act."""
    now = clock.now()
    tables = gathering.tables_known()
    overseen = bool(offices_of(request) & OVERSEERS)
    his = frozenset(tables) if overseen else acts_at_which(request, tables)
    on_duty = permits.duty_tables(request)
    mine = "mine" in request.GET
    found = looks(tables, now)
    own = set(permits.own_partidas(request)) if mine else set()
    tiles = [
        _tile(request, found[table].state, table in his)
        for table in tables
        if not mine or table in (on_duty or ()) or found[table].state.partida in own
    ]
    still_open = [tile for tile in tiles if tile.state.partida]
    shut = [tile for tile in tiles if not tile.state.partida]
    attention = sorted((one for one in tiles if one.state.gravity < 3), key=_by_gravity)
    context = {
        "mine": mine,
        "attention": attention,
        "quiet": [one for one in still_open if one.state.gravity == 3],
        "closed": [one for one in shut if one.state.gravity == 3],
        "some_open": bool(still_open),
        "some_closed": bool(shut),
        "may_open": bool(offices_of(request) & writers_of("partida-opened/1")),
    }
    return shown(request, "sala/floor.html", context)


def _by_gravity(tile: Tile) -> tuple[int, int, str]:
    return tile.state.gravity, -(tile.state.minutes_quiet or 0), tile.state.table


def _tile(request: HttpRequest, state: TableState, his: bool) -> Tile:
    step = _first(state)
    if not his:
        url = ""
    elif state.partida is None and not state.alerts and _may(request, "open"):
        url = step_url(state, Step("open"))
    else:
        url = _table_url(state.table)
    playing = step is not None and step.name == "last_round"
    return Tile(
        state=state,
        url=url,
        next="" if step is None or playing else step_word(step),
        article="" if step is None or playing or step.name == "open"
        else article_of(state, step.article),
        how=how_dealt(state),
        alerts=state.alerts[:TOLD],
        more=max(0, len(state.alerts) - TOLD),
    )  # fmt: skip


def _first(state: TableState) -> Step | None:
    return next((step for step in state.next_steps if step.name in _NEXT), None)


def _may(request: HttpRequest, name: str) -> bool:
    return bool(offices_of(request) & writers_of(_WRITES[name]))


def _table_url(table: str) -> str:
    return reverse("sala:table", args=[table])


@floor_page(LOOKERS, reads_only=True)
def table_view(request: HttpRequest, table: str) -> HttpResponse:
    """One table: how it stands, what comes next, what can be done, what was recorded last."""
    look = look_at(table, clock.now())
    state = look.state
    if state.partida is None and table not in gathering.tables_known():
        raise Http404
    step = _first(state)
    here = {
        "state": state,
        "alerts": [_as_read_by(request, alert) for alert in state.alerts],
        "how": how_dealt(state),
        "carta_aviso": carta_aviso_word(state),
        "last_cut": last_cut_words(state),
        "jammed": article_of(state, "51"),
        "gone_article": article_of(state, "5"),
        "own": carried.fresh(request, (table,)),
        "may_act": bool(offices_of(request) & AT_THE_TABLE),
        "may_gallery": bool(offices_of(request) & (EVERYWHERE | {permits.INSPECTOR})),
        "first": _way(request, state, step),
        "steps": [*ways_at(request, look), *_ways(request, state, _others(state, step))],
        "others": _ways(request, state, _waived(state)),
        "lately": lately(request, state),
        "watched": watched(look),
        "may_reopen": state.partida is None and MANAGER in offices_of(request),
    }
    return shown(request, "sala/table.html", {**here, **_in_place(look, step)})


def _as_read_by(request: HttpRequest, alert: Alert) -> Alert:
    """An alert whose way says what is done there, to another office who does it.

    Whoever only oversees is not led to a screen that turns him away.
    """
    if not offices_of(request) & FLOOR:
        return replace(alert, way="")
    if not alert.office or alert.office in offices_of(request):
        return alert
    return replace(alert, way_words=alert.otherwise)


def _others(state: TableState, first: Step | None) -> list[Step]:
    """What else can be done: every other next step, and what is possible at any moment."""
    return [step for step in state.next_steps if step != first]


def _waived(state: TableState) -> list[Step]:
    """What the law does not ask for at this table, and somebody may have done all the same."""
    if state.partida is None:
        return []
    if state.dealing == "shuffler":
        told = [Step("shuffle_cut"), Step("prepare", "10"), Step("last_round"), Step("interrupt")]
    else:
        told = [Step("shuffle_cut"), Step("prepare"), Step("exhibit")]
    named = {step.name for step in state.next_steps}
    return [step for step in told if step.name not in named]


def _ways(request: HttpRequest, state: TableState, steps: Iterable[Step]) -> list[Way]:
    return [way for step in steps if (way := _way(request, state, step)) is not None]


def _way(request: HttpRequest, state: TableState, step: Step | None) -> Way | None:
    if step is None or not _may(request, step.name):
        return None
    words = step_word(step)
    return Way(words, step_url(state, step), article_of(state, step.article))


def _in_place(look: Look, step: Step | None) -> dict[str, Any]:
    """The screen of the next step, shown on the table's own page: one tap fewer."""
    state, dossier, rules = look.state, look.dossier, look.rules
    if step is None or dossier is None or rules is None:
        return {}
    if step.name in ("shuffle_cut", "cut", "shuffle"):
        plan = plan_of(state, dossier, rules, state.now, {})
        return {"shuffle_cut": True, "cut": cutting.shown_plan(state, dossier, rules, plan)}
    if step.name == "prepare":
        return {"prepare": shoe.shown_preparing(state, dossier, rules, {})}
    if step.name == "last_round":
        return {"last_round": shoe.shown_last_round(state)}
    return {}


def lately(request: HttpRequest, state: TableState) -> list[Line]:
    """What was recorded last of the open partida, but for its rounds; like and like together.

    What a room above the floor keeps elsewhere is each a line of its own, with the way to it.
    """
    if state.partida is None:
        return []
    own, led = f"table/{state.table}", bool(offices_of(request) & FLOOR)
    rows = BookEntry.objects.filter(
        Q(stream__name=own) | Q(kind__in=kinds_elsewhere()), partida_id=state.partida
    )
    # Two ranges of the index, before the rounds and after them: a partida has hundreds of those.
    rows = rows.filter(Q(kind__lt=RoundPlayed.kind) | Q(kind__gt=RoundPlayed.kind))
    entries = rows.select_related("stream").order_by("-recorded_at", "-n")[:40]
    lines: list[Line] = []
    like: list[tuple[str, str, str]] = []
    for entry in entries:
        who = author_of(entry)
        if not permits.may_read_entry(request, entry.kind, entry.partida_id, who):
            continue
        elsewhere = page_of(entry) if led and entry.stream.name != own else None
        url, words = elsewhere or ("", "")
        if like and not url and like[-1] == (entry.kind, who, url):
            lines[-1] = _and_another(lines[-1])
            continue
        if len(lines) == LATELY:
            break
        like.append((entry.kind, who, url))
        kind = fact_kinds().get(entry.kind)
        here = kind is not None and corrected_here(kind)
        may = here and permits.actor(request, entry.kind) is not None
        what = str(capfirst(kind_word(entry.kind)))
        lines.append(Line(entry.recorded_at, what, "", who, str(entry.pk), may, url, words))
    return lines


def _and_another(line: Line) -> Line:
    count = int(line.more.removeprefix("× ") or 1) + 1
    return replace(line, more=f"× {count}")
