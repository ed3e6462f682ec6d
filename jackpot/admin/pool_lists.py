"""Pools in the admin: terms and their second person, starts, wins, payments, adjustments, seals.

Nothing here is corrected: a wrong version of the terms is followed by another, a wrong amount by an
adjustment with a second person's word, a win that was none is withdrawn.
"""

from contextlib import suppress
from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.access import access_policy
from casino.admin.search.sought_words import REGISTERS
from casino.admin.shuffler_records import WitnessedAdmin
from casino.events.event import EntryRef, Event
from casino.models import BookEntry
from casino.queries import load_entry
from casino.recording import Actor
from casino.web.display.cells import IN_PARTIDA, cell
from casino.web.display.list_filters import DayFilter, StaffFilter
from casino.web.display.status_marks import mark
from casino.web.entries.entry_page import Leading, author_of
from casino.web.words.field_words import label
from jackpot.admin.pool_forms import ChangingForms, ConfirmingForms, PoolForms
from jackpot.events import (
    JackpotAdjusted,
    JackpotPaid,
    JackpotRead,
    JackpotSealed,
    JackpotStarted,
    JackpotWon,
    TermsApproved,
    TermsConfirmed,
)
from jackpot.models import (
    JackpotAdjustment,
    JackpotPayment,
    JackpotReading,
    JackpotSeal,
    JackpotStart,
    JackpotTerms,
    JackpotTermsConfirmation,
    JackpotWin,
)
from jackpot.progressive.payout import Payout
from jackpot.queries import payout_of, terms_at
from jackpot.queries.owed_prizes import Short, given_cents, payments_to

REGISTERS["jackpot"] = JackpotTerms
_WITHDRAWN = {"reason": "win_withdrawn", "microcents": 0}
_FOLLOWS = ("confirms", "hit")  # fields that name an entry, by which a form is begun


class PoolAdmin(PoolForms):
    """A projection of pools."""

    section = "jackpot"
    change_list_template = "jackpot/projection.html"
    found_by: ClassVar[tuple[str, ...]] = ("jackpot",)

    def get_list_display(self, request: HttpRequest) -> Any:
        """Without its standing: nothing here is corrected."""
        return ("occurred", *self.cells, "by_whom")

    def suggested(self, request: HttpRequest, kind: type[Event], by: Actor) -> dict[str, object]:
        """What follows from the entry the address names."""
        return super().suggested(request, kind, by) | _following(request, kind)


class HousePoolAdmin(PoolAdmin):
    """Of these, a projection of no table."""

    list_filter: ClassVar[Any] = (DayFilter, StaffFilter)


def _following(request: HttpRequest, kind: type[Event]) -> dict[str, object]:
    """The entry a record follows, its pool, and of a win its partida and what the book knows."""
    for name in _FOLLOWS:
        with suppress(ValueError):
            recorded = load_entry(UUID(request.GET.get(name, "")))
            if recorded is None or not isinstance(recorded.event, TermsApproved | JackpotWon):
                continue
            ref = EntryRef(stream=recorded.stream, n=recorded.n, leaf=recorded.leaf)
            found: dict[str, object] = {name: ref, "jackpot": recorded.event.jackpot}
            if isinstance(recorded.event, JackpotWon):
                found |= {"table": recorded.event.table, "partida": recorded.event.partida}
                found |= _next_payment(recorded.event, recorded.n) if kind is JackpotPaid else {}
                found |= (
                    _next_start(recorded.event, recorded.occurred_at)
                    if kind is JackpotStarted
                    else {}
                )
                found |= _WITHDRAWN if kind is JackpotAdjusted else {}
            known = set(kind.__dataclass_fields__)
            return {field: value for field, value in found.items() if field in known}
    return {}


def _next_payment(win: JackpotWon, n: int) -> dict[str, object]:
    """The first of the round's payments that is not in the book, or not all of it. Art. 50."""
    due = _next_due(win.jackpot, n, payout_of(win.jackpot, n))
    if due is None:
        return {}
    winner = due.step.winner
    return {
        "owner": winner.owner,
        "box": winner.box,
        "code": winner.code,
        "paid_cents": due.missing_cents,
        "step": due.step.order,
    }


def _next_due(jackpot: str, n: int, came_to: Payout | None) -> Short | None:
    """The first of a win's prizes something is still to be paid of."""
    made = payments_to(jackpot, n)
    for step in () if came_to is None else came_to.steps:
        rows = made.get(step.winner.name, [])
        given = given_cents(rows)
        if not rows or given < step.paid_cents:
            return Short(step, given)
    return None


def _next_start(win: JackpotWon, at: Any) -> dict[str, Any]:
    """A meter that was emptied starts with what the terms say. Art. 44."""
    version = terms_at(win.jackpot, at)
    start = {} if version is None else {"start_cents": version.terms.start_cents}
    return {"reason": "after_full_payout", **start}


@admin.register(JackpotTerms)
class JackpotTermsAdmin(HousePoolAdmin):
    """Approved terms, each waiting for a second person's word."""

    place = 30
    kinds = (TermsApproved,)
    cells = (
        *(cell("jackpot"), cell("terms"), cell("valid_from"), cell("stake_cents")),
        *(cell("rate_millionths"), cell("start_cents"), cell("marking"), "confirmed"),
    )
    found_by = ("jackpot", "terms")
    found_as = "jackpot"
    first = ("option_reference", "communicated_on", "approval_reference", "approved_on",
             "conditions", "proposal", "proposed_on")  # fmt: skip

    @admin.display(description=_("confirmed by"))
    def confirmed(self, jackpot_terms: JackpotTerms) -> str:
        """Who confirmed them."""
        return _confirmed_by(jackpot_terms.jackpot, jackpot_terms.n) or str(_("nobody yet"))

    def entry_view(self, request: HttpRequest, entry_id: UUID) -> HttpResponse:
        """The terms with how they stand to their second person."""
        answer = super().entry_view(request, entry_id)
        if isinstance(answer, TemplateResponse) and "standing" in (answer.context_data or {}):
            assert answer.context_data is not None
            answer.context_data["standing"] = self.stands(answer.context_data["entry"])
        return answer

    def stands(self, entry: BookEntry) -> SafeString:
        """Whether somebody confirmed them, and whether they are the ones in force."""
        jackpot = _pool_of(entry)
        staff = _confirmed_by(jackpot, entry.n)
        if not staff:
            return mark("warning", gettext("to be confirmed"))
        held = terms_at(jackpot, clock.now())
        if held is not None and held.entry == entry.n:
            return mark("kept", gettext("in force, confirmed by %(staff)s") % {"staff": staff})
        return mark("idle", gettext("confirmed by %(staff)s") % {"staff": staff})

    def leading(self, request: HttpRequest, entry: BookEntry) -> list[Leading]:
        """To the confirmation, for whoever may give it."""
        by = access_policy.actor(request, TermsConfirmed.kind)
        if by is None or by.staff == author_of(entry) or _confirmed_by(_pool_of(entry), entry.n):
            return []
        url = f"{reverse('admin:jackpot_jackpottermsconfirmation_add')}?confirms={entry.pk}"
        return [Leading(_("Confirm"), url, "kept")]


@admin.register(JackpotTermsConfirmation)
class JackpotTermsConfirmationAdmin(HousePoolAdmin, ConfirmingForms):
    """Second persons' words on terms."""

    place = 31
    kinds = (TermsConfirmed,)
    cells = (cell("jackpot"), cell("terms_n", _("entry of the terms")))


@admin.register(JackpotStart)
class JackpotStartAdmin(HousePoolAdmin):
    """Starting values put in."""

    place = 40
    kinds = (JackpotStarted,)
    cells = (cell("jackpot"), cell("start_cents"), cell("reason"))


@admin.register(JackpotWin)
class JackpotWinAdmin(PoolAdmin):
    """Rounds that won, and the way to their payment."""

    place = 50
    kinds = (JackpotWon,)
    cells = (
        cell("jackpot"),
        IN_PARTIDA,
        cell("codes", _("combinations")),
        cell("winners"),
        cell("running_microcents"),
    )

    def leading(self, request: HttpRequest, entry: BookEntry) -> list[Leading]:
        """On from a win that stands: to what is left to be paid, a new start, its withdrawal."""
        does = {
            kind: access_policy.actor(request, kind.kind) is not None
            for kind in (JackpotPaid, JackpotStarted, JackpotAdjusted)
        }
        jackpot, named = _pool_of(entry), f"?hit={entry.pk}"
        withdrawn = JackpotAdjustment.objects.filter(jackpot=jackpot, hit_n=entry.n)
        if not any(does.values()) or withdrawn.exists():
            return []
        came_to, ways = payout_of(jackpot, entry.n), []
        due = _next_due(jackpot, entry.n, came_to)
        if does[JackpotPaid] and (came_to is None or due is not None):
            url = reverse("admin:jackpot_jackpotpayment_add") + named
            rest = due is not None and due.given_cents > 0
            words = _("Pay what is missing") if rest else _("Pay the next winner")
            ways.append(Leading(words, url, "kept"))
        emptied = came_to is not None and came_to.full
        started = JackpotStart.objects.filter(jackpot=jackpot, n__gt=entry.n)
        if does[JackpotStarted] and emptied and not started.exists():
            url = reverse("admin:jackpot_jackpotstart_add") + named
            ways.append(Leading(_("Start the meter again"), url, "add"))
        if does[JackpotAdjusted]:
            url = reverse("admin:jackpot_jackpotadjustment_add") + named
            ways.append(Leading(_("Withdraw this win"), url, "warning"))
        return ways


@admin.register(JackpotPayment)
class JackpotPaymentAdmin(PoolAdmin, WitnessedAdmin):
    """Winners paid, each before a second person."""

    place = 60
    kinds = (JackpotPaid,)
    cells = (
        cell("jackpot"),
        IN_PARTIDA,
        cell("owner"),
        cell("box"),
        cell("code"),
        cell("paid_cents"),
        cell("means"),
    )
    found_by = ("jackpot", "owner", "document")


@admin.register(JackpotAdjustment)
class JackpotAdjustmentAdmin(HousePoolAdmin, ChangingForms, WitnessedAdmin):
    """Meters corrected and wins withdrawn, each with a second person's word."""

    place = 70
    kinds = (JackpotAdjusted,)
    cells = (cell("jackpot"), cell("microcents"), cell("reason"), cell("reference"))


@admin.register(JackpotSeal)
class JackpotSealAdmin(HousePoolAdmin):
    """What meters were: told by a job."""

    place = 80
    kinds = (JackpotSealed,)
    recordable = False
    cells = (
        cell("jackpot"),
        cell("microcents"),
        cell("contributed_microcents"),
        cell("paid_cents"),
    )


@admin.register(JackpotReading)
class JackpotReadingAdmin(PoolAdmin):
    """Displays read."""

    place = 90
    kinds = (JackpotRead,)
    cells = (
        cell("jackpot"),
        cell("table_code", _("table")),
        cell("display_cents", label("display_cents", JackpotRead.kind)),
    )

    def suggested(self, request: HttpRequest, kind: type[Event], by: Actor) -> dict[str, object]:
        """Of which pool the address says, where there is one by that name."""
        found = super().suggested(request, kind, by)
        named = JackpotTerms.objects.filter(
            jackpot=request.GET.get("jackpot", "").replace("\0", "")
        )
        jackpot = named.values_list("jackpot", flat=True).first()
        return found if jackpot is None else found | {"jackpot": jackpot}


def _pool_of(entry: BookEntry) -> str:
    """The pool in whose stream an entry stands."""
    return str(entry.stream.name).removeprefix("jackpot/")


def _confirmed_by(jackpot: str, n: int) -> str:
    """Who confirmed the terms recorded there; '' for nobody."""
    found = JackpotTermsConfirmation.objects.filter(jackpot=jackpot, terms_n=n)
    return found.values_list("staff", flat=True).first() or ""
