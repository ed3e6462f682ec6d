"""What the house owes by its own deadlines, as a line of the list of what waits for somebody.

Recordings are named once they begin to run out of days, the rest from the beginning.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from audit.runs import house_checks
from audit.watch.floor_deadlines import allowed, owed
from audit.watch.watch_owed import Owed
from casino.events.event_policy import HEAD, MANAGER, PIT
from casino.floor.tables.todo_floor import complaint_url
from casino.floor.tables.todo_lists import Todo

_ABOVE: Final = frozenset({HEAD, MANAGER})
_FLOOR: Final = frozenset({PIT, HEAD})
_HOLD: Final = "admin:casino_footagehold_add"
# What each is called on the list, its sentence, what is done about it, and by whom.
_LINES: Final[Mapping[str, tuple[str, Promise, Promise, frozenset[str]]]] = {
    house_checks.INCIDENT_SETTLED: (
        "incident",
        _("Incident not closed"),
        _("Go to the incident"),
        _FLOOR,
    ),
    house_checks.DEFECT_MADE_KNOWN: (
        "notice",
        _("The inspection service has not been told"),
        _("Tell the inspection service"),
        _ABOVE,
    ),
    house_checks.COMPLAINT_ANSWERED: (
        "complaint",
        _("Complaint to read and decide"),
        _("Read and decide"),
        _ABOVE,
    ),
    house_checks.FOOTAGE_DECIDED: (
        "held",
        _("Recordings that are held run out of days"),
        _("Decide on them"),
        _ABOVE,
    ),
    house_checks.FOOTAGE_HELD: (
        "footage",
        _("Recordings nobody holds run out of days"),
        _("Hold the recordings"),
        _ABOVE,
    ),
}
_FOOTAGE: Final = frozenset({house_checks.FOOTAGE_DECIDED, house_checks.FOOTAGE_HELD})


def waiting(now: datetime, tables: Collection[str] | None = None) -> Iterator[Todo]:
    """Everything the house owes that waits for somebody, or of these tables alone."""
    for one in owed(now, tables):
        if one.check in _FOOTAGE and one.until - now > allowed("warned"):
            continue
        if one.check == house_checks.FOOTAGE_HELD and one.is_late(now):
            continue  # there is nothing left that could be held
        yield _todo(one)


def _todo(owed: Owed) -> Todo:
    what, words, do, offices = _LINES[owed.check]
    row = owed.row
    return Todo(
        what=what,
        words=words,
        do=do,
        url=_url(owed),
        of=next(iter(owed.where.values())),
        since=row.occurred_at,
        until=owed.until,
        table=row.table_code,
        partida=row.partida_id,
        offices=offices,
    )


def _url(owed: Owed) -> str:
    """Where it is done: on the floor, where it is of a game."""
    row = owed.row
    (about, number), *_rest = owed.where.items()
    if owed.check == house_checks.FOOTAGE_HELD and about == "incident" and row.partida_id:
        return f"{reverse('sala:footage', args=[row.table_code])}?incident={number}"
    if owed.check in _FOOTAGE:
        return f"{reverse(_HOLD)}?{about}={number}"
    if owed.check == house_checks.COMPLAINT_ANSWERED:
        return complaint_url(row)
    screen = "notice" if owed.check == house_checks.DEFECT_MADE_KNOWN else "incident_steps"
    if row.partida_id:
        return reverse(f"sala:{screen}", args=[row.table_code, number])
    form = "notice" if screen == "notice" else "incidentclosure"
    return f"{reverse(f'admin:casino_{form}_add')}?incident={number}"
