"""The pools of the house, for those who look after them; and where an entry of one leads on to."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from casino.models import BookEntry
from casino.web.display.money_and_time import money
from casino.web.entries.entry_page import Leading
from jackpot.events import JackpotPaid, JackpotWon, TermsApproved, TermsConfirmed
from jackpot.models import JackpotPayment, JackpotTerms, JackpotWin
from jackpot.pages.jackpot_access import for_staff, only, reads_pools, reads_terms
from jackpot.pages.meter_words import STATES
from jackpot.pages.shown import Shown, pools, shown

_STREAM = "jackpot/"


@for_staff
@require_safe
def pools_page(request: HttpRequest) -> HttpResponse:
    """Every pool with its value, and the ways to its curve, terms and display."""
    only(reads_terms(request))
    found = [one for one in map(shown, pools()) if one is not None]
    known = {one.jackpot for one in found}
    drafts = JackpotTerms.objects.exclude(jackpot__in=known).order_by("jackpot")
    context = {
        **admin.site.each_context(request),
        "title": _("Jackpots"),
        "pools": [_row(one) for one in found],
        "drafts": list(drafts.values_list("jackpot", flat=True).distinct()),
        "curves": reads_pools(request),
    }
    return render(request, "jackpot/pools.html", context)


def _row(shown: Shown) -> dict[str, object]:
    return {
        "code": shown.jackpot,
        "value": "" if shown.state == "waiting" else money(shown.cents),
        "state": STATES[shown.state],
        "running": shown.state == "running",
        "pending": money(shown.pending_cents) if shown.pending_cents else "",
        "passed": money(shown.limit_cents or 0) if _beyond_limit(shown) else "",
        "stake": "" if shown.stake_cents is None else money(shown.stake_cents),
        "start": "" if shown.start_cents is None else money(shown.start_cents),
    }


def _beyond_limit(shown: Shown) -> bool:
    """Whether the meter runs above the limit its terms set. Law: PT art. 40."""
    return (
        shown.limit_cents is not None
        and shown.state == "running"
        and shown.cents > shown.limit_cents
    )


def sheet_way(request: HttpRequest, entry: BookEntry) -> Leading | None:
    """From a win, or one of its payments, to the sheet; whoever reads the entry may read it."""
    if entry.kind == JackpotWon.kind:
        hit = entry.pk
    elif entry.kind == JackpotPaid.kind:
        paid = JackpotPayment.objects.filter(pk=entry.pk).first()
        won = paid and JackpotWin.objects.filter(jackpot=paid.jackpot, n=paid.hit_n).first()
        if not won:
            return None
        hit = won.pk
    else:
        return None
    url = reverse("jackpot-payout", args=[hit])
    return Leading(gettext_lazy("Payout sheet"), url, "receipt")


def terms_way(request: HttpRequest, entry: BookEntry) -> Leading | None:
    """From terms to what they come to."""
    if entry.kind not in (TermsApproved.kind, TermsConfirmed.kind) or not reads_terms(request):
        return None
    url = reverse("jackpot-terms", args=[entry.stream.name.removeprefix(_STREAM)])
    if entry.kind == TermsApproved.kind:
        url = f"{url}?version={entry.n}"
    return Leading(gettext_lazy("Terms and chances"), url, "law")


def curve_way(request: HttpRequest, entry: BookEntry) -> Leading | None:
    """From whatever stands in a pool's stream to how the pool went."""
    if not entry.stream.name.startswith(_STREAM) or not reads_pools(request):
        return None
    url = reverse("jackpot-curve", args=[entry.stream.name.removeprefix(_STREAM)])
    return Leading(gettext_lazy("Value over time"), url, "panel")
