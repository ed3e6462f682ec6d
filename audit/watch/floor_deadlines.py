"""The house's own deadlines: incidents, decks that are not whole, complaints, recordings held.

Where the law names a duty and no hour, or the duty is not of a single game, the hour is a setting
(`HOUSE_DEADLINES`). Each is asked of the shelves; what is done late cures what was raised.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from audit.models import Finding as FindingRow
from audit.reconcile import house_checks, keys
from audit.reconcile.judging import house_finding
from audit.reconcile.standing import raise_findings, standing, supersede
from audit.watch.owed import Owed, not_made_known, unanswered, undecided, unsettled
from casino.models import (
    Complaint,
    ComplaintDecision,
    FootageHold,
    Incident,
    IncidentClosure,
    Notice,
    Supersession,
)
from casino.queries import replaced
from casino.regulation.finding import Finding

RUN: Final = keys.FLOOR_WATCH
LOOKED_BACK: Final = timedelta(days=400)  # what is older was found long ago
INSPECTION: Final = "inspection_service"


def allowed(name: str) -> timedelta:
    """How long the house allows for a thing."""
    told: timedelta = settings.HOUSE_DEADLINES[name]
    return told


def watch_deadlines(now: datetime) -> int:
    """Raise what was not done in time, cure what was done since; how many were raised.

    Of two who look at once the second leaves it to the first.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [house_checks.FLOOR]
            )
            if not cursor.fetchone()[0]:
                return 0
        late = [_finding(one) for one in owed(now) if one.is_late(now)]
        found = {keys.finding_key(one): one for one in late}
        before = {row.key: row for row in of_the_floor()}
        gone = [row for key, row in before.items() if key not in found]
        supersede(RUN, {row: {"reason": "cured"} for row in gone})
        fresh = {key: one for key, one in found.items() if key not in before}
        return raise_findings(RUN, now, fresh) if fresh else 0


def _finding(one: Owed) -> Finding:
    """As it is raised once its time is over."""
    row = one.row
    found = house_finding(
        one.check, row.gaming_day, row.partida_id, [str(row.entry_id)], one.where, one.observed
    )
    return replace(found, table=row.table_code, expected={"not_after": one.until.isoformat()})


def of_the_floor() -> QuerySet[FindingRow]:
    """The findings of the house's deadlines that stand."""
    return standing().filter(rulebook=house_checks.RULEBOOK, article=house_checks.FLOOR)


def owed(now: datetime) -> Iterator[Owed]:
    """Everything the house owes, whether its time is over or not."""
    yield from unsettled(_counting(_incidents(now)), allowed("incident"))
    yield from not_made_known(_counting(_defects(now)), allowed("notice"))
    yield from unanswered(_counting(_complaints(now)), allowed("complaint"))
    holds = list(_counting(_holds(now)))
    yield from undecided(holds, _over(holds), allowed("footage"))


def _counting(rows: Iterable[Any]) -> Iterator[Any]:
    """Those that were neither corrected nor are corrections nobody approved."""
    found = list(rows)
    if not found:
        return
    partidas = {row.partida_id for row in found}
    corrected = Supersession.objects.filter(partida_id__in=partidas)
    touched = corrected.values_list("stream", "partida_id")
    asked = set(touched) & {(row.stream, row.partida_id) for row in found}
    known = {place: replaced(*place) for place in asked}
    for row in found:
        if row.n not in known.get((row.stream, row.partida_id), ()):
            yield row


def _since(now: datetime) -> Q:
    return Q(occurred_at__gte=now - LOOKED_BACK, occurred_at__lte=now)


def _incidents(now: datetime) -> QuerySet[Incident]:
    settled = IncidentClosure.objects.filter(incident=OuterRef("incident"))
    return Incident.objects.filter(_since(now), ~Exists(settled)).order_by("n")


def _defects(now: datetime) -> QuerySet[Incident]:
    notice = Notice.objects.filter(incident=OuterRef("incident"), addressee=INSPECTION)
    told = IncidentClosure.objects.filter(
        incident=OuterRef("incident"), communicated_at__isnull=False
    )
    return Incident.objects.filter(
        _since(now), ~Exists(notice), ~Exists(told), level="deck_defect", communicated_at=None
    ).order_by("n")


def _complaints(now: datetime) -> QuerySet[Complaint]:
    decided = ComplaintDecision.objects.filter(complaint=OuterRef("complaint"))
    return Complaint.objects.filter(_since(now), ~Exists(decided), partida_id="").order_by("n")


def _holds(now: datetime) -> QuerySet[FootageHold]:
    return FootageHold.objects.filter(_since(now)).order_by("occurred_at", "n")


def _over(holds: Iterable[Any]) -> set[tuple[str, str]]:
    """The incidents settled and the complaints decided on of those that recordings are held for."""
    settled = IncidentClosure.objects.filter(incident__in={one.incident for one in holds})
    decided = ComplaintDecision.objects.filter(complaint__in={one.complaint for one in holds})
    over = {("incident", code) for code in settled.values_list("incident", flat=True)}
    return over | {("complaint", code) for code in decided.values_list("complaint", flat=True)}
