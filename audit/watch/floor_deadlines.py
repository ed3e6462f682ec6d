"""The house's own deadlines: incidents, decks that are not whole, complaints, recordings held; and
its register (`register`).

Where the law names a duty and no hour, or the duty is not of a single game, the hour is a setting
(`HOUSE_DEADLINES`). Each is asked of the projections; what is done late cures what was raised.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Q, QuerySet

from audit.models import Finding as FindingRow
from audit.runs import house_checks, keys
from audit.runs.advisory_locks import alone
from audit.runs.current_findings import settle, standing, why
from audit.runs.house_findings import by_key, house_finding
from audit.watch.register import irregular
from audit.watch.watch_owed import (
    LOOKED_BACK,
    Owed,
    not_made_known,
    unanswered,
    undecided,
    unheld,
    unsettled,
)
from casino.law.checks.table import house_people
from casino.law.finding import Finding
from casino.models import (
    Complaint,
    ComplaintDecision,
    FootageHold,
    Incident,
    IncidentClosure,
)
from casino.queries import counting, that_count

RUN: Final = keys.FLOOR_WATCH
INSPECTION: Final = "inspection_service"


def allowed(name: str) -> timedelta:
    """How long the house allows for a thing."""
    interval: timedelta = settings.HOUSE_DEADLINES[name]
    return interval


def watch_deadlines(now: datetime) -> int:
    """Raise what was not done in time, cure what was done since; how many were raised.

    Of two who look at once the second leaves it to the first.
    """
    with alone(house_checks.FLOOR, wait=False) as mine:
        if not mine:
            return 0
        late = [_finding(one) for one in owed(now) if one.is_late(now)]
        late += [_finding(one) for one in irregular(now)]
        return len(settle(RUN, now, by_key(late), of_the_floor(), why).raised)


def _finding(owed: Owed) -> Finding:
    """As it is raised once its time is over."""
    row = owed.row
    return house_finding(
        owed.check,
        row.gaming_day,
        owed.where,
        owed.observed,
        partida=row.partida_id,
        table=row.table_code,
        evidence=[str(row.entry_id)],
        expected=owed.expected or {"not_after": owed.until.isoformat()},
    )


def of_the_floor() -> QuerySet[FindingRow]:
    """The findings of the house's deadlines and of its register that stand."""
    ours = Q(article__in=(house_checks.FLOOR, house_checks.REGISTER))
    # Of the people named in a game its own run knows; here is what is recorded of no game.
    ours |= Q(article=house_people.ARTICLE, partida_id="")
    return standing().filter(ours, rulebook=house_checks.RULEBOOK)


def owed(now: datetime, tables: Collection[str] | None = None) -> Iterator[Owed]:
    """Everything the house owes, whether its time is over or not.

    With `tables` all that began at one of these is among it, and what else was recorded under the
    same numbers: whoever asks looks at each one's row.
    """
    found: dict[str, set[UUID]] = {}
    values: dict[str, Any] = {"since": now - LOOKED_BACK, "now": now, "tables": list(tables or ())}
    with connection.cursor() as cursor:
        cursor.execute(_OF_THE_HOUSE if tables is None else _OF_TABLES, values)
        for what, entry in cursor.fetchall():
            found.setdefault(what, set()).add(entry)
    reported = _rows(Incident, found, "incident", "defect")
    incidents = [row for row in reported if row.pk in found.get("incident", ())]
    complaints, holds = _rows(Complaint, found, "complaint"), _rows(FootageHold, found, "hold")
    holds.sort(key=lambda row: row.occurred_at)
    yield from unsettled(incidents, allowed("incident"))
    defects = [row for row in reported if row.pk in found.get("defect", ())]
    yield from not_made_known(defects, allowed("notice"))
    yield from unanswered(complaints, allowed("complaint"))
    yield from undecided(holds, _over(holds) if holds else (), allowed("footage"))
    yield from unheld(incidents, "incident", holds, allowed("footage"))
    yield from unheld(complaints, "complaint", holds, allowed("footage"))


def _rows(projection: Any, found: Mapping[str, set[UUID]], *names: str) -> list[Any]:
    """The rows that were found under these names, in the order they were recorded in."""
    asked: set[UUID] = set().union(*(found.get(name, ()) for name in names))
    return list(projection.objects.filter(pk__in=asked).order_by("n")) if asked else []


# Of the table an incident is of: the same number at two tables is of two. What is recorded at a
# table that reported none of that number is of whoever did.
_OF_IT: Final = """(act.table_code = one.table_code OR NOT EXISTS (
    SELECT FROM casino_incident AS own
    WHERE own.incident = act.incident AND own.table_code = act.table_code))"""
_CLOSED: Final = f"""SELECT FROM casino_incident_closure AS act
    WHERE act.incident = one.incident AND {_OF_IT} AND {counting("act")}"""
_SINCE: Final = "one.occurred_at BETWEEN %(since)s AND %(now)s"
# Written out, as every page of the floor waits for its answer.
_ASKED: Final = f"""
WITH incidents AS MATERIALIZED (
    SELECT one.entry_id, one.incident FROM casino_incident AS one
    WHERE {_SINCE} AND {{incident}} AND NOT EXISTS ({_CLOSED}) AND {counting("one")}),
complaints AS MATERIALIZED (
    SELECT one.entry_id, one.complaint FROM casino_complaint AS one
    WHERE {_SINCE} AND {{complaint}} AND {counting("one")}
    AND NOT EXISTS (SELECT FROM casino_complaint_decision AS act
        WHERE act.complaint = one.complaint AND {counting("act")}))
SELECT 'incident', entry_id FROM incidents
UNION ALL SELECT 'complaint', entry_id FROM complaints
UNION ALL SELECT 'defect', one.entry_id FROM casino_incident AS one
    WHERE {_SINCE} AND {{incident}} AND {counting("one")}
    AND level = 'deck_defect' AND communicated_at IS NULL
    AND NOT EXISTS ({_CLOSED} AND act.communicated_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM casino_notice AS act
        WHERE act.incident = one.incident AND {_OF_IT} AND addressee = '{INSPECTION}'
        AND {counting("act")})
UNION ALL SELECT 'hold', one.entry_id FROM casino_footage_hold AS one
    WHERE {_SINCE} AND {counting("one")} AND ({{hold}}
        OR one.incident IN (SELECT incident FROM incidents)
        OR one.complaint IN (SELECT complaint FROM complaints))
"""  # noqa: S608 - made of constants alone
# Of every number that was recorded at one of the tables.
_AT: Final = "one.{0} IN (SELECT {0} FROM casino_{1} WHERE table_code = ANY(%(tables)s))"
_NUMBERS: Final = {"incident": "incident", "complaint": "complaint", "hold": "footage_hold"}
_OF_TABLES: Final = _ASKED.format(**{of: _AT.format(of, at) for of, at in _NUMBERS.items()})
_OF_THE_HOUSE: Final = _ASKED.format(**dict.fromkeys(_NUMBERS, "true"))


def _over(holds: Iterable[Any]) -> set[tuple[str, str]]:
    """The incidents settled and the complaints decided on of those that recordings are held for."""
    incidents, complaints = {one.incident for one in holds}, {one.complaint for one in holds}
    settled = that_count(IncidentClosure.objects.filter(incident__in=incidents))
    decided = that_count(ComplaintDecision.objects.filter(complaint__in=complaints))
    over = {("incident", code) for code in settled.values_list("incident", flat=True)}
    return over | {("complaint", code) for code in decided.values_list("complaint", flat=True)}
