"""What was asked for of a person's office or log-in, and what another decided. `person` is whom
it is about.
"""

from collections.abc import Iterator
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from casino.events.requests import LoginResetAsked, OfficeAsked, RequestDecided
from casino.models.projection import EntryView, Projection, same
from casino.models.projection_columns import maybe_moment, text, whole

LOGIN_RESET: Final = "login_reset"  # what is asked for where it is no office


class StaffRequest(Projection):
    """Something that waits for a second person of the direction; `change` says what."""

    events = (OfficeAsked, LoginResetAsked)

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

    @classmethod
    def rows_of(
        cls, event: OfficeAsked | LoginResetAsked, entry: EntryView
    ) -> Iterator[dict[str, object]]:
        """One request about one person."""
        own: dict[str, object] = {"change": LOGIN_RESET, "held": "", "valid_until": None}
        if isinstance(event, OfficeAsked):
            own = {"held": event.office}
        yield same(event, cls) | {"person": event.staff} | own


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
