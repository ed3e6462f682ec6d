"""What rates are made of: rounds, findings that hold, incidents and complaints of some days.

The dealer of a finding is the one whom its round names; of what is no round's nobody is named.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from django.db import connection
from django.db.models import Count

from audit.answers import Stretch
from audit.night.night_queries import rounds_of
from audit.night.what_counts import WhatCounts
from audit.rates.rates import Group, Tally, group_of, of_all, tallied
from casino.models import Complaint, Incident, Partida
from casino.queries import that_count

MOST: Final = 10_000  # findings of a period; of more no rate is made
By = Literal["table", "dealer", "shuffler", "article", "machine", "incidents", "complaints"]
GROUPS: Final[tuple[By, ...]] = (
    "table", "dealer", "shuffler", "article", "machine", "incidents", "complaints",
)  # fmt: skip

_FINDINGS: Final = """
WITH held AS MATERIALIZED (
    SELECT held.table_code, held.partida_id, held.gaming_day, held.rulebook, held.article,
        held.evidence
    FROM audit_finding AS held
    WHERE held.gaming_day BETWEEN %(first)s AND %(last)s
        AND (%(table)s::text = '' OR held.table_code = %(table)s) AND NOT EXISTS (
            SELECT 1 FROM audit_finding_supersession AS over
            WHERE over.finding = held.key AND over.n > held.n)
    LIMIT %(most)s
)
SELECT held.table_code, held.partida_id, held.rulebook, held.article,
    coalesce(dealt.dealer, ''), count(*)
FROM held LEFT JOIN LATERAL (
    SELECT round.dealer FROM jsonb_array_elements(held.evidence) AS named (it)
    JOIN casino_round AS round ON round.gaming_day = held.gaming_day
        AND round.table_code = held.table_code AND jsonb_typeof(named.it) = 'object'
        AND round.stream = named.it ->> 'stream' AND round.n = (named.it ->> 'n')::bigint
    LIMIT 1) AS dealt ON true
GROUP BY 1, 2, 3, 4, 5"""


@dataclass(frozen=True, slots=True)
class Period:
    """What one period comes to; `whole` is false where it has more findings than MOST."""

    rounds: Mapping[str, Mapping[str, int]]  # by table, dealer, shuffler
    findings: Mapping[str, Mapping[str, int]]  # by table, dealer, shuffler, article
    incidents: Mapping[str, Mapping[str, int]]  # by table, shuffler
    complaints: Mapping[str, int]  # by table
    whole: bool

    @property
    def all_rounds(self) -> int:
        """Every round of it."""
        return sum(self.rounds["table"].values())


def period_of(stretch: Stretch) -> Period:
    """One period, in a bounded number of questions."""
    games = Partida.objects.filter(gaming_day__range=(stretch.first, stretch.last))
    machines = dict(that_count(games).values_list("partida_id", "shuffler"))
    rounds = _rounds(stretch, machines)
    findings, number = _findings(stretch, machines)
    incidents = {
        name: _counted(Incident, column, stretch)
        for name, column in (("table", "table_code"), ("shuffler", "shuffler"))
    }
    complaints = _counted(Complaint, "table_code", stretch)
    return Period(rounds, findings, incidents, complaints, number <= MOST)


def group(by: By, now: Period, before: Period) -> Group:
    """The lines of one kind in two periods."""
    tallies = [_tallies(by, each) for each in (now, before)]
    totals = [_total(by, each, of) for each, of in zip((now, before), tallies, strict=True)]
    named = [{who: one for who, one in each.items() if who} for each in tallies]
    return group_of(named[0], named[1], (totals[0], totals[1]))


def _tallies(by: By, period: Period) -> dict[str, Tally]:
    if by == "article":
        every = period.all_rounds
        return {who: Tally(every, n) for who, n in period.findings["article"].items()}
    if by == "machine":
        return tallied(period.rounds["shuffler"], period.incidents["shuffler"])
    if by == "incidents":
        return tallied(period.rounds["table"], period.incidents["table"])
    if by == "complaints":
        return tallied(period.rounds["table"], period.complaints)
    return tallied(period.rounds[by], period.findings[by])


def _total(by: By, period: Period, tallies: Mapping[str, Tally]) -> Tally:
    """All of it; of articles every round counts once. Of a device what was no device's does not."""
    if by == "article":
        return Tally(period.all_rounds, sum(one.events for one in tallies.values()))
    of_machines = by in ("shuffler", "machine")
    return of_all(one for who, one in tallies.items() if who or not of_machines)


def _rounds(stretch: Stretch, machines: Mapping[str, str]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {
        "table": Counter(), "dealer": Counter(), "shuffler": Counter()
    }  # fmt: skip
    for one in rounds_of(stretch, WhatCounts()):
        found["table"][one.table] += one.rounds
        found["dealer"][one.dealer] += one.rounds
        found["shuffler"][machines.get(one.partida, "")] += one.rounds
    return found


def _findings(stretch: Stretch, machines: Mapping[str, str]) -> tuple[dict[str, Counter[str]], int]:
    found: dict[str, Counter[str]] = {
        "table": Counter(),
        "dealer": Counter(),
        "shuffler": Counter(),
        "article": Counter(),
    }
    with connection.cursor() as cursor:
        cursor.execute(_FINDINGS, {**stretch._asdict(), "most": MOST + 1})
        for table, partida, rulebook, article, dealer, number in cursor.fetchall():
            found["table"][table] += number
            found["dealer"][dealer] += number
            found["shuffler"][machines.get(partida, "")] += number
            found["article"][f"{rulebook}/{article}"] += number
    return found, sum(found["table"].values())


def _counted(model: type[Incident | Complaint], column: str, stretch: Stretch) -> Counter[str]:
    rows = model.objects.filter(gaming_day__range=(stretch.first, stretch.last))
    if stretch.table:
        rows = rows.filter(table_code=stretch.table)
    counted = that_count(rows).order_by().values_list(column).annotate(number=Count("pk"))
    return Counter(dict(counted))
