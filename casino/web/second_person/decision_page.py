"""A correction or a withdrawal before its second person, approved or refused.

The original and the correction stand side by side, or what would be struck out. The decision is a
record of its own; the original stays what it was.
"""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino import clock
from casino.access import access_policy
from casino.access.private_looks import looked_at
from casino.events import Malformed
from casino.events.corrections import Corrected
from casino.events.event import EntryRef, Event
from casino.events.phrases import Phrase, said
from casino.events.round.round_played import RoundPlayed
from casino.events.shape import fields_of
from casino.models import BookEntry, Correction, Supersession
from casino.recording import Actor, Receipt, Refused, Source, record
from casino.recording.refusals import SECOND_PERSON
from casino.recording.second_persons import is_own_office, why_not_decide
from casino.recording.withdrawing import RUN
from casino.web.entries.entry_page import event_and_author, url_of, values_of
from casino.web.entries.round_values import rounds_compared
from casino.web.forms.record_form import announce, onwards, refusal_text
from casino.web.forms.shield import is_too_soon, was_read
from casino.web.login.factor_page import ask_again
from casino.web.second_person.withdrawal_page import Waiting, named, waiting_of
from casino.web.words import field_words
from casino.web.words.field_words import DECISION_REASONS
from casino.web.words.kind_words import kind_word
from casino.web.words.withdrawn_words import how_late

TEMPLATE = "admin/casino/decide.html"


class DecisionForm(forms.Form):
    """Approve or refuse, with a coded reason."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    at = forms.CharField(widget=forms.HiddenInput, max_length=40)
    decision = forms.ChoiceField(choices=[("approved", ""), ("refused", "")])
    reason = forms.ChoiceField(
        label=_("Reason"),
        choices=[
            ("", ""),
            *((code, capfirst(word)) for code, word in DECISION_REASONS.items()),
        ],
    )

    def clean_at(self) -> datetime:
        """The moment the page was shown, as the page wrote it: sent twice, it is one decision."""
        try:
            return datetime.fromisoformat(self.cleaned_data["at"]).astimezone(UTC)
        except (ValueError, OverflowError):
            return clock.now()


def decide_view(
    request: HttpRequest, supersession: Supersession, context: dict[str, object]
) -> HttpResponse:
    """The page, and on POST the decision."""
    pending = _entry(supersession.stream, supersession.n)
    original = _entry(supersession.stream, supersession.original_n)
    withdrawal = waiting_of(supersession) if supersession.withdraws else None
    decided = Correction.objects.filter(
        pending_stream=supersession.stream, pending_n=supersession.n
    ).first()
    by = access_policy.decides(request, supersession.stream)
    form = DecisionForm(initial={"key": uuid4(), "at": clock.now().isoformat()})
    if request.method == "POST":
        if by is None:
            raise PermissionDenied
        if (asked := ask_again(request)) is not None:
            return asked
        form = DecisionForm(request.POST)
        if was_read(form, request.POST):
            at = _moment(form.cleaned_data["at"], pending)
            try:
                receipt = _decided(form.cleaned_data, at, by, supersession, withdrawal)
            except (Refused, Malformed) as error:
                form.add_error(None, refusal_text(error))
            else:
                announce(request, receipt)
                return onwards(reverse("admin:casino_supersession_change", args=[supersession.pk]))
    me = request.user.get_username()
    if withdrawal is None:
        why_not = why_not_decide(pending, me)
        context |= _context(request, supersession, pending, original)
    else:
        why_not = withdrawal.why_not(me)
        context |= _of_withdrawal(request, supersession, pending, withdrawal)
    context |= {
        "form": form,
        "too_soon": is_too_soon(request.POST),
        "decided": decided,
        "decision": field_words.word(decided.decision) if decided else "",
        "decision_reason": field_words.word(decided.reason) if decided else "",
        "own": supersession.staff == me,
        "why_not": "" if by is None or why_not is None else _why_not(why_not, pending, me),
        "may_decide": by is not None and decided is None and why_not is None,
    }
    return TemplateResponse(request, TEMPLATE, context)


def _decided(
    data: dict[str, Any],
    at: datetime,
    by: Actor,
    supersession: Supersession,
    withdrawal: Waiting | None,
) -> Receipt:
    """The decision that was sent, recorded. Raises: Malformed, Refused."""
    if withdrawal is not None:
        [receipt, *_rest] = withdrawal.decide(
            data["decision"], data["reason"], by, key=data["key"], at=at
        )
        return receipt
    pending = _entry(supersession.stream, supersession.n)
    original = _entry(supersession.stream, supersession.original_n)
    event = _event(supersession, pending, original, data)
    return record(event, key=data["key"], by=by, occurred_at=at, source=Source())


def _why_not(why: Phrase, pending: BookEntry, me: str) -> str:
    """Why he does not decide, and what of it was his."""
    text = said(why, gettext)
    if why != SECOND_PERSON:
        return text
    his = (
        gettext("The office it is about is your own.")
        if is_own_office(pending, me)
        else gettext("You recorded what it corrects, or operated the machine then.")
    )
    return f"{capfirst(text).removesuffix('.')}. {his}"


def _moment(shown: datetime, pending: BookEntry) -> datetime:
    """When it was decided: between the correction and now, whatever the page sent back."""
    now = clock.now()
    return shown if pending.recorded_at <= shown <= now else now


def _entry(stream: str, n: int) -> BookEntry:
    entry = BookEntry.objects.select_related("stream").filter(stream__name=stream, n=n).first()
    if entry is None:
        raise Http404
    return entry


def _event(
    supersession: Supersession, pending: BookEntry, original: BookEntry, data: dict[str, Any]
) -> Corrected:
    return Corrected(
        table=supersession.table_code or None,
        partida=supersession.partida_id or None,
        pending=_ref(pending),
        original=_ref(original),
        decision=data["decision"],
        reason=data["reason"],
    )


def _ref(entry: BookEntry) -> EntryRef:
    return EntryRef(stream=entry.stream.name, n=entry.n, leaf=bytes(entry.leaf_hash).hex())


def _of_withdrawal(
    request: HttpRequest, supersession: Supersession, pending: BookEntry, withdrawal: Waiting
) -> dict[str, object]:
    """What is withdrawn, the record itself first and what falls with it after it."""
    records = [
        named(entry, looked_at(request, entry, event_and_author(entry)[1]))
        for entry in withdrawal.entries
    ]
    return {
        "asked": supersession,
        "withdrawal": records[0],
        "falls": records[1:],
        "kind": records[0].what,
        "of_run": withdrawal.entries[0].kind == RUN,
        "asker": supersession.staff,
        "reason": field_words.word(supersession.reason),
        "pending": pending,
        "late": how_late(pending.recorded_at - withdrawal.entries[0].recorded_at),
        "pending_url": url_of(pending.kind, pending.pk),
    }


def _context(
    request: HttpRequest, supersession: Supersession, pending: BookEntry, original: BookEntry
) -> dict[str, object]:
    before, author = event_and_author(original)
    after, asker = event_and_author(pending)
    was = looked_at(request, original, author)
    return {
        "asked": supersession,
        "kind": kind_word(supersession.kind),
        "reason": field_words.word(supersession.reason),
        "pending": pending,
        "original": original,
        "asker": asker,
        "author": author,
        "pending_url": url_of(supersession.kind, pending.pk),
        "original_url": url_of(supersession.kind, original.pk),
        "rows": compared(
            before,
            after,
            was or {},
            {} if was is None else looked_at(request, pending, author) or {},
        ),
        "moved": original.occurred_at != pending.occurred_at,
    }


def compared(
    older: Any, after: Any, was: dict[str, object], becomes: dict[str, object]
) -> list[dict[str, object]]:
    """Each field told in either, with both values."""
    if not hasattr(older, "__dataclass_fields__"):
        return []
    if isinstance(older, RoundPlayed):
        old, new = rounds_compared(older, after)
    else:
        old = {one.label: one.shown for one in values_of(older, was)}
        new = {one.label: one.shown for one in values_of(after, becomes)}
    labels = dict.fromkeys([*old, *new])
    order = {} if isinstance(older, RoundPlayed) else _order(older)
    return [
        {
            "label": label,
            "before": old.get(label, "–"),
            "after": new.get(label, "–"),
            "changed": old.get(label) != new.get(label),
        }
        for label in sorted(labels, key=lambda one: order.get(one, 99))
    ]


def _order(event: Event) -> dict[str, int]:
    """The place of each field's words among those of its kind."""
    return {
        str(capfirst(field_words.label(field.name, event.kind))): n
        for n, field in enumerate(fields_of(type(event)))
    }
