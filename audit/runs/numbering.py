"""The number of a case: without gaps within a year, one for one cause, given with the raise.

Whoever numbers holds the head of the auditor's stream until his transaction ends, as whoever raises
does: two at once give two numbers, and one that is rolled back leaves no gap. Source: N.J.A.C.
13:69D-1.5 (numbered documents without gaps).
"""

from collections import Counter
from collections.abc import Collection, Iterator
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, Max, Min, OuterRef

from audit.case_events import NUMBERED_AT_ONCE, FindingsNumbered, NumberedFinding, case_code
from audit.models import CaseNumber, Finding, FindingSupersession, RunSheet
from audit.models.audit_jobs import OPEN
from audit.runs.keys import event_key
from audit.runs.run_records import of_run
from casino.events.event import RECONCILER
from casino.house_day import house_day_at
from casino.recording import record_many
from casino.recording.writing import waited_in_vain


def number(run: UUID, raised: Collection[str]) -> None:
    """Give the findings with these keys the numbers of their cases, in the order of the book.

    Called inside the transaction that raised them, once it is known what they take the place of:
    a successor has the number of what it cites anew, and a key raised again keeps its own.
    """
    if raised:
        _number(run, raised)


def number_the_rest(run: UUID) -> None:
    """Give numbers to what has none: the findings of an older book, or of a run that failed.

    What a run under way raised is left to it: only then is it known what it takes the place of.
    """
    numbered = CaseNumber.objects.filter(finding=OuterRef("key"))
    rest = Finding.objects.filter(~Exists(numbered)).exclude(
        run__in=RunSheet.objects.filter(state=OPEN).exclude(run=run).values("run")
    )
    number(run, set(rest.values_list("key", flat=True)))


def _number(run: UUID, raised: Collection[str]) -> None:
    with waited_in_vain(), transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT ledger_lock(%s)", [RECONCILER])
        before = _before(raised)
        keys = {*raised, *(key for earlier in before.values() for key in earlier)}
        known = dict(
            CaseNumber.objects.filter(finding__in=keys)
            .order_by("-n")
            .values_list("finding", "case")
        )
        fresh = list(_numbered(keys - known.keys(), before, known))
        batches = [
            tuple(fresh[at : at + NUMBERED_AT_ONCE])
            for at in range(0, len(fresh), NUMBERED_AT_ONCE)
        ]
        record_many(
            [
                of_run(
                    run,
                    FindingsNumbered(run=str(run), numbers=some),
                    event_key("numbered", some[0].finding, some[0].case),
                )
                for some in batches
            ]
        )


def _before(raised: Collection[str]) -> dict[str, list[str]]:
    """What each of these takes the place of, and what that did, back to the first."""
    before: dict[str, list[str]] = {}
    asked: set[str] = set(raised)
    while asked:
        rows = FindingSupersession.objects.filter(successor__in=asked).order_by("n")
        found = set[str]()
        for successor, key in rows.values_list("successor", "finding"):
            before.setdefault(successor, []).append(key)
            found.add(key)
        asked = found - before.keys()
    return before


def _numbered(
    keys: Collection[str], before: dict[str, list[str]], known: dict[str, str]
) -> Iterator[NumberedFinding]:
    """The findings that have no number, each with its own, in the order in which they were raised.

    `known` are the numbers given by then; these are added to it.
    """
    raised = Finding.objects.filter(key__in=keys).values("key")
    rows = raised.annotate(first=Min("n"), at=Min("occurred_at")).order_by("first")
    years = {row["key"]: house_day_at(row["at"]).year for row in rows}
    last = Counter(
        dict(
            CaseNumber.objects.filter(year__in=set(years.values()))
            .values_list("year")
            .annotate(last=Max("number"))
        )
    )
    for key, year in years.items():
        kept = sorted(known[one] for one in before.get(key, ()) if one in known)
        if not kept:
            last[year] += 1
            kept = [case_code(year, last[year])]
        known[key] = kept[0]
        yield NumberedFinding(finding=key, case=kept[0])
