"""The official text of a rulebook, article by article; and where it is brought."""

from datetime import date, timedelta
from uuid import UUID, uuid4

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from audit.pages.audit_access import for_everybody
from audit.pages.law.figure_changes import draft_of_text
from audit.pages.law.law_pages import book_or_404
from audit.pages.law.text_notes import shown_of, standing_word, warnings_of
from audit.pages.page_words import title
from casino.access import access_policy
from casino.events import Malformed
from casino.house_day import gaming_day_now
from casino.importing import regulation_texts
from casino.importing.regulation_texts import Standing
from casino.law.rulebook.rulebook import Law
from casino.law.text.legal_text import Text
from casino.law.text.text_source import MOST_MB
from casino.models import RegulationText
from casino.recording import Actor, Refused
from casino.web.entries.entry_page import url_of
from casino.web.forms.record_form import announce, refusal_text
from casino.web.forms.uploads import WAITING, Sent, sent_with


@for_everybody
@require_http_methods(["GET", "HEAD", "POST"])
def text_page(request: HttpRequest, rulebook: str) -> HttpResponse:
    """A text of a rulebook: the one in force, or the one asked for.

    Sent a file, it shows what was read, and keeps it when that is sent back.
    """
    law = book_or_404(rulebook)
    by = access_policy.actor(request, regulation_texts.KIND)
    refused = ""
    if request.method == "POST":
        if by is None:
            raise PermissionDenied
        try:
            keeps = WAITING in request.POST
            return _kept(request, law, by) if keeps else _read(request, law, by)
        except (Malformed, Refused) as error:
            refused = refusal_text(error)
    today = gaming_day_now()
    rows = list(regulation_texts.texts_of(rulebook))
    shown = _asked_for(request, rows) or regulation_texts.in_force_on(rulebook, today)
    shown = shown or next(iter(rows), None)
    text = None if shown is None else regulation_texts.text_of(shown)
    states = regulation_texts.standings(rows, today)
    context = {
        **_around(request, law),
        "rows": [(row, standing_word(states[row.pk])) for row in rows],
        "shown": shown,
        "state": None if shown is None else states[shown.pk],
        "state_word": "" if shown is None else standing_word(states[shown.pk]),
        "shown_url": "" if shown is None else url_of(regulation_texts.KIND, shown.pk),
        "text": text,
        "before": None if shown is None else regulation_texts.before(rows, shown),
        "to_come": _to_come(rows, shown, states),
        "brings": by is not None,
        "draft_url": draft_of_text(request, law, text, shown),
        "refused": refused,
        "most": MOST_MB,
        "brought": request.POST,
        **({} if text is None or shown is None else _shown_of(text, law, states[shown.pk])),
    }
    return render(request, "audit/text.html", context, status=400 if refused else 200)


def _to_come(
    received: list[RegulationText], held: RegulationText | None, states: dict[UUID, Standing]
) -> RegulationText | None:
    """Beside the text in force, the next one that was brought already; None where there is none."""
    if held is None or states[held.pk].state != "in_force":
        return None
    return next((row for row in reversed(received) if states[row.pk].state == "later"), None)


def _around(request: HttpRequest, law: Law) -> dict[str, object]:
    return {
        **admin.site.each_context(request),
        "title": _("Official text"),
        "law": law,
        "law_title": title(law),
    }


def _read(request: HttpRequest, law: Law, by: Actor) -> HttpResponse:
    """What was read of a file, before it is kept; it waits meanwhile. Raises: Malformed."""
    file = request.FILES.get("file")
    day = _day(request.POST.get("in_force", ""))
    event, text, kept = regulation_texts.prepared(
        b"" if file is None else file.read(),
        rulebook=law.id,
        title=request.POST.get("title", ""),
        in_force=day,
    )
    before = regulation_texts.already(kept.sha256, law.id, day)
    if before is not None:
        return _there(request, law, before.pk)
    today = gaming_day_now()
    said = shown_of(text, law, max(day or today, today))
    context = {
        **_around(request, law),
        "event": event,
        "text": text,
        "doubts": warnings_of(text, law, said["review"]),
        "waiting": Sent([(uuid4(), event.title, kept)]).wait(by.staff),
        **said,
    }
    return render(request, "audit/text_read.html", context)


def _kept(request: HttpRequest, law: Law, by: Actor) -> HttpResponse:
    """Raises: Malformed, Refused."""
    sent = sent_with(request, by.staff)
    day = _day(request.POST.get("in_force", ""))
    digest = sent.contents[0].sha256 if sent.files else request.POST.get("sha256", "")
    before = regulation_texts.already(digest, law.id, day)
    if before is not None:
        return _there(request, law, before.pk)
    if not sent.files:
        raise Malformed("$.file", "the file sent before is no longer there: choose it again.")
    receipt, _text = regulation_texts.receive(
        sent.contents[0].content,
        rulebook=law.id,
        title=request.POST.get("title", ""),
        in_force=day,
        by=by,
    )
    sent.forget(by.staff)
    announce(request, receipt)
    return HttpResponseRedirect(f"{reverse('law-text', args=[law.id])}?text={receipt.entry_id}")


def _there(request: HttpRequest, law: Law, entry_id: UUID) -> HttpResponse:
    messages.info(request, _("This text was brought before, for the same day: it is shown."))
    return HttpResponseRedirect(f"{reverse('law-text', args=[law.id])}?text={entry_id}")


def _day(written: str) -> date | None:
    """Raises: Malformed."""
    if not written:
        return None
    try:
        return date.fromisoformat(written)
    except ValueError as error:
        raise Malformed(
            "$.in_force",
            "found {found}; asked is a day such as 2026-03-01, or nothing.",
            found=written[:40],
        ) from error


def _asked_for(request: HttpRequest, received: list[RegulationText]) -> RegulationText | None:
    """The text the address names. Raises: Http404, of none of this rulebook."""
    asked = request.GET.get("text", "")
    if not asked:
        return None
    try:
        named = UUID(asked)
    except ValueError as error:
        raise Http404 from error
    found = next((row for row in received if row.pk == named), None)
    if found is None:
        raise Http404
    return found


def _shown_of(text: Text, law: Law, state: Standing) -> dict[str, object]:
    """What the page says of a text beside its words, by the figures of a day on which it holds."""
    day = state.day or gaming_day_now()
    held_last = day - timedelta(days=1) if state.state == "replaced" else day
    said = shown_of(text, law, held_last)
    parts = [(part, said["bound"].parts.get(part.eid)) for part in text.parts()]
    return {"parts": parts, **said}
