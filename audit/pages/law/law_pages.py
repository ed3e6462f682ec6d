"""The law as the house keeps it: a rulebook as a grid of its articles, and one article whole."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from audit import answers, audit_queries
from audit.models import Finding
from audit.pages.audit_access import (
    asks_runs,
    exports,
    for_everybody,
    readable,
    reads_all,
    replays,
)
from audit.pages.findings.heading_moments import lines_of
from audit.pages.law import figures, text_notes
from audit.pages.law.article_states import (
    ArticleState,
    asked_in,
    checks_shown,
    counted,
    house_articles,
    in_figures,
    state_of,
    state_of_house,
    summed,
)
from audit.pages.law.stretch import Asked, asked_of, day_asked
from audit.pages.page_words import DUTIES, act, cited, heading, instrument, summary, title
from audit.reconcile.request_run import WAITING, ask_to_judge
from casino import clock
from casino.access import access_policy
from casino.events.requests import FiguresAsked
from casino.house_day import gaming_day_now
from casino.importing import regulation_texts
from casino.law.rulebook import controls
from casino.law.rulebook.figure_sets import set_by
from casino.law.rulebook.law_text import spelled
from casino.law.rulebook.rulebook import Article, Law, Parameter, Reading
from casino.law.rulebook.rulebook_file import counted_as, load_law, rulebook_ids
from casino.law.worked_examples import examples_of
from casino.web.words import figure_words
from casino.web.words.languages import either, language

SHOWN = 10  # findings shown below an article; the list has them all


class Tile(NamedTuple):
    """One article in the grid."""

    number: str
    counted: str  # "n.º 54"; of a section, which goes by its heading, nothing but that it is one
    heading: str
    url: str
    state: ArticleState
    figures: str


class Figure(NamedTuple):
    """A figure in force: what it is called, its value, since when, where it stands."""

    name: str
    code: str
    value: str
    since: date | None
    source: str
    next_change: date | None


class ReadingShown(NamedTuple):
    """A reading: what was adopted, why, and what else could have been: value and meaning."""

    id: str
    adopted: str
    reason: str
    others: Sequence[tuple[str, str]]
    articles: Sequence[str]


def book_or_404(rulebook: str) -> Law:
    """A rulebook by its id. Raises: Http404, where the house keeps none of that name."""
    if rulebook not in rulebook_ids():
        raise Http404
    return load_law(rulebook)


@for_everybody
def rulebook(request: HttpRequest, rulebook: str) -> HttpResponse:
    """Every article of a rulebook with its state."""
    law = book_or_404(rulebook)
    asked = asked_of(request)
    sees = reads_all(request)
    seen = _seen(law, asked) if sees else _NOTHING_SEEN
    found = answers.open_by_article(rulebook, asked.stretch, law.articles) if sees else {}
    tiles = [
        Tile(
            article.number,
            f"{law.cites} {article.number}" if article.number.isdecimal() else _("section"),
            heading(article),
            _address(law, article.number, asked),
            state_of(
                article,
                found.get(article.number, Counter()),
                seen.given,
                seen.asked,
                counted_as("breach", law.id),
            ),
            in_figures(article, seen.given, seen.asked),
        )
        for article in law.articles.values()
    ]
    return render(
        request,
        "audit/rulebook.html",
        {
            **admin.site.each_context(request),
            **asked.context(),
            "title": title(law),
            "instrument": instrument(law),
            "act": act(law),
            "law": law,
            "tiles": tiles,
            "controls": _controls(asked if sees else None),
            "undecided": sum(one.undecided for one in seen.given.values()),
            "house_undecided": _of_house(asked) if sees else 0,
            "stretch_query": asked.address(),
            "states": counted(tile.state for tile in tiles),
            "books": [(book, title(load_law(book)), book == rulebook) for book in rulebook_ids()],
            "query": asked.query,
            "judged": seen.judged,
            "sees_findings": sees,
            "exports": exports(request),
            "sees_register": access_policy.reads(request, FiguresAsked.kind) == "all",
            **_waiting(request, law, asked, seen.judged.waiting),
        },
    )


def _of_house(asked: Asked) -> int:
    given = answers.of_checks(controls.RULEBOOK, asked.stretch)
    return sum(one.undecided for one in given.values())


def _waiting(request: HttpRequest, law: Law, asked: Asked, waiting: int) -> dict[str, object]:
    """What can be done about games of days that ended which nobody judged."""
    days = answers.days_waiting(_ended(asked)) if waiting else []
    may = bool(days) and replays(request)
    return {
        "days_waiting": days,
        "days_a_night": answers.DAYS,
        "judge_url": f"{reverse('law-judge', args=[law.id])}?{asked.address()}" if may else "",
    }


def _ended(asked: Asked) -> answers.Stretch:
    last = min(asked.stretch.last, gaming_day_now() - timedelta(days=1))
    return asked.stretch._replace(last=last)


@for_everybody
@require_POST
def judge_waiting(request: HttpRequest, rulebook: str) -> HttpResponse:
    """Want the days of the grid reconciled that hold games nobody judged; back to the grid."""
    law = book_or_404(rulebook)
    if not replays(request):
        raise PermissionDenied
    asked = asked_of(request)
    named = f"{WAITING}-asked/{clock.now().isoformat()}"
    days = ask_to_judge(answers.days_waiting(_ended(asked)), named, request.user.get_username())
    text = ngettext(
        "%(n)s gaming day will be reconciled; its games stand here once that has ended.",
        "%(n)s gaming days will be reconciled; their games stand here once that has ended.",
        len(days),
    )
    if days:
        messages.info(request, text % {"n": len(days)})
    return HttpResponseRedirect(f"{reverse('law-rulebook', args=[law.id])}?{asked.address()}")


def _controls(asked: Asked | None) -> list[Tile]:
    """Every article of the house, beside those of any rulebook: of its games, then of its work.

    Without `asked` none with its state.
    """
    book = controls.RULEBOOK
    mine = house_articles()
    found: Mapping[str, Mapping[str, int]] = {}
    given: Mapping[str, answers.Answers] = {}
    put: frozenset[str] = frozenset()
    query = ""
    if asked is not None:
        found = answers.open_by_article(book, asked.stretch, mine)
        given = answers.of_checks(book, asked.stretch)
        if answers.judged(book, asked.stretch).games:
            put = frozenset(check for one in mine.values() for check in one.upheld_by)
        query = f"&{asked.address()}"
    listed = reverse("admin:audit_finding_changelist")
    return [
        Tile(
            one.number,
            "",
            _(one.heading_en),
            f"{listed}?{urlencode({'rulebook': book, 'article': one.number})}{query}",
            state_of_house(one, found.get(one.number, Counter()), given, put),
            in_figures(one, given, put),
        )
        for one in mine.values()
    ]


class _Seen(NamedTuple):
    """What the checks of a rulebook answered over some days, and which of them were asked."""

    given: Mapping[str, answers.Answers]
    judged: answers.Judged
    asked: frozenset[str]


_NOTHING_SEEN: Final = _Seen({}, answers.Judged(0, 0, 0), frozenset())


def _seen(law: Law, asked: Asked) -> _Seen:
    judged = answers.judged(law.id, asked.stretch)
    rules = law.on(asked.stretch.last)
    given = answers.of_checks(law.id, asked.stretch)
    return _Seen(given, judged, asked_in(rules, judged.games))


def _address(law: Law, article: str, asked: Asked) -> str:
    address = reverse("law-article", args=[law.id, article])
    return f"{address}?{asked.query}" if asked.query else address


@for_everybody
def article(request: HttpRequest, rulebook: str, article: str) -> HttpResponse:
    """One article: what it asks, its figures on a day, its readings, its checks, its findings."""
    law = book_or_404(rulebook)
    if article not in law.articles:
        raise Http404
    this = law.articles[article]
    today = gaming_day_now()
    day = day_asked(request, "day") or today
    place = list(law.articles).index(article)
    stated = [one for one in law.parameters.values() if one.article == article]
    official = regulation_texts.article_on(law.id, article, day)
    return render(
        request,
        "audit/article.html",
        {
            **admin.site.each_context(request),
            "title": cited(law.id, article),
            "numbered": article.isdecimal(),
            "heading": heading(this),
            "summary": summary(this),
            "in_the_other": this.summary_en if language() == "pt" else this.summary_pt,
            "other_language": "en" if language() == "pt" else "pt",
            "duty": DUTIES[this.duty],
            "law": law,
            "law_title": title(law),
            "instrument": instrument(law),
            "act": act(law),
            "article": this,
            "day": day,
            "today": today,
            "figures": [_figure(law, one, day) for one in stated],
            "otherwise": figure_words.otherwise_set(law, [one.name for one in stated], day),
            "readings": [
                reading_shown(law, r, day) for r in law.readings.values() if article in r.articles
            ],
            "sees_register": access_policy.reads(request, FiguresAsked.kind) == "all",
            "official": official,
            "differing": text_notes.of_article(official[2], law, article, day) if official else [],
            "kept_fields": [("day", day.isoformat())] if day != today else [],
            "asks_runs": asks_runs(request),
            "examples": examples_of(law.id, article),
            **_answered(request, law, this),
            **_neighbours(law, place),
        },
    )


def _neighbours(law: Law, place: int) -> dict[str, str | None]:
    """The articles before and after one, by their numbers and as they are cited."""
    numbers = list(law.articles)
    before = numbers[place - 1] if place else None
    after = numbers[place + 1] if place + 1 < len(numbers) else None
    return {
        "before": before,
        "before_cited": before and cited(law.id, before),
        "after": after,
        "after_cited": after and cited(law.id, after),
    }


def _answered(request: HttpRequest, law: Law, article: Article) -> dict[str, object]:
    """What an article's checks answered over the days asked, and what was found."""
    asked, sees = asked_of(request), reads_all(request)
    seen = _seen(law, asked) if sees else _NOTHING_SEEN
    under = Finding.objects.filter(rulebook=law.id, article=article.number)
    mine = audit_queries.open_findings(asked.narrowed(readable(request, under)))
    found = answers.open_by_article(law.id, asked.stretch, [article.number]) if sees else {}
    gravest = counted_as("breach", law.id)
    of = found.get(article.number, Counter())
    state = state_of(article, of, seen.given, seen.asked, gravest)
    of_article = asked.address(article=article.number)
    return {
        **asked.context(),
        "sees": sees,
        "state": state,
        "judged": seen.judged,
        "total": summed(article, seen.given),
        "checks": checks_shown(article, law.id, seen.given, seen.asked, seen.judged.games),
        "findings": lines_of(list(mine.order_by("-n")[:SHOWN])),
        "list_url": f"{reverse('admin:audit_finding_changelist')}?{of_article}&rulebook={law.id}",
        "undecided_url": f"{reverse('law-undecided', args=[law.id])}?{of_article}",
        "query": asked.query,
        "stretch_fields": asked.fields,
    }


def _figure(law: Law, parameter: Parameter, day: date) -> Figure:
    held = parameter.on(day)
    by = None if held is None else set_by(law, parameter.name, held.since)
    source = "" if held is None else figures.place_of_figure(law, held.source)
    later = [dated.since for dated in parameter.values if dated.since > day]
    return Figure(
        figure_words.name(parameter.name),
        parameter.name,
        _("not stated on this day")
        if held is None
        else figure_words.said(law, parameter, held.value),
        None if held is None or held.since.year == 1900 else held.since,
        source if by is None else by.event.source,
        later[0] if later else None,
    )


def reading_shown(law: Law, reading: Reading, day: date) -> ReadingShown:
    """A reading in the language of the answer, as it is adopted on a day."""
    adopted = law.adopted(reading, day)
    others = [spelled(c.value) for c in reading.choices if c.value != adopted]
    return ReadingShown(
        reading.id,
        figure_words.meaning(reading, adopted),
        either(reading.reason_pt, reading.reason_en),
        [(value, figure_words.meaning(reading, value)) for value in others],
        reading.articles,
    )
