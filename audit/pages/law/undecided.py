"""What could not be decided: record by record, what is missing and where it would be recorded.

Of a rulebook, or of the house's own controls, which stand beside those of any rulebook.

How often, the book tells of each game; which records, is judged anew when the page is read, for a
few games at a time, so that what was recorded since is seen.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext

from audit import answers
from audit.answers import GameUndecided
from audit.pages.audit_access import exports, for_everybody, reads_all
from audit.pages.law.article_states import house_articles
from audit.pages.law.law_pages import book_or_404
from audit.pages.law.stretch import Asked, asked_of
from audit.pages.page_words import cited, title, words
from audit.reconcile.cutting import Work
from audit.reconcile.judge_partida import PartidaJudge, Unanswered, reach_now
from casino import clock
from casino.access import access_policy
from casino.law.rulebook import controls
from casino.law.rulebook.lacking import Lacking, lacking
from casino.law.wording.wording import WHY
from casino.models import BookEntry
from casino.queries import day_of, table_of
from casino.web.display.csv_answer import Cell, file_named
from casino.web.entries.entry_page import PAGES, body_of, url_of
from casino.web.entries.timeline_links import timeline_url
from casino.web.list_files.list_answer import list_answer, refused_list
from casino.web.list_files.list_source import ListSource, columns_of
from casino.web.words.kind_words import kind_word

ROUNDS: Final = 500  # judged for one page, a game at least
RECORDS: Final = 200  # shown of one game
IN_FILE: Final = 3_000  # rounds judged for one file: a night of twelve tables, some six seconds
HEAD: Final = (
    *("gaming_day", "table", "partida", "record", "entry", "cited", "check", "rule"),
    *("missing", "recorded_as"),
)
# Reasons in WHY that no record could tell: what a rulebook does not say, what nobody decided.
_UNSAID: Final = frozenset({
    "cards_known_no_further", "round_voided", "special_prize_of_others", "unlawful_surrender",
})  # fmt: skip


class _Asked(NamedTuple):
    """What is asked about: a rulebook, or the house's controls, which have no pages of their own.

    `checks` are those of each article.
    """

    id: str
    title: str
    checks: Mapping[str, Sequence[str]]
    url: str
    of_house: bool = False


class Shown(NamedTuple):
    """One question without an answer: its record, its check, what is missing, where to tell it.

    `entry` is the record as files name it, ``table/BJ-01#98``; '' for a whole game.
    """

    record: str
    record_url: str
    entry: str
    check: str
    statement: str
    missing: str
    form_name: str
    form_url: str


class Game(NamedTuple):
    """A game and what could not be decided of it; `left` are those that are not shown."""

    partida: str
    url: str
    shown: Sequence[Shown]
    left: int
    since: bool


class OfCheck(NamedTuple):
    """A check and how often it could not decide, in the days asked."""

    cited: str
    statement: str
    times: int
    url: str


def _book_or_404(rulebook: str) -> _Asked:
    """A rulebook or the house, by its id. Raises: Http404, where there is none of that name."""
    if rulebook == controls.RULEBOOK:
        checks = {one.number: one.upheld_by for one in house_articles().values()}
        return _Asked(rulebook, gettext("Controls of the house"), checks, reverse("law"), True)
    law = book_or_404(rulebook)
    checks = {one.number: one.upheld_by for one in law.articles.values()}
    return _Asked(law.id, title(law), checks, reverse("law-rulebook", args=[law.id]))


@for_everybody
def undecided(request: HttpRequest, rulebook: str) -> HttpResponse:
    """What the checks of a rulebook, of one article or one check, could not decide."""
    if not reads_all(request):
        raise PermissionDenied
    book = _book_or_404(rulebook)
    asked = asked_of(request)
    checks, article, check = _checks_asked(request, book)
    games = answers.undecided_games(rulebook, asked.stretch, checks)
    begin = request.GET.get("game", "")
    place = next((at for at, one in enumerate(games) if one.partida == begin), 0)
    seen = list(_games(request, book, checks, games[place:]))
    after = place + len(seen)
    more = {"article": article} if article else {}
    more |= {"check": check} if check else {}
    here = reverse("law-undecided", args=[rulebook])
    csv_url = f"{reverse('law-undecided-csv', args=[rulebook])}?{asked.address(**more)}"

    def address(game: str) -> str:
        return f"{here}?{asked.address(**more, game=game)}"

    return render(
        request,
        "audit/undecided.html",
        {
            **admin.site.each_context(request),
            **asked.context(),
            "title": gettext("Not decidable"),
            "law_title": book.title,
            "article": article,
            "article_cited": cited(book.id, article) if article else "",
            "statement": words().statement(check) if check else "",
            "by_check": [] if check else _by_check(book, asked, checks),
            "csv_url": csv_url if games and exports(request) else "",
            "file_rows": sum(one.times for one in games),
            "games": seen,
            "every": [(one.partida, one.times, address(one.partida)) for one in games],
            "more_games": len(games) == answers.GAMES,
            "times": sum(one.times for one in games),
            "next": address(games[after].partida) if after < len(games) else "",
            "kept_fields": list(more.items()),
            "query": asked.query,
            "judged": answers.judged(rulebook, asked.stretch),
            "law_url": book.url,
            "article_url": _article_url(book, article),
        },
    )


def _article_url(book: _Asked, article: str) -> str:
    if not article or book.of_house:
        return ""
    return reverse("law-article", args=[book.id, article])


def _checks_asked(request: HttpRequest, book: _Asked) -> tuple[frozenset[str], str, str]:
    """The checks asked, with the article and the check in the address; what is unknown is none."""
    article, check = request.GET.get("article", ""), request.GET.get("check", "")
    every = _article_of(book)
    if check in every:
        return frozenset({check}), every[check], check
    if article in book.checks:
        return frozenset(book.checks[article]), article, ""
    return frozenset(every), "", ""


def _article_of(book: _Asked) -> dict[str, str]:
    """The article of each check of a rulebook."""
    return {check: article for article, checks in book.checks.items() for check in checks}


def _games(
    request: HttpRequest, book: _Asked, checks: frozenset[str], games: Iterable[GameUndecided]
) -> Iterator[Game]:
    """As many games as one page judges, each with its questions."""
    partida_judge = _judge()
    rounds = 0
    for game in games:
        rounds += game.rounds
        if rounds > max(ROUNDS, game.rounds):
            return
        found = _found(partida_judge, book, checks, game)
        yield Game(
            game.partida,
            timeline_url("partida", game.partida),
            _shown(request, found[:RECORDS]),
            max(len(found) - RECORDS, 0),
            len(found) != game.times,
        )


def _judge() -> PartidaJudge:
    return PartidaJudge(up_to=reach_now(), as_of=clock.now(), keeps_undecided=True)


def _found(
    partida_judge: PartidaJudge, book: _Asked, checks: frozenset[str], game: GameUndecided
) -> list[Unanswered]:
    done = partida_judge.do(Work(game.partida))
    return [one for one in done.undecided or () if one.rulebook == book.id and one.check in checks]


def _by_check(book: _Asked, asked: Asked, checks: frozenset[str]) -> list[OfCheck]:
    """The checks that could not decide, the most often first."""
    article, say = _article_of(book), words()
    here = reverse("law-undecided", args=[book.id])
    given = answers.of_checks(book.id, asked.stretch)
    times = {check: given[check].undecided for check in checks & given.keys()}
    return [
        OfCheck(
            cited(book.id, article[check]),
            say.statement(check),
            number,
            f"{here}?{asked.address(check=check)}",
        )
        for check, number in sorted(times.items(), key=lambda one: (-one[1], one[0]))
        if number
    ]


@for_everybody
def undecided_csv(request: HttpRequest, rulebook: str) -> HttpResponseBase:
    """All that is asked for as a file: judged anew, so of no more games than one answer judges."""
    if not exports(request):
        raise PermissionDenied
    book = _book_or_404(rulebook)
    asked = asked_of(request)
    checks, article, check = _checks_asked(request, book)
    games = answers.undecided_games(rulebook, asked.stretch, checks)
    if len(games) == answers.GAMES or sum(one.rounds for one in games) > IN_FILE:
        text = gettext("A file holds %(n)s rounds at most: ask for fewer days, or for one table.")
        return refused_list(request, text % {"n": IN_FILE})
    partida_judge = _judge()
    rows = [
        _row(book, game.partida, one)
        for game in games
        for one in _shown(request, _found(partida_judge, book, checks, game))
    ]
    first, last, table = asked.stretch
    narrowed = dict(asked.in_words)
    if article:
        narrowed[gettext("Article")] = cited(book.id, article)
    if check:
        narrowed[gettext("Check")] = words().statement(check)
    source = ListSource(
        of="undecided",
        name=file_named("undecided", book.id, first.isoformat(), last.isoformat(), table, article),
        title=gettext("Not decidable"),
        columns=columns_of(HEAD),
        rows=rows,
        count=len(rows),
        narrowed=narrowed,
        first=first,
        last=last,
    )
    return list_answer(request, source)


def _row(book: _Asked, partida: str, one: Shown) -> list[Cell]:
    article = _article_of(book)[one.check]
    return [
        day_of(partida).isoformat(),
        table_of(partida),
        partida,
        one.record,
        one.entry,
        cited(book.id, article),
        one.check,
        one.statement,
        one.missing,
        one.form_name,
    ]


def _shown(request: HttpRequest, unanswered: Sequence[Unanswered]) -> list[Shown]:
    entries = {
        str(entry.pk): entry
        for entry in BookEntry.objects.filter(
            pk__in={one.lacks.about for one in unanswered if one.lacks.about}
        ).select_related("stream")
    }
    say = words()
    return [_one(request, one, entries.get(one.lacks.about), say) for one in unanswered]


def _one(request: HttpRequest, unanswered: Unanswered, entry: BookEntry | None, say: Any) -> Shown:
    lacks = _lacking(unanswered)
    if lacks is not None:
        missing = gettext(lacks.what)
    elif _is_of_no_record(unanswered):
        missing = say.why(unanswered.lacks.missing)
    else:
        missing = gettext("what this check asks is not told in the records")
    return Shown(
        _record(entry)
        if entry is not None
        else unanswered.lacks.subject or gettext("the whole game"),
        "" if entry is None else url_of(entry.kind, entry.pk),
        "" if entry is None else f"{entry.stream.name}#{entry.n}",
        unanswered.check,
        say.statement(unanswered.check),
        missing,
        "" if lacks is None else str(kind_word(lacks.kind)),
        "" if lacks is None else _where_to_record(request, lacks.kind, entry),
    )


def _record(entry: BookEntry) -> str:
    """What a record is called: a round by its place in the shoe, any other by its number."""
    value = body_of(entry)["payload"]
    if value.get("shoe") is not None and value.get("number") is not None:
        return gettext("%(kind)s, shoe %(shoe)s, round %(number)s") % {
            "kind": kind_word(entry.kind),
            "shoe": value["shoe"],
            "number": value["number"],
        }
    return gettext("%(kind)s, entry %(n)s") % {"kind": kind_word(entry.kind), "n": entry.n}


def _is_of_no_record(unanswered: Unanswered) -> bool:
    """Whether no record could tell it, as where it is the rulebook that does not say it."""
    return unanswered.lacks.missing in _UNSAID or unanswered.lacks.missing.startswith("not_stated:")


def _lacking(unanswered: Unanswered) -> Lacking | None:
    if _is_of_no_record(unanswered):
        return None
    if unanswered.lacks.missing in WHY:
        return Lacking(WHY[unanswered.lacks.missing], "round-played/1")
    return lacking(unanswered.check, unanswered.lacks.missing)


def _where_to_record(request: HttpRequest, kind: str, entry: BookEntry | None) -> str:
    """The form that tells it, for whoever may: the record's correction, or a new one."""
    page = PAGES.get(kind)
    if page is None or access_policy.actor(request, kind) is None:
        return ""
    if entry is not None and entry.kind == kind:
        return reverse(page.removesuffix("_change") + "_correct", args=[entry.pk])
    return reverse(page.removesuffix("_change") + "_add")
