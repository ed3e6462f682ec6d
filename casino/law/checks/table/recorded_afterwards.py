"""What was recorded after the acts it bears on and dated before them: an office, a duty, limits.

It cures nothing: the act is judged by what the book knew when the act was recorded (`Dossier`). So
that nobody has to compare two columns of moments to see it, it is found by itself: what was
recorded, by whom and when, and after which act. No article asks for it: a control of the house.
"""

from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple

from casino.events.event import Event
from casino.events.partidas import PartidaOpened
from casino.events.phrases import marked
from casino.events.round.round_played import RoundPlayed
from casino.events.staff import DutyBegun, OfficeGranted
from casino.events.tables import LimitsSet
from casino.events.witnessing import Witnessed
from casino.law.checks.table.house_people import OFFICES
from casino.law.dossier import RecordedEvent, in_time
from casino.law.finding import LAWFUL, Breach, Verdict, upholds
from casino.law.game_law import limits_in, limits_in_force, staked_at
from casino.law.partida_context import PartidaContext
from casino.law.questions import breach, together

ARTICLE: Final = "house.afterwards"
HEADING: Final = marked("Recorded afterwards")
SUMMARY: Final = marked(
    "An office, a duty and the limits of a table are in the book before the acts they bear on. What"
    " is recorded afterwards changes nothing of these, and whoever recorded it is named."
)
_CHEFE: Final = "fiscal_chefe"
_MANAGER: Final = "chefia_da_sala"
# In which office somebody acts whom these fields name; a witness confirms as fiscal-chefe.
_ASKED: Final = {
    **OFFICES,
    **dict.fromkeys(("opened_by", "resolved_by", "replaced_by"), _CHEFE),
    **dict.fromkeys(("communicated_by", "sent_by"), _MANAGER),
}
_WHEN: Final = {
    "opened_by": "opened_at", "resolved_by": "resolved_at",
    "communicated_by": "communicated_at", "sent_by": "sent_at",
}  # fmt: skip
_OF_STEPS: Final = {"lid_opened": _CHEFE, "resolved": _CHEFE, "communicated": _MANAGER}
_SKIPPED: Final = frozenset({"witness-failed/1", "corrected/1", "erased/1"})


class Named(NamedTuple):
    """Somebody an entry names as acting in an office, and when."""

    act: RecordedEvent[Event]
    staff: str
    office: str
    at: datetime


@cache
def _asked_of(kind: type[Any]) -> list[tuple[str, str]]:
    """Of these fields those a kind of event has, each with its office."""
    return [(field, office) for field, office in _ASKED.items() if hasattr(kind, field)]


def _named(game: PartidaContext) -> Iterator[Named]:
    """Who acted in which office in a game, as it happened; a round names its dealer alone."""
    there = {recorded.leaf: recorded for recorded in game.dossier.entries}
    for recorded in game.acts:
        event = recorded.event
        if event.kind in _SKIPPED:
            continue
        if isinstance(event, Witnessed):
            for act in (there.get(event.witnessed.leaf), recorded):
                if act is not None:
                    yield Named(act, event.staff, _CHEFE, act.occurred_at)
            continue
        kind: Any = type(event)
        for field, office in _asked_of(kind):
            staff = getattr(event, field, None)
            if isinstance(staff, str):
                at = getattr(event, _WHEN.get(field, ""), None) or recorded.occurred_at
                yield Named(recorded, staff, office, at)
        step, by = getattr(event, "step", None), getattr(event, "by", None)
        if step in _OF_STEPS and isinstance(by, str):
            yield Named(recorded, by, _OF_STEPS[step], recorded.occurred_at)


def _breach(
    late: RecordedEvent[Event],
    act: RecordedEvent[Event],
    at: datetime,
    recorded: RecordedEvent[Event],
    **where: str,
) -> Breach:
    """`at` is when the act was, which is not when it was recorded."""
    observed = {"moment": late.recorded_at, "recorded_by": late.by.staff}
    expected = {"not_after": recorded.recorded_at, "acted_at": at}
    return breach(observed, expected, late, act, where=dict(where))


def _each_once(game: PartidaContext, kind: type[Any]) -> Verdict:
    """Every grant, or duty, that came after an act it would have borne on; the first such act."""
    dossier, answers, found = game.dossier, list[Verdict](), set[str]()
    for act, staff, office, at in _named(game):
        recorded = dossier.first_record(act)
        held = dossier.holds_office if kind is OfficeGranted else dossier.on_duty
        if held(staff, office, at, act):
            answers.append(LAWFUL)
            continue
        for late in dossier.house_of(kind):
            event = late.event
            if (event.staff, event.office) != (staff, office) or late.entry_id in found:
                continue
            since = getattr(event, "valid_from", late.occurred_at)
            after = late.recorded_at > recorded.recorded_at or late.occurred_at > at
            if since <= at and after:
                found.add(late.entry_id)
                answers.append(_breach(late, act, at, recorded, staff=staff, office=office))
    return together(answers)


@upholds(
    "partida", "An office dated before an act was recorded before that act.", severity="warning"
)
def office_recorded_before_the_act(game: PartidaContext) -> Verdict:
    """Of whoever is named in it; nothing of an office nobody recorded at all."""
    return _each_once(game, OfficeGranted)


@upholds("partida", "A duty timed before an act was recorded before that act.", severity="warning")
def duty_recorded_before_the_act(game: PartidaContext) -> Verdict:
    """Of whoever is named in that office; nothing of a duty nobody recorded at all."""
    return _each_once(game, DutyBegun)


@upholds(
    "partida", "Limits timed before a round were recorded before that round.", severity="warning"
)
def limits_recorded_before_play(game: PartidaContext) -> Verdict:
    """Before the opening and the rounds they would hold for; the same recorded again are no
    others.
    """
    dossier, answers, found = game.dossier, list[Verdict](), set[str]()
    limits_set = dossier.anywhere(LimitsSet)
    acts: list[RecordedEvent[Any]] = [*dossier.of(PartidaOpened), *dossier.of(RoundPlayed)]
    for act in sorted(acts, key=in_time):
        played = isinstance(act.event, RoundPlayed)
        at = staked_at(act.event, act.occurred_at) if played else act.occurred_at
        recorded = dossier.first_record(act)
        limits = limits_in_force(limits_set, at)
        if limits is None:
            continue
        if limits.recorded_at <= recorded.recorded_at:
            answers.append(LAWFUL)
            continue
        known = limits_in_force(limits_set, at, recorded.recorded_at) or game.opened
        if known is not None and limits_in(known) == limits_in(limits):
            answers.append(LAWFUL)
        elif limits.entry_id not in found:
            found.add(limits.entry_id)
            answers.append(_breach(limits, act, at, recorded))
    return together(answers)
