"""What the book has of a night's tables: games, rounds, chips, posts, findings.

A bounded number of questions whatever was played. Entries that were corrected or withdrawn do not
count; neither do those that wait for their second person.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Count, QuerySet

from audit import audit_queries
from audit.answers import Stretch
from audit.models import Finding
from audit.night.table_night import (
    Change,
    Counts,
    Dealt,
    GameNight,
    TableNight,
    by_table,
    hours,
    posts,
    with_rounds,
)
from audit.night.what_counts import WhatCounts
from casino.law.rulebook.rulebook_file import counted_as
from casino.models import (
    ChipTally,
    Closing,
    Dealing,
    DropTally,
    HandOver,
    Partida,
    Reopening,
)
from casino.models.projection import Projection

_Row = TypeVar("_Row", bound=Projection)
LISTED: Final = 30  # findings, the gravest
CHIPS_OFF: Final = "chips_are_those_of_the_game"

_ROUNDS: Final = """
SELECT played.partida_id, played.table_code, played.dealer, count(*),
    sum(played.staked_cents)::bigint, sum(played.returned_cents)::bigint,
    min(played.occurred_at), max(played.occurred_at)
FROM casino_round AS played
WHERE played.gaming_day BETWEEN %(first)s AND %(last)s
    AND (%(table)s::text = '' OR played.table_code = %(table)s)
    AND (played.stream, played.n) NOT IN (
        SELECT * FROM unnest(%(streams)s::text[], %(numbers)s::bigint[]))
GROUP BY 1, 2, 3 ORDER BY 1, 7"""


class Found(NamedTuple):
    """The findings of a night that hold: how many by table and gravity, and the gravest."""

    by_table: Mapping[str, Mapping[str, int]]
    gravest: Sequence[Finding]
    number: int

    @property
    def by_gravity(self) -> Mapping[str, int]:
        """How many of each gravity, at all tables and at none."""
        total = Counter[str]()
        for counted in self.by_table.values():
            total.update(counted)
        return total


def tables_of(day: date, counting: WhatCounts) -> tuple[TableNight, ...]:
    """Every table that was open on a gaming day, or of which rounds are on record."""
    opened = _by_game(Partida.objects.filter(gaming_day=day), counting)
    closed = _by_game(Closing.objects.filter(gaming_day=day), counting)
    undone = _by_game(Reopening.objects.filter(gaming_day=day), counting)
    tallies = _by_game(ChipTally.objects.filter(gaming_day=day), counting)
    drops = _by_game(DropTally.objects.filter(gaming_day=day), counting)
    dealing = _by_game(Dealing.objects.filter(gaming_day=day), counting)
    over = _by_game(HandOver.objects.filter(gaming_day=day), counting)
    dealt = defaultdict[str, list[Dealt]](list)
    for one in rounds_of(Stretch(day, day), counting):
        dealt[one.partida].append(one)
    games = [
        _game(
            opened.get(partida, ()),
            closed.get(partida, ()),
            undone.get(partida, ()),
            _counts(
                opened.get(partida, ()),
                closed.get(partida, ()),
                tallies.get(partida, ()),
                drops.get(partida, ()),
            ),
            _changes(opened.get(partida, ()), dealing.get(partida, ()), over.get(partida, ())),
            dealt.get(partida, ()),
            partida,
        )
        for partida in sorted({*opened, *dealt})
    ]
    return by_table(games)


def rounds_of(stretch: Stretch, counting: WhatCounts) -> list[Dealt]:
    """The rounds of some days added up by game and dealer."""
    streams, numbers = counting.gone_in(stretch)
    with connection.cursor() as cursor:
        cursor.execute(_ROUNDS, {**stretch._asdict(), "streams": streams, "numbers": numbers})
        return [Dealt(*row) for row in cursor.fetchall()]


def found_on(day: date) -> Found:
    """The findings of a gaming day that hold, and LISTED of them, the gravest first."""
    held = audit_queries.open_findings(Finding.objects.filter(gaming_day=day))
    counted = defaultdict[str, Counter[str]](Counter)
    rows = held.order_by().values_list("table_code", "severity", "rulebook")
    for table, severity, rulebook, number in rows.annotate(number=Count("pk")):
        counted[table][counted_as(severity, rulebook)] += number
    every = sum(sum(one.values()) for one in counted.values())
    listed = held.order_by(audit_queries.rank().asc(), "-owed_cents", "n")[:LISTED]
    return Found(counted, list(listed) if every else [], every)


def chips_off(day: date) -> dict[str, list[Finding]]:
    """By table, what holds of chips that are not those of their game."""
    held = audit_queries.open_findings(Finding.objects.filter(gaming_day=day))
    found: dict[str, list[Finding]] = {}
    for one in held.filter(check_name=CHIPS_OFF).order_by("partida_id"):
        found.setdefault(one.table_code, []).append(one)
    return found


def off_cents(finding: Finding) -> int:
    """By how much the chips of such a finding are off; below 0 where they are missing."""
    surplus, missing = (
        int(str(finding.observed.get(name, 0))) for name in ("surplus_cents", "missing_cents")
    )
    return surplus - missing


def _by_game(queryset: QuerySet[_Row], counting: WhatCounts) -> dict[str, list[_Row]]:
    found: dict[str, list[_Row]] = {}
    for row in counting.of(queryset.exclude(partida_id="").order_by("occurred_at", "n")):
        found.setdefault(row.partida_id, []).append(row)
    return found


def _game(
    opened: Sequence[Partida],
    closed: Sequence[Closing],
    undone: Sequence[Reopening],
    counts: Counts,
    changes: tuple[list[Change], list[Change]],
    dealt: Sequence[Dealt],
    partida: str,
) -> GameNight:
    opening = next(iter(opened), None)
    spans = (
        () if opening is None else hours(opening.occurred_at, _moments(closed), _moments(undone))
    )
    ends = spans[-1].until if spans else None
    dealers, fiscais = (posts(each, ends) for each in changes)
    return GameNight(
        partida,
        partida.partition("/")[0],
        spans,
        tuple(dealt),
        counts,
        with_rounds(dealers, dealt),
        fiscais,
    )


def _moments(acts: Iterable[Projection]) -> list[datetime]:
    return [row.occurred_at for row in acts]


def _changes(
    opened: Sequence[Partida], dealing: Sequence[Dealing], over: Sequence[HandOver]
) -> tuple[list[Change], list[Change]]:
    """Of the dealers, and of the fiscais de banca: as the game was opened, and every change."""
    first = opened[:1]
    dealers = [Change(one.occurred_at, one.pagador, True) for one in first if one.pagador]
    dealers += [Change(one.occurred_at, one.pagador, one.act == "took") for one in dealing]
    fiscais = [
        Change(one.occurred_at, one.fiscal_de_banca, True) for one in first if one.fiscal_de_banca
    ]
    fiscais += [Change(one.occurred_at, one.fiscal_de_banca, True) for one in over]
    return dealers, fiscais


def _counts(
    opened: Sequence[Partida],
    closed: Sequence[Closing],
    tallies: Sequence[ChipTally],
    drops: Sequence[DropTally],
) -> Counts:
    """A count by itself before what the opening or the closing says of the chips; the last one."""
    counted: dict[str, list[int]] = {}
    for one in tallies:
        counted.setdefault(one.moment, []).append(one.total_cents)
    first = opened[0].float_cents if opened else None
    last = closed[-1].float_cents if closed else None
    return Counts(
        counted["opening"][-1] if "opening" in counted else first,
        sum(counted.get("fill", ())),
        sum(counted.get("credit", ())),
        counted["closing"][-1] if "closing" in counted else last,
        sum(one.cash_cents for one in drops) if drops else None,
    )
