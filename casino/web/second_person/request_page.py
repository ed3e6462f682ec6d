"""What one of the direction asked for of an office, a log-in or figures, before the other who
decides.

Of a log-in that is approved a code is shown, once, to whoever saw the person.
"""

from typing import Final
from uuid import uuid4, uuid5

from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.access import access_policy
from casino.events import Malformed
from casino.events.event import Event
from casino.events.phrases import said
from casino.events.requests import FiguresAsked, FiguresSet, RequestDecided
from casino.events.staff import OfficeEnded, OfficeGranted
from casino.importing.law_in_use import Kept, keep
from casino.law.rulebook.figure_sets import set_of
from casino.models import Account, BookEntry, StaffRequest
from casino.models.people import FIGURES, LOGIN_RESET
from casino.recording import Actor, Refused, Submission, record_many
from casino.recording.office_rules import decision_on, why_not_decide
from casino.security_log import note
from casino.web.entries.entry_files import files_of
from casino.web.entries.entry_page import event_and_author, page_name, url_of, values_of
from casino.web.forms.record_form import announce, onwards, refusal_text
from casino.web.forms.shield import is_too_soon, was_read
from casino.web.login.factor_page import ask_again
from casino.web.second_person.withdrawal_page import ref_of
from casino.web.words import field_words
from casino.web.words.field_words import DECISION_REASONS
from casino.witnessing import new_reset

REASONS: Final = ("checked", "confirmed-by-person", "not-proved", "other")


class RequestForm(forms.Form):
    """Approve or refuse, with a coded reason. Sent twice under its key it is one decision."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    decision = forms.ChoiceField(choices=[("approved", ""), ("refused", "")])
    reason = forms.ChoiceField(
        label=_("Reason"),
        choices=[("", ""), *((code, capfirst(DECISION_REASONS[code])) for code in REASONS)],
    )


def request_view(
    request: HttpRequest, staff_request: StaffRequest, context: dict[str, object]
) -> HttpResponse:
    """The page, and on POST the decision of whoever may decide."""
    entry = BookEntry.objects.select_related("stream").get(pk=staff_request.pk)
    by = access_policy.actor(request, RequestDecided.kind)
    form = RequestForm(initial={"key": uuid4()})
    if request.method == "POST" and by is not None:
        if (before := ask_again(request)) is not None:
            return before
        form = RequestForm(request.POST)
        if was_read(form, request.POST):
            page = reverse("admin:casino_staffrequest_change", args=[staff_request.pk])
            if BookEntry.objects.filter(key=form.cleaned_data["key"]).exists():
                return onwards(page)
            try:
                with transaction.atomic():
                    receipts = record_many(_decided(staff_request, entry, by, form))
                    code = _code(staff_request, form.cleaned_data["decision"])
            except (Refused, Malformed) as error:
                form.add_error(None, refusal_text(error))
            else:
                announce(request, receipts[-1])
                keep(Kept())  # this process sees at once what was set
                if not code:
                    return onwards(page)
                note("login-renewal-approved", request, by.staff, of=staff_request.person)
                context |= {"code": code, "asked": staff_request, "page": page}
                return TemplateResponse(request, "admin/casino/login_code.html", context)
    decided = decision_on(staff_request)
    why_not = None if by is None else why_not_decide(staff_request, by.staff, by.office)
    event, author = event_and_author(entry)
    context |= {
        "asked": staff_request,
        "asker": author,
        "entry": entry,
        "leaf": bytes(entry.leaf_hash).hex(),
        "entry_url": reverse("admin:casino_bookentry_change", args=[entry.pk]),
        "values": values_of(event, {}),
        "files": files_of(entry, page_name(entry.kind), seen=True),
        "form": form,
        "too_soon": is_too_soon(request.POST),
        "decided": decided,
        "decided_url": url_of(RequestDecided.kind, decided.pk) if decided else "",
        "decision": field_words.word(decided.decision) if decided else "",
        "decision_reason": field_words.word(decided.reason) if decided else "",
        "why_not": "" if why_not is None else capfirst(said(why_not, gettext)),
        "may_decide": by is not None and decided is None and why_not is None,
    }
    return TemplateResponse(request, "admin/casino/request.html", context)


def _code(staff_request: StaffRequest, decision: str) -> str:
    """The code of a log-in that is to be made anew, shown once; '' where nothing is."""
    if decision != "approved" or staff_request.change != LOGIN_RESET:
        return ""
    account, made = Account.objects.get_or_create(staff=staff_request.person)
    if made:
        account.set_unusable_password()
        account.save(update_fields=["password"])
    return new_reset(account, staff_request.n, settings.HOUSE_LOGIN_RESET)


def _decided(
    staff_request: StaffRequest, entry: BookEntry, by: Actor, request_form: RequestForm
) -> list[Submission]:
    """The decision, and what was asked for where it is approved: from that moment on."""
    data = request_form.cleaned_data
    key, at = data["key"], clock.now()
    decided = RequestDecided(asked=ref_of(entry), decision=data["decision"], reason=data["reason"])
    events: list[Event] = [decided]
    if decided.decision == "approved":
        if staff_request.change == FIGURES:
            events.append(_figures_set(entry, decided))
        elif staff_request.change == "office_given":
            events.append(
                OfficeGranted(
                    staff=staff_request.person,
                    office=staff_request.held,  # type: ignore[arg-type]  # as its event says
                    valid_from=at,
                    valid_until=staff_request.valid_until,
                    granted_by=by.staff,
                    reference=staff_request.reference or None,
                )
            )
        elif staff_request.change == "office_ended":
            events.append(
                OfficeEnded(
                    staff=staff_request.person,
                    office=staff_request.held,  # type: ignore[arg-type]
                    ended_at=at,
                    ended_by=by.staff,
                )
            )
    keys = (key, uuid5(key, "done"))
    return [Submission(event, of, by, at) for event, of in zip(events, keys, strict=False)]


def _figures_set(entry: BookEntry, decided: RequestDecided) -> FiguresSet:
    """What was asked for, word for word."""
    event, _author = event_and_author(entry)
    assert isinstance(event, FiguresAsked)
    return set_of(event, decided.asked)
