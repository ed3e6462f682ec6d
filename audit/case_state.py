"""How cases stand: their number, the step that counts, whose they are, until when they wait.

A case's state is that of the last step that says something of its cause; to whom it is assigned and
what is on the recordings changes nothing of it. A settlement counts once a second person confirmed
it, and settles once all that is owed was paid. Units: cents; moments aware UTC.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, TypedDict, cast

from django.conf import settings
from django.db.models import (
    Case,
    CharField,
    DateTimeField,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from audit.audit_queries import GRAVITIES, Findings, is_of_gravity
from audit.case_events import (
    ARTICLE,
    ExplanationAsked,
    ExplanationGiven,
    FindingAssigned,
    FindingDecided,
    FindingReopened,
    FindingSettled,
)
from audit.models import CaseNumber, CaseStep, Finding
from casino.models import Attestation

OPEN: Final = "open"
ASKED: Final = "asked"
ANSWERED: Final = "answered"
UPHELD: Final = "upheld"
UNFOUNDED: Final = "unfounded"
IN_PART: Final = "settled_in_part"
SETTLED: Final = "settled"
REOPENED: Final = "reopened"
STATES: Final = (OPEN, ASKED, ANSWERED, UPHELD, UNFOUNDED, IN_PART, SETTLED, REOPENED)
# Nothing waits any more; and what waits for the inspection service, to which the house sets none.
OVER: Final = frozenset({UNFOUNDED, SETTLED})
_SAYING: Final = (
    *(ExplanationAsked.kind, ExplanationGiven.kind, FindingDecided.kind),
    *(FindingSettled.kind, FindingReopened.kind),
)


class CaseColumns(TypedDict):
    """What `with_case` says of each finding beside its own columns.

    `case_state` is one of STATES, `case_owed` and `case_paid` are cents, `responsible` a staff
    number. `case_due` is until when somebody of the house is to take it further, None where nobody
    is.
    """

    case: str
    case_state: str
    case_owed: int
    case_paid: int
    responsible: str | None
    case_due: datetime | None


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    Worked = WithAnnotations[Finding, CaseColumns]


def confirmed(steps: QuerySet[CaseStep]) -> QuerySet[CaseStep]:
    """Of these steps the settlements another person than their author put his word to."""
    word = Attestation.objects.filter(
        witnessed_stream=OuterRef("stream"), witnessed_n=OuterRef("n")
    ).exclude(witness__iexact=OuterRef("staff"))
    return steps.filter(Exists(word), kind=FindingSettled.kind)


def counting(steps: QuerySet[CaseStep]) -> QuerySet[CaseStep]:
    """Of these steps all but settlements nobody has confirmed."""
    return steps.exclude(
        Q(kind=FindingSettled.kind) & ~Q(pk__in=confirmed(CaseStep.objects.all()).values("pk"))
    )


def unconfirmed(steps: QuerySet[CaseStep]) -> QuerySet[CaseStep]:
    """Of these steps the settlements that wait for a second person: no step came after them."""
    later = CaseStep.objects.filter(case=OuterRef("case"), n__gt=OuterRef("n"))
    paid = steps.filter(~Exists(later), kind=FindingSettled.kind)
    return paid.exclude(pk__in=confirmed(paid).values("pk"))


def numbered(findings: Findings) -> Findings:
    """Findings with `case`: the number of their case; None where they have none yet."""
    return findings.annotate(case=_number())


def _number() -> Subquery:
    known = CaseNumber.objects.filter(finding=OuterRef("key")).order_by("-n")
    return Subquery(known.values("case")[:1])


def with_case(findings: Findings) -> "QuerySet[Worked]":
    """Findings that have a number, with how their case stands."""
    steps = CaseStep.objects.filter(case=OuterRef("case"))
    last = counting(steps.filter(kind__in=_SAYING)).order_by("-n")
    decided = steps.filter(kind=FindingDecided.kind, owed_cents__isnull=False).order_by("-n")
    paid = confirmed(steps).order_by().values("case").annotate(sum=Sum("paid_cents"))
    assigned = steps.filter(kind=FindingAssigned.kind).order_by("-n")
    found = (
        findings.annotate(case=_number())
        .exclude(case=None)
        .annotate(
            case_last=Subquery(last.values("kind")[:1]),
            case_decision=Subquery(last.values("decision")[:1]),
            case_last_at=Subquery(last.values("recorded_at")[:1]),
            case_until=Subquery(last.values("answer_by")[:1]),
            case_owed=Coalesce(Subquery(decided.values("owed_cents")[:1]), F("owed_cents")),
            case_paid=Coalesce(Subquery(paid.values("sum")[:1], output_field=IntegerField()), 0),
            responsible=Subquery(assigned.values("responsible")[:1]),
            case_assigned_until=Subquery(assigned.values("answer_by")[:1]),
            case_began=Subquery(
                CaseNumber.objects.filter(finding=OuterRef("key")).values("recorded_at")[:1]
            ),
        )
    )
    worked = found.annotate(case_state=_state()).annotate(case_due=_due())
    return cast("QuerySet[Worked]", worked)


def _state() -> Case:
    return Case(
        When(case_last=ExplanationAsked.kind, then=Value(ASKED)),
        When(case_last=ExplanationGiven.kind, then=Value(ANSWERED)),
        When(case_last=FindingDecided.kind, then=F("case_decision")),
        When(case_last=FindingSettled.kind, case_paid__gte=F("case_owed"), then=Value(SETTLED)),
        When(case_last=FindingSettled.kind, then=Value(IN_PART)),
        When(case_last=FindingReopened.kind, then=Value(REOPENED)),
        default=Value(OPEN),
        output_field=CharField(),
    )


def _due() -> Case:
    """Until when the house is to explain, or to pay; what waits for a decision has no time.

    The last step is asked, not the state made of it: each use of an annotation is written out in
    the query once more.
    """
    began = Coalesce(F("case_last_at"), F("case_began"))
    upheld = Q(case_last=FindingDecided.kind, case_decision=UPHELD)
    owed = (upheld | Q(case_last=FindingSettled.kind)) & Q(case_owed__gt=F("case_paid"))
    unexplained = (ExplanationAsked.kind, FindingReopened.kind)
    waits = Q(case_last__isnull=True) | Q(case_last__in=unexplained)
    allowed = [
        When(
            is_of_gravity(gravity),
            then=Coalesce(F("case_assigned_until"), began + Value(time)),
        )
        for gravity in GRAVITIES
        if (time := allowed_for(gravity)) is not None
    ]
    by_gravity = Case(*allowed, default=None, output_field=DateTimeField())
    return Case(
        When(owed, then=F("case_last_at") + Value(settings.HOUSE_CASES["paid"])),
        When(waits & ~Q(article=ARTICLE), then=Coalesce(F("case_until"), by_gravity)),
        default=None,
        output_field=DateTimeField(),
    )


def allowed_for(gravity: str) -> timedelta | None:
    """How long the house allows itself to explain a finding of a gravity; None without end."""
    found: timedelta | None = settings.HOUSE_CASES.get(gravity)
    return found


def overdue(findings: "QuerySet[Worked]", now: datetime) -> "QuerySet[Worked]":
    """Of findings `with_case`, those whose time is over."""
    return findings.filter(case_due__lt=now)


class StepOf(TypedDict):
    """What each step of a finding's case says of it."""

    case: str
    finding: str
    table: str | None
    partida: str | None


def step_of(finding: "Worked") -> StepOf:
    """What a step of this finding's case says of it."""
    return StepOf(
        case=finding.case,
        finding=finding.key,
        table=finding.table_code or None,
        partida=finding.partida_id or None,
    )
