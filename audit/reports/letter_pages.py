"""A letter is asked for, from the record it is made of; where it stands once it was made.

What it says is read from the record. Asked for are its language and the reference it answers.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from audit.letter_events import LetterIssued, LetterReceived
from audit.letter_state import acknowledged, received, sent_as
from audit.models import Letter, LetterReceipt
from audit.reports import letters
from audit.reports.report_entries import Asked
from audit.reports.request_report import ReportRefused, reply_to_of, request_report
from casino.access import access_policy
from casino.events.inspection import LeaveDecided, NoticeAcknowledged
from casino.events.notices import NoticeSent
from casino.models import BookEntry, LeaveDecision, Notice
from casino.models.projection import Projection
from casino.queries import that_count
from casino.recording import Actor
from casino.web.entries.entry_page import Leading, url_of
from casino.web.words.field_words import word
from casino.web.words.languages import house_language


def reads_letters(request: HttpRequest) -> bool:
    """Whether he may read the house's letters."""
    return access_policy.reads(request, LetterIssued.kind) == "all"


def _signer(request: HttpRequest, letter: letters.Letter) -> Actor | None:
    """As whom he would sign a letter; None where another signs it."""
    by = access_policy.actor(request, LetterIssued.kind)
    return by if by is not None and by.office in letter.signed_by else None


@require_http_methods(["GET", "HEAD", "POST"])
def letter_page(request: HttpRequest, name: str, entry_id: UUID) -> HttpResponse:
    """The form; sent, it asks for the letter."""
    letter = letters.LETTERS.get(name)
    if letter is None or (by := _signer(request, letter)) is None:
        raise PermissionDenied
    row = letters.record_of(letter, str(entry_id))
    if row is None:
        raise Http404
    given = request.POST.get("reply_to", "")
    if request.method == "POST":
        try:
            key, day = UUID(request.POST.get("request", "")), row.gaming_day
            asked = Asked(name, day, day, findings=(str(entry_id),), reply_to=reply_to_of(given))
            request_report(key, asked, request.POST.get("language", ""), by)
            return HttpResponseRedirect(reverse("report", args=[key]))
        except ReportRefused as refused:
            messages.error(request, str(refused))
        except ValueError:
            messages.error(request, _("Open this page anew: what was sent bears no number."))
    entry = BookEntry.objects.get(pk=entry_id)
    matter = letters.matter_of(letter, row)
    context = {
        **admin.site.each_context(request),
        "title": letter.label,
        "addressee": letters.ADDRESSEES[letter.to],
        "matter": matter,
        "matter_url": url_of(entry.kind, entry.pk),
        "by": by,
        "office": word(by.office),
        "key": uuid4(),
        "reply_to": given,
        "chosen": request.POST.get("language") or house_language(),
        "made": that_count(Letter.objects.filter(letter=name, matter=matter)).order_by("n"),
    }
    status = 400 if request.method == "POST" else 200
    return TemplateResponse(request, "audit/letter.html", context, status=status)


def letter_ways(request: HttpRequest, kind: str, entry_id: UUID) -> list[Leading]:
    """From a record to the letters whoever asks may sign of it."""
    return [
        Leading(
            _("Letter: %(what)s") % {"what": letter.label},
            reverse("letter", args=[name, entry_id]),
            "receipt",
        )
        for name, letter in letters.LETTERS.items()
        if kind == letter.kind and _signer(request, letter) is not None
    ]


def letter_way(request: HttpRequest, entry: BookEntry) -> Leading | None:
    """The same as one link; from a letter, its sending or its receipt, to the letter's page."""
    found = None
    if entry.kind == LetterIssued.kind:
        found = Letter.objects.filter(pk=entry.pk)
    elif entry.kind == LetterReceived.kind:
        named = LetterReceipt.objects.filter(pk=entry.pk).values("document")
        found = Letter.objects.filter(document__in=named)
    elif entry.kind == NoticeSent.kind:
        sent = Notice.objects.filter(pk=entry.pk).values("reference")
        found = Letter.objects.filter(document__in=sent)
    if found is None:
        return next(iter(letter_ways(request, entry.kind, entry.pk)), None)
    row = found.first() if reads_letters(request) else None
    if row is None:
        return None
    return Leading(_("The letter"), reverse("report", args=[row.request]), "receipt")


# -- Where a letter stands -------------------------------------------------------------------------


def standing_of(request: HttpRequest, key: UUID) -> dict[str, object]:
    """Where a letter stands, for its page; {} for a report, and for one not numbered yet."""
    row = Letter.objects.filter(request=key).first()
    if row is None:
        return {}
    holds = that_count(Letter.objects.filter(pk=row.pk)).exists()
    ways = list(_ways(request, row)) if holds else []
    said = {"warnings": list(_warnings(row)), "steps": list(_steps(row)), "ways": ways}
    return {"letter": row, "holds": holds, **said}


def _warnings(letter: Letter) -> Iterator[str]:
    """What does not fit of its sending and its receipts. A moment may be given to the minute."""
    made = letter.occurred_at.replace(second=0, microsecond=0)
    if any((one.sent_at or one.occurred_at) < made for one in sent_as(letter.document)):
        yield gettext("It is said to have been sent before it was made: correct when it was sent.")
    if len(received(letter.document)) > 1:
        yield gettext("More than one receipt of it is on record: correct or withdraw one of them.")


def _steps(letter: Letter) -> Iterator[Mapping[str, object]]:
    number = letter.document
    for sent in sent_as(number):
        at = sent.sent_at or sent.occurred_at
        shown = [word(sent.means, "means"), sent.notice]
        yield _step(_("Sent"), at, shown, sent.staff, url_of(NoticeSent.kind, sent.pk))
    for own in acknowledged(number):
        said, at = _("Acknowledged by the inspection service"), own.received_at or own.occurred_at
        url = url_of(NoticeAcknowledged.kind, own.pk)
        yield _step(said, at, [own.notice, own.reference], own.staff, url)
    for one in received(number):
        at, shown = one.received_at or one.occurred_at, [word(one.how, "how"), one.reference]
        yield _step(_("Received"), at, shown, one.staff, url_of(LetterReceived.kind, one.pk))


def _step(said: object, moment: datetime, how: list[str], by: str, url: str) -> dict[str, object]:
    return {"said": said, "at": moment, "how": " · ".join(filter(None, how)), "by": by, "url": url}


def _ways(request: HttpRequest, letter: Letter) -> Iterator[Leading]:
    """What whoever asks records of it next, each in the form there is for it."""
    number, to = letter.document, letters.LETTERS[letter.letter].to
    sent = sent_as(number).last()
    own = sent is not None and acknowledged(number).exists()
    if sent is None:
        about = _about(letter) | {
            "reference": number,
            "to": to if to == letters.SERVICE else "other",
        }
        yield from _way(request, NoticeSent.kind, _("Record that it was sent"), "notice", about)
        if access_policy.withdraws(request, LetterIssued.kind) is not None:
            where = reverse("admin:casino_bookentry_withdraw", args=[letter.pk])
            yield Leading(_("It is not to be sent"), where, "cured")
    elif to == letters.SERVICE and not own:
        said = _("Acknowledge receipt")
        values = {"notice": sent.notice}
        yield from _way(request, NoticeAcknowledged.kind, said, "noticereceipt", values)
    if sent is not None and not own and not received(number).exists():
        said, values = _("Record its receipt"), {"document": number}
        yield from _way(request, LetterReceived.kind, said, "letterreceipt", values)
    if letter.letter == "leave" and not LeaveDecision.objects.filter(leave=letter.matter).exists():
        said, values = _("Record the decision on the leave"), {"leave": letter.matter}
        yield from _way(request, LeaveDecided.kind, said, "leavedecision", values)


_APPS: Final = {"letterreceipt": "audit"}


def _way(
    request: HttpRequest, kind: str, said: object, form: str, values: Mapping[str, str]
) -> Iterator[Leading]:
    if access_policy.actor(request, kind) is not None:
        where = reverse(f"admin:{_APPS.get(form, 'casino')}_{form}_add")
        yield Leading(said, f"{where}?{urlencode(values)}", "add")


def _about(letter: Letter) -> dict[str, str]:
    """What its sending is entered under: an incident, a complaint, a deck; at which table."""
    kind = letters.LETTERS[letter.letter]
    matters = kind.of._default_manager.filter(**{kind.matter: letter.matter})
    record = matters.order_by("-pk").first()
    name = "deck" if letter.letter == "leave" else kind.matter
    values = {name: getattr(record, name, "")}
    if isinstance(record, Projection):
        values |= {"table": record.table_code, "partida": record.partida_id}
    return {name: value for name, value in values.items() if value}
