"""What set figures change of a rulebook, in words: beside a request, and before one is made."""

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from audit.pages.page_words import cited
from audit.readings_register import waiting
from casino.access import access_policy
from casino.admin.site import Panel
from casino.events import Malformed
from casino.events.requests import FiguresAsked
from casino.house_day import gaming_day_now
from casino.law.rulebook.figure_sets import Figures, changes_nothing
from casino.law.rulebook.rulebook import Law, Parameter
from casino.law.rulebook.rulebook_file import (
    law_in_use,
    law_of_file,
    load_law,
    rulebook_ids,
)
from casino.law.text.legal_text import Text
from casino.law.text.text_review import figures_of_text
from casino.models import BookEntry, RegulationText, StaffRequest
from casino.recording.figure_rules import held
from casino.recording.office_rules import decision_on
from casino.web.entries.entry_page import event_and_author
from casino.web.words import figure_words

TEMPLATE: Final = "audit/figure_changes.html"


class FigureChange(NamedTuple):
    """A figure that was asked for: its article, what holds without it on its first day, what would
    hold, and from when on something else is dated already. `dropped` is what was approved for a
    later day and would never hold, with that day. `confirmed`: an answer says what holds already.
    """

    name: str
    cited: str
    url: str
    now: str
    then: str
    until: date | None
    dropped: Sequence[tuple[str, date]] = ()
    confirmed: bool = False


class Shown(NamedTuple):
    """What is asked for in words, from when on, or why it cannot be held.

    `others` are the requests that wait and name one of its figures too, in words; `undocumented`:
    it rests on an answer whose file is not there.
    """

    since: date
    changes: Sequence[FigureChange]
    others: Sequence[tuple[str, StaffRequest]] = ()
    undocumented: bool = False
    refused: str = ""


def shown(asked_figures: FiguresAsked, entry: BookEntry | None = None) -> Shown:
    """What is drafted, or what an entry of the book asks for, with what it would change.

    Raises: Malformed, of what cannot be held.
    """
    request = None if entry is None else StaffRequest.objects.get(pk=entry.pk)
    decided = None if request is None else decision_on(request)
    named = {each.parameter for each in asked_figures.figures}
    others = [
        one
        for one in ([] if decided else waiting(asked_figures.rulebook))
        if one.request != request and named & {each.parameter for each in one.event.figures}
    ]
    return Shown(
        asked_figures.since,
        changes_of(asked_figures, None if decided is None else decided.n),
        [(figure_words.request(one.event), one.request) for one in others],
        asked_figures.basis == "answer" and asked_figures.file_sha256 is None,
    )


def changes_of(asked_figures: Figures, before_n: int | None = None) -> list[FigureChange]:
    """Every figure of a request, by the law in use; of one that was decided, by what was set
    before the decision, the entry `before_n`. Raises: Malformed, where it cannot be held.
    """
    law = load_law(asked_figures.rulebook) if asked_figures.rulebook in rulebook_ids() else None
    if law is not None and before_n is not None:
        earlier = tuple(one for one in law.sets if one.n < before_n)
        law = law_in_use(law_of_file(law.id), earlier)
    after = held(asked_figures, law)
    assert law is not None
    named = [law.parameters[each.parameter] for each in asked_figures.figures]
    return [_change(law, after, parameter, asked_figures.since) for parameter in named]


def _change(law: Law, used: Law, parameter: Parameter, since: date) -> FigureChange:
    now, then = parameter.on(since), used.parameters[parameter.name].on(since)
    later = [dated.since for dated in used.parameters[parameter.name].values]
    dropped = [one for one in parameter.values if one.since > since and one.since not in later]
    return FigureChange(
        figure_words.name(parameter.name),
        cited(law.id, parameter.article),
        reverse("law-article", args=[law.id, parameter.article]),
        _("not stated on this day")
        if now is None
        else figure_words.said(law, parameter, now.value),
        "" if then is None else figure_words.said(law, parameter, then.value),
        min((day for day in later if day > since), default=None),
        [(figure_words.said(law, parameter, one.value), one.since) for one in dropped],
        changes_nothing(law, used, parameter.name, since),
    )


def draft_of_text(
    request: HttpRequest, law: Law, text: Text | None, received: RegulationText | None
) -> str:
    """Where figures are asked for in which an official text is not as the rulebook, on the day the
    text holds from; '' where there are none, and for whoever asks for none.
    """
    may = access_policy.actor(request, FiguresAsked.kind) is not None
    if text is None or received is None or not may:
        return ""
    today = gaming_day_now()
    found = figures_of_text(text, law, max(received.in_force or today, today))
    if not found:
        return ""
    query = [("figure", f"{name}={value}") for name, value in found.items()]
    query += [("basis", "act"), ("source", received.title)]
    if received.in_force and received.in_force > today:
        query.append(("since", received.in_force.isoformat()))
    return f"{reverse('law-figures', args=[law.id])}?{urlencode(query)}"


def panel(_request: HttpRequest, entry: BookEntry) -> Panel | None:
    """Beside a request of figures, what they change; of any other nothing."""
    if entry.kind != FiguresAsked.kind:
        return None
    event, _author = event_and_author(entry)
    assert isinstance(event, FiguresAsked)
    try:
        return Panel(TEMPLATE, shown(event, entry))
    except Malformed as error:
        from casino.web.forms.record_form import refusal_text

        return Panel(TEMPLATE, Shown(event.since, (), refused=refusal_text(error)))
