"""How an article stands over some days: what its checks answered, and the one word for it.

"Kept" is said only where something was judged, all of it could be decided and all of it was lawful.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from audit.answers import PER_ARTICLE, Answers
from audit.audit_queries import GRAVITIES
from audit.pages.page_words import gravity_word, tone_of, words
from audit.runs import house_checks
from audit.runs.house_checks import OF_ITS_WORK, article_of, heading_of, summary_of
from casino.law.check_registry import ALL_CHECKS, plan_of
from casino.law.checks.table import house_controls
from casino.law.rulebook import controls
from casino.law.rulebook.rulebook import Article, LawInForce
from casino.web.display.status_marks import Tone

Kind = Literal["found", "undecided", "kept", "nothing", "not_asked", "no_check"]
_ORDER: Final = ("found", "undecided", "kept", "nothing", "not_asked", "no_check")


class ArticleState(NamedTuple):
    """How an article stands: a kind, a tone, an icon of icons.html, a word."""

    kind: Kind
    tone: Tone
    icon: str
    word: str


class CheckShown(NamedTuple):
    """A check: its sentence, its gravity, its answers; `silence` says why it has none."""

    name: str
    statement: str
    severity: str
    gravity: str
    answers: Answers
    silence: str


def asked_in(rules: LawInForce, games: int) -> frozenset[str]:
    """The checks that were asked of some games under a law: none where there were none."""
    return plan_of(rules).upheld if games else frozenset()


def summed(article: Article, answers: Mapping[str, Answers]) -> Answers:
    """What all checks of an article answered together."""
    given = [answers[check] for check in article.upheld_by if check in answers]
    return Answers(*(sum(part) for part in zip(*given, strict=True))) if given else Answers()


def state_of(
    article: Article,
    found: Mapping[str, int],
    answers: Mapping[str, Answers],
    asked: frozenset[str],
    gravest: str = "breach",
) -> ArticleState:
    """How an article stands: the gravest that can be said of it.

    `found` are the findings open under it by gravity, `asked` the checks that were asked at all,
    `gravest` how grave something is that was found and whose gravity is not at hand.
    """
    total = summed(article, answers)
    number = sum(found.values())
    if number or total.found:
        gravity = next((each for each in GRAVITIES if found.get(each)), gravest)
        tone = tone_of(gravity)
        text = str(number or total.found) if number <= PER_ARTICLE else f"{PER_ARTICLE}+"
        return ArticleState("found", tone, tone, _("With findings (%(n)s)") % {"n": text})
    if total.undecided:
        return ArticleState("undecided", "note", "note", _("To be decided"))
    if total.lawful:
        return ArticleState("kept", "kept", "kept", _("Kept"))
    if article.duty == "dispensation":
        return ArticleState("nothing", "idle", "idle", _("Nothing to judge"))
    if not article.upheld_by:
        return ArticleState("no_check", "idle", "open", _("Not checked yet"))
    if asked.intersection(article.upheld_by):
        return ArticleState("nothing", "idle", "idle", _("Nothing to judge"))
    return ArticleState("not_asked", "idle", "open", _("Not asked"))


def state_of_house(
    of: Article,
    found: Mapping[str, int],
    given: Mapping[str, Answers],
    put: frozenset[str],
) -> ArticleState:
    """As of any article; of what is asked of no game, the most that is said is that nothing was
    found.
    """
    state = state_of(of, found, given, put, gravest="deviation")
    if of.number in OF_ITS_WORK and state.kind in ("nothing", "not_asked"):
        return ArticleState("nothing", "idle", "idle", _("Nothing found"))
    return state


def house_articles() -> dict[str, Article]:
    """Every article of the house, beside those of any rulebook: of its games, then of its work."""
    return {one: _as_article(one) for one in [*house_controls.ARTICLES, *OF_ITS_WORK]}


def _as_article(number: str) -> Article:
    """One of the house in the form of a rulebook's; heading and summary are English msgids."""
    of = house_controls.ARTICLES.get(number)
    names = (heading_of(number), summary_of(number)) if of is None else (of.heading, of.summary)
    # A control of a game stands in STATEMENTS too, for its words; its article is CONTROLS' alone.
    own = house_checks.STATEMENTS.keys() - controls.ARTICLE_OF.keys()
    checks = [one for one in house_checks.STATEMENTS if one in own and article_of(one) == number]
    if of is not None:
        checks = [check.name for check in of.checks]
    if number in controls.CONTROLS:
        checks += controls.CONTROLS[number].checks
    texts = names[0], names[0], names[1], names[1]
    return Article(number, *texts, "procedure", "table", tuple(checks))


def in_figures(article: Article, answers: Mapping[str, Answers], asked: frozenset[str]) -> str:
    """What the checks of an article answered, in one line."""
    total = summed(article, answers)
    silent = [check for check in article.upheld_by if check not in answers]
    parts = [
        ngettext("%(n)s lawful", "%(n)s lawful", total.lawful) % {"n": total.lawful},
        ngettext("%(n)s not decidable", "%(n)s not decidable", total.undecided)
        % {"n": total.undecided}
        if total.undecided
        else "",
        _("%(n)s of %(all)s checks without anything to judge")
        % {"n": len(silent), "all": len(article.upheld_by)}
        if silent and asked.issuperset(silent)
        else _("%(n)s of %(all)s checks without an answer")
        % {"n": len(silent), "all": len(article.upheld_by)}
        if silent
        else "",
    ]
    if not total.checked:
        return ""
    return " · ".join(part for part in parts if part)


def counted(states: Iterable[ArticleState]) -> list[tuple[ArticleState, int]]:
    """How many articles stand how, the gravest first; those with findings as one."""
    by_kind: dict[str, list[ArticleState]] = {}
    for state in states:
        by_kind.setdefault(state.kind, []).append(state)
    found = by_kind.get("found")
    if found:
        worst = next(tone for tone in GRAVITIES if any(one.tone == tone for one in found))
        shown = ArticleState("found", tone_of(worst), worst, _("With findings"))
        by_kind["found"] = [shown] * len(found)
    return [(by_kind[kind][0], len(by_kind[kind])) for kind in _ORDER if kind in by_kind]


def check_shown(
    name: str, book: str, answers: Mapping[str, Answers], asked: frozenset[str], games: int
) -> CheckShown:
    """A check with what it answered; without an answer, why it has none."""
    check = ALL_CHECKS.get(name)
    severity = "breach" if check is None else check.severity
    silence = ""
    if name not in answers:
        silence = (
            _("nothing to judge")
            if name in asked
            else _("not asked: no game was judged")
            if not games
            else _("not asked: the rulebook leaves it open")
        )
    return CheckShown(
        name,
        words().statement(name),
        severity,
        gravity_word(severity, book),
        answers.get(name, Answers()),
        silence,
    )


def checks_shown(
    article: Article,
    book: str,
    answers: Mapping[str, Answers],
    asked: frozenset[str],
    games: int,
) -> Sequence[CheckShown]:
    """The checks of an article."""
    return [check_shown(name, book, answers, asked, games) for name in article.upheld_by]
