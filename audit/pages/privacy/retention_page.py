"""How long personal data is kept, what falls due, what holds it back, what is proposed."""

from collections import Counter
from typing import Final

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from audit.models import ErasureProposal
from audit.pages.privacy.erasure_page import state_of
from audit.pages.privacy.privacy_words import (
    ELSEWHERE,
    FROM,
    PERIODS,
    kept_for,
    kept_words,
    source_of,
)
from audit.retention.held_values import due, suspensions
from audit.retention.retention_periods import elsewhere, periods
from audit.retention_events import ErasureProposed, ErasureSuspended
from casino.access import access_policy
from casino.web.display.money_and_time import moment
from casino.web.entries.entry_page import url_of
from casino.web.entries.timeline_links import linked

LISTED: Final = 50  # proposals on the page; the admin's list has them all


def reads_retention(request: HttpRequest) -> bool:
    """Whether he may see what falls due, and who looked at what."""
    return access_policy.reads(request, ErasureProposed.kind) == "all"


@require_safe
def retention_page(request: HttpRequest) -> HttpResponse:
    """Counts and words; no value is shown."""
    if not reads_retention(request):
        raise PermissionDenied
    now_due = due()
    free = Counter(value.period.name for value in now_due.free)
    held = Counter(value.period.name for value, _kept in now_due.held)
    back = Counter(kept_words(kept) for _value, kept in now_due.held)
    proposals = ErasureProposal.objects.order_by("-n")[:LISTED]
    return TemplateResponse(
        request,
        "audit/retention.html",
        {
            **admin.site.each_context(request),
            "title": _("Retention of data"),
            "periods": [
                {
                    "what": PERIODS[one.name][0],
                    "purpose": PERIODS[one.name][1],
                    "kept_for": kept_for(one),
                    "from": FROM[one.counted_from] if one.years else "–",
                    "source": source_of(one),
                    "due": free[one.name],
                    "held": held[one.name],
                }
                for one in periods()
            ],
            "elsewhere": [
                (*ELSEWHERE[one.name], one.days, source_of(one) if one.cite else "")
                for one in elsewhere()
            ],
            "held_back": back.most_common(),
            "proposals": [
                {
                    "url": reverse("erasure", args=[one.pk]),
                    "at": moment(one.recorded_at),
                    "by": linked("person", one.staff),
                    "values": len(one.values),
                    "request": one.request,
                    "state": state_of(one),
                }
                for one in proposals
            ],
            "suspensions": [
                (one, url_of(ErasureSuspended.kind, one.pk), linked("person", one.staff))
                for one in suspensions()
            ],
            "may_suspend": access_policy.actor(request, ErasureSuspended.kind) is not None,
        },
    )
