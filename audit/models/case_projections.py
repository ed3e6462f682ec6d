"""Cases: the number of each finding, the steps taken, what inspectors noted."""

from collections.abc import Iterator

from django.db import models
from django.utils.translation import gettext_lazy as _

from audit.case_events import (
    CaseEvent,
    ExplanationAsked,
    ExplanationGiven,
    FindingAssigned,
    FindingDecided,
    FindingNoted,
    FindingReopened,
    FindingSettled,
    FindingsNumbered,
    FootageMarked,
    parts_of_case,
)
from casino.models.projection import EntryView, Projection, ProjectionRow, own_columns, same
from casino.models.projection_columns import maybe_moment, maybe_whole, text, whole


class CaseNumber(ProjectionRow):
    """The case a finding is of. Several keys of one cause have one number."""

    events = (FindingsNumbered,)

    finding = text(_("finding"))
    case = text(_("case"))
    year = whole(_("year"))
    number = whole(_("number of the case"))

    class Meta:
        db_table = "audit_case_number"
        verbose_name = _("number of a case")
        verbose_name_plural = _("numbers of cases")
        indexes = (
            models.Index(fields=["finding"], name="case_number_finding"),
            models.Index(fields=["year", "number"], name="case_number_year"),
            models.Index(fields=["case"], name="case_number_case"),
        )

    def __str__(self) -> str:
        return self.case

    @classmethod
    def rows_of(cls, event: FindingsNumbered, entry: EntryView) -> Iterator[dict[str, object]]:
        """A row for each finding."""
        for one in event.numbers:
            year, number = parts_of_case(one.case)
            yield {"finding": one.finding, "case": one.case, "year": year, "number": number}


class CaseStep(Projection):
    """What somebody did about a finding, whichever step it was: `kind` says."""

    events = (
        FindingAssigned,
        ExplanationAsked,
        ExplanationGiven,
        FootageMarked,
        FindingDecided,
        FindingSettled,
        FindingReopened,
    )

    kind = text(_("step"))
    case = text(_("case"))
    finding = text(_("finding"))
    responsible = text(_("responsible"))
    answer_by = maybe_moment(_("answer until"))
    remedy_from = models.DateField(_("remedy holds from"), null=True, editable=False)
    camera = text(_("camera"))
    recorded_from = maybe_moment(_("recorded from"))
    recorded_until = maybe_moment(_("recorded until"))
    hold = text(_("number of the hold"))
    decision = text(_("decision"))
    reason = text(_("reason"))
    owed_cents = maybe_whole(_("owed by the decision"))
    paid_cents = maybe_whole(_("paid"))
    paid_to = text(_("paid to"))
    owner = text(_("owner"))
    means = text(_("means of payment"))
    document = text(_("document"))
    reference = text(_("reference"))

    class Meta:
        db_table = "audit_case_step"
        verbose_name = _("step of a case")
        verbose_name_plural = _("steps of cases")
        indexes = (
            models.Index(fields=["case", "n"], name="case_step_case"),
            models.Index(fields=["gaming_day", "table_code"], name="case_step_day_table"),
            models.Index(fields=["kind", "n"], name="case_step_kind"),
        )

    def __str__(self) -> str:
        return self.case

    @classmethod
    def rows_of(cls, event: CaseEvent, entry: EntryView) -> Iterator[dict[str, object]]:
        """One step; what it does not say is left blank."""
        blanks = {name: "" if is_text else None for name, is_text in own_columns(cls).items()}
        yield blanks | same(event, cls)


class CaseNote(Projection):
    """That an inspector noted something; what it was lies where it can be erased."""

    events = (FindingNoted,)

    case = text(_("case"))
    finding = text(_("finding"))

    class Meta:
        db_table = "audit_case_note"
        verbose_name = _("inspector's note")
        verbose_name_plural = _("inspectors' notes")
        indexes = (models.Index(fields=["case", "n"], name="case_note_case"),)

    def __str__(self) -> str:
        return self.case
