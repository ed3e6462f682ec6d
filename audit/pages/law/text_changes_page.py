"""What changed from one official text of a rulebook to another, and what has to be looked at."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from audit.pages.audit_access import for_everybody
from audit.pages.law.figure_changes import draft_of_text
from audit.pages.law.law_pages import book_or_404
from audit.pages.page_words import cited, title
from casino.house_day import gaming_day_now
from casino.importing import regulation_texts
from casino.law.rulebook.rulebook import Law
from casino.law.text.text_changes import Change, changes
from casino.models import RegulationText
from casino.web.words import figure_words

STATES: Final = {
    "changed": gettext_lazy("amended"),
    "added": gettext_lazy("added"),
    "gone": gettext_lazy("repealed"),
    "renumbered": gettext_lazy("renumbered"),
}


@dataclass(frozen=True, slots=True)
class ChangeShown:
    """A change and what hangs on its article: figures as the house has them, how many checks."""

    change: Change
    cited: str
    state: object
    url: str
    figures: tuple[tuple[str, str], ...]
    checks: int


@for_everybody
@require_GET
def text_changes_page(request: HttpRequest, rulebook: str) -> HttpResponse:
    """The text the address names, against the one it says, or the one that was in force before.

    With no text named: the one in force; where none was before it, the first that is to follow.
    """
    law = book_or_404(rulebook)
    rows = list(regulation_texts.texts_of(rulebook))
    after = _named(rows, request.GET.get("text", ""))
    after = after or _last_change(rows, gaming_day_now())
    before = _named(rows, request.GET.get("since", ""))
    if before is None and after is not None:
        before = regulation_texts.before(rows, after)
    texts = [None if row is None else regulation_texts.text_of(row) for row in (before, after)]
    read = [text for text in texts if text is not None]
    found = changes(*read) if len(read) == 2 else ()
    day = (after and after.in_force) or gaming_day_now()
    context = {
        **admin.site.each_context(request),
        "title": _("What changed"),
        "law": law,
        "law_title": title(law),
        "before": before,
        "after": after,
        "two": len(read) == 2,
        "still_to_come": after is not None and (after.in_force or day) > gaming_day_now(),
        "draft_url": draft_of_text(request, law, texts[-1], after),
        "changes": [_shown(law, one, day) for one in found],
        "language": read[-1].language if read else "",
    }
    return render(request, "audit/text_changes.html", context)


def _last_change(received: list[RegulationText], today: date) -> RegulationText | None:
    """The text in force where another was before it; else the next one, else none of both."""
    held = regulation_texts.held_on(received, today)
    if held is None or regulation_texts.before(received, held) is not None:
        return held
    later = [one for one in received if one.in_force and one.in_force > today]
    return min(later, key=lambda one: one.in_force or today, default=held)


def _named(received: list[RegulationText], asked: str) -> RegulationText | None:
    """One of a rulebook's texts by its entry; None where none is asked for. Raises: Http404."""
    found = next((row for row in received if str(row.pk) == asked), None)
    if asked and found is None:
        raise Http404
    return found


def _shown(law: Law, change: Change, day: date) -> ChangeShown:
    number = change.was if change.state == "renumbered" else change.number
    article = law.articles.get(number)
    held = [(one, one.on(day)) for one in law.parameters.values() if one.article == number]
    return ChangeShown(
        change,
        _heading(law, change),
        STATES[change.state],
        reverse("law-article", args=[law.id, number]) if article else "",
        tuple(
            (figure_words.name(one.name), figure_words.said(law, one, dated.value))
            for one, dated in held
            if article and dated is not None
        ),
        len(article.upheld_by) if article else 0,
    )


def _heading(law: Law, change: Change) -> str:
    """An article as it is cited; a section by its heading, or by its eId where it has none."""
    if change.number in law.articles:
        return cited(law.id, change.number)
    return change.number or ("" if change.heading else change.eid)
