"""The law as the house keeps it: a rulebook as a grid of its articles, and one article whole."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from audit import queries
from audit.models import Finding
from audit.pages import figures
from audit.pages.access import for_everybody, readable, reads_all
from audit.pages.words import DUTIES, GRAVITY, heading, language, summary, title, tone_of, words
from casino.admin.house_time import gaming_day_now
from casino.admin.marks import Tone
from casino.regulation import controls
from casino.regulation.checks import ALL_CHECKS
from casino.regulation.law import Law, load_law, rulebook_ids
from casino.regulation.rulebook import Article, Parameter, Reading

SHOWN = 10  # findings shown below an article; the list has them all


class ArticleState(NamedTuple):
    """How an article stands in the grid: a tone, an icon of icons.html, a word."""

    tone: Tone
    icon: str
    word: str


class Tile(NamedTuple):
    """One article in the grid."""

    number: str
    heading: str
    url: str
    state: ArticleState


class Figure(NamedTuple):
    """A figure in force: what it is called, its value, since when, where it stands."""

    name: str
    code: str
    value: str
    since: date | None
    source: str
    next_change: date | None


class ReadingShown(NamedTuple):
    """A reading: what was adopted, why, and what else could have been."""

    id: str
    adopted: str
    reason: str
    others: Sequence[str]
    articles: Sequence[str]


class CheckShown(NamedTuple):
    """A check: its sentence, its gravity, how many findings are open under it."""

    name: str
    statement: str
    severity: str
    gravity: str


def book_or_404(rulebook: str) -> Law:
    """A rulebook by its id. Raises: Http404, where the house keeps none of that name."""
    if rulebook not in rulebook_ids():
        raise Http404
    return load_law(rulebook)


@for_everybody
def rulebook(request: HttpRequest, rulebook: str) -> HttpResponse:
    """Every article of a rulebook with its state."""
    law = book_or_404(rulebook)
    found = queries.open_by_article(rulebook, law.articles) if reads_all(request) else {}
    answers = queries.answers_of_checks(rulebook)
    tiles = [
        Tile(
            article.number,
            heading(article),
            reverse("law-article", args=[rulebook, article.number]),
            state_of(article, found.get(article.number, Counter()), answers),
        )
        for article in law.articles.values()
    ]
    return render(
        request,
        "audit/rulebook.html",
        {
            **admin.site.each_context(request),
            "title": title(law),
            "law": law,
            "tiles": tiles,
            "controls": _controls(sees=reads_all(request)),
            "states": _counted(tiles),
            "books": [(book, title(load_law(book)), book == rulebook) for book in rulebook_ids()],
            "sees_findings": reads_all(request),
        },
    )


def _controls(*, sees: bool) -> list[Tile]:
    """The house's own controls of its games, beside the articles of any rulebook."""
    found = queries.open_by_article(controls.RULEBOOK, controls.CONTROLS) if sees else {}
    answers = queries.answers_of_checks(controls.RULEBOOK)
    listed = reverse("admin:audit_finding_changelist")
    return [
        Tile(
            article,
            _(one.heading),
            f"{listed}?{urlencode({'rulebook': controls.RULEBOOK, 'article': article})}",
            _state(one.checks, found.get(article, Counter()), answers),
        )
        for article, one in controls.CONTROLS.items()
    ]


def state_of(
    article: Article, found: Mapping[str, int], answers: Mapping[str, queries.Answers]
) -> ArticleState:
    """How an article stands: the gravest that can be said of it."""
    return _state(article.upheld_by, found, answers)


def _state(
    checks: Sequence[str], found: Mapping[str, int], answers: Mapping[str, queries.Answers]
) -> ArticleState:
    number = sum(found.values())
    if number:
        tone = tone_of(next(gravity for gravity in queries.GRAVITIES if found.get(gravity)))
        told = str(number) if number <= queries.PER_ARTICLE else f"{queries.PER_ARTICLE}+"
        return ArticleState(tone, tone, _("With findings (%(n)s)") % {"n": told})
    given = [answers[check] for check in checks if check in answers]
    if any(answer.lawful for answer in given):
        return ArticleState("kept", "kept", _("Kept"))
    if any(answer.undecided for answer in given):
        return ArticleState("idle", "note", _("Not decidable"))
    if checks:
        return ArticleState("idle", "idle", _("Not exercised"))
    return ArticleState("idle", "open", _("Not checked yet"))


def _counted(tiles: Sequence[Tile]) -> list[tuple[ArticleState, int]]:
    """How many articles stand how, the gravest first."""
    with_findings = [tile.state for tile in tiles if tile.state.tone in queries.GRAVITIES]
    others = Counter(tile.state for tile in tiles if tile.state.tone not in queries.GRAVITIES)
    counted = sorted(
        others.items(), key=lambda one: ("kept", "note", "idle", "open").index(one[0].icon)
    )
    if with_findings:
        tone = tone_of(
            next(g for g in queries.GRAVITIES if any(s.tone == g for s in with_findings))
        )
        counted.insert(0, (ArticleState(tone, tone, _("With findings")), len(with_findings)))
    return counted


@for_everybody
def article(request: HttpRequest, rulebook: str, article: str) -> HttpResponse:
    """One article: what it asks, its figures on a day, its readings, its checks, its findings."""
    law = book_or_404(rulebook)
    if article not in law.articles:
        raise Http404
    this = law.articles[article]
    today = gaming_day_now()
    day = _day_asked(request) or today
    mine = readable(request, Finding.objects.filter(rulebook=rulebook, article=article))
    asked = {"rulebook": rulebook, "article": article}
    numbers = list(law.articles)
    place = numbers.index(article)
    return render(
        request,
        "audit/article.html",
        {
            **admin.site.each_context(request),
            "title": f"{law.cites} {article}",
            "heading": heading(this),
            "summary": summary(this),
            "in_the_other": this.summary_en if language() == "pt" else this.summary_pt,
            "other_language": "en" if language() == "pt" else "pt",
            "duty": DUTIES[this.duty],
            "law": law,
            "law_title": title(law),
            "article": this,
            "day": day,
            "today": today,
            "figures": [
                _figure(law, p, day) for p in law.parameters.values() if p.article == article
            ],
            "readings": [_reading(law, r) for r in law.readings.values() if article in r.articles],
            "checks": [_check(name) for name in this.upheld_by],
            "findings": _findings(mine),
            "list_url": reverse("admin:audit_finding_changelist", query=asked),
            "before": numbers[place - 1] if place else None,
            "after": numbers[place + 1] if place + 1 < len(numbers) else None,
        },
    )


def _day_asked(request: HttpRequest) -> date | None:
    try:
        return date.fromisoformat(request.GET.get("day", ""))
    except ValueError:
        return None


def _figure(law: Law, parameter: Parameter, day: date) -> Figure:
    held = parameter.on(day)
    later = [dated.since for dated in parameter.values if dated.since > day]
    return Figure(
        figures.name(parameter.name),
        parameter.name,
        _("not stated on this day") if held is None else figures.said(law, parameter, held.value),
        None if held is None or held.since.year == 1900 else held.since,
        "" if held is None else figures.told_in(held.source),
        later[0] if later else None,
    )


def _reading(law: Law, reading: Reading) -> ReadingShown:
    others = [c.value for c in reading.choices if c.value != reading.choice]
    return ReadingShown(
        reading.id,
        figures.meaning(reading, reading.choice),
        reading.reason_pt if language() == "pt" else reading.reason_en,
        [figures.meaning(reading, value) for value in others],
        reading.articles,
    )


def _check(name: str) -> CheckShown:
    check = ALL_CHECKS.get(name)
    severity = "breach" if check is None else check.severity
    return CheckShown(name, words().statement(name), severity, str(GRAVITY[severity]))


def _findings(mine: queries.Findings) -> list[dict[str, Any]]:
    say = words()
    shown = queries.open_findings(mine).order_by("-n")[:SHOWN]
    return [{"finding": finding, "told": say.finding(finding)} for finding in shown]
