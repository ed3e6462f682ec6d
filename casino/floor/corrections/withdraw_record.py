"""S14: something was recorded that never happened. It is withdrawn by two persons, and stays to be
read, struck out.

Whoever may record such a thing asks for it; what falls with it is named, and what stands in the
way. A second person says the word here: at this tablet with his code, at his own as who he is, or
from the admin, whenever he is near.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters

from casino import clock, holding
from casino.access import access_policy
from casino.events import Malformed
from casino.events.corrections import Corrected, Decision, WithdrawalAsked
from casino.events.event import RECONCILER
from casino.events.event_policy import FLOOR
from casino.events.phrases import said
from casino.floor import form_state
from casino.floor.floor_access import DOOR, floor_page
from casino.floor.floor_page import shown
from casino.floor.game_pages import check_table, table_url
from casino.floor.record_words import record_word
from casino.floor.recording_views import Act, record_form_view
from casino.floor.shuffler.witness_handover import likely_witnesses
from casino.floor.table_links import page_of
from casino.models import BookEntry, Supersession
from casino.recording import Actor, Refused
from casino.recording.withdrawing import resting_on
from casino.web.display.cells import titled
from casino.web.entries.entry_page import UNREADABLE, author_of, event_and_author
from casino.web.entries.entry_standing import Link, Standings
from casino.web.forms.people_choices import BEFORE, number_of, people_of, picked_in
from casino.web.forms.record_form import refusal_text
from casino.web.forms.shield import is_too_soon
from casino.web.second_person.withdrawal_page import (
    Waiting,
    WithdrawalForm,
    asked_events,
    named,
    waiting_of,
    why_not_withdraw,
)
from casino.web.second_person.witness_page import BY, LOOK, WitnessForm, why_no_office
from casino.web.words import field_words
from casino.web.words.withdrawn_words import withdrawn_words
from casino.witnessing import second_person

TEMPLATE: Final = "sala/withdraw.html"
WORD: Final = "word"
# On the floor a word is one tap; the admin offers every reason.
_REASONS: Final[dict[Decision, str]] = {"approved": "checked", "refused": "original-was-right"}


class WordForm(WitnessForm):
    """The second person's word, with his number and his code where the tablet is another's."""

    word = forms.ChoiceField(
        choices=[("approved", ""), ("refused", "")],
        error_messages={"required": _("Press one of the buttons.")},
    )
    key = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, himself: bool = False) -> None:
        super().__init__(data)
        del self.fields["token"]
        if himself:
            del self.fields["staff"], self.fields["secret"]


@sensitive_post_parameters("secret")
@floor_page(FLOOR)
def withdraw_view(request: HttpRequest, entry_id: UUID) -> HttpResponse:
    """Ask for it; or, where it was asked for, the second person's word; or what became of it."""
    entry = _entry(request, entry_id)
    place = entry.stream.name, entry.n
    standings = Standings([place])
    asked = [link for link in standings.corrections(*place) if link.withdraws]
    waiting = next((link for link in asked if link.decision is None), None)
    around = _around(entry)
    if waiting is not None:
        return _second(request, entry, waiting, around)
    standing = standings.of(*place)
    if standing not in ("holds", "approved"):
        last = asked[-1] if standing == "withdrawn" else None
        context = around | {"done": withdrawn_words(last, entry.recorded_at) if last else ""}
        return shown(request, TEMPLATE, context | {"over": True})
    return _ask(request, entry, around)


def _ask(request: HttpRequest, entry: BookEntry, around: dict[str, Any]) -> HttpResponse:
    resting = resting_on(entry)
    why_not = why_not_withdraw(request, entry, resting)
    context = around | {
        "why_not": why_not,
        "elsewhere": page_of(entry) if why_not else None,
        "falls": [named(one) for one in resting.falls],
        "in_the_way": [(named(one), _way_of(one)) for one in resting.in_the_way],
    }
    if why_not or resting.in_the_way:
        return shown(request, TEMPLATE, context)
    return record_form_view(
        request,
        screen="withdraw",
        acts=lambda data: _asked(entry, data),
        form=WithdrawalForm(request.POST or None),
        template=TEMPLATE,
        context=context,
        done=reverse("sala:withdraw", args=[entry.pk]),
        tables=(entry.table_code,) if entry.stream.name.startswith("table/") else (),
    )


def _asked(entry: BookEntry, data: Mapping[str, Any]) -> list[Act]:
    events: list[WithdrawalAsked] = asked_events(entry, data["reason"], resting_on(entry))
    return [Act(event) for event in events]


def _way_of(entry: BookEntry) -> str:
    """Where that one is withdrawn itself; '' where it has no page here."""
    return reverse("sala:withdraw", args=[entry.pk]) if entry.table_code else ""


def _second(
    request: HttpRequest, entry: BookEntry, link: Link, around: dict[str, Any]
) -> HttpResponse:
    """The second person's word: of whoever is logged in, or of somebody beside him."""
    asked = Supersession.objects.get(pk=link.entry_id)
    waiting = waiting_of(asked)
    me = access_policy.actor(request, Corrected.kind)
    himself = me is not None and waiting.why_not(me.staff) is None
    sent = WORD in request.POST or LOOK in request.POST
    form = WordForm(request.POST if sent else None, himself=himself)
    soon = is_too_soon(request.POST)
    errors = [] if soon else [(name, str(one)) for name, of in form.errors.items() for one in of]
    if request.method == "POST" and not sent:
        return _again(entry)  # what was asked twice waits already
    likely = likely_witnesses(entry)
    typed = number_of(picked_in(form.data, "staff")) if form.is_bound else ""
    number = typed or number_of(request.GET.get(BY) or next(iter(likely), ""))
    why_not = "" if himself else _why_not(waiting, number)
    if LOOK in request.POST and request.POST.get(f"staff{BEFORE}") != number:
        errors = []
    elif why_not and form.is_bound:
        errors = [("staff", why_not)]
    elif not soon and form.is_valid():
        try:
            by = me if himself and me is not None else _proved(request, asked, form)
            _decide(waiting, form.cleaned_data, replace(by, door=DOOR))
        except (Refused, Malformed) as error:
            errors = [("" if himself else "secret", refusal_text(error))]
        else:
            return _again(entry)
    context = around | {
        "waiting": withdrawn_words(link, entry.recorded_at),
        "together": [named(one) for one in waiting.entries[1:]],
        "himself": himself,
        "own_why": _own_why(waiting, me),
        "word_form": form,
        "errors": errors,
        "number": number,
        "unnamed": not number,
        "why_not": why_not,
        "who": people_of(request).said(number),
        "key": form_state.fresh(request).key,
    }
    return shown(request, TEMPLATE, context)


def _why_not(waiting: Waiting, number: str) -> str:
    """Why whoever has that number is no second person for it, whatever his code; '' where he is."""
    why = waiting.why_not(number) if number else None
    if why is not None:
        return str(capfirst(said(why, gettext)))
    return why_no_office(number, Corrected.kind) if number else ""


def _again(entry: BookEntry) -> HttpResponse:
    """Go on with a GET, so that a reload records nothing."""
    response = HttpResponseRedirect(reverse("sala:withdraw", args=[entry.pk]))
    response.status_code = 303
    return response


def _own_why(waiting: Waiting, me: Actor | None) -> str:
    """Why he who is logged in, though of that office, does not decide on it."""
    why = waiting.why_not(me.staff) if me is not None else None
    return "" if why is None else said(why, gettext)


def _proved(request: HttpRequest, supersession: Supersession, word_form: WordForm) -> Actor:
    """Raises: WitnessRefused."""
    pending = BookEntry.objects.select_related("stream").get(pk=supersession.pk)
    data = word_form.cleaned_data
    mine = request.user.get_username()
    return second_person(pending, data["staff"], data["secret"], asked_by=mine, door=DOOR)


def _decide(waiting: Waiting, data: Mapping[str, Any], by: Actor) -> None:
    decision: Decision = "approved" if data[WORD] == "approved" else "refused"
    waiting.decide(decision, _REASONS[decision], by, key=data["key"], at=clock.now())


def _entry(request: HttpRequest, entry_id: UUID) -> BookEntry:
    """An entry of a table he may read; of a withdrawal, what it withdraws.

    Raises: Http404, PermissionDenied.
    """
    rows = BookEntry.objects.select_related("stream")
    asked = Supersession.objects.filter(pk=entry_id, kind=WithdrawalAsked.kind).first()
    if asked is not None:
        entry = rows.filter(stream__name=asked.stream, n=asked.original_n).first()
    else:
        entry = rows.filter(pk=entry_id).first()
    if entry is None or not entry.table_code or entry.stream.name == RECONCILER:
        raise Http404  # what the auditor wrote is withdrawn in the admin
    if not access_policy.his_table_for(request, entry):
        if not access_policy.may_read_entry(
            request, entry.kind, entry.partida_id, author_of(entry)
        ):
            raise PermissionDenied
        check_table(request, entry.table_code)
    holding.settle([entry.table_code])  # what rests on it is asked of the book
    try:
        event_and_author(entry)
    except UNREADABLE as error:
        raise Http404 from error
    return entry


def _said_above() -> set[str]:
    return {titled(field_words.label(name)) for name in ("table", "partida")}


def _around(entry: BookEntry) -> dict[str, object]:
    record = named(entry)
    return {
        "table": entry.table_code,
        "entry": entry,
        "record": record,
        "what": record_word(event_and_author(entry)[0]),
        # Table and game stand above, in the name of the table.
        "values": [one for one in record.values if one.label not in _said_above()],
        "table_url": table_url(entry.table_code),
    }
