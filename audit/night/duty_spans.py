"""Who was on duty on a gaming day: in which office, from when until when, for which tables."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from audit.night.table_night import Span
from audit.night.what_counts import WhatCounts
from casino.house_day import day_begins
from casino.models import Duty

BEFORE: Final = timedelta(days=1)  # a duty begun earlier than that and never ended was forgotten
_ORDER: Final = ("chefia_da_sala", "fiscal_chefe", "fiscal_de_banca")


@dataclass(frozen=True, slots=True)
class OnDuty:
    """One stretch of duty; no `tables` mean the whole room. `span.until` None: no end recorded."""

    person: str
    office: str
    tables: tuple[str, ...]
    span: Span


def on_duty(day: date, counting: WhatCounts) -> tuple[OnDuty, ...]:
    """Every stretch of duty that lies in a gaming day, or reaches into it; by office and time."""
    first, last = day_begins(day), day_begins(day + timedelta(days=1))
    rows = Duty.objects.filter(occurred_at__gte=first - BEFORE, occurred_at__lt=last)
    there = stretches(counting.of(rows.order_by("occurred_at", "n")))
    mine = [one for one in there if one.span.until is None or one.span.until > first]
    return tuple(sorted(mine, key=_place))


def stretches(duties: Iterable[Duty]) -> list[OnDuty]:
    """Beginnings and ends, in order, as stretches; who begins anew ends what he was on before."""
    begun: dict[tuple[str, str], OnDuty] = {}
    ended = []
    for row in duties:
        key = (row.person, row.held)
        before = begun.pop(key, None)
        if before is not None:
            ended.append(_until(before, row.occurred_at))
        if row.begins:
            span = Span(row.occurred_at, None)
            begun[key] = OnDuty(row.person, row.held, tuple(row.tables), span)
    return [*ended, *begun.values()]


def _until(duty: OnDuty, end: datetime) -> OnDuty:
    return OnDuty(duty.person, duty.office, duty.tables, Span(duty.span.since, end))


def _place(duty: OnDuty) -> tuple[int, str, datetime, str]:
    known = duty.office in _ORDER
    place = _ORDER.index(duty.office) if known else len(_ORDER)
    return place, duty.office, duty.span.since, duty.person
