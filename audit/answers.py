"""What the checks answered, added up for any days, table and rulebook, out of the book's own rows.

Each game counts once: by the newest run that ended, under the rulebook it was judged by. What a run
under another rulebook answered is in none of these rows.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import Max

from audit.models import Finding, GameAnswers
from casino.law.rulebook.rulebook_file import counted_as

DAYS: Final = 30  # of play, where nobody asked for others
PER_ARTICLE: Final = 200  # findings counted of one article, the newest
GAMES: Final = 100  # listed

# The newest run that ended, of each game of some days, and of one table where one is asked.
_NEWEST: Final = """
WITH newest AS MATERIALIZED (
    SELECT DISTINCT ON (judged.partida_id) judged.partida_id, judged.run
    FROM audit_game_answers AS judged
    WHERE judged.gaming_day BETWEEN %(first)s AND %(last)s
        AND (%(table)s::text = '' OR judged.table_code = %(table)s) AND EXISTS (
            SELECT 1 FROM audit_reconciliation_result AS ended WHERE ended.run = judged.run)
    ORDER BY judged.partida_id, judged.n DESC
), counting AS (
    SELECT judged.partida_id, judged.gaming_day, judged.table_code, judged.rounds,
        judged.answers -> %(rulebook)s AS answers
    FROM newest JOIN audit_game_answers AS judged USING (partida_id, run)
    WHERE jsonb_exists(judged.answers, %(rulebook)s)
)"""
_CHECKS: Final = """
SELECT answered.key, sum((answered.value ->> 0)::bigint)::bigint, sum((answered.value ->>
    1)::bigint)::bigint, sum((answered.value ->> 2)::bigint)::bigint
FROM counting CROSS JOIN LATERAL jsonb_each(counting.answers) AS answered GROUP BY 1"""
_JUDGED: Final = """
SELECT (SELECT count(DISTINCT partida_id) FROM counting),
    (SELECT coalesce(sum(rounds), 0)::bigint FROM counting),
    (SELECT count(DISTINCT game.partida_id) FROM casino_partida AS game
     WHERE game.gaming_day BETWEEN %(first)s AND %(last)s AND game.rulebook = %(rulebook)s
        AND (%(table)s::text = '' OR game.table_code = %(table)s)
        AND NOT EXISTS (SELECT 1 FROM newest WHERE newest.partida_id = game.partida_id))"""
_UNDECIDED: Final = """
SELECT partida_id, sum(rounds)::bigint,
    sum((SELECT sum((answered.value ->> 2)::bigint) FROM jsonb_each(counting.answers) AS answered
         WHERE answered.key = ANY(%(checks)s)))::bigint AS times
FROM counting GROUP BY partida_id, gaming_day
HAVING sum((SELECT sum((answered.value ->> 2)::bigint) FROM jsonb_each(counting.answers) AS answered
            WHERE answered.key = ANY(%(checks)s))) > 0
ORDER BY gaming_day DESC, partida_id LIMIT %(most)s"""
_WAITING: Final = """
SELECT game.gaming_day FROM casino_partida AS game
WHERE game.gaming_day BETWEEN %(first)s AND %(last)s
    AND (%(table)s::text = '' OR game.table_code = %(table)s) AND NOT EXISTS (
        SELECT 1 FROM audit_game_answers AS judged
        JOIN audit_reconciliation_result AS ended USING (run)
        WHERE judged.partida_id = game.partida_id)
GROUP BY 1 ORDER BY 1 DESC LIMIT %(most)s"""
# Along the index by article and day, a bounded way for each article.
_FINDINGS: Final = """
SELECT asked.article, newest.severity, count(*)
FROM unnest(%(articles)s::text[]) AS asked (article), LATERAL (
    SELECT severity FROM audit_finding AS held
    WHERE held.rulebook = %(rulebook)s AND held.article = asked.article
        AND held.gaming_day BETWEEN %(first)s AND %(last)s
        AND (%(table)s::text = '' OR held.table_code = %(table)s) AND NOT EXISTS (
            SELECT 1 FROM audit_finding_supersession AS over
            WHERE over.finding = held.key AND over.n > held.n)
    ORDER BY held.gaming_day DESC, held.n DESC LIMIT %(most)s) AS newest
GROUP BY 1, 2"""


class Stretch(NamedTuple):
    """What is added up: gaming days from `first` to `last`, both in; one table, '' for all."""

    first: date
    last: date
    table: str = ""


class Answers(NamedTuple):
    """How often a check answered lawful, found something, could not be decided."""

    lawful: int = 0
    found: int = 0
    undecided: int = 0

    @property
    def checked(self) -> int:
        """How often it had something to judge."""
        return sum(self)


class Judged(NamedTuple):
    """Games and rounds that were judged under a rulebook, and games of it that were not yet."""

    games: int
    rounds: int
    waiting: int


class GameUndecided(NamedTuple):
    """A game, its rounds, and how many questions of some checks it could not answer."""

    partida: str
    rounds: int
    times: int


def newest_days(today: date) -> tuple[date, date]:
    """The DAYS gaming days up to the newest that was judged or has a finding; else up to today."""
    newest = [
        model.objects.aggregate(last=Max("gaming_day"))["last"] for model in (GameAnswers, Finding)
    ]
    last = max((day for day in newest if day is not None), default=today)
    return last - timedelta(days=DAYS - 1), last


def of_checks(rulebook: str, stretch: Stretch) -> Mapping[str, Answers]:
    """What each check of a rulebook answered; a check that had nothing to judge is not there."""
    return {
        check: Answers(lawful, found, undecided)
        for check, lawful, found, undecided in _rows(_NEWEST + _CHECKS, rulebook, stretch)
    }


def judged(rulebook: str, stretch: Stretch) -> Judged:
    """How many games and rounds these answers are of."""
    return Judged(*_rows(_NEWEST + _JUDGED, rulebook, stretch)[0])


def days_waiting(stretch: Stretch, most: int = DAYS) -> list[date]:
    """The days with games of which no run told what the checks answered, the newest first.

    Games of any rulebook: those nobody reconciled, and those reconciled before 0.7.0.
    """
    return [day for (day,) in _rows(_WAITING, "", stretch, most=most)]


def undecided_games(
    rulebook: str, stretch: Stretch, checks: Iterable[str], most: int = GAMES
) -> list[GameUndecided]:
    """The games in which some of these checks could not be decided, the newest day first."""
    rows = _rows(_NEWEST + _UNDECIDED, rulebook, stretch, checks=list(checks), most=most)
    return [GameUndecided(*row) for row in rows]


def open_by_article(
    rulebook: str, stretch: Stretch, articles: Iterable[str]
) -> dict[str, Counter[str]]:
    """How many findings are open under each article of a rulebook, by gravity.

    Of each article only the newest PER_ARTICLE + 1 of the days asked are looked at.
    """
    counted: dict[str, Counter[str]] = {}
    rows = _rows(_FINDINGS, rulebook, stretch, articles=list(articles), most=PER_ARTICLE + 1)
    for article, severity, number in rows:
        counted.setdefault(article, Counter())[counted_as(severity, rulebook)] += number
    return counted


def _rows(asked: str, rulebook: str, stretch: Stretch, **more: Any) -> Sequence[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(asked, {"rulebook": rulebook, **stretch._asdict(), **more})
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
