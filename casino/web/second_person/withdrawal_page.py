"""A record is withdrawn: what it tells did not happen. Asked for here, decided by a second person.

What cannot stand without it is named first, and falls with it in the same act or has to be
withdrawn before. Nothing is deleted: the record stays where it is, struck out.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4, uuid5

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino import clock, holding
from casino.access import access_policy
from casino.access.private_looks import looked_at
from casino.events import Malformed
from casino.events.corrections import Corrected, Decision, WithdrawalAsked
from casino.events.event import EntryRef
from casino.events.phrases import Phrase, said
from casino.models import BookEntry, Supersession
from casino.queries import load_entry, read_entries
from casino.recording import Actor, Busy, Receipt, Refused, Source, Submission, record_many
from casino.recording.authority import writers_of
from casino.recording.second_persons import why_not_decide
from casino.recording.withdrawing import RUN, Resting, resting_on, why_never
from casino.web.display.money_and_time import moment
from casino.web.entries.entry_page import Value, event_and_author, url_of, values_of
from casino.web.entries.entry_standing import Standings
from casino.web.forms.record_form import announce, onwards, refusal_text
from casino.web.forms.shield import is_too_soon, was_read
from casino.web.login.factor_page import ask_again
from casino.web.words import field_words
from casino.web.words.field_words import RUN_WITHDRAWAL_REASONS, WITHDRAWAL_REASONS
from casino.web.words.kind_words import kind_word

TEMPLATE = "admin/casino/withdraw.html"


class WithdrawalForm(forms.Form):
    """Why the record is withdrawn."""

    reason = forms.ChoiceField(
        label=_("Why it is withdrawn"),
        choices=[("", "")],  # in the reader's language, below
        error_messages={"required": _("Say why it is withdrawn.")},
    )

    def __init__(self, data: Any = None, *, kind: str = "", **given: Any) -> None:
        super().__init__(data, **given)
        reasons = RUN_WITHDRAWAL_REASONS if kind == RUN else WITHDRAWAL_REASONS
        words = [(code, capfirst(str(word))) for code, word in reasons.items()]
        self.fields["reason"].choices = [("", ""), *words]  # type: ignore[attr-defined]


class KeyedForm(WithdrawalForm):
    """The same in the admin, with the key that makes sending twice the same as sending once."""

    key = forms.UUIDField(widget=forms.HiddenInput)


@dataclass(frozen=True, slots=True)
class Named:
    """A record as it is named to whoever withdraws it: what, when, by whom, what it tells."""

    entry: BookEntry
    what: str
    at: datetime
    by: str
    url: str
    values: tuple[Value, ...]


def named(entry: BookEntry, private: Mapping[str, object] | None = None) -> Named:
    """One record, with its private values for whoever may see them (`looked_at`)."""
    event, author = event_and_author(entry)
    return Named(
        entry,
        str(capfirst(kind_word(entry.kind))),
        entry.occurred_at,
        author,
        url_of(entry.kind, entry.pk),
        tuple(values_of(event, private or {})),
    )


def why_not_withdraw(
    request: HttpRequest, entry: BookEntry, resting: Resting
) -> Phrase | str | Promise:
    """Why whoever asks cannot withdraw this record with what falls with it; '' where he can."""
    never = why_never(entry)
    if never is not None:
        return said(never, gettext)
    by = access_policy.withdraws(request, entry.kind)
    if by is None:
        return gettext("A record is withdrawn by whoever may record its kind.")
    event, _author = event_and_author(entry)
    there = str(access_policy.why_not_there(request, by, event, entry))
    kinds = [one.kind for one in resting.falls]
    return there or next(
        (_others(kind) for kind in kinds if not access_policy.actor(request, kind)), ""
    )


def _others(kind: str) -> str:
    """That what falls is withdrawn by others."""
    held = writers_of(kind) & writers_of(WithdrawalAsked.kind)
    offices = ", ".join(sorted(str(field_words.word(one)) for one in held))
    return gettext("“%(kind)s” falls with it, and is withdrawn by: %(offices)s.") % {
        "kind": kind_word(kind),
        "offices": offices,
    }


def asked_events(entry: BookEntry, reason: str, resting: Resting) -> list[WithdrawalAsked]:
    """What is recorded to withdraw an entry and what falls with it, the entry first.

    Raises: Malformed.
    """
    root = ref_of(entry)
    return [
        WithdrawalAsked(
            table=each.table_code or None,
            partida=each.partida_id or None,
            entry=ref_of(each),
            act=each.kind,
            reason=reason,
            falls_with=None if each.pk == entry.pk else root,
        )
        for each in (entry, *resting.falls)
    ]


def ref_of(entry: BookEntry) -> EntryRef:
    """The entry, named so that nobody can take another for it."""
    return EntryRef(stream=entry.stream.name, n=entry.n, leaf=bytes(entry.leaf_hash).hex())


def withdrawn_together(supersession: Supersession) -> list[Supersession]:
    """The withdrawals that were asked for in one act with this one, the record itself first."""
    recorded = load_entry(supersession.pk)
    assert recorded is not None
    root = (recorded.event.falls_with or recorded.event.entry).leaf
    there = Supersession.objects.filter(
        kind=supersession.kind, staff=supersession.staff, occurred_at=supersession.occurred_at
    )
    found = []
    for each in there.order_by("recorded_at", "n"):
        one = load_entry(each.pk)
        if one is not None and root == (one.event.falls_with or one.event.entry).leaf:
            found.append(each)
    return sorted(found, key=lambda each: each.supersedes_leaf != root)


@dataclass(frozen=True, slots=True)
class Request:
    """One request to withdraw: `row` names the record itself, `event` what was asked, and
    `fall` is how many records fall with it.
    """

    row: Supersession
    event: WithdrawalAsked
    fall: int


def requests_in(supersessions: Collection[Supersession]) -> list[Request]:
    """Withdrawals by the act in which they were asked for, in the order of its first; one query."""
    if not supersessions:
        return []
    found = read_entries(" WHERE e.id = ANY(%s)", [[row.pk for row in supersessions]], "default")
    events: dict[str, WithdrawalAsked] = {one.entry_id: one.event for one in found}
    acts: dict[tuple[object, ...], list[tuple[Supersession, WithdrawalAsked]]] = {}
    for row in supersessions:
        request = events[str(row.pk)]
        root = (request.falls_with or request.entry).leaf
        acts.setdefault((row.staff, row.occurred_at, root), []).append((row, request))
    firsts = (min(of, key=lambda one: one[1].falls_with is not None) for of in acts.values())
    return [
        Request(row, request, len(of) - 1)
        for (row, request), of in zip(firsts, acts.values(), strict=True)
    ]


@dataclass(frozen=True)
class Waiting:
    """A withdrawal before its second person: what was asked, of which records, the first of them
    the one that is meant, the others those that fall with it.
    """

    asked: Sequence[Supersession]
    entries: Sequence[BookEntry]

    def why_not(self, staff: str) -> Phrase | None:
        """Why somebody is no second person for it; None where he is."""
        found = (why_not_decide(entry, staff) for entry in self._pending)
        return next((why for why in found if why is not None), None)

    def decide(
        self, decision: Decision, reason: str, by: Actor, *, key: UUID, at: datetime
    ) -> list[Receipt]:
        """Record the word on all of them. Raises: Malformed, Refused."""
        holding.settle({entry.table_code for entry in self.entries} - {""})
        submissions = [
            Submission(
                Corrected(
                    table=original.table_code or None,
                    partida=original.partida_id or None,
                    pending=ref_of(pending),
                    original=ref_of(original),
                    decision=decision,
                    reason=reason,
                ),
                key if place == 0 else uuid5(key, str(place)),
                by,
                at if at >= pending.recorded_at else clock.now(),
                Source(),
            )
            for place, (pending, original) in enumerate(
                zip(self._pending, self.entries, strict=True)
            )
        ]
        return record_many(submissions)

    @cached_property
    def _pending(self) -> list[BookEntry]:
        rows = BookEntry.objects.select_related("stream").in_bulk([one.pk for one in self.asked])
        return [rows[each.pk] for each in self.asked]


def waiting_of(supersession: Supersession) -> Waiting:
    """A withdrawal with everything that was asked in the same act."""
    found = withdrawn_together(supersession)
    rows = BookEntry.objects.select_related("stream")
    return Waiting(found, [rows.get(stream__name=one.stream, n=one.original_n) for one in found])


def may_be_withdrawn(entry: BookEntry) -> bool:
    """Whether it counts, nothing is asked of it, and it is of a sort that is withdrawn."""
    standing = Standings([(entry.stream.name, entry.n)]).of(entry.stream.name, entry.n)
    return standing in ("holds", "approved") and why_never(entry) is None


def withdraw_view(
    request: HttpRequest, entry: BookEntry, context: dict[str, object]
) -> HttpResponse:
    """The admin's page: what falls, what stands in the way, why; on POST it is asked for."""
    by = access_policy.withdraws(request, entry.kind)
    busy = _settled(entry)
    resting = resting_on(entry)
    why_not = busy or why_not_withdraw(request, entry, resting)
    if by is None or (request.method == "POST" and why_not):
        raise PermissionDenied(str(why_not))
    if request.method == "POST" and (asked := ask_again(request)) is not None:
        return asked
    form = KeyedForm(request.POST or None, kind=entry.kind, initial={"key": uuid4()})
    if was_read(form, request.POST):
        data = form.cleaned_data
        key, now = data["key"], clock.now()
        # Sent twice it is the same record: the moment is then the first one's.
        before = BookEntry.objects.filter(key=key).values_list("pk", "occurred_at").first()
        if before is not None:
            return onwards(reverse("admin:casino_supersession_change", args=[before[0]]))
        try:
            events = asked_events(entry, data["reason"], resting)
            keys = [key, *(uuid5(key, str(place)) for place in range(1, len(events)))]
            bys = [access_policy.withdraws(request, event.act) or by for event in events]
            receipts = record_many(
                [
                    Submission(event, of, who, now)
                    for event, of, who in zip(events, keys, bys, strict=True)
                ]
            )
        except (Refused, Malformed) as error:
            form.add_error(None, refusal_text(error))
        else:
            announce(request, receipts[0])
            return onwards(reverse("admin:casino_supersession_change", args=[receipts[0].entry_id]))
    _, author = event_and_author(entry)
    context |= {
        "form": form,
        "too_soon": is_too_soon(request.POST),
        "entry": entry,
        "record": named(entry, looked_at(request, entry, author)),
        "of_run": entry.kind == RUN,
        "recorded": moment(entry.recorded_at),
        "falls": [named(one) for one in resting.falls],
        "in_the_way": [named(one) for one in resting.in_the_way],
        "why_not": why_not,
        "may": may_be_withdrawn(entry) and not why_not and not resting.in_the_way,
    }
    return TemplateResponse(request, TEMPLATE, context)


def _settled(entry: BookEntry) -> str:
    """Write what is held at its table, for that may rest on it; why that has to wait."""
    try:
        holding.settle([entry.table_code] if entry.table_code else [])
    except Busy as error:
        return refusal_text(error)
    return ""
