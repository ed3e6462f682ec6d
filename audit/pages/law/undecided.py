"""What could not be decided: record by record, what is missing and where it would be recorded.

How often, the book tells of each game; which records, is judged anew when the page is read, for a
few games at a time, so that what was recorded since is seen.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext

from audit import answers
from audit.answers import GameUndecided
from audit.pages.audit_access import for_everybody, reads_all
from audit.pages.law.law_pages import book_or_404
from audit.pages.law.stretch import asked_of
from audit.pages.page_words import cited, title, words
from audit.reconcile.cutting import Work
from audit.reconcile.judge_partida import PartidaJudge, Unanswered, reach_now
from casino import clock
from casino.access import access_policy
from casino.law.rulebook.lacking import Lacking, lacking
from casino.law.rulebook.rulebook import Law
from casino.law.wording.wording import WHY
from casino.models import BookEntry
from casino.web.entries.entry_page import PAGES, body_of, url_of
from casino.web.entries.timeline_links import timeline_url
from casino.web.words.kind_words import kind_word

ROUNDS: Final = 500  # judged for one page, a game at least
RECORDS: Final = 200  # shown of one game
# Reasons in WHY that no record could tell: what a rulebook does not say, what nobody decided.
_UNSAID: Final = frozenset({
    "cards_known_no_further", "round_voided", "special_prize_of_others", "unlawful_surrender",
})  # fmt: skip


class Shown(NamedTuple):
    """One question without an answer: its record, its check, what is missing, where to tell it."""

    record: str
    record_url: str
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


@for_everybody
def undecided(request: HttpRequest, rulebook: str) -> HttpResponse:
    """What the checks of a rulebook, of one article or one check, could not decide."""
    if not reads_all(request):
        raise PermissionDenied
    law = book_or_404(rulebook)
    asked = asked_of(request)
    checks, article, check = _checks_asked(request, law)
    games = answers.undecided_games(rulebook, asked.stretch, checks)
    begin = request.GET.get("game", "")
    place = next((at for at, one in enumerate(games) if one.partida == begin), 0)
    seen = list(_games(request, law, checks, games[place:]))
    after = place + len(seen)
    more = {"article": article} if article else {}
    more |= {"check": check} if check else {}
    here = reverse("law-undecided", args=[rulebook])

    def address(game: str) -> str:
        return f"{here}?{asked.address(**more, game=game)}"

    return render(
        request,
        "audit/undecided.html",
        {
            **admin.site.each_context(request),
            **asked.context(),
            "title": gettext("Not decidable"),
            "law": law,
            "law_title": title(law),
            "article": article,
            "article_cited": cited(law.id, article) if article else "",
            "statement": words().statement(check) if check else "",
            "games": seen,
            "every": [(one.partida, one.times, address(one.partida)) for one in games],
            "more_games": len(games) == answers.GAMES,
            "times": sum(one.times for one in games),
            "next": address(games[after].partida) if after < len(games) else "",
            "kept_fields": list(more.items()),
            "query": asked.query,
            "judged": answers.judged(rulebook, asked.stretch),
            "law_url": reverse("law-rulebook", args=[rulebook]),
            "article_url": reverse("law-article", args=[rulebook, article]) if article else "",
        },
    )


def _checks_asked(request: HttpRequest, law: Law) -> tuple[frozenset[str], str, str]:
    """The checks asked, with the article and the check in the address; what is unknown is none."""
    article, check = request.GET.get("article", ""), request.GET.get("check", "")
    every = {name: one for one in law.articles for name in law.articles[one].upheld_by}
    if check in every:
        return frozenset({check}), every[check], check
    if article in law.articles:
        return frozenset(law.articles[article].upheld_by), article, ""
    return frozenset(every), "", ""


def _games(
    request: HttpRequest, law: Law, checks: frozenset[str], games: Iterable[GameUndecided]
) -> Iterator[Game]:
    """As many games as one page judges, each with its questions."""
    partida_judge = PartidaJudge(up_to=reach_now(), as_of=clock.now(), keeps_undecided=True)
    rounds = 0
    for game in games:
        rounds += game.rounds
        if rounds > max(ROUNDS, game.rounds):
            return
        done = partida_judge.do(Work(game.partida))
        found = [
            one for one in done.undecided or () if one.rulebook == law.id and one.check in checks
        ]
        yield Game(
            game.partida,
            timeline_url("partida", game.partida),
            _shown(request, found[:RECORDS]),
            max(len(found) - RECORDS, 0),
            len(found) != game.times,
        )


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
