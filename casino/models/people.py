"""Staff numbers, the offices they hold, what of both two persons decide, and duty. `person` is whom
a row is about.

What a person is called lies among the private values, and can be erased.
"""

from collections.abc import Iterator
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.requests import FiguresAsked, LoginResetAsked, OfficeAsked, RequestDecided
from casino.events.staff import DutyBegun, DutyEnded, OfficeEnded, OfficeGranted, StaffRegistered
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import listed, maybe_moment, moment, text, truth, whole


class Staff(Projection):
    """A number that stands for a person or a device."""

    events = (StaffRegistered,)

    person = text(_("staff number"))
    named = truth(_("a name was given"))

    class Meta:
        db_table = "casino_staff"
        verbose_name = _("staff number")
        verbose_name_plural = _("staff numbers")
        indexes = (models.Index(fields=["person"], name="staff_person"),)

    def __str__(self) -> str:
        return self.person

    @classmethod
    def rows_of(cls, event: StaffRegistered, entry: EntryView) -> Iterator[dict[str, object]]:
        """The number; its name stays where it can be erased."""
        yield {"person": event.staff, "named": event.name is not None}


class OfficeGrant(Projection):
    """An office a person was given, from one moment to another or until it is ended."""

    events = (OfficeGranted,)

    person = text(_("staff number"))
    held = text(_("office held"))
    valid_from = moment(_("from"))
    valid_until = maybe_moment(_("until"))
    granted_by = text(_("granted by"))
    reference = text(_("reference"))

    class Meta:
        db_table = "casino_office_grant"
        verbose_name = _("office")
        verbose_name_plural = _("offices")
        indexes = (models.Index(fields=["person", "held", "valid_from"], name="office_held"),)

    def __str__(self) -> str:
        return f"{self.person} {self.held}"

    @classmethod
    def rows_of(cls, event: OfficeGranted, entry: EntryView) -> Iterator[dict[str, object]]:
        """One office of one person."""
        yield same(event, cls) | {"person": event.staff, "held": event.office}


class OfficeEnd(Projection):
    """An office a person no longer holds, from a moment on."""

    events = (OfficeEnded,)

    person = text(_("staff number"))
    held = text(_("office held"))
    ended_at = moment(_("ended at"))
    ended_by = text(_("ended by"))
    reason = text(_("reason"))

    class Meta:
        db_table = "casino_office_end"
        verbose_name = _("end of an office")
        verbose_name_plural = _("ends of offices")
        indexes = (models.Index(fields=["person", "held", "ended_at"], name="office_ended"),)

    def __str__(self) -> str:
        return f"{self.person} {self.held}"

    @classmethod
    def rows_of(cls, event: OfficeEnded, entry: EntryView) -> Iterator[dict[str, object]]:
        """One office of one person, over."""
        yield same(event, cls) | {"person": event.staff, "held": event.office}


class Duty(Projection):
    """Somebody went on duty (`begins`) or off it; no tables mean the whole room."""

    events = (DutyBegun, DutyEnded)

    person = text(_("staff number"))
    held = text(_("office held"))
    begins = truth(_("went on duty"))
    tables = listed(_("tables"))

    class Meta:
        db_table = "casino_duty"
        verbose_name = _("duty")
        verbose_name_plural = _("duties")
        indexes = (models.Index(fields=["person", "occurred_at"], name="duty_person"),)

    def __str__(self) -> str:
        return f"{self.person} {self.held}"

    @classmethod
    def rows_of(cls, event: DutyBegun | DutyEnded, entry: EntryView) -> Iterator[dict[str, object]]:
        """On duty, or off it."""
        begins = isinstance(event, DutyBegun)
        tables = list(event.tables) if isinstance(event, DutyBegun) else []
        yield {"person": event.staff, "held": event.office, "begins": begins, "tables": tables}


# What is asked for where it is no office.
LOGIN_RESET: Final = "login_reset"
FIGURES: Final = "figures_set"


class StaffRequest(Projection):
    """Something that waits for a second person of the direction; `change` says what.

    Figures of a rulebook are about nobody: `person` is '', and `reference` their source.
    """

    events = (OfficeAsked, LoginResetAsked, FiguresAsked)

    person = text(_("staff number"))
    change = text(_("what is asked for"))
    held = text(_("office held"))
    valid_until = maybe_moment(_("until"))
    reference = text(_("reference"))

    class Meta:
        db_table = "casino_staff_request"
        verbose_name = _("request that two decide")
        verbose_name_plural = _("requests that two decide")
        indexes = (models.Index(fields=["person", "n"], name="staff_request_person"),)

    def __str__(self) -> str:
        return f"{self.person} {self.change} {self.held}".strip()

    @property
    def about(self) -> str:
        """Whom it is about, or the source of the figures."""
        return self.person or self.reference

    @classmethod
    def rows_of(
        cls, event: OfficeAsked | LoginResetAsked | FiguresAsked, entry: EntryView
    ) -> Iterator[dict[str, object]]:
        """One request about one person, or about figures."""
        own: dict[str, object] = {"held": "", "valid_until": None}
        if isinstance(event, FiguresAsked):
            own |= {"person": "", "change": FIGURES, "reference": event.source}
        elif isinstance(event, LoginResetAsked):
            own |= {"person": event.staff, "change": LOGIN_RESET}
        else:
            own = {"person": event.staff, "held": event.office}
        yield same(event, cls) | own


class StaffRequestDecision(Projection):
    """What was decided on one of them, by its number in the house's stream."""

    events = (RequestDecided,)

    asked_n = whole(_("entry of the request"))
    decision = text(_("decision"))
    reason = text(_("reason"))

    class Meta:
        db_table = "casino_staff_request_decision"
        verbose_name = _("request decided")
        verbose_name_plural = _("requests decided")
        indexes = (models.Index(fields=["asked_n"], name="staff_request_decided"),)

    def __str__(self) -> str:
        return f"{self.asked_n} {self.decision}"

    @classmethod
    def rows_of(cls, event: RequestDecided, entry: EntryView) -> Iterator[dict[str, object]]:
        """One decision."""
        yield same(event, cls) | {"asked_n": event.asked.n}
