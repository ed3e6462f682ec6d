"""The official text of a rulebook, article by article; and where it is brought."""

from datetime import date
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from audit.pages.audit_access import for_everybody
from audit.pages.law.law_pages import book_or_404
from audit.pages.page_words import title
from casino.access import access_policy
from casino.events import Malformed
from casino.house_day import gaming_day_now
from casino.importing import regulation_texts
from casino.law.text.legal_text import Article, Section, Text
from casino.law.text.text_source import LARGEST_TEXT
from casino.models import RegulationText
from casino.recording import Actor, Refused
from casino.security import takes_files
from casino.web.entries.entry_page import url_of
from casino.web.forms.record_form import announce, refusal_text

_LANGUAGES = {
    "pt": gettext_lazy("Portuguese"),
    "es": gettext_lazy("Spanish"),
    "fr": gettext_lazy("French"),
    "en": gettext_lazy("English"),
}


class Unplaced(NamedTuple):
    """Words that belong to no article, and the line of the file they begin in."""

    words: str
    line: int


@for_everybody
@takes_files(LARGEST_TEXT + 100_000)
@require_http_methods(["GET", "HEAD", "POST"])
def text_page(request: HttpRequest, rulebook: str) -> HttpResponse:
    """A text of a rulebook: the one in force, or the one asked for. Sent a file, it is kept."""
    law = book_or_404(rulebook)
    by = access_policy.actor(request, regulation_texts.KIND)
    refused = ""
    if request.method == "POST":
        if by is None:
            raise PermissionDenied
        try:
            return _kept(request, rulebook, by)
        except (Malformed, Refused) as error:
            refused = refusal_text(error)
    rows = list(regulation_texts.texts_of(rulebook))
    shown = _asked_for(request, rows) or regulation_texts.in_force_on(rulebook, gaming_day_now())
    shown = shown or next(iter(rows), None)
    text = None if shown is None else regulation_texts.text_of(shown)
    context = {
        **admin.site.each_context(request),
        "title": _("Official text"),
        "law": law,
        "law_title": title(law),
        "rows": rows,
        "shown": shown,
        "shown_url": "" if shown is None else url_of(regulation_texts.KIND, shown.pk),
        "text": text,
        "brings": by is not None,
        "refused": refused,
        "most": LARGEST_TEXT,
        **({} if text is None else _shown_of(text)),
    }
    return render(request, "audit/text.html", context, status=400 if refused else 200)


def _kept(request: HttpRequest, rulebook: str, by: Actor) -> HttpResponse:
    """Raises: Malformed, Refused."""
    file = request.FILES.get("file")
    content = b"" if file is None else file.read()
    day = _day(request.POST.get("in_force", ""))
    here = reverse("law-text", args=[rulebook])
    before = regulation_texts.already(sha256(content).hexdigest(), rulebook, day)
    if before is not None:
        messages.info(request, _("This text was brought before, for the same day: it is shown."))
        return HttpResponseRedirect(f"{here}?text={before.pk}")
    receipt, _text = regulation_texts.receive(
        content, rulebook=rulebook, title=request.POST.get("title", ""), in_force=day, by=by
    )
    announce(request, receipt)
    return HttpResponseRedirect(f"{here}?text={receipt.entry_id}")


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


def _shown_of(text: Text) -> dict[str, object]:
    """What the page says of a text beside its words."""
    parts: list[Section | Article] = [*text.sections, *text.articles]
    return {
        "parts": sorted(parts, key=lambda part: part.span),
        "language": _LANGUAGES.get(text.language, ""),
        "unplaced": [
            Unplaced(text.words_at(span), text.source.count("\n", 0, span.start) + 1)
            for span in text.unplaced
        ],
        "missing": ", ".join(text.missing()),
    }
