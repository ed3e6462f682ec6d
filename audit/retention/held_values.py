"""Which private values there are, whose time is over, and what holds those back.

A value is a private field of an entry, or the files of one (`attachments`). Days are the house's.
"""

from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta
from typing import Final, Literal, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import F, Q

from audit.audit_queries import open_findings
from audit.case_state import OVER, UPHELD, with_case
from audit.models import CaseStep, ErasureSuspension
from audit.retention.retention_periods import INSPECTOR, Period, period_of, periods
from audit.retention_events import Basis
from casino import clock
from casino.house_day import house_day_at
from casino.models import Complaint, ComplaintDecision, OfficeEnd, OfficeGrant, Staff
from casino.queries import offices_at, that_count

# The condition on attachments is that of the index book_entry_with_files, word by word.
_ALL: Final = r"""
SELECT e.id, s.name, e.n, encode(e.leaf_hash, 'hex'), e.kind, found.field, e.partida_id,
    e.gaming_day, e.recorded_at
FROM (
    SELECT v.entry_id, v.field FROM casino_private_value v WHERE v.salt IS NOT NULL
    UNION ALL
    SELECT f.id, 'attachments' FROM book_entry f JOIN book_stream t ON t.id = f.stream_id
    WHERE position('\x226174746163686d656e7473223a'::bytea IN f.entry) > 0
        AND NOT EXISTS (SELECT FROM casino_erasure x WHERE x.entry_stream = t.name
                        AND x.entry_n = f.n AND x.field = 'attachments')
) AS found JOIN book_entry e ON e.id = found.entry_id JOIN book_stream s ON s.id = e.stream_id
"""
_BEFORE: Final = _ALL + "WHERE e.recorded_at < %s ORDER BY e.recorded_at, s.name, e.n, found.field"
_OF: Final = _ALL + "WHERE e.id = ANY(%s) ORDER BY e.recorded_at, s.name, e.n, found.field"

Why = Literal["never", "for_good", "not_begun", "runs", "suspended", "case", "complaint"]


class HeldValue(NamedTuple):
    """A private value that was not erased, by the entry that commits to it."""

    entry_id: UUID
    stream: str
    n: int
    leaf: str
    kind: str
    field: str
    partida: str
    gaming_day: date
    recorded_at: datetime

    @property
    def period(self) -> Period:
        """How long it is kept."""
        return period_of(self.kind, self.field)

    @property
    def named(self) -> tuple[str, int, str]:
        """What a proposal calls it."""
        return self.stream, self.n, self.field


class Kept(NamedTuple):
    """Why a value is not erased: `until` a day, or what holds it back by its number."""

    why: Why
    until: date | None = None
    by: str = ""


def values_before(moment: datetime) -> list[HeldValue]:
    """Every value that was recorded before a moment, the oldest first."""
    return _values(_BEFORE, [moment])


def values_of(entry_ids: Iterable[UUID]) -> list[HeldValue]:
    """Every value of these entries."""
    return _values(_OF, [list(entry_ids)])


def _values(statement: str, asked: list[datetime] | list[list[UUID]]) -> list[HeldValue]:
    with connection.cursor() as cursor:
        cursor.execute(statement, asked)
        return [HeldValue(*row) for row in cursor.fetchall()]


def suspensions() -> list[ErasureSuspension]:
    """Those in force, in the order in which they were ordered."""
    lifted = ErasureSuspension.objects.filter(lifts=True).values("suspension")
    return list(
        ErasureSuspension.objects.filter(lifts=False).exclude(suspension__in=lifted).order_by("n")
    )


class Keeping:
    """Why each of some values is kept, asked of the book once for all of them."""

    def __init__(self, values: Collection[HeldValue]) -> None:
        self._now = clock.now()
        self._today = house_day_at(self._now)
        self._suspensions = suspensions()
        entries = {value.entry_id for value in values}
        games = {value.partida for value in values} - {""}
        self._steps = dict(CaseStep.objects.filter(pk__in=entries).values_list("pk", "finding"))
        about = Q(partida_id__in=games) | Q(key__in=set(self._steps.values()))
        waiting = with_case(open_findings().filter(about))
        waiting = waiting.exclude(case_state__in=OVER).exclude(
            case_state=UPHELD, case_owed__lte=F("case_paid")
        )
        self._cases: dict[str, str] = {}  # by finding, and by game
        for key, game, case in waiting.values_list("key", "partida_id", "case"):
            self._cases |= {key: case, game: case}
        self._cases.pop("", None)
        self._undecided = {
            row.partida_id: row.complaint
            for row in that_count(Complaint.objects.filter(partida_id__in=games))
            if _decided(row.complaint) is None
        }

    def why(self, value: HeldValue, basis: Basis = "retention_over") -> Kept | None:
        """Why it is kept; None where it may be erased on this basis."""
        return self.time(value, basis) or self.held_back(value)

    def time(self, value: HeldValue, basis: Basis = "retention_over") -> Kept | None:
        """Whether its time still runs, or has not even begun.

        What was recorded in error runs no time but the law's.
        """
        period = value.period
        if period.years is None:
            return Kept("never" if period.name == INSPECTOR else "for_good")
        if basis == "recorded_in_error" and period.source == "house":
            return None
        start = self._started(value, period)
        if start is None:
            return Kept("not_begun")
        if basis == "data_subject_request" and period.on_request:
            return None
        until = period.until(start)
        return Kept("runs", until) if until is not None and self._today < until else None

    def _started(self, value: HeldValue, period: Period) -> date | None:
        if period.counted_from == "decided":
            complaint = Complaint.objects.filter(pk=value.entry_id).first()
            return None if complaint is None else _decided(complaint.complaint)
        if period.counted_from == "left":
            person = Staff.objects.filter(pk=value.entry_id).values_list("person", flat=True).get()
            return _left(person, self._now, value.recorded_at)
        return house_day_at(value.recorded_at)

    def held_back(self, value: HeldValue) -> Kept | None:
        """An order, an open case or a complaint nobody decided that holds it back."""
        for one in self._suspensions:
            first, last = one.from_day or value.gaming_day, one.to_day or value.gaming_day
            if first <= value.gaming_day <= last and one.of_partida in ("", value.partida):
                return Kept("suspended", by=one.suspension)
        finding = self._steps.get(value.entry_id, "")
        case = self._cases.get(finding) or self._cases.get(value.partida)
        if case is not None:
            return Kept("case", by=case)
        complaint = self._undecided.get(value.partida)
        return None if complaint is None else Kept("complaint", by=complaint)


def _decided(complaint: str) -> date | None:
    """The day of the last decision on a complaint."""
    rows = that_count(ComplaintDecision.objects.filter(complaint=complaint))
    last = rows.order_by("-n").values_list("occurred_at", flat=True).first()
    return None if last is None else house_day_at(last)


def _left(person: str, now: datetime, registered: datetime) -> date | None:
    """The day from which somebody held no office any more; None while he holds one."""
    if offices_at(person, now):
        return None
    ends = [
        *OfficeEnd.objects.filter(person=person).values_list("ended_at", flat=True),
        *OfficeGrant.objects.filter(person=person).values_list("valid_until", flat=True),
    ]
    return house_day_at(max((end for end in ends if end and end <= now), default=registered))


class Due(NamedTuple):
    """Values whose time is over: those to be erased, and those held back, with what holds them."""

    free: list[HeldValue]
    held: list[tuple[HeldValue, Kept]]


def due() -> Due:
    """What falls due now, but for the inspection service's own."""
    fewest = min(one.years for one in periods() if one.years is not None)
    values = values_before(clock.now() - timedelta(days=365 * fewest))
    values = [one for one in values if one.period.name != INSPECTOR]
    keeping = Keeping(values)
    over = [value for value in values if keeping.time(value) is None]
    held = [(value, kept) for value in over if (kept := keeping.held_back(value)) is not None]
    back = {value.named for value, _kept in held}
    return Due([value for value in over if value.named not in back], held)
