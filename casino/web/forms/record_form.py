"""Recording through a form: shown, judged beforehand, recorded. New records and corrections alike.

The first POST of what would open a finding brings the warnings back; the second, with a coded
reason for each, records. What comes back before anybody can have read it records nothing. Nothing
unlawful is refused here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext

from casino import submitting
from casino.access.access_policy import why_not_there
from casino.events import Malformed
from casino.events.event import Event
from casino.events.phrases import said
from casino.events.shoes import CutMade
from casino.models import BookEntry
from casino.recording import (
    Actor,
    KeyReused,
    NotAllowed,
    Receipt,
    Refused,
    Submission,
    Supersedes,
    record_many,
)
from casino.recording.attaching import digests_in
from casino.submitting import SentForm, recorded_before
from casino.web.display.money_and_time import moment
from casino.web.forms.event_forms import REASON, EventForm, form_for
from casino.web.forms.form_widgets import MORE, WORK_OUT
from casino.web.forms.people_choices import offer
from casino.web.forms.rightful_cut import work_out
from casino.web.forms.shield import BACK, is_too_soon
from casino.web.forms.uploads import ACCEPT, Sent, attachments_of, sent_with, takes_files
from casino.web.forms.warnings import PREFIX, Warned, despite_in, outside_what, warned_of
from casino.web.words.field_words import word
from casino.web.words.kind_words import kind_word
from casino.web.words.place_words import stream_word

TEMPLATE = "admin/casino/record_form.html"
READ = "read"  # a field: what is to be recorded was read once more


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingRequest:
    """One record that is being taken down: which kind, by whom, instead of what.

    `beginning` are the arguments the form begins with, `context` what the page shows around it.
    `target` is the entry that is corrected, `template` the page of whichever door it is. With
    `read_again` it is shown once more before it is recorded, and the page sends READ. `form` is the
    kind's own form, where that of its fields does not do. The same is recorded once more for each
    of `others`, with these values in the place of its own.
    """

    kind: type[Event]
    by: Actor
    beginning: Mapping[str, Any]
    context: Mapping[str, object]
    target: BookEntry | None = None
    template: str = TEMPLATE
    read_again: bool = False
    form: type[EventForm] | None = None
    others: Sequence[Mapping[str, object]] = ()
    warned: list[Warned] = field(default_factory=list)

    @property
    def turns(self) -> bool:
        """Whether somebody's turn can be worked out: that of the cut."""
        return self.kind is CutMade


def record_form_view(request: HttpRequest, taking: RecordingRequest) -> HttpResponse | Receipt:
    """Show the form, or record what it tells: the page to be shown, or the book's receipt."""
    made = taking.form or form_for(taking.kind)
    if request.method != "POST":
        return _page(request, taking, made(taking.kind, key=uuid4(), **taking.beginning))
    data = request.POST
    sent = sent_with(request, taking.by.staff) if takes_files(taking.kind) else Sent()
    before = _recorded(data)
    if MORE in data or WORK_OUT in data or (before is None and _is_only_looked_at(data)):
        form = made(taking.kind, key=uuid4(), **taking.beginning)
        form.unjudged(data)
        turn = work_out(form, data, taking.by) if WORK_OUT in data and taking.turns else ""
        return _page(request, taking, form, turn, sent)
    form = made(taking.kind, data, key=uuid4(), **taking.beginning)
    if not form.is_valid() or sent.errors:
        return _page(request, taking, form, sent=sent)
    try:
        if before is None:
            elsewhere = why_not_there(request, taking.by, form.event(), taking.target)
            if elsewhere:
                form.add_error(None, elsewhere)
                return _page(request, taking, form, sent=sent)
        sending = _sending(taking, form, data, sent, before)
        if before is not None:
            receipt, *_rest = record_many(sending.submissions)
        else:
            found = submitting.judged(sending)
            taking.warned.extend(warned_of([one for of in found for one in of], data))
            wanting = submitting.is_unexplained(sending, found)
            wanting = wanting or (taking.read_again and READ not in data)
            # The same form, sent twice at once, may be what it is warned of.
            if (wanting or sent.lost() or is_too_soon(data)) and not recorded_before(sending):
                return _page(request, taking, form, sent=sent)
            receipt, *_rest = submitting.record_form(sending, found)
        sent.forget(taking.by.staff)
        return receipt
    except Malformed as error:
        form.refuse(error)
    except Refused as error:
        form.add_error(None, refusal_text(error))
    return _page(request, taking, form, sent=sent)


def _recorded(data: Mapping[str, object]) -> BookEntry | None:
    """What the form with this key recorded already."""
    try:
        key = UUID(str(data.get("key", "")))
    except ValueError:
        return None
    return BookEntry.objects.filter(key=key).first()


def _is_only_looked_at(data: Mapping[str, object]) -> bool:
    """Whether the form is shown again as it was filled in: to be corrected, or tapped twice.

    One that was tapped twice on the page of its warnings is shown with them.
    """
    if is_too_soon(data):
        return BACK in data or not any(name.startswith(PREFIX) or name == READ for name in data)
    return BACK in data


def _sending(
    taking: RecordingRequest,
    form: EventForm,
    data: Mapping[str, object],
    sent: Sent,
    entry_before: BookEntry | None,
) -> SentForm:
    """The form as the book takes it: one record, over the warnings it was sent with."""
    supersedes, despite = None, despite_in(data)
    attachments = attachments_of(taking.target)
    if entry_before is not None and sent.gone:  # sent twice: its files went into the record already
        attachments = tuple(digests_in(entry_before))
    if taking.target is not None:
        reason = form.cleaned_data[REASON]
        leaf = bytes(taking.target.leaf_hash).hex()
        supersedes = Supersedes(taking.target.n, leaf, reason)
    submission = Submission(
        form.event(despite),
        form.key,
        taking.by,
        form.occurred_at,
        supersedes=supersedes,
        attachments=attachments,
        files=sent.contents,
    )
    return SentForm(
        key=form.key,
        staff=taking.by.staff,
        submissions=[submission, *_others(taking, submission)],
        reasons={one.check: one.reason for one in despite},
    )


def _others(taking: RecordingRequest, submission: Submission) -> list[Submission]:
    """The same of others, each under a key of its own that comes out the same again."""
    return [
        replace(
            submission,
            event=replace(submission.event, **values),
            key=uuid5(submission.key, repr(sorted(values.items()))),
        )
        for values in taking.others
    ]


def refusal_text(error: Refused | Malformed) -> str:
    """Why nothing was stored, in the reader's language."""
    if isinstance(error, Malformed):
        return said(error.reason, gettext)
    if isinstance(error, KeyReused):
        return gettext(
            "This form was recorded already (%(stream)s, entry %(n)s) and has been changed since."
            " Correct that entry, or open a new form."
        ) % {"stream": error.values["stream"], "n": error.values["n"]}
    values = dict(error.values)
    if "why" in values:
        values["why"] = gettext(values["why"])
    for name, say in (("kind", kind_word), ("stream", stream_word), ("by_stream", stream_word)):
        if name in values:
            values[name] = say(values[name])
    if "office" in values:
        values["office"] = word(values["office"])
    if isinstance(values.get("found"), datetime):
        values["found"] = moment(values["found"])
    if isinstance(error, NotAllowed):
        values["offices"] = ", ".join(word(one) for one in values["offices"].split(", "))
    text = gettext(error.template).format(**values)
    return " ".join(filter(None, (text, _tries_left(values))))


def _tries_left(values: Mapping[str, Any]) -> str:
    """How many tries of a secret are left, or until when nobody looks; '' for other refusals."""
    until, left = values.get("until"), values.get("left")
    if until is not None:
        minute = localtime(until + timedelta(seconds=59))  # the first whole one
        return gettext("It is closed until %(at)s.") % {"at": date_format(minute, "H:i")}
    if left:
        return ngettext(
            "%(n)s try is left before it is closed for some minutes.",
            "%(n)s tries are left before it is closed for some minutes.",
            left,
        ) % {"n": left}
    return ""


def announce(request: HttpRequest, receipt: Receipt) -> None:
    """Say above the next page that it was recorded, and when; offer its receipt."""
    at = date_format(localtime(receipt.recorded_at), "H:i:s")
    values = {"at": at, "n": receipt.n, "stream": stream_word(receipt.stream)}
    if receipt.repeated:
        how, said = messages.info, gettext("Already recorded at %(at)s: entry %(n)s of %(stream)s.")
    else:
        how, said = messages.success, gettext("Recorded at %(at)s: entry %(n)s of %(stream)s.")
    url = reverse("admin:casino_bookentry_receipt", args=[receipt.entry_id])
    how(request, format_html('{} <a href="{}">{}</a>', said % values, url, gettext("Receipt")))


def _page(
    request: HttpRequest,
    taking: RecordingRequest,
    form: EventForm,
    turn: str = "",
    sent: Sent | None = None,
) -> HttpResponse:
    sent = sent or Sent()
    offer(form, request)
    context = {
        **taking.context,
        "back": BACK,
        "too_soon": is_too_soon(request.POST) and not {MORE, WORK_OUT, BACK} & {*request.POST},
        "form": form,
        "groups": form.groups(),
        "warned": taking.warned,
        "outside": outside_what(taking.warned),
        "correcting": taking.target,
        "by": taking.by,
        "work_out": WORK_OUT if taking.turns else "",
        "turn": turn,
        "takes_files": takes_files(taking.kind),
        "accept": ACCEPT,
        "waiting_files": sent.wait(taking.by.staff) if sent.files else [],
        "file_errors": sent.errors,
        "files_kept": len(attachments_of(taking.target)),
    }
    return TemplateResponse(request, taking.template, context)


def onwards(url: str) -> HttpResponse:
    """Go on with a GET, so that a reload records nothing."""
    return HttpResponseRedirect(url)
