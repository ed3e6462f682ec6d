"""Erasures proposed and decided on, suspensions, requests of data subjects, as lists and forms."""

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from audit.models import ErasureDecision, ErasureProposal, ErasureSuspension, SubjectRequest
from audit.retention_events import ErasureDecided, ErasureProposed, SubjectRequested
from casino.access import access_policy
from casino.admin.seal_records import SealAdmin
from casino.models import BookEntry
from casino.recording import Receipt
from casino.web.display.cells import cell
from casino.web.entries.entry_page import Leading


@admin.register(ErasureProposal)
class ErasureProposalAdmin(SealAdmin):
    """What is to be erased; proposed by the nightly job, or from a request's page."""

    section = ""  # the page of retention leads to them
    kinds = (ErasureProposed,)
    cells = (cell("basis"), cell("request", _("request")))
    found_by = ("request",)

    def leading(self, request: HttpRequest, entry: BookEntry) -> list[Leading]:
        """To its page."""
        return [Leading(_("The proposal"), reverse("erasure", args=[entry.pk]), "entry")]


@admin.register(ErasureDecision)
class ErasureDecisionAdmin(SealAdmin):
    """Who agreed, who refused; said on the proposal's page."""

    section = ""
    kinds = (ErasureDecided,)
    cells = (cell("proposed_n", _("proposal")), cell("decision"))


@admin.register(ErasureSuspension)
class ErasureSuspensionAdmin(SealAdmin):
    """Suspensions of erasure, and that they were lifted."""

    section = ""
    recordable = True
    kinds = ErasureSuspension.events
    cells = (
        cell("suspension", _("suspension")),
        cell("lifts", _("lifted")),
        cell("ordered_by"),
        cell("reference"),
    )
    found_by = ("suspension",)


@admin.register(SubjectRequest)
class SubjectRequestAdmin(SealAdmin):
    """Requests of data subjects. Each leads to what is held of the person."""

    section, place = "people", 90
    recordable = True
    kinds = (SubjectRequested,)
    cells = (
        cell("request", _("request")),
        cell("asks"),
        cell("about"),
        cell("received_on", _("received on")),
    )
    found_by = ("request",)

    def after(self, receipt: Receipt) -> str | None:
        """To what is held of him."""
        return reverse("subject", args=[receipt.entry_id])

    def leading(self, request: HttpRequest, entry: BookEntry) -> list[Leading]:
        """The same, for whoever may search."""
        if access_policy.actor(request, SubjectRequested.kind) is None:
            return []
        return [Leading(_("What is held"), reverse("subject", args=[entry.pk]), "search")]
