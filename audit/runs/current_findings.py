"""What holds now against what held before: new findings are raised, cured ones superseded.

A finding stands while no supersession of its key lies after it in the auditor's stream. Whoever
compares holds a lock on what the findings are about, so two runs never raise the same one twice.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from audit.audit_queries import open_findings, recorded_event
from audit.events import FindingRaised, FindingSuperseded
from audit.models import Finding as FindingRow
from audit.models import FindingSupersession, Reconciliation, RunSheet, entries_of, ref_of, refs_of
from audit.runs import house_checks, keys
from audit.runs.house_findings import by_key
from audit.runs.keys import event_key
from audit.runs.numbering import number
from audit.runs.run_records import of_run
from audit.runs.succession import successors
from casino.events.deck_life import DeckReceived
from casino.events.decks import DeckInspected
from casino.events.event import HOUSE, POOLS, EntryRef, Event
from casino.events.inspection import LeaveAsked, LeaveDecided, LimitsApproved
from casino.events.shufflers import ShufflerRegistered
from casino.events.staff import DutyBegun, DutyEnded, OfficeEnded, OfficeGranted, StaffRegistered
from casino.events.tables import LimitsSet, TableRegistered
from casino.law.dossier import RecordedEvent
from casino.law.finding import Finding
from casino.law.rulebook.figure_sets import digest_on
from casino.law.rulebook.rulebook_file import load_law
from casino.models import BookEntry, Supersession
from casino.queries import replaced, stream_of
from casino.recording import KeyReused, record_many
from jackpot.events import TermsApproved, TermsConfirmed

LATE_NAMED: Final = 100  # curing entries a supersession names
LOOKED_AT: Final = 1_000  # entries of no game among which they are looked for, the newest
# What is recorded of no game and may cure a finding of one, and the fields that say what it is
# about.
ABOUT: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys((StaffRegistered.kind, OfficeGranted.kind, OfficeEnded.kind), ("staff",)),
    **dict.fromkeys((DutyBegun.kind, DutyEnded.kind), ("staff",)),
    **dict.fromkeys((DeckReceived.kind, DeckInspected.kind), ("deck",)),
    **dict.fromkeys((TableRegistered.kind, LimitsSet.kind), ("table",)),
    **dict.fromkeys((TermsApproved.kind, TermsConfirmed.kind), ("jackpot",)),
    LeaveAsked.kind: ("leave", "deck"),
    LeaveDecided.kind: ("leave", "document"),
    LimitsApproved.kind: ("tables",),
    ShufflerRegistered.kind: ("shuffler",),
}
Reach = Mapping[str, int] | None  # by stream the last entry that was read; None where unknown
Reason = Callable[[FindingRow], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Changes:
    """What comparing came to: the keys of the findings that were raised, and superseded.

    `out_of_date`: a run that read more was here before, and nothing was written.
    """

    raised: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    out_of_date: bool = False


def standing() -> QuerySet[FindingRow]:
    """The findings that stand."""
    return open_findings()


def settle(
    run: UUID,
    as_of: datetime,
    found: Mapping[str, Finding],
    before: Iterable[FindingRow],
    reason: Reason,
) -> Changes:
    """Raise what was found and did not stand before, cure what stood and was not met again."""
    held = {row.key: row for row in before}
    raised = raise_findings(run, as_of, {key: found[key] for key in found.keys() - held.keys()})
    gone = [row for key, row in held.items() if key not in found]
    superseded = supersede(run, gone, reason, raised)
    number(run, raised)
    return Changes(raised, superseded)


def raise_findings(run: UUID, as_of: datetime, findings: Mapping[str, Finding]) -> tuple[str, ...]:
    """Record findings that do not stand yet, as they were seen at a moment; their keys."""
    if not findings:
        return ()
    times = _times_superseded(findings)
    named = refs_of(entry for finding in findings.values() for entry in finding.evidence)
    record_many(
        [
            of_run(
                run, _event(run, key, finding, named), event_key("raised", key, times[key]), as_of
            )
            for key, finding in sorted(findings.items())
        ]
    )
    return tuple(sorted(findings))


def raise_once(finding: Finding, now: datetime, held: QuerySet[FindingRow] | None = None) -> int:
    """Raise what a look around saw, unless it (or one of `held`) stands; 1 or 0."""
    if held is None:
        held = standing().filter(check_name=finding.check, where=keys.flat(finding.where))
    try:
        with transaction.atomic():
            if held.exists():
                return 0
            raised = raise_findings(keys.BOOK_WATCH, now, by_key([finding]))
            number(keys.BOOK_WATCH, raised)
            return len(raised)
    except KeyReused:
        return 0  # somebody else looked around at the same moment


def _event(run: UUID, key: str, finding: Finding, named: Mapping[str, EntryRef]) -> FindingRaised:
    pool = finding.where.get("jackpot")
    return FindingRaised(
        key=key,
        rulebook=finding.rulebook,
        article=finding.article,
        check=finding.check,
        severity=finding.severity,
        gaming_day=finding.gaming_day,
        table=finding.table or None,
        partida=finding.partida or None,
        evidence=keys.in_order(finding.evidence, named),
        where=keys.flat(finding.where),
        observed=keys.flat(finding.observed),
        expected=keys.flat(finding.expected),
        owed_cents=finding.owed_cents,
        owed_to=finding.owed_to,  # type: ignore[arg-type]  # the event asks which word
        readings=tuple(dict.fromkeys(finding.readings)),
        run=str(run),
        law=law_digest(finding.rulebook, finding.gaming_day),
        jackpot=None if pool is None else str(pool),
    )


def law_digest(rulebook: str, day: date) -> str:
    """The digest of a rulebook as it was in use on a gaming day, whatever was set for later ones;
    of the house's own checks for those.
    """
    if rulebook == house_checks.RULEBOOK:
        return house_checks.DIGEST
    return digest_on(load_law(rulebook), day)


def _times_superseded(found: Iterable[str]) -> Counter[str]:
    rows = FindingSupersession.objects.filter(finding__in=list(found))
    return Counter(rows.values_list("finding", flat=True))


def supersede_all(
    sheet: RunSheet, gone: Collection[FindingRow], found: Collection[str] = ()
) -> tuple[str, ...]:
    """Record that findings no longer hold; their keys. `found` are those of what does hold."""
    return supersede(sheet.run, gone, lambda finding: why(finding, sheet), found)


def supersede(
    run: UUID, gone: Collection[FindingRow], reason: Reason, found: Collection[str] = ()
) -> tuple[str, ...]:
    """Record which findings a run saw no longer hold under their keys; these keys.

    `found` are the keys of what holds instead, which was raised before this is called: what cites
    one of them anew is named. Of the others `reason` says why, and by what.
    """
    rows = sorted(gone, key=lambda finding: finding.key)
    held = standing().filter(key__in=list(found)) if rows and found else ()
    anew = successors(rows, held, run)
    times = _times_superseded(row.key for row in rows)

    def event(finding: FindingRow) -> FindingSuperseded:
        after = anew.get(finding.key)
        return FindingSuperseded(
            finding=finding.key,
            run=str(run),
            table=finding.table_code or None,
            partida=finding.partida_id or None,
            **({"reason": "cited_anew", "successor": after} if after else reason(finding)),
        )

    record_many(
        [of_run(run, event(row), event_key("superseded", row.key, times[row.key])) for row in rows]
    )
    return tuple(row.key for row in rows)


def cured(_finding: FindingRow) -> dict[str, object]:
    """Why a finding no longer holds, where no more is to be said."""
    return {"reason": "cured"}


def why(finding: FindingRow, sheet: RunSheet | None = None) -> dict[str, object]:
    """Why a finding no longer holds, and by which entries, as far as that can be said.

    `sheet` is of the run that saw it; who asks without one read all that is recorded by now.
    """
    of_the_house = finding.rulebook == house_checks.RULEBOOK
    if not of_the_house and finding.law != law_digest(finding.rulebook, finding.gaming_day):
        return {"reason": "law_changed"}
    correction = _correction_of(finding)
    if correction is not None:
        return {"reason": "corrected", "by": correction}
    before = RunSheet.objects.filter(run=finding.run).first()  # a look of the watch has none
    since = before.reach if before is not None else None
    reach = sheet.reach if sheet is not None else None
    around = _of_no_game(finding, since, reach)
    late = [_ref(one) for one in around if _dated(one) < finding.occurred_at]
    if reach is not None:
        late += _recorded_late(finding, since, reach)
    if late:
        named = sorted(late, key=lambda ref: (ref.stream, ref.n))[:LATE_NAMED]
        return {"reason": "late_record", "cured_by": tuple(named)}
    if len(around) == 1:
        return {"reason": "cured", "by": _ref(around[0])}
    if of_the_house or before is None or sheet is None:
        return {"reason": "cured"}
    if before.reach.get(HOUSE) != sheet.reach.get(HOUSE):
        return {"reason": "cured"}
    listed = _recorded_since(finding, before.reach, sheet.reach)
    if not listed:
        began = Reconciliation.objects.filter(run=finding.run).values_list(
            "code_version", flat=True
        )
        if sheet.code_version not in began:
            return {"reason": "code_changed"}
    return {"reason": "cured", "by": listed[0]} if len(listed) == 1 else {"reason": "cured"}


def _correction_of(finding: FindingRow) -> EntryRef | None:
    """The approved correction or withdrawal of an entry that was the finding's evidence."""
    for entry in entries_of(finding):
        stream = entry.stream.name
        if entry.n not in replaced(stream, entry.partida_id):
            continue
        leaf = bytes(entry.leaf_hash).hex()
        pending = Supersession.objects.filter(supersedes_leaf=leaf)
        for correcting in pending.order_by("-n"):
            if correcting.n not in replaced(stream, entry.partida_id):
                found = BookEntry.objects.get(id=correcting.entry_id)
                return ref_of(found, stream)
    return None


def _recorded(finding: FindingRow, stream: str, since: Reach, reach: Reach) -> Q:
    """The entries of a stream that the finding's own run did not read, and this one did."""
    after = (
        Q(recorded_at__gt=finding.recorded_at) if since is None else Q(n__gt=since.get(stream, 0))
    )
    up_to = Q() if reach is None else Q(n__lte=reach.get(stream, 0))
    return after & up_to & Q(stream__name=stream)


def _of_no_game(finding: FindingRow, since: Reach, reach: Reach) -> list[RecordedEvent[Event]]:
    """What house, table or pool recorded of no game since a finding was seen, of what it is about.

    An office, a duty, an approval, a machine's registration: whoever reads the game alone does not
    see what made the finding go.
    """
    figures = (finding.where, finding.observed, finding.expected)
    texts = [
        finding.table_code,
        finding.jackpot,
        *(str(each) for of in figures for each in of.values()),
    ]
    names = {name.casefold() for name in texts}
    streams = [HOUSE, *([f"table/{finding.table_code}"] if finding.table_code else [])]
    streams += [f"{POOLS}{finding.jackpot}"] if finding.jackpot else []
    here = Q()
    for stream in streams:
        here |= _recorded(finding, stream, since, reach)
    rows = BookEntry.objects.filter(here, kind__in=ABOUT, partida_id="").order_by("-recorded_at")
    gone = {stream: replaced(stream, "") for stream in streams}
    return [
        one
        for one in map(recorded_event, rows.select_related("stream")[:LOOKED_AT])
        if one.n not in gone[one.stream] and not names.isdisjoint(_about(one.event))
    ]


def _about(event: Event) -> Iterator[str]:
    for field in ABOUT[event.kind]:
        value = getattr(event, field)
        names = (value,) if isinstance(value, str) else value
        yield from (name.casefold() for name in names)


def _dated(recorded: RecordedEvent[Event]) -> datetime:
    """From which moment on it is so, as it was recorded."""
    since = (getattr(recorded.event, field, None) for field in ("valid_from", "decided_at"))
    return min((one for one in since if one is not None), default=recorded.occurred_at)


def _ref(recorded: RecordedEvent[Event]) -> EntryRef:
    return EntryRef(stream=recorded.stream, n=recorded.n, leaf=recorded.leaf)


def _recorded_late(finding: FindingRow, since: Reach, reach: Reach) -> list[EntryRef]:
    """What the table recorded of a partida after a finding was seen, of a time before it.

    Whoever looks at a finding that went away so sees which entries made it go, and asks who wrote
    them and why only then. A finding happened when what it rests on was read.
    """
    if not finding.partida_id:
        return []
    stream = stream_of(finding.partida_id)
    rows = (
        BookEntry.objects.filter(_recorded(finding, stream, since, reach))
        .filter(partida_id=finding.partida_id, occurred_at__lt=finding.occurred_at)
        .exclude(n__in=replaced(stream, finding.partida_id))
        .order_by("n")[:LATE_NAMED]
    )
    return [ref_of(one, stream) for one in rows]


def _recorded_since(finding: FindingRow, since: Reach, reach: Reach) -> list[EntryRef]:
    """What the partida's table told of it since the run that raised a finding, two at most."""
    stream = stream_of(finding.partida_id)
    rows = BookEntry.objects.filter(
        _recorded(finding, stream, since, reach), partida_id=finding.partida_id
    ).order_by("n")[:2]
    return [ref_of(one, stream) for one in rows]
