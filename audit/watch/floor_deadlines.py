"""The house's own deadlines: incidents, decks that are not whole, complaints, recordings held; and
its register (`register`).

Where the law names a duty and no hour, or the duty is not of a single game, the hour is a setting
(`HOUSE_DEADLINES`). Each is asked of the projections; what is done late cures what was raised.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

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
    Notice,
)
from casino.queries import that_count

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
    incidents = list(that_count(_recorded_at(tables, _incidents(now), "incident")))
    complaints = list(that_count(_recorded_at(tables, _complaints(now), "complaint")))
    holds = list(that_count(_held_at(tables, _holds(now), incidents, complaints)))
    yield from unsettled(incidents, allowed("incident"))
    defects = _recorded_at(tables, _defects(now), "incident")
    yield from not_made_known(that_count(defects), allowed("notice"))
    yield from unanswered(complaints, allowed("complaint"))
    yield from undecided(holds, _over(holds), allowed("footage"))
    yield from unheld(incidents, "incident", holds, allowed("footage"))
    yield from unheld(complaints, "complaint", holds, allowed("footage"))


def owes_anything(now: datetime) -> bool:
    """Whether there may be anything: one question, where mostly there is nothing."""
    some = (_incidents(now), _defects(now), _complaints(now), _holds(now))
    first, *others = (rows.order_by().values("pk") for rows in some)
    return first.union(*others)[:1].exists()


def _recorded_at(
    tables: Collection[str] | None, queryset: QuerySet[Any], name: str
) -> QuerySet[Any]:
    """Of these rows all of every number that was recorded at one of these tables."""
    if tables is None:
        return queryset
    there = queryset.model._default_manager.filter(table_code__in=tables)
    return queryset.filter(**{f"{name}__in": there.values(name)})


def _held_at(
    tables: Collection[str] | None,
    queryset: QuerySet[FootageHold],
    incidents: Iterable[Any],
    complaints: Iterable[Any],
) -> QuerySet[FootageHold]:
    """Of these rows those of holds told at one of these tables, or of one of these matters."""
    if tables is None:
        return queryset
    there = FootageHold.objects.filter(table_code__in=tables)
    return queryset.filter(
        Q(hold__in=there.values("hold"))
        | Q(incident__in={one.incident for one in incidents})
        | Q(complaint__in={one.complaint for one in complaints})
    )


def _since(now: datetime) -> Q:
    return Q(occurred_at__gte=now - LOOKED_BACK, occurred_at__lte=now)


def _of_it() -> Q:
    """Of the table an incident is of: the same number at two tables is of two.

    What is recorded at a table that reported none of that number is of whoever did.
    """
    own = Incident.objects.filter(incident=OuterRef("incident"), table_code=OuterRef("table_code"))
    return Q(table_code=OuterRef("table_code")) | Q(~Exists(own))


def _incidents(now: datetime) -> QuerySet[Incident]:
    settled = that_count(IncidentClosure.objects.filter(_of_it(), incident=OuterRef("incident")))
    return Incident.objects.filter(_since(now), ~Exists(settled)).order_by("n")


def _defects(now: datetime) -> QuerySet[Incident]:
    notice = Notice.objects.filter(_of_it(), incident=OuterRef("incident"), addressee=INSPECTION)
    rows = IncidentClosure.objects.filter(
        _of_it(), incident=OuterRef("incident"), communicated_at__isnull=False
    )
    return Incident.objects.filter(
        _since(now),
        ~Exists(that_count(notice)),
        ~Exists(that_count(rows)),
        level="deck_defect",
        communicated_at=None,
    ).order_by("n")


def _complaints(now: datetime) -> QuerySet[Complaint]:
    decided = that_count(ComplaintDecision.objects.filter(complaint=OuterRef("complaint")))
    return Complaint.objects.filter(_since(now), ~Exists(decided)).order_by("n")


def _holds(now: datetime) -> QuerySet[FootageHold]:
    return FootageHold.objects.filter(_since(now)).order_by("occurred_at", "n")


def _over(holds: Iterable[Any]) -> set[tuple[str, str]]:
    """The incidents settled and the complaints decided on of those that recordings are held for."""
    incidents, complaints = {one.incident for one in holds}, {one.complaint for one in holds}
    settled = that_count(IncidentClosure.objects.filter(incident__in=incidents))
    decided = that_count(ComplaintDecision.objects.filter(complaint__in=complaints))
    over = {("incident", code) for code in settled.values_list("incident", flat=True)}
    return over | {("complaint", code) for code in decided.values_list("complaint", flat=True)}
