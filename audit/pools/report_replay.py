"""What a replay came to, as the book tells it: that it was done, findings raised and cured."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final
from uuid import uuid5

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from audit.events import FindingChanges, JackpotReplayed, StreamRead
from audit.models import Finding as FindingRow
from audit.models import PoolReplay
from audit.models.replay_projections import PoolReplayRun
from audit.pools.compare_projections import Projections
from audit.reconcile import house_checks, keys
from audit.reconcile.current_findings import BY, raise_findings, standing, supersede, why
from audit.reconcile.judge_partida import by_key, house_finding
from casino import clock
from casino.events.values import MAX_WHOLE
from casino.gaming_day import gaming_day_at
from casino.law.check_registry import plan_of
from casino.law.finding import Breach, Finding, Rule
from casino.law.raising import raised
from casino.law.rulebook.jackpot_law import CLAIM, DISPLAY, DUE, LIMIT, METER, ORDER, RESTART, START
from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry
from casino.queries import read_entries
from casino.recording import Source, record
from jackpot.events import MAX_POOL_CENTS, JackpotAdjusted, JackpotWon, pool_stream
from jackpot.progressive.amounts import MICROCENTS
from jackpot.queries import PoolNow
from jackpot.queries.pool_queries import RULEBOOK
from jackpot.rules.order import in_the_decided_order
from jackpot.rules.whole import WholePool

STREAMS_LISTED: Final = 500
CLOCKS_DIFFER: Final = timedelta(hours=1)  # the program's and the database's, at most
# What a replay looks at: what it does not meet there no longer holds.
OF_POOLS: Final = frozenset(
    {check.name for check in (METER, DISPLAY, DUE, START, RESTART, LIMIT, CLAIM, ORDER)}
    | {house_checks.POOL_KEPT, house_checks.POOL_REPLAYED}
)
_OF_POOL: Final = "WHERE s.name = %s AND e.n <= %s AND e.kind = ANY(%s) ORDER BY e.n"


def report_replay(
    pool_replay_run: PoolReplayRun, whole: WholePool, projections: Projections
) -> None:
    """Write down what a replay came to; inside its last transaction.

    A replay that read less than one already told leaves that one's findings alone.
    """
    _one_at_a_time(pool_replay_run.jackpot)
    made, kept = whole.pool.meter, projections.kept()
    found = _findings(pool_replay_run, whole, projections, kept)
    changes = (
        keys.changes_of((), ())
        if _was_further(pool_replay_run)
        else compare(pool_replay_run, found)
    )
    streams = {pool_stream(pool_replay_run.jackpot)} | {
        n for n in pool_replay_run.reach if n.startswith("table/")
    }
    named = [(name, n) for name, n in sorted(pool_replay_run.reach.items()) if name in streams]
    # Of a meter that no event holds, which is a finding, the most that it holds.
    ran, shown = (min(each.running, MAX_WHOLE) for each in (made, kept.meter))
    record(
        JackpotReplayed(
            jackpot=pool_replay_run.jackpot,
            run=str(pool_replay_run.run),
            why=pool_replay_run.why,  # type: ignore[arg-type]  # the event asks which word
            entries=pool_replay_run.entries,
            microcents=ran,
            held_cents=min(made.held // MICROCENTS, MAX_POOL_CENTS),
            kept_microcents=shown,
            difference_microcents=shown - ran,
            misfits=whole.misfits,
            problems=len(found),
            read_up_to=tuple(
                StreamRead(stream=stream, n=n) for stream, n in named[:STREAMS_LISTED]
            ),
            changes=changes,
            asked_by=pool_replay_run.asked_by or None,
        ),
        key=uuid5(keys.NAMESPACE, f"replayed/{pool_replay_run.run}"),
        by=BY,
        occurred_at=clock.now(),
        source=Source("job", str(pool_replay_run.run)),
    )


def compare(pool_replay_run: PoolReplayRun, found: Mapping[str, Finding]) -> FindingChanges:
    """Raise what does not stand yet, cure what was not met again."""
    before = {one.key: one for one in pool_findings(pool_replay_run.jackpot)}
    fresh = {key: one for key, one in found.items() if key not in before}
    raised = raise_findings(pool_replay_run.run, clock.now(), fresh) if fresh else ()
    gone = [one for key, one in before.items() if key not in found]
    return keys.changes_of(raised, supersede(pool_replay_run.run, gone, why, raised))


def pool_findings(jackpot: str) -> QuerySet[FindingRow]:
    """The findings about a pool as a whole that stand: those of its partidas are their runs'."""
    return standing().filter(jackpot=jackpot, partida_id="", check_name__in=OF_POOLS)


def _one_at_a_time(jackpot: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"replay of {jackpot}"]
        )


def _was_further(pool_replay_run: PoolReplayRun) -> bool:
    """Whether a replay already told read more of the book than this one, in any stream."""
    # What was recorded before this one was asked for cannot have read more, whichever clock is
    # right.
    since = pool_replay_run.asked_at - CLOCKS_DIFFER
    rows = PoolReplay.objects.filter(jackpot=pool_replay_run.jackpot, recorded_at__gte=since)
    runs = PoolReplayRun.objects.filter(run__in=list(rows.values_list("run", flat=True)))
    return any(
        n > pool_replay_run.reach.get(stream, 0)
        for reach in runs.values_list("reach", flat=True)
        for stream, n in (reach or {}).items()
    )


def _findings(
    pool_replay_run: PoolReplayRun, whole: WholePool, projections: Projections, pool_now: PoolNow
) -> dict[str, Finding]:
    named = [(one.check, one.breach) for one in whole.said]
    entries = _entries(
        pool_replay_run.jackpot, [name for _, breach in named for name in breach.evidence]
    )
    found: list[Finding] = []
    for check, breach in named:
        listed = [entries[name] for name in breach.evidence if name in entries]
        # The last of them is the entry that explains it.
        found += _of_law(check, breach, [str(one.id) for one in listed], listed[-1].gaming_day)
    found += _of_the_order(pool_replay_run)
    found += _of_the_projections(pool_replay_run, whole, projections, pool_now)
    return by_key(found)


def _of_law(check: Rule, breach: Breach, evidence: Sequence[str], day: date) -> Iterable[Finding]:
    """A breach as a finding, where the rulebook asks the check on that day."""
    rules = load_law(RULEBOOK).on(day)
    found = raised(check, breach, rules, day, evidence)
    if found is not None and check.name in plan_of(rules).upheld:
        yield found


def _of_the_order(pool_replay_run: PoolReplayRun) -> Iterable[Finding]:
    """Wins the house settled in another order than the book tells them. Law: PT art. 50."""
    own = pool_stream(pool_replay_run.jackpot)
    asked = [own, pool_replay_run.reach.get(own, 0), [JackpotWon.kind, JackpotAdjusted.kind]]
    events = read_entries(_OF_POOL, asked, "default")
    undone = {
        one.event.hit.n
        for one in events
        if one.event.kind == JackpotAdjusted.kind and one.event.hit
    }
    wins = [one for one in events if one.event.kind == JackpotWon.kind and one.n not in undone]
    for win, result in zip(wins, in_the_decided_order(wins), strict=True):
        if isinstance(result, Breach):
            yield from _of_law(ORDER, result, result.evidence, win.gaming_day)


def _of_the_projections(
    pool_replay_run: PoolReplayRun, whole: WholePool, projections: Projections, pool_now: PoolNow
) -> Iterable[Finding]:
    """What displays are told is not what the entries make; the first that explains it is named."""
    made, meter, first = whole.pool.meter, pool_now.meter, projections.difference
    figures = [(each.running, each.held, each.paid, each.started) for each in (made, meter)]
    if first is None and (figures[0] == figures[1] or whole.seal_off):
        return  # a seal that was wrong makes what follows from it wrong, and stands by itself
    where: dict[str, int | str] = {"jackpot": pool_replay_run.jackpot}
    entry = None if first is None else BookEntry.objects.get(id=first["id"])
    if first is not None and entry is not None:
        where |= {"stream": first["stream"], "n": first["n"]}
        # Of terms, and of what a seal consists of, there is no one figure.
        alike = first["kept"] == first["expected"]
        observed = {} if alike else {"change_microcents": first["kept"]}
        expected = {} if alike else {"change_microcents": first["expected"]}
    else:
        observed = {"meter_cents": meter.displayed_cents}
        expected = {"meter_cents": made.displayed_cents}
    finding = house_finding(
        house_checks.POOL_KEPT,
        _today() if entry is None else entry.gaming_day,
        "",
        [] if entry is None else [str(entry.id)],
        where,
        observed,
    )
    yield replace(finding, expected=expected)


def _entries(jackpot: str, names: Iterable[str]) -> dict[str, BookEntry]:
    """Entries by the names the meter knows them by."""
    found: dict[str, BookEntry] = {}
    for name in sorted(set(names)):
        stream, _, n = name.rpartition("#")
        entry = BookEntry.objects.get(stream__name=stream or pool_stream(jackpot), n=int(n))
        found[name] = entry
    return found


def _today() -> date:
    return gaming_day_at(clock.now(), settings.HOUSE_TIME_ZONE, settings.HOUSE_DAY_STARTS)
