"""A correction before its second person: the original and the correction side by side, approved or
refused. The decision is a record of its own; the original stays what it was.
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
from casino.admin import field_words, permits
from casino.admin.entry_page import fact_and_author, private_of, url_of, values_of
from casino.admin.field_words import DECISION_REASONS
from casino.admin.kind_words import kind_word
from casino.admin.record_form import onwards, tell, told_refusal
from casino.facts import Malformed
from casino.facts.corrections import Corrected
from casino.facts.fact import EntryRef, table_of
from casino.facts.phrases import said
from casino.facts.shape import fields_of
from casino.models import BookEntry, Correction, Supersession
from casino.recording import Refused, Source, record
from casino.recording.second_persons import why_not_decide

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
            *((code, capfirst(str(word))) for code, word in DECISION_REASONS.items()),
        ],
    )

    def clean_at(self) -> datetime:
        """The moment the page was shown, as the page wrote it: sent twice, it is one decision."""
        try:
            return datetime.fromisoformat(self.cleaned_data["at"]).astimezone(UTC)
        except (ValueError, OverflowError):
            return clock.now()


def decide_view(request: HttpRequest, asked: Supersession, context: dict[str, Any]) -> HttpResponse:
    """The page, and on POST the decision."""
    pending = _entry(asked.stream, asked.n)
    original = _entry(asked.stream, asked.original_n)
    decided = Correction.objects.filter(pending_stream=asked.stream, pending_n=asked.n).first()
    by = permits.actor(request, Corrected.kind)
    form = DecisionForm(initial={"key": uuid4(), "at": clock.now().isoformat()})
    if request.method == "POST":
        if by is None:
            raise PermissionDenied
        form = DecisionForm(request.POST)
        if form.is_valid():
            try:
                receipt = record(
                    _fact(asked, pending, original, form.cleaned_data),
                    key=form.cleaned_data["key"],
                    by=by,
                    occurred_at=_moment(form.cleaned_data["at"], pending),
                    source=Source(),
                )
            except (Refused, Malformed) as error:
                form.add_error(None, told_refusal(error))
            else:
                tell(request, receipt)
                return onwards(reverse("admin:casino_supersession_change", args=[asked.pk]))
    why_not = why_not_decide(pending, request.user.get_username())
    context |= _context(request, asked, pending, original)
    context |= {
        "form": form,
        "decided": decided,
        "decision": field_words.word(decided.decision) if decided else "",
        "decision_reason": field_words.word(decided.reason) if decided else "",
        "own": asked.staff == request.user.get_username(),
        "why_not": "" if by is None or why_not is None else said(why_not, gettext),
        "may_decide": by is not None and decided is None and why_not is None,
    }
    return TemplateResponse(request, TEMPLATE, context)


def _moment(shown: datetime, pending: BookEntry) -> datetime:
    """When it was decided: between the correction and now, whatever the page sent back."""
    now = clock.now()
    return shown if pending.recorded_at <= shown <= now else now


def _entry(stream: str, n: int) -> BookEntry:
    entry = BookEntry.objects.select_related("stream").filter(stream__name=stream, n=n).first()
    if entry is None:
        raise Http404
    return entry


def _fact(
    asked: Supersession, pending: BookEntry, original: BookEntry, told: dict[str, Any]
) -> Corrected:
    return Corrected(
        table=table_of(asked.stream),
        partida=asked.partida_id or None,
        pending=_ref(pending),
        original=_ref(original),
        decision=told["decision"],
        reason=told["reason"],
    )


def _ref(entry: BookEntry) -> EntryRef:
    return EntryRef(stream=entry.stream.name, n=entry.n, leaf=bytes(entry.leaf_hash).hex())


def _context(
    request: HttpRequest, asked: Supersession, pending: BookEntry, original: BookEntry
) -> dict[str, Any]:
    before, author = fact_and_author(original)
    after, asker = fact_and_author(pending)
    seen = permits.reads_private(request, asked.kind, author)
    return {
        "asked": asked,
        "kind": kind_word(asked.kind),
        "reason": field_words.word(asked.reason),
        "pending": pending,
        "original": original,
        "asker": asker,
        "author": author,
        "pending_url": url_of(asked.kind, pending.pk),
        "original_url": url_of(asked.kind, original.pk),
        "rows": _compared(
            before, after, private_of(original) if seen else {}, private_of(pending) if seen else {}
        ),
        "moved": original.occurred_at != pending.occurred_at,
    }


def _compared(
    before: Any, after: Any, was: dict[str, Any], becomes: dict[str, Any]
) -> list[dict[str, Any]]:
    """Each field told in either, with both values."""
    if not hasattr(before, "__dataclass_fields__") or before.kind == "round-played/1":
        return []
    old = {one.label: one.shown for one in values_of(before, was)}
    new = {one.label: one.shown for one in values_of(after, becomes)}
    labels = dict.fromkeys([*old, *new])
    order = {
        str(capfirst(field_words.label(field.name, before.kind))): n
        for n, field in enumerate(fields_of(type(before)))
    }
    return [
        {
            "label": label,
            "before": old.get(label, "–"),
            "after": new.get(label, "–"),
            "changed": old.get(label) != new.get(label),
        }
        for label in sorted(labels, key=lambda one: order.get(one, 99))
    ]
