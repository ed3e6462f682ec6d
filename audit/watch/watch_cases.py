"""What is not done about findings: an explanation or a payment that is late, a remedy that did not
hold; and for whom they wait meanwhile.

Deadlines are the house's own (`HOUSE_CASES`, `HOUSE_CASES_RISE`). What is late is a finding of the
house's until somebody takes the case further.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from audit.audit_queries import is_of_gravity, open_findings
from audit.case_events import ExplanationGiven
from audit.case_state import (
    ASKED,
    IN_PART,
    OPEN,
    REOPENED,
    UPHELD,
    overdue,
    unconfirmed,
    with_case,
)
from audit.models import CaseStep, Finding
from audit.runs import house_checks, keys
from audit.runs.advisory_locks import alone
from audit.runs.current_findings import settle, why
from audit.runs.house_findings import by_key, house_finding
from audit.watch.watch_owed import LOOKED_BACK
from casino.events.event_policy import HEADS, MANAGER
from casino.floor.tables.todo_lists import Todo
from casino.house_day import house_day_at
from casino.law.finding import Finding as Found
from casino.law.rulebook.rulebook_file import counted_as

if TYPE_CHECKING:
    from audit.case_state import Worked

RUN: Final = keys.FLOOR_WATCH
EVENINGS: Final = timedelta(days=2)  # of so many evenings a breach waits on the floor's lists
MOST: Final = 50  # of a list of what waits
EXPLANATION: Final = "explanation"
PAYMENT: Final = "payment"


def watch_cases(now: datetime) -> int:
    """Raise what is late and what came back, cure what is not any more; how many were raised.

    Of two who look at once the second leaves it to the first.
    """
    with alone(house_checks.CASES, wait=False) as mine:
        if not mine:
            return 0
        held = open_findings().filter(rulebook=house_checks.RULEBOOK, article=house_checks.CASES)
        found = by_key([*_late(now), *_come_back(now)])
        return len(settle(RUN, now, found, held, why).raised)


def _late(now: datetime) -> Iterator[Found]:
    """Each case that somebody of the house was to have taken further by now."""
    recent = open_findings().filter(recorded_at__gte=now - LOOKED_BACK)
    rows = overdue(with_case(recent.exclude(article=house_checks.CASES)), now)
    last = _last_steps({row.case for row in rows})
    for row in rows:
        step = last.get(row.case)
        yield house_finding(
            house_checks.CASE_IN_TIME,
            row.gaming_day,
            {"case": row.case},
            {"waits_for": PAYMENT if row.case_state in (UPHELD, IN_PART) else EXPLANATION},
            partida=row.partida_id,
            table=row.table_code,
            evidence=[str(row.entry_id), *([step] if step else [])],
            expected={"not_after": row.case_due.isoformat() if row.case_due else ""},
        )


def _last_steps(cases: set[str]) -> dict[str, str]:
    """The entry of the last step of each of these cases."""
    rows = CaseStep.objects.filter(case__in=cases).order_by("n")
    return {case: str(entry) for case, entry in rows.values_list("case", "entry_id")}


def _come_back(now: datetime) -> Iterator[Found]:
    """Each finding of a check at a table that stood remedied there by its gaming day."""
    remedies = CaseStep.objects.filter(
        kind=ExplanationGiven.kind,
        remedy_from__isnull=False,
        recorded_at__gte=now - LOOKED_BACK,
    )
    for step in remedies.order_by("n"):
        remedied = Finding.objects.filter(key=step.finding).order_by("-n").first()
        if remedied is None or step.remedy_from is None:
            continue
        again = with_case(
            open_findings().filter(
                rulebook=remedied.rulebook,
                check_name=remedied.check_name,
                table_code=remedied.table_code,
                gaming_day__gte=step.remedy_from,
            )
        )
        for row in again.exclude(case=step.case).order_by("n"):
            yield house_finding(
                house_checks.REMEDY_KEPT,
                row.gaming_day,
                {"case": step.case},
                {"again": row.case},
                partida=row.partida_id,
                table=row.table_code,
                evidence=[str(step.entry_id), str(row.entry_id)],
                expected={"remedied_from": step.remedy_from.isoformat()},
            )


def waiting(now: datetime, tables: Collection[str] | None = None) -> Iterator[Todo]:
    """Cases that wait for somebody of the house; no act at a table changes one."""
    if tables is not None:
        return
    for row, offices in rising(now):
        yield _todo(row, offices)
    yield from _unconfirmed(now)


def _unconfirmed(now: datetime) -> Iterator[Todo]:
    """Payments recorded as the last step of a case, that count once a second person confirms."""
    steps = CaseStep.objects.filter(recorded_at__gte=now - LOOKED_BACK)
    for step in unconfirmed(steps).order_by("n")[:MOST]:
        finding = Finding.objects.filter(key=step.finding).order_by("-n").first()
        if finding is not None:
            yield Todo(
                what="settled",
                words=_("Payment a second person has to confirm"),
                do=_("See the finding"),
                url=reverse("admin:audit_finding_change", args=[finding.pk]),
                of=step.case,
                since=step.recorded_at,
                table=step.table_code,
                partida=step.partida_id,
                offices=HEADS,
                never=frozenset({step.staff}),
                by_the_floor=False,
            )


def rising(now: datetime) -> Iterator[tuple["Worked", frozenset[str]]]:
    """Findings whose cases wait for somebody of the house, with the offices they rose to by now.

    One of these evenings nobody has explained, as grave as HOUSE_CASES_RISE names, and whatever an
    explanation was asked for or a payment decided on.
    """
    grave = reduce(or_, (_by_now(one, now) for one in settings.HOUSE_CASES_RISE), Q(pk__in=[]))
    lately = grave & Q(gaming_day__gte=house_day_at(now) - EVENINGS)
    worked = CaseStep.objects.filter(recorded_at__gte=now - LOOKED_BACK).values("finding")
    mine = open_findings().filter(lately | Q(key__in=worked))
    mine = mine.exclude(article=house_checks.CASES)
    if not mine.exists():  # mostly; how cases stand is a long question, and every page asks
        return
    rows = with_case(mine).filter(case_due__isnull=False)
    for row in rows.order_by("case_due", "n")[:MOST]:
        offices = _offices(row, now)
        if offices:
            yield row, offices


def _by_now(gravity: str, now: datetime) -> Q:
    """Findings of a gravity that are old enough to have risen to anybody."""
    after = min(settings.HOUSE_CASES_RISE[gravity].values(), default=EVENINGS)
    return is_of_gravity(gravity) & Q(recorded_at__lte=now - after)


def _offices(finding: "Worked", now: datetime) -> frozenset[str]:
    """For whom it waits by now: what was asked for or decided, for the chefia da sala."""
    if finding.case_state not in (OPEN, REOPENED):
        return frozenset({MANAGER})
    since = now - finding.recorded_at
    ranks = settings.HOUSE_CASES_RISE.get(counted_as(finding.severity, finding.rulebook), {})
    return frozenset(office for office, after in ranks.items() if since >= after)


def waits_for(finding: "Worked") -> Promise:
    """What somebody has to do about it."""
    words = {
        ASKED: _("An explanation was asked for"),
        UPHELD: _("What is owed has to be paid"),
        IN_PART: _("What is owed has to be paid"),
    }
    return words.get(finding.case_state, _("A finding nobody has explained"))


def _todo(finding: "Worked", offices: frozenset[str]) -> Todo:
    return Todo(
        what="case",
        words=waits_for(finding),
        do=_("See the finding"),
        url=reverse("admin:audit_finding_change", args=[finding.pk]),
        of=finding.case,
        since=finding.recorded_at,
        until=finding.case_due,
        table=finding.table_code,
        partida=finding.partida_id,
        offices=offices,
        by_the_floor=False,
    )
