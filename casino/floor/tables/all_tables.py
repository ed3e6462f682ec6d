"""S1: every table at one look, those that ask for attention first; and one table by itself."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.translation import gettext

from casino import clock, holding
from casino.access import access_policy
from casino.access.offices_held import offices_of
from casino.access.open_games import tables_known
from casino.events.event_policy import (
    AT_THE_TABLE,
    FLOOR,
    HEADS,
    INSPECTOR,
    MANAGER,
    OVERSEERS,
    SUPERVISION,
)
from casino.extensions import extensions
from casino.floor import form_state
from casino.floor.closing.still_missing import chefe_of, fiscal_of
from casino.floor.floor_access import acts_at_which, floor_page
from casino.floor.floor_page import shown
from casino.floor.game_view import GameView
from casino.floor.persons.quick_change import sent_to
from casino.floor.shoe import begin_shoe, cut_page
from casino.floor.shoe.cut_plan import plan_of
from casino.floor.step_words import (
    article_of,
    carta_aviso_word,
    how_dealt,
    last_cut_words,
    step_url,
    step_word,
)
from casino.floor.table_links import Way, figures_at, ways_at
from casino.floor.table_state import Alert, Step, TableState, TableView, looks
from casino.floor.table_steps import STEPS
from casino.floor.tables.recorded_lately import GRAVEST, lately
from casino.floor.tables.rounds_watched import watched
from casino.floor.tables.todo_lists import left_at, patience_of, todos_of
from casino.law.partida_context import PartidaContext
from casino.law.rulebook.rulebook_file import load_law
from casino.models import Partida
from casino.previewing import RULEBOOK
from casino.recording.authority import writers_of
from casino.web.display.money_and_time import money
from casino.web.entries.entry_notes import Note, notes_of
from casino.web.forms.people_choices import people_of
from casino.web.words.field_words import rulebook_word, word

LOOKERS: Final = FLOOR | OVERSEERS
ALERTS_SHOWN: Final = 3  # alerts on a tile
FOUND: Final = 8  # findings of tonight on a table's page
# What an alert is seen to by, where that is not the fiscal de banca's.
_CURED_BY: Final = {
    "damaged_card_communicated": "notice-sent/1",
    "damaged_card_communicated_in_time": "notice-sent/1",
    "complaint_answered": "complaint-decided/1",
}


@dataclass(frozen=True, slots=True)
class Tile:
    """A table on S1. `url` is '' where he may not act there; `more` the alerts not shown.

    `rulebook` is its title where it is not the house's usual one, `left` how much its closed games
    left for him to do.
    """

    state: TableState
    url: str
    next: str
    article: str
    how: str
    alerts: tuple[Alert, ...]
    more: int
    rulebook: str = ""
    left: int = 0


@floor_page(LOOKERS, reads_only=True)
def floor_view(request: HttpRequest) -> HttpResponse:
    """S1. The whole floor is seen by everybody on it; one is led where one may act."""
    now = clock.now()
    holding.write_due()
    tables = tables_known()
    overseen = bool(offices_of(request) & OVERSEERS)
    on_duty = access_policy.duty_tables(request)
    mine = "mine" in request.GET
    sent = sent_to(request)
    found = looks(tables, now, patience_of(request, settings.ALERTS_PATIENCE), sent)
    # At a table whose opening is held the book has no game yet, and knows of nobody's.
    opening = holding.openings()
    games = {
        table: one.state.partida
        for table, one in found.items()
        if one.state.partida and table not in opening
    }
    his = frozenset(tables) if overseen else acts_at_which(request, tables, games)
    own = set(access_policy.own_partidas(request)) if mine else set()
    patience = patience_of(request, settings.TODO_PATIENCE)
    left = left_at(todos_of(request, now, patience=patience, tables=sent))
    tiles = [
        _tile(request, found[table].state, table in his, left.get(table, 0))
        for table in tables
        if not mine or table in (on_duty or ()) or found[table].state.partida in own
    ]
    still_open = [tile for tile in tiles if tile.state.partida]
    shut = [tile for tile in tiles if not tile.state.partida]
    attention = sorted((one for one in tiles if one.state.alerts), key=_by_gravity)
    context = {
        "mine": mine,
        "attention": attention,
        "quiet": [one for one in still_open if not one.state.alerts],
        "closed": [one for one in shut if not one.state.alerts],
        "some_open": bool(still_open),
        "some_closed": bool(shut),
        "may_duty": bool(offices_of(request) & FLOOR),
        "may_board": bool(offices_of(request) & SUPERVISION),
        "may_open": bool(offices_of(request) & writers_of("partida-opened/1")),
        "more_links": [link for package in extensions() for link in package.floor_links()],
    }
    return shown(request, "sala/floor.html", context)


def _by_gravity(tile: Tile) -> tuple[int, int, str]:
    return tile.state.gravity, -(tile.state.minutes_quiet or 0), tile.state.table


def _tile(request: HttpRequest, state: TableState, his: bool, left: int) -> Tile:
    step = first_step(state)
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
        article=""
        if step is None or playing or step.name == "open"
        else article_of(state, step.article),
        how=how_dealt(state),
        alerts=state.alerts[:ALERTS_SHOWN],
        more=max(0, len(state.alerts) - ALERTS_SHOWN),
        left=left,
        rulebook="" if state.rulebook == RULEBOOK else rulebook_word(state.rulebook),
    )


def first_step(state: TableState) -> Step | None:
    """What comes next at a table; None where it plays, or nothing does."""
    return next((step for step in state.next_steps if STEPS[step.name].is_next), None)


def _may(request: HttpRequest, name: str) -> bool:
    return bool(offices_of(request) & writers_of(STEPS[name].records))


def _table_url(table: str) -> str:
    return reverse("sala:table", args=[table])


@floor_page(LOOKERS, reads_only=True)
def table_view(request: HttpRequest, table: str) -> HttpResponse:
    """One table: how it stands, what comes next, what can be done, what was recorded last."""
    now = clock.now()
    table_view = looks([table], now, patience_of(request, settings.ALERTS_PATIENCE), [table])[table]
    state = table_view.state
    if state.partida is None and table not in tables_known():
        raise Http404
    step = first_step(state)
    notes = notes_of(request, [state.partida] if state.partida else [])
    here = alerted(request, state) | {
        "earlier": state.earlier,
        "how": how_dealt(state),
        "carta_aviso": carta_aviso_word(state),
        "last_cut": last_cut_words(state),
        "figures": list(_figures(request, table_view)),
        "found": _gravest(notes),
        "own": form_state.fresh(request, (table,)),
        "first": _way(request, state, step),
        "steps": [*ways_at(request, table_view), *links_to(request, state, _others(state, step))],
        "others": links_to(request, state, waived(state)),
        "lately": lately(request, state, notes),
        "watched": watched(table_view),
        "last_game": state.partida is None and Partida.objects.filter(table_code=table).exists(),
        "may_hold": state.partida is not None and bool(HEADS & offices_of(request)),
        "may_reopen": state.partida is None and MANAGER in offices_of(request),
    }
    place = _in_place(table_view, step)
    if "cut" in place and here["may_act"]:
        _ = people_of(request).everybody  # it offers who shuffled
    return shown(request, "sala/table.html", {**here, **place})


def alerted(request: HttpRequest, state: TableState) -> dict[str, object]:
    """What forbids the next round or asks for somebody now: for ``sala/_alert.html`` of each, and
    ``sala/_halted.html``.
    """
    return {
        "state": state,
        "alerts": [_as_read_by(request, alert) for alert in state.alerts],
        "jammed": article_of(state, "51"),
        "gone_article": article_of(state, "5"),
        "why_stopped": word(state.interrupted.event.reason) if state.interrupted else "",
        "may_act": bool(offices_of(request) & AT_THE_TABLE),
        "may_gallery": bool(offices_of(request) & (HEADS | {INSPECTOR})),
    }


def _figures(request: HttpRequest, table_view: TableView) -> Iterator[tuple[str, str]]:
    """What the table plays with and who is there: each a label and its value."""
    state = table_view.state
    if table_view.dossier is None or table_view.rules is None or state.opened is None:
        return
    game, event = PartidaContext(table_view.dossier, table_view.rules), state.opened.event
    if event.rulebook != RULEBOOK:
        yield gettext("Rulebook"), rulebook_word(event.rulebook)
    low, high = event.limits.minimum_cents, event.limits.maximum_cents
    yield gettext("Limits"), f"{money(low)} – {money(high)}"
    people = people_of(request).everybody
    dealer = GameView(game, load_law(table_view.rules.rulebook), state.now).dealer
    for label, who in (
        (gettext("Dealer"), dealer),
        (gettext("Fiscal de banca"), fiscal_of(game)),
        (gettext("Fiscal-chefe"), chefe_of(game)),
    ):
        yield label, people[who].words if who in people else who or "–"
    decks = format_html_join(", ", '<span class="cited">{}</span>', ((one,) for one in state.decks))
    yield gettext("Decks in play"), decks or "–"
    yield from figures_at(table_view)


def _gravest(notes: Iterable[Note]) -> list[Note]:
    """What was found of tonight's game, the gravest first."""
    return sorted(notes, key=lambda note: GRAVEST.index(note.tone))[:FOUND]


def _as_read_by(request: HttpRequest, alert: Alert) -> Alert:
    """An alert whose way says what is done there, to another office who does it.

    Whoever only oversees is not led to a screen that turns him away.
    """
    if not offices_of(request) & FLOOR:
        return replace(alert, way="", otherwise="")
    kind = _CURED_BY.get(alert.check, "")
    if kind and not offices_of(request) & writers_of(kind):
        offices = ", ".join(sorted(str(word(one)) for one in writers_of(kind) & FLOOR))
        words = gettext("For: %(offices)s.") % {"offices": offices}
        return replace(alert, severity="note", otherwise=words)
    if not alert.office or alert.office in offices_of(request):
        return alert
    return replace(alert, way_words=alert.otherwise)


def _others(state: TableState, first_step: Step | None) -> list[Step]:
    """What else can be done: every other next step, and what is possible at any moment."""
    return [step for step in state.next_steps if step != first_step]


def waived(state: TableState) -> list[Step]:
    """What the law does not ask for at this table, and somebody may have done all the same."""
    if state.partida is None:
        return []
    if state.dealing == "shuffler":
        listed = [Step("shuffle_cut"), Step("prepare", "10"), Step("last_round"), Step("interrupt")]
    else:
        listed = [Step("shuffle_cut"), Step("prepare"), Step("exhibit")]
    named = {step.name for step in state.next_steps}
    return [step for step in listed if step.name not in named]


def links_to(request: HttpRequest, state: TableState, steps: Iterable[Step]) -> list[Way]:
    """The ways to the screens of these steps, of those he may take."""
    return [way for step in steps if (way := _way(request, state, step)) is not None]


def _way(request: HttpRequest, state: TableState, step: Step | None) -> Way | None:
    if step is None or not _may(request, step.name):
        return None
    words = step_word(step)
    return Way(words, step_url(state, step), article_of(state, step.article))


def _in_place(table_view: TableView, step: Step | None) -> dict[str, object]:
    """The screen of the next step, shown on the table's own page: one tap fewer."""
    state, dossier, rules = table_view.state, table_view.dossier, table_view.rules
    if step is None or dossier is None or rules is None:
        return {}
    if step.name in ("shuffle_cut", "cut", "shuffle"):
        plan = plan_of(state, dossier, rules, state.now, {})
        return {"shuffle_cut": True, "cut": cut_page.shown_plan(state, dossier, rules, plan)}
    if step.name == "prepare":
        return {"prepare": begin_shoe.shown_preparing(state, dossier, rules, {})}
    if step.name == "last_round":
        return {"last_round": begin_shoe.shown_last_round(state)}
    return {}
