"""What a verification came to, as the book tells it: that it was done, findings raised and cured.

A problem is the same finding whoever meets it again, this verification or the next look around. One
that a later verification does not meet any more is superseded.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID, uuid5

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from audit.events import BookVerified, FindingChanges
from audit.models import Finding as FindingRow
from audit.models import VerificationRun
from audit.reconcile import house_checks, keys
from audit.reconcile.current_findings import BY, raise_findings, standing, supersede
from audit.reconcile.judge_partida import by_key
from audit.reconcile.runs_due import day_ends_at
from audit.verifying.problems import KEPT, Problem, gravity_of
from audit.verifying.walking import Verification
from casino import clock
from casino.events import Malformed
from casino.events.round.round_form import gaming_day_of
from casino.events.values import MAX_WHOLE
from casino.gaming_day import gaming_day_at
from casino.law.finding import Finding
from casino.models import BookEntry
from casino.recording import Source, record
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


def report_findings(
    verification_run: VerificationRun, verification: Verification
) -> FindingChanges:
    """Raise what a verification found, cure what it no longer met; inside its last transaction."""
    one_at_a_time()
    listed = [
        each
        for each in verification.report.problems
        if gravity_of(each.code) == "problem" or each.code in CLOCK
    ]
    # What was counted but not kept may be what stands already: then nothing is taken back.
    checks = LOOKED_AT if verification.report.count() <= KEPT else ()
    raised, superseded = compare(verification_run.run, clock.now(), listed, checks)
    return keys.changes_of(raised, [*superseded, *_cure_days(verification_run)])


def report_verified(
    verification_run: VerificationRun, verification: Verification, changes: FindingChanges
) -> None:
    """Say that the book was verified, and which findings that changed."""
    record(
        BookVerified(
            size=verification.size,
            root=verification.root or None,
            entries=verification.entries,
            problems=verification.report.count(),
            why=verification_run.why,  # type: ignore[arg-type]  # the event asks which word
            run=str(verification_run.run),
            asked_by=verification_run.asked_by or None,
            kept=verification.held,
            changes=changes,
            ids=verification.shared.get("ids"),
        ),
        key=uuid5(keys.NAMESPACE, f"verified/{verification_run.run}"),
        by=BY,
        occurred_at=clock.now(),
        source=Source("job", str(verification_run.run)),
    )


def compare(
    run: UUID, now: datetime, problems: Sequence[Problem], looked_at: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Raise the problems that do not stand yet; cure those of these checks that were not met.

    To be called under `one_at_a_time`. The keys of what was raised, and of what was cured.
    """
    found = findings_of(problems)
    before = of_the_book()
    held = {row.key: row for row in before.filter(key__in=list(found))}
    raised = raise_findings(run, now, {k: v for k, v in found.items() if k not in held})
    gone = before.filter(check_name__in=list(looked_at)).exclude(key__in=list(found))
    if run in keys.WATCHES:
        gone = gone.filter(run__in=keys.WATCHES)  # what a run raised, its next one cures
    return raised, cure(run, list(gone), raised)


def of_the_book() -> QuerySet[FindingRow]:
    """The findings of the book itself that stand."""
    return standing().filter(rulebook=house_checks.RULEBOOK, article=house_checks.BOOK)


def cure(
    run: UUID, findings: Collection[FindingRow], found: Collection[str] = ()
) -> tuple[str, ...]:
    """Record that findings no longer hold; their keys. `found` are those that were raised now."""
    return supersede(run, findings, lambda _: {"reason": "cured"}, found)


def one_at_a_time() -> None:
    """Let nobody else compare findings of the book until this transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [house_checks.BOOK])


def findings_of(problems: Iterable[Problem]) -> dict[str, Finding]:
    """Problems as findings, by their keys."""
    listed = list(problems)
    entries = _entries(listed)
    findings = (_finding(each, entries) for each in listed)
    return by_key(findings)


def check_of(code: str) -> str:
    """The check of the house that was not met."""
    return Problem(code).check


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
    return Finding(
        rulebook=house_checks.RULEBOOK,
        article=house_checks.BOOK,
        check=problem.check,
        severity=house_checks.severity_of(problem.check),
        gaming_day=day,
        table=table,
        partida=partida,
        evidence=() if entry is None else (str(entry.id),),
        where={name: figure(value) for name, value in where.items()},
        observed={name: figure(value) for name, value in observed.items()},
        expected={},
        owed_cents=0,
        owed_to=None,
        readings=(),
    )


def _about(entry: BookEntry | None) -> tuple[date, str, str]:
    """Day, table and partida of an entry, as far as its columns (which may be what was altered)
    agree; else today.
    """
    if entry is None or not FIRST_DAY <= entry.gaming_day <= LAST_DAY:
        return today(), "", ""
    try:
        if gaming_day_of(entry.table_code, entry.partida_id) == entry.gaming_day:
            return entry.gaming_day, entry.table_code, entry.partida_id
    except Malformed:
        pass
    return entry.gaming_day, "", ""


def today() -> date:
    """The house's gaming day."""
    return gaming_day_at(clock.now(), settings.HOUSE_TIME_ZONE, settings.HOUSE_DAY_STARTS)


def figure(value: Any) -> int | str:
    """A value as a finding may hold it: a whole number, or a text of one line."""
    if isinstance(value, int) and abs(value) <= MAX_WHOLE:
        return int(value)
    text = "".join(each if _is_plain(each) and each.isascii() else "?" for each in str(value))
    if len(text) > LONGEST:
        return f"{text[: LONGEST - 4]} ..."
    return "?" if text.isspace() else text


def _cure_days(verification_run: VerificationRun) -> tuple[str, ...]:
    """A day on which the book was never verified is made up for by a verification after it."""
    begun = verification_run.began_at or verification_run.asked_at
    late = of_the_book().filter(check_name=house_checks.BOOK_VERIFIED)
    return cure(
        verification_run.run, [each for each in late if day_ends_at(each.gaming_day) <= begun]
    )
