"""What is asked of the book before a step of a case is written: whether it can have been taken.

Refused is what names a case or a finding there is not, and the payment of what nobody owes.
Whether a step was due, or taken by the right hand in time, is never asked here.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from django.db.models import QuerySet

from audit.case_events import (
    CaseEvent,
    ExplanationAsked,
    ExplanationGiven,
    FindingAssigned,
    FindingDecided,
    FindingNoted,
    FindingReopened,
    FindingSettled,
    FootageMarked,
)
from audit.models import CaseNumber, CaseStep, Finding
from casino.events.phrases import Phrase
from casino.recording import Refused
from casino.recording.preparing import Prepared

if TYPE_CHECKING:
    from casino.extensions import BookQuestion


class NoSuchCase(Refused):
    """A case is named that no finding has."""

    template = Phrase(
        "No finding has the number {case}. Open the finding's page and take the step from there."
    )


class AnotherCase(Refused):
    """A finding is named that is of another case, or of another table or game."""

    template = Phrase(
        "The finding named is not of case {case} at this table and game. Open the finding's page"
        " and take the step from there."
    )


class NothingOwed(Refused):
    """A settlement of a case of which nothing is owed."""

    template = Phrase(
        "Nothing is owed in case {case}: neither does the finding name a sum, nor has the"
        " inspection service decided on one. A settlement says what was paid of what is owed."
    )


class NotWorked(Refused):
    """A case is reopened that was never closed."""

    template = Phrase(
        "Case {case} is open: nobody has answered, decided or settled anything that could be"
        " reopened."
    )


def of_a_case(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """The case is there, and the finding is of it. Raises: NoSuchCase, AnotherCase."""
    event = prepared.submission.event
    named = CaseNumber.objects.filter(case=event.case).values_list("finding", flat=True)
    if not named:
        raise NoSuchCase(place=prepared.place, case=event.case)
    there = Finding.objects.filter(
        key=event.finding, table_code=event.table or "", partida_id=event.partida or ""
    )
    if event.finding not in named or not there.exists():
        raise AnotherCase(place=prepared.place, case=event.case)


def settlement(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """Something is owed. Raises: as `of_a_case`; NothingOwed."""
    of_a_case(prepared, before)
    event = prepared.submission.event
    decided = _steps(event).filter(kind=FindingDecided.kind, owed_cents__isnull=False)
    owed = decided.order_by("-n").values_list("owed_cents", flat=True).first()
    if owed is None:
        keys = CaseNumber.objects.filter(case=event.case).values("finding")
        owed = Finding.objects.filter(key__in=keys, owed_cents__gt=0).count()
    if not owed:
        raise NothingOwed(place=prepared.place, case=event.case)


def reopening(prepared: Prepared, before: Sequence[Prepared]) -> None:
    """Something was answered, decided or settled. Raises: as `of_a_case`; NotWorked."""
    of_a_case(prepared, before)
    event = prepared.submission.event
    if not _steps(event).filter(kind__in=CLOSING).exists():
        raise NotWorked(place=prepared.place, case=event.case)


def _steps(event: CaseEvent) -> QuerySet[CaseStep]:
    return CaseStep.objects.filter(case=event.case)


# What can be taken up again.
CLOSING: Final = (ExplanationGiven.kind, FindingDecided.kind, FindingSettled.kind)
QUESTIONS: "Final[Mapping[str, BookQuestion]]" = {
    **{
        event.kind: of_a_case
        for event in (
            FindingAssigned,
            ExplanationAsked,
            ExplanationGiven,
            FindingNoted,
            FootageMarked,
            FindingDecided,
        )
    },
    FindingSettled.kind: settlement,
    FindingReopened.kind: reopening,
}
