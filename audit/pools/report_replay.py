"""What a replay came to, as the book tells it: that it was done, findings raised and cured."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final

from django.db.models import QuerySet

from audit.events import JackpotReplayed, StreamRead
from audit.models import Finding as FindingRow
from audit.models import PoolReplay, PoolReplayRun
from audit.pools.compare_projections import Projections
from audit.runs import house_checks, keys
from audit.runs.advisory_locks import alone
from audit.runs.current_findings import Changes, settle, standing, why
from audit.runs.house_findings import by_key, house_finding
from audit.runs.run_records import record_of
from casino import clock
from casino.events.values import MAX_WHOLE
from casino.house_day import gaming_day_now
from casino.law.check_registry import plan_of
from casino.law.finding import Breach, Finding, Rule
from casino.law.raising import raised
from casino.law.rulebook.jackpot_law import CLAIM, DISPLAY, DUE, LIMIT, METER, ORDER, RESTART, START
from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry
from casino.queries import read_entries
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


def report_replay(under_way: PoolReplayRun, whole: WholePool, projections: Projections) -> None:
    """Write down what a replay came to; inside its last transaction.

    A replay that read less than one already told leaves that one's findings alone.
    """
    with alone(f"replay of {under_way.jackpot}"):
        made, kept = whole.pool.meter, projections.kept()
        found = _findings(under_way, whole, projections, kept)
        changes = Changes()
        if not _was_further(under_way):
            changes = settle(
                under_way.run, clock.now(), found, pool_findings(under_way.jackpot), why
            )
    streams = {pool_stream(under_way.jackpot)} | {
        n for n in under_way.reach if n.startswith("table/")
    }
    named = [(name, n) for name, n in sorted(under_way.reach.items()) if name in streams]
    # Of a meter that no event holds, which is a finding, the most that it holds.
    ran, shown = (min(each.running, MAX_WHOLE) for each in (made, kept.meter))
    record_of(
        under_way.run,
        JackpotReplayed(
            jackpot=under_way.jackpot,
            run=str(under_way.run),
            why=under_way.why,  # type: ignore[arg-type]  # the event asks which word
            entries=under_way.entries,
            microcents=ran,
            held_cents=min(made.held // MICROCENTS, MAX_POOL_CENTS),
            kept_microcents=shown,
            difference_microcents=shown - ran,
            misfits=whole.misfits,
            problems=len(found),
            read_up_to=tuple(
                StreamRead(stream=stream, n=n) for stream, n in named[:STREAMS_LISTED]
            ),
            changes=keys.changes_of(changes.raised, changes.superseded),
            asked_by=under_way.asked_by or None,
        ),
        keys.event_key("replayed", under_way.run),
    )


def pool_findings(jackpot: str) -> QuerySet[FindingRow]:
    """The findings about a pool as a whole that stand: those of its partidas are their runs'."""
    return standing().filter(jackpot=jackpot, partida_id="", check_name__in=OF_POOLS)


def _was_further(under_way: PoolReplayRun) -> bool:
    """Whether a replay already told read more of the book than this one, in any stream."""
    # What was recorded before this one was asked for cannot have read more, whichever clock is
    # right.
    since = under_way.asked_at - CLOCKS_DIFFER
    rows = PoolReplay.objects.filter(jackpot=under_way.jackpot, recorded_at__gte=since)
    runs = PoolReplayRun.objects.filter(run__in=list(rows.values_list("run", flat=True)))
    return any(
        n > under_way.reach.get(stream, 0)
        for reach in runs.values_list("reach", flat=True)
        for stream, n in (reach or {}).items()
    )


def _findings(
    under_way: PoolReplayRun, whole: WholePool, projections: Projections, pool_now: PoolNow
) -> dict[str, Finding]:
    named = [(one.check, one.breach) for one in whole.said]
    entries = _entries(under_way.jackpot, [name for _, breach in named for name in breach.evidence])
    found: list[Finding] = []
    for check, breach in named:
        listed = [entries[name] for name in breach.evidence if name in entries]
        # The last of them is the entry that explains it.
        found += _of_law(check, breach, [str(one.id) for one in listed], listed[-1].gaming_day)
    found += _of_the_order(under_way)
    found += _of_the_projections(under_way, whole, projections, pool_now)
    return by_key(found)


def _of_law(check: Rule, breach: Breach, evidence: Sequence[str], day: date) -> Iterable[Finding]:
    """A breach as a finding, where the rulebook asks the check on that day."""
    rules = load_law(RULEBOOK).on(day)
    found = raised(check, breach, rules, day, evidence)
    if found is not None and check.name in plan_of(rules).upheld:
        yield found


def _of_the_order(under_way: PoolReplayRun) -> Iterable[Finding]:
    """Wins the house settled in another order than the book tells them. Law: PT art. 50."""
    own = pool_stream(under_way.jackpot)
    asked = [own, under_way.reach.get(own, 0), [JackpotWon.kind, JackpotAdjusted.kind]]
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
    under_way: PoolReplayRun, whole: WholePool, projections: Projections, pool_now: PoolNow
) -> Iterable[Finding]:
    """What displays are told is not what the entries make; the first that explains it is named."""
    made, meter, first = whole.pool.meter, pool_now.meter, projections.difference
    figures = [(each.running, each.held, each.paid, each.started) for each in (made, meter)]
    if first is None and (figures[0] == figures[1] or whole.seal_off):
        return  # a seal that was wrong makes what follows from it wrong, and stands by itself
    where: dict[str, int | str] = {"jackpot": under_way.jackpot}
    if first is None:
        day, evidence = gaming_day_now(), []
        observed = {"meter_cents": meter.displayed_cents}
        expected = {"meter_cents": made.displayed_cents}
    else:
        entry = BookEntry.objects.get(id=first["id"])
        day, evidence = entry.gaming_day, [str(entry.id)]
        where |= {"stream": first["stream"], "n": first["n"]}
        # Of terms, and of what a seal consists of, there is no one figure.
        alike = first["kept"] == first["expected"]
        observed = {} if alike else {"change_microcents": first["kept"]}
        expected = {} if alike else {"change_microcents": first["expected"]}
    check = house_checks.POOL_KEPT
    yield house_finding(check, day, where, observed, evidence=evidence, expected=expected)


def _entries(jackpot: str, names: Iterable[str]) -> dict[str, BookEntry]:
    """Entries by the names the meter knows them by."""
    found: dict[str, BookEntry] = {}
    for name in sorted(set(names)):
        stream, _, n = name.rpartition("#")
        entry = BookEntry.objects.get(stream__name=stream or pool_stream(jackpot), n=int(n))
        found[name] = entry
    return found
