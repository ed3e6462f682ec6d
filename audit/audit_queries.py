"""What the auditor's pages ask the projections. Every answer is bounded, however full the
projections are.

A finding is open while no supersession of the same key stands after it in the auditor's stream.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    TextField,
    Value,
    When,
)
from django.db.models.expressions import RawSQL

from audit.models import (
    Finding,
    FindingSupersession,
    Reconciliation,
    ReconciliationResult,
    RunSheet,
)
from casino.access.open_games import still_open
from casino.events.corrections import WithdrawalAsked
from casino.law.checks.table import house_controls
from casino.law.checks.table.recorded_afterwards import ARTICLE as AFTERWARDS
from casino.law.dossier import RecordedEvent
from casino.law.rulebook.rulebook_file import counted_as, no_acts
from casino.models import BookEntry, Partida, Supersession
from casino.queries import decode_entry

Findings = QuerySet[Finding]

GRAVITIES: Final = ("breach", "deviation", "warning", "note")
COUNTED: Final = 10_000  # an overview says no more than "more than" beyond this
OPEN: Final = "open"
WITHDRAWN: Final = "withdrawn"  # "corrected", by a withdrawal: the event keeps its own word
# How far back a person is looked for where no days were asked: his name stands in the entries, and
# every finding's entries have to be opened for it.
PERSON_DAYS: Final = 31

# What stands for long and is no act of the evening; and the opening, which names a crew.
STANDING: Final = (
    "limits-set/1", "terms-approved/1", "terms-confirmed/1", "jackpot-started/1",
    "table-registered/1", "shuffler-registered/1", "staff-registered/1", "office-granted/1",
)  # fmt: skip
# The entries a finding rests on, and what is asked of them.
_RESTING_ON: Final = """EXISTS (
    SELECT 1 FROM jsonb_array_elements(audit_finding.evidence) AS named (it)
    JOIN LATERAL (
        SELECT entry, kind, partida_id FROM book_entry
        WHERE jsonb_typeof(named.it) = 'string' AND id = (named.it #>> '{}')::uuid
        UNION ALL SELECT e.entry, e.kind, e.partida_id
        FROM book_stream s JOIN book_entry e ON e.stream_id = s.id
        WHERE jsonb_typeof(named.it) = 'object' AND s.name = named.it ->> 'stream'
            AND e.n = (named.it ->> 'n')::bigint
    ) AS cited ON true
    WHERE position(%s IN convert_from(cited.entry, 'UTF8')) > 0 AND """
# By which somebody acted: whoever recorded, dealt, operated or cut. Who was named when the game
# was opened did not therefore do it, nor who signed the terms of it. What was recorded afterwards
# is of whoever recorded it and of whom it is about, not of whoever did the act before it.
_NAMED_IN_EVIDENCE: Final = f"""CASE WHEN audit_finding.article = '{AFTERWARDS}'
    THEN audit_finding."where" ->> 'staff' = %s OR audit_finding.observed ->> 'recorded_by' = %s
    ELSE {_RESTING_ON}
        (jsonb_array_length(audit_finding.evidence) = 1 OR cited.kind <> ALL(%s))
        AND (cited.kind <> 'partida-opened/1'
            OR convert_from(cited.entry, 'UTF8')::jsonb #>> '{{who,staff}}' = %s)) END"""
# What is found of a player's own stake or decision; of a box, that of its holder, of a vacant one,
# those who staked there; of no place, what tells of him by himself, as a complaint does.
_OF_PLAYER: Final = f"""CASE
    WHEN audit_finding."where" ->> 'owner' = %s OR audit_finding.observed ->> 'decided_by' = %s
        OR audit_finding.expected ->> 'decided_by' = %s THEN true
    WHEN jsonb_exists(audit_finding."where", 'owner') THEN false
    ELSE {_RESTING_ON} cited.partida_id = audit_finding.partida_id AND (
        cited.kind <> 'round-played/1' OR EXISTS (
            SELECT 1 FROM jsonb_array_elements(
                convert_from(cited.entry, 'UTF8')::jsonb #> '{{payload,boxes}}') AS one (box)
            WHERE one.box -> 'box' = audit_finding."where" -> 'box' AND (
                one.box ->> 'holder' = %s OR (one.box ->> 'holder' IS NULL AND one.box -> 'wagers'
                    @> jsonb_build_array(jsonb_build_object('owner', %s::text))
    ))))) END"""  # noqa: S608 - ours


class Tally(NamedTuple):
    """A number, and whether it is exact or only what counting stopped at."""

    number: int
    exact: bool


class DayTally(NamedTuple):
    """The open findings of one gaming day, by gravity."""

    day: date
    by_gravity: Mapping[str, int]


def cures() -> QuerySet[FindingSupersession]:
    """Of a query of findings, what says of each that it no longer holds."""
    return FindingSupersession.objects.filter(finding=OuterRef("key"), n__gt=OuterRef("n"))


def _why(later: QuerySet[FindingSupersession]) -> QuerySet[Any]:
    """Each with `why`: its reason, or WITHDRAWN where what the finding rested on was withdrawn."""
    gone = Supersession.objects.filter(
        stream=OuterRef("by_stream"), n=OuterRef("by_n"), kind=WithdrawalAsked.kind
    )
    return later.annotate(
        why=Case(
            When(Exists(gone) & Q(reason="corrected"), then=Value(WITHDRAWN)),
            default=F("reason"),
            output_field=TextField(),
        )
    ).order_by("n")


def with_state(findings: Findings) -> Findings:
    """Findings with `superseded_why`: why they no longer hold (STATE); None while they do."""
    return findings.annotate(superseded_why=Subquery(_why(cures()).values("why")[:1]))


def state_of(finding: Finding) -> str:
    """How one finding stands: OPEN, or the reason it no longer holds."""
    later = FindingSupersession.objects.filter(finding=finding.key, n__gt=finding.n)
    return _why(later).values_list("why", flat=True).first() or OPEN


def recorded_event(entry: BookEntry) -> RecordedEvent[Any]:
    """What an entry tells, as checks read it."""
    columns = (entry.pk, entry.stream.name, entry.n, entry.kind, entry.leaf_hash, entry.gaming_day)
    return decode_entry((*columns, entry.occurred_at, entry.recorded_at, entry.entry))


def newest_first(findings: Findings) -> Findings:
    """In the order of the list: by gaming day, then as they were recorded, the last first."""
    return findings.order_by("-gaming_day", "-n")


def raised_by(run: Reconciliation | RunSheet) -> Findings:
    """The findings a run raised; they lie in what it looked at, and are found there."""
    raised = Finding.objects.filter(run=run.run)
    if run.partida_id:
        return raised.filter(partida_id=run.partida_id)
    if run.from_day is not None and run.to_day is not None:
        return raised.filter(gaming_day__range=(run.from_day, run.to_day))
    return raised


def open_findings(findings: Findings | None = None) -> Findings:
    """Those that still hold."""
    return (Finding.objects.all() if findings is None else findings).filter(~Exists(cures()))


def standing_as(table: str) -> str:
    """The same in a statement, of the findings it calls by this name."""
    return f"""NOT EXISTS (SELECT FROM audit_finding_supersession AS later
    WHERE later.finding = {table}.key AND later.n > {table}.n)"""


def superseded_for(findings: Findings, reason: str) -> Findings:
    """Those that no longer hold, for this reason."""
    return findings.filter(Exists(_why(cures()).filter(why=reason)))


def acted(person: str) -> RawSQL:
    """Whether a finding rests on what a person did: an act that names him, or that he recorded."""
    asked = [person, person, f'"{person}"', list(STANDING), person]
    return RawSQL(_NAMED_IN_EVIDENCE, asked, output_field=BooleanField())  # noqa: S611 - parameters


def naming(findings: Findings, person: str) -> Findings:
    """Those that rest on what a person did."""
    return findings.alias(acted=acted(person)).filter(acted=True)


def of_player(findings: Findings, player: str) -> Findings:
    """Those of one game that are a player's, by his pseudonym: not all of the rounds he sat in."""
    asked = [player, player, player, f'"{player}"', player, player]
    mine = RawSQL(_OF_PLAYER, asked)  # noqa: S611 - parameters
    return findings.alias(mine=mine).filter(mine=True)


def games_of_player(findings: Findings, player: str, most: int) -> list[str]:
    """The games in which a player's pseudonym stands in what these findings rest on, newest first.

    A pseudonym is of one game: in two of them it is two people.
    """
    mine = of_player(findings.exclude(partida_id=""), player)
    games = mine.order_by("-gaming_day", "partida_id").values_list("partida_id", flat=True)
    return list(dict.fromkeys(games))[:most]


def lately() -> Q:
    """Of the last PERSON_DAYS gaming days there are findings of."""
    last = Finding.objects.aggregate(last=Max("gaming_day"))["last"]
    return Q() if last is None else Q(gaming_day__gt=last - timedelta(days=PERSON_DAYS))


def recent(findings: Findings) -> Findings:
    """Those of the last PERSON_DAYS gaming days there are findings of."""
    return findings.filter(lately())


def tallies(querysets: Sequence[QuerySet[Any]], most: int = COUNTED) -> list[Tally]:
    """How many rows each has, counting no further than `most`; all in one query.

    They are counted in the order they come in: an order that an index has keeps that short.
    """
    parts: list[str] = []
    values: list[Any] = []
    for queryset in querysets:
        try:
            inner, inside = queryset.values("pk")[: most + 1].query.sql_with_params()
        except EmptyResultSet:
            parts.append("0")
            continue
        parts.append(f"(SELECT count(*) FROM ({inner}) AS counted)")  # noqa: S608 - Django wrote it
        values += inside
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(parts)}", values)
        found = cursor.fetchone()
    return [Tally(min(number, most), number <= most) for number in found]


def no_law() -> list[str]:
    """What a finding cites and breaks no law: the house's own controls, and every book that is no
    legal act.
    """
    return [house_controls.RULEBOOK, *sorted(no_acts())]


def is_of_gravity(gravity: str) -> Q:
    """Whether a finding counts under a gravity."""
    if gravity == "breach":
        return Q(severity=gravity) & ~Q(rulebook__in=no_law())
    if gravity == "deviation":
        return Q(severity__in=("breach", gravity)) & (
            Q(severity=gravity) | Q(rulebook__in=no_law())
        )
    return Q(severity=gravity)


def of_gravity(findings: Findings, gravity: str) -> Findings:
    """Those of these findings that count under a gravity."""
    return findings.filter(is_of_gravity(gravity))


def rank() -> Case:
    """What findings are ordered by, the gravest first, as their gravity is counted."""
    cases = [
        When(is_of_gravity(gravity), then=Value(place)) for place, gravity in enumerate(GRAVITIES)
    ]
    return Case(*cases, default=Value(len(cases)), output_field=IntegerField())


def open_by_gravity(findings: Findings | None = None) -> dict[str, Tally]:
    """How many findings are open, by gravity, in the order of gravity."""
    held = open_findings(findings)
    counted = tallies([of_gravity(held, gravity).order_by("-n") for gravity in GRAVITIES])
    return dict(zip(GRAVITIES, counted, strict=True))


def open_by_day(last: date, days: int = 14) -> list[DayTally]:
    """The open findings of the `days` gaming days up to and with `last`, oldest first."""
    first = last - timedelta(days=days - 1)
    counted: dict[date, Counter[str]] = {}
    rows = (
        open_findings(Finding.objects.filter(gaming_day__range=(first, last)))
        .order_by()
        .values("gaming_day", "severity", "rulebook")
        .annotate(number=Count("pk"))
    )
    for row in rows:
        gravity = counted_as(row["severity"], row["rulebook"])
        counted.setdefault(row["gaming_day"], Counter())[gravity] += row["number"]
    every = (first + timedelta(days=offset) for offset in range(days))
    return [DayTally(day, counted.get(day, Counter())) for day in every]


def open_partidas() -> list[Partida]:
    """The partidas that were opened and not closed, by table; each once however often corrected."""
    there = Partida.objects.filter(still_open()).order_by("table_code", "gaming_day", "n")
    return list({partida.partida_id: partida for partida in there}.values())


def last_run() -> Reconciliation | None:
    """The reconciliation of the record that began last, with `held` (see `with_results`)."""
    return with_results(Reconciliation.objects.filter(rulebook="").order_by("-pk")).first()


def with_results(runs: QuerySet[Reconciliation]) -> QuerySet[Reconciliation]:
    """Runs with `held`: how many findings hold by them; None while they have not ended."""
    result = ReconciliationResult.objects.filter(run=OuterRef("run")).order_by("-pk")
    return runs.annotate(held=Subquery(result.values("findings")[:1]))


def result_of(reconciliation: Reconciliation) -> ReconciliationResult | None:
    """What a run came to; None while it has not ended."""
    return ReconciliationResult.objects.filter(run=reconciliation.run).order_by("-pk").first()


def history_of(finding: Finding) -> Sequence[Finding | FindingSupersession]:
    """Everything the book says under this finding's key, in order; what cured it with `why`."""
    raised: Iterable[Finding] = Finding.objects.filter(key=finding.key)
    over: Iterable[FindingSupersession] = _why(
        FindingSupersession.objects.filter(finding=finding.key)
    )
    return sorted([*raised, *over], key=lambda finding: finding.n)


class Progress(NamedTuple):
    """How far a run has come, by its parts; `per_cent` of its rounds, where it has any."""

    state: str
    parts: int
    done: int
    failed: int
    per_cent: int


def progress_of(sheet: RunSheet) -> Progress:
    """How far a run has come, by its parts."""
    counted = sheet.parts.aggregate(
        done=Count("pk", filter=Q(state="done")),
        failed=Count("pk", filter=Q(state="failed")),
        rounds=Sum("rounds_count", filter=Q(state="done")),
    )
    done, whole = counted["done"], sheet.parts_count
    if sheet.rounds_count:
        done, whole = counted["rounds"] or 0, sheet.rounds_count
    per_cent = 100 * done // whole if whole else 100 if sheet.state == "finished" else 0
    return Progress(sheet.state, sheet.parts_count, counted["done"], counted["failed"], per_cent)
