"""What a verification came to, as the book tells it: that it was done, findings raised and cured.

A problem is the same finding whoever meets it again, this verification or the next look around. One
that a later verification does not meet any more is superseded.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet

from audit.events import BookVerified, FindingChanges
from audit.models import Finding as FindingRow
from audit.models import VerificationRun
from audit.runs import house_checks, keys
from audit.runs.advisory_locks import alone
from audit.runs.current_findings import Changes, cured, settle, standing, supersede
from audit.runs.house_days import day_ends_at
from audit.runs.house_findings import by_key, house_finding
from audit.runs.run_records import record_of
from audit.verifying.problems import KEPT, Problem, gravity_of
from audit.verifying.walking import Verification
from casino import clock
from casino.events import Malformed
from casino.events.round.round_form import gaming_day_of
from casino.events.values import MAX_WHOLE
from casino.house_day import gaming_day_now
from casino.law.finding import Finding
from casino.models import BookEntry
from casino.recording.preparing import FIRST_DAY, LAST_DAY

# What a whole verification looks at: what it does not find there no longer holds.
LOOKED_AT: Final = (
    house_checks.BOOK_WHOLE,
    house_checks.PROJECTIONS_FOLLOW,
    house_checks.PRIVATE_KEPT,
    house_checks.SCHEMA_UNCHANGED,
    house_checks.CLOCK_STEADY,
)
CLOCK: Final = frozenset({"clock-fell", "time-step", "time-fell"})
# What they count changes from one look to the next, and they are the same finding.
COUNTING: Final = frozenset({"heads-do-not-add-up", "tree-size", "tile-beyond", "short-by"})
LONGEST: Final = 400  # characters of a figure
_is_plain: Final = str.isprintable


def report_findings(under_way: VerificationRun, verification: Verification) -> FindingChanges:
    """Raise what a verification found, cure what it no longer met; inside its last transaction."""
    listed = [
        each
        for each in verification.report.problems
        if gravity_of(each.code) == "problem" or each.code in CLOCK
    ]
    # What was counted but not kept may be what stands already: then nothing is taken back.
    checks = LOOKED_AT if verification.report.count() <= KEPT else ()
    with alone(house_checks.BOOK):
        changes = compare(under_way.run, clock.now(), listed, checks)
        return keys.changes_of(changes.raised, [*changes.superseded, *_cure_days(under_way)])


def report_verified(
    under_way: VerificationRun, verification: Verification, changes: FindingChanges
) -> None:
    """Say that the book was verified, and which findings that changed."""
    record_of(
        under_way.run,
        BookVerified(
            size=verification.size,
            root=verification.root or None,
            entries=verification.entries,
            problems=verification.report.count(),
            why=under_way.why,  # type: ignore[arg-type]  # the event asks which word
            run=str(under_way.run),
            asked_by=under_way.asked_by or None,
            kept=verification.held,
            changes=changes,
            ids=verification.ids,
        ),
        keys.event_key("verified", under_way.run),
    )


def compare(
    run: UUID, now: datetime, problems: Sequence[Problem], looked_at: Collection[str]
) -> Changes:
    """Raise the problems that do not stand yet; cure those of these checks that were not met.

    To be called where nobody else compares findings of the book.
    """
    found = findings_of(problems)
    asked = Q(check_name__in=list(looked_at))
    if run in keys.WATCHES:
        asked &= Q(run__in=keys.WATCHES)  # what a run raised, its next one cures
    before = of_the_book().filter(asked | Q(key__in=list(found)))
    return settle(run, now, found, before, cured)


def of_the_book() -> QuerySet[FindingRow]:
    """The findings of the book itself that stand."""
    return standing().filter(rulebook=house_checks.RULEBOOK, article=house_checks.BOOK)


def findings_of(problems: Iterable[Problem]) -> dict[str, Finding]:
    """Problems as findings, by their keys."""
    listed = list(problems)
    entries = _entries(listed)
    findings = (_finding(each, entries) for each in listed)
    return by_key(findings)


Named = Mapping[str | tuple[str, int], BookEntry]


def _entries(problems: Sequence[Problem]) -> Named:
    """The entries problems name, by id and by stream and number, as far as they are there."""
    named: dict[str | tuple[str, int], BookEntry] = {}
    ids = [UUID(each.entry) for each in problems if each.entry]
    numbers: dict[str, list[int]] = {}
    for each in problems:
        if each.stream and each.n is not None and abs(each.n) <= MAX_WHOLE:
            numbers.setdefault(each.stream, []).append(each.n)
    for entry in BookEntry.objects.filter(id__in=ids):
        named[str(entry.id)] = entry
    for stream, of_stream in numbers.items():
        for entry in BookEntry.objects.filter(stream__name=stream, n__in=of_stream):
            named[stream, entry.n] = entry
    return named


def _finding(problem: Problem, names: Named) -> Finding:
    entry = names.get(problem.entry or "")
    if entry is None and problem.stream and problem.n is not None:
        entry = names.get((problem.stream, problem.n))
    where, observed = problem.where(), {"problem": problem.code, **problem.details}
    if problem.code in CLOCK:  # whoever looks at the clock says the same of it
        where.pop("index", None)
        observed = {"problem": "clock-fell"}
    elif problem.code in COUNTING:
        observed = {"problem": problem.code}
    if entry is None and problem.entry:
        observed["entry"] = problem.entry  # it is not in the book, and nothing can rest on it
    day, table, partida = _about(entry)
    return house_finding(
        problem.check,
        day,
        {name: figure(value) for name, value in where.items()},
        {name: figure(value) for name, value in observed.items()},
        partida=partida,
        table=table,
        evidence=() if entry is None else (str(entry.id),),
    )


def _about(entry: BookEntry | None) -> tuple[date, str, str]:
    """Day, table and partida of an entry, as far as its columns (which may be what was altered)
    agree; else today.
    """
    if entry is None or not FIRST_DAY <= entry.gaming_day <= LAST_DAY:
        return gaming_day_now(), "", ""
    try:
        if gaming_day_of(entry.table_code, entry.partida_id) == entry.gaming_day:
            return entry.gaming_day, entry.table_code, entry.partida_id
    except Malformed:
        pass
    return entry.gaming_day, "", ""


def figure(value: object) -> int | str:
    """A value as a finding may hold it: a whole number, or a text of one line."""
    if isinstance(value, int) and abs(value) <= MAX_WHOLE:
        return int(value)
    text = "".join(each if _is_plain(each) and each.isascii() else "?" for each in str(value))
    if len(text) > LONGEST:
        return f"{text[: LONGEST - 4]} ..."
    return "?" if text.isspace() else text


def _cure_days(under_way: VerificationRun) -> tuple[str, ...]:
    """A day on which the book was never verified is made up for by a verification after it."""
    begun = under_way.began_at or under_way.asked_at
    late = of_the_book().filter(check_name=house_checks.BOOK_VERIFIED)
    return supersede(
        under_way.run, [one for one in late if day_ends_at(one.gaming_day) <= begun], cured
    )
