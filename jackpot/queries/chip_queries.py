"""What the chips of a pool's tables come to, summed up in the database.

A chip feeds the meter where the terms in force say so: told by a round where marking is automatic,
by an increment where it is manual, at a table that is linked. Whatever another source tells is
evidence and is never added. A round names no pool; it feeds the one its partida named, if it named
one alone. A correction counts from the moment it was approved, by the difference it makes: both by
the terms as they were known when the chips were first told, and nothing before the first start.

Law: PT art. 40, 41.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connections

from jackpot.events import pool_stream
from jackpot.models import JackpotStart
from jackpot.progressive.meter import Adjusted, Contributed
from jackpot.queries.versions import Version

Entry = tuple[str, int]  # a stream and a number in it


class Chips(NamedTuple):
    """Stakes that came to a pool under one version of its terms, all of them between two marks.

    `bucket` counts the marks before them.
    """

    bucket: int
    version: Version
    stake_cents: int

    @property
    def event(self) -> Contributed:
        """What they are to the meter."""
        return Contributed(
            entry=f"chips/{self.bucket}/{self.version.entry}",
            stake_cents=self.stake_cents,
            rate_millionths=self.version.terms.rate_millionths,
        )


class Change(NamedTuple):
    """An approved correction of chips: when it came to count, by how much it moved the meter."""

    entry: str
    recorded_at: datetime
    microcents: int

    @property
    def event(self) -> Adjusted:
        """What it is to the meter."""
        return Adjusted(entry=self.entry, microcents=self.microcents, reason="counting_error")


# Of every table's stream, from where to where it is read.
_REACH: Final = """
WITH reach AS MATERIALIZED (
    SELECT s.name AS stream, coalesce(a.n, 0) AS since, u.n AS until
    FROM book_stream s
    JOIN unnest(%(until_streams)s::text[], %(until_numbers)s::bigint[]) u (stream, n)
        ON u.stream = s.name
    LEFT JOIN unnest(%(since_streams)s::text[], %(since_numbers)s::bigint[]) a (stream, n)
        ON a.stream = s.name
    WHERE s.name LIKE 'table/%%' AND u.n > coalesce(a.n, 0)
)
"""
# The partida was opened with this pool, and no other, before the round was recorded.
_NAMED_IT: Final = """
(
    SELECT p.jackpots = jsonb_build_array(%(jackpot)s::text) AND p.recorded_at < {as_of}
    FROM casino_partida p WHERE p.partida_id = c.partida_id AND p.supersedes_leaf = ''
    ORDER BY p.recorded_at, p.stream, p.n LIMIT 1
)
"""
_CHIPS: Final = """
{reach}
SELECT width_bucket(told.recorded_at, %(marks)s::timestamptz[]) AS bucket, {version} AS version,
    coalesce(sum(told.stake_cents), 0),
    coalesce(sum(told.chips) FILTER (WHERE told.stake_cents IS NULL), 0)
FROM reach r CROSS JOIN LATERAL (
    SELECT * FROM jackpot_contribution c
    WHERE c.jackpot = %(jackpot)s AND c.stream = r.stream AND c.n > r.since AND c.n <= r.until
    UNION ALL
    SELECT * FROM jackpot_contribution c
    WHERE c.jackpot = '' AND c.stream = r.stream AND c.n > r.since AND c.n <= r.until AND {named}
) told
WHERE told.supersedes_leaf = ''
GROUP BY 1, 2 ORDER BY 1, 2
"""
_CORRECTED: Final = """
{reach}
SELECT k.entry_id, k.recorded_at, k.original_stream, k.original_n, k.pending_n
FROM casino_correction k JOIN reach r ON r.stream = k.stream AND k.n > r.since AND k.n <= r.until
WHERE k.decision = 'approved' AND EXISTS (
    SELECT FROM jackpot_contribution c
    WHERE c.jackpot IN ('', %(jackpot)s) AND c.stream = k.original_stream
        AND c.n IN (k.original_n, k.pending_n)
)
ORDER BY k.recorded_at, k.stream, k.n
"""
# What stands for an entry is judged as of when the first of those it corrects was recorded.
_OF_ENTRIES: Final = """
WITH RECURSIVE way AS (
    SELECT stream, n, n AS earlier
    FROM unnest(%(streams)s::text[], %(numbers)s::bigint[]) named (stream, n)
    UNION ALL
    SELECT w.stream, w.n, s.original_n
    FROM way w JOIN casino_supersession s ON s.stream = w.stream AND s.n = w.earlier
), asked AS MATERIALIZED (
    SELECT w.stream, w.n, (
        SELECT e.recorded_at FROM book_entry e JOIN book_stream s ON s.id = e.stream_id
        WHERE s.name = w.stream AND e.n = min(w.earlier)
    ) AS as_of
    FROM way w GROUP BY w.stream, w.n
)
SELECT told.stream, told.n, {version} AS version, coalesce(sum(told.stake_cents), 0),
    coalesce(sum(told.chips) FILTER (WHERE told.stake_cents IS NULL), 0)
FROM asked CROSS JOIN LATERAL (
    SELECT c.stream, c.n, c.told_by, c.table_code, c.occurred_at, asked.as_of AS recorded_at,
        c.stake_cents, c.chips
    FROM jackpot_contribution c
    WHERE c.stream = asked.stream AND c.n = asked.n
        AND (c.jackpot = %(jackpot)s OR c.jackpot = '' AND {named})
) told
WHERE %(begun)s::timestamptz IS NULL OR told.recorded_at >= %(begun)s
GROUP BY 1, 2, 3
"""


def chips_since(
    jackpot: str,
    versions: Sequence[Version],
    since: Mapping[str, int],
    until: Mapping[str, int],
    marks: Sequence[datetime] = (),
    using: str = "default",
) -> list[Chips]:
    """The stakes recorded after `since` and no later than `until`, parted at the `marks`.

    Corrections are left out: see `changes_since`. Law: PT art. 40, 41.
    """
    if not versions:
        return []
    asked = _reach(jackpot, since, until) | _asked(versions) | {"marks": list(marks)}
    rows = _rows(_with(_CHIPS, versions), asked, using)
    return [
        Chips(bucket, versions[which], int(cents) + int(bare) * versions[which].terms.stake_cents)
        for bucket, which, cents, bare in rows
        if which is not None
    ]


def changes_since(
    jackpot: str,
    versions: Sequence[Version],
    since: Mapping[str, int],
    until: Mapping[str, int],
    using: str = "default",
) -> list[Change]:
    """The corrections approved after `since` and no later than `until`, in their order."""
    if not versions:
        return []
    rows = _rows(_with(_CORRECTED, versions), _reach(jackpot, since, until), using)
    if not rows:
        return []
    named = {(stream, n) for _, _, stream, *both in rows for n in both}
    last = until.get(pool_stream(jackpot), 0)
    starts = JackpotStart.objects.using(using).filter(jackpot=jackpot, n__lte=last)
    begun = starts.order_by("n").values_list("recorded_at", flat=True).first()
    worth = {} if begun is None else microcents_of(jackpot, versions, sorted(named), using, begun)
    return [
        Change(str(entry), at, worth.get((stream, new), 0) - worth.get((stream, old), 0))
        for entry, at, stream, old, new in rows
    ]


def microcents_of(
    jackpot: str,
    versions: Sequence[Version],
    entry: Sequence[Entry],
    using: str,
    begun: datetime | None = None,
) -> dict[Entry, int]:
    """What each of some entries adds to the meter where it counts.

    One that stands for another counts as that one did. `begun`: nothing recorded before counts.
    """
    asked = _asked(versions) | {
        "begun": begun,
        "jackpot": jackpot,
        "streams": [stream for stream, _ in entry],
        "numbers": [n for _, n in entry],
    }
    worth: dict[Entry, int] = {}
    for stream, n, which, cents, bare in _rows(_with(_OF_ENTRIES, versions), asked, using):
        if which is not None:
            terms = versions[which].terms
            staked = int(cents) + int(bare) * terms.stake_cents
            worth[stream, n] = worth.get((stream, n), 0) + staked * terms.rate_millionths
    return worth


def _reach(jackpot: str, since: Mapping[str, int], until: Mapping[str, int]) -> dict[str, object]:
    return {
        "jackpot": jackpot,
        "since_streams": list(since),
        "since_numbers": list(since.values()),
        "until_streams": list(until),
        "until_numbers": list(until.values()),
    }


def _with(statement: str, versions: Sequence[Version]) -> str:
    as_of = "asked.as_of" if statement is _OF_ENTRIES else "c.recorded_at"
    named = _NAMED_IT.format(as_of=as_of)
    return statement.format(reach=_REACH, named=named, version=_version_of(versions))


def _version_of(versions: Sequence[Version]) -> str:
    """SQL: which version a chip feeds the meter under, NULL for none. As `version_at` says it."""
    held = "\n".join(
        f"WHEN told.occurred_at >= %(since_{n})s AND told.recorded_at > %(confirmed_{n})s THEN"
        f" CASE WHEN told.told_by = %(source_{n})s AND (%(tables_{n})s::text[] IS NULL"
        f" OR told.table_code = ANY(%(tables_{n})s::text[])) THEN {n} END"
        for n in range(len(versions))
    )
    return f"CASE {held} END"


def _asked(versions: Sequence[Version]) -> dict[str, object]:
    asked: dict[str, object] = {}
    for n, one in enumerate(versions):
        asked[f"since_{n}"], asked[f"confirmed_{n}"] = one.since, one.confirmed_at
        asked[f"source_{n}"] = "round" if one.terms.marking == "automatic" else "increment"
        asked[f"tables_{n}"] = None if one.tables is None else list(one.tables)
    return asked


def _rows(statement: str, asked: Mapping[str, Any], using: str) -> list[tuple[Any, ...]]:
    with connections[using].cursor() as cursor:
        cursor.execute(statement, asked)
        rows: list[tuple[object, ...]] = cursor.fetchall()
    return rows
